/**
 * Row layouts of an executed block as it is handed to the store: flat arrays of u32, offsets into
 * one byte buffer. The executor's side of the same layouts is src/native/types.ts; a test holds the
 * two equal, because neither room may import the other.
 */

/** One row per transaction. */
export const TransactionRow = {
  HASH: 0,
  ACCUMULATOR_ROOT: 1,
  TRANSACTION: 2,
  TRANSACTION_END: 3,
  INFO: 4,
  INFO_END: 5,
  EVENTS: 6,
  EVENTS_END: 7,
  WRITE_SET: 8,
  WRITE_SET_END: 9,
  FIRST_WRITE: 10,
  WRITES_END: 11,
  FIRST_LINK: 12,
  LINKS_END: 13,
  SENDER: 14,
  SEQUENCE_NUMBER_LOW: 15,
  SEQUENCE_NUMBER_HIGH: 16,
  GAS_UNITS: 17,
  WIDTH: 18,
} as const;

/** One row per write, in execution order. */
export const WriteRow = { KEY: 0, KEY_END: 1, VALUE: 2, VALUE_END: 3, WIDTH: 4 } as const;

/** One row per event of a handle's stream; the key is 32 B account ‖ u64 LE creation number. */
export const EventLinkRow = {
  KEY: 0,
  SEQUENCE_NUMBER_LOW: 1,
  SEQUENCE_NUMBER_HIGH: 2,
  EVENT_INDEX: 3,
  WIDTH: 4,
} as const;

/** Marks an absent offset. */
export const NONE = 0xffff_ffff;
