/**
 * Every table of the store's LMDB environment, drawn and encoded. The block log is drawn in
 * frame.ts and record.ts; files beside both in store-file.ts, checkpoint.ts and hash-run.ts.
 *
 * Promise: this environment is derived. Each table can be rebuilt from the block log, or from a
 * checkpoint and the log behind it. Keys and values are bytes; no compression, no cache, no
 * duplicates. Big-endian (BE) only in keys, where byte order must be number order.
 *
 * ```
 * state    key  32 B address or table handle ‖ u8 kind ‖ rest
 *               kind 0 chain head  rest = empty (the account's own transactions)
 *                                         or u64 BE creation number (an event handle)
 *               kind 1 module, 2 resource, 3 resource group   rest = u32 BE path id
 *               kind 4 table item  rest = key, up to 400 B
 *               kind 5 any other   address = sha3-256 of the storage encoding, rest = empty
 *          value, kinds 1 to 5
 *               u48 version ‖ u48 n ‖ stack of n, 12 B entries ‖ u8 flags
 *               ‖ kind 5 only: u32 length ‖ storage encoding
 *               ‖ StateValue, absent in a tombstone
 *               n = overwrites since the key appeared in the history window; flags: 1 value present
 *          value, kind 0
 *               u48 version ‖ u48 n ‖ stack of n, 20 B entries (u64 sequence number first)
 * paths    key  u32 BE path id                value  path bytes of an access path   (append)
 * pathid   key  8 B of sha3-256(path)         value  u32 path id, one or more
 * pos      key  u32 BE version >> 8           value  u48 log position of the record, up to 256
 * blocks   key  u48 BE height                 value  u48 first version ‖ u32 transactions
 *                                                    ‖ u48 log position of the frame
 *                                                    ‖ u64 timestamp µs ‖ 32 B id     (append)
 * hash0/1  key  first 8 B of a transaction hash   value  u48 version, one or more
 * meta     key  1   ledger head: u64 version, height, timestamp µs, epoch, round, oldest version,
 *                   oldest height ‖ 32 B per accumulator peak
 *          key  2   log cursor: u16 schema ‖ u32 writer epoch ‖ u48 position of the newest frame
 *                   ‖ u48 position behind it ‖ u32 its crc ‖ u48 next path id
 *          key  3   hash index: see hash-index.ts
 * ```
 *
 * Hash prefixes and path prefixes are 8 bytes, which can be ground to collide: whoever looks one up
 * compares the full value.
 */

import {
  readU32,
  readU48,
  readU64,
  writeU32,
  writeU32BigEndian,
  writeU48,
  writeU48BigEndian,
  writeU64,
} from "./integers.js";
import type { LedgerHead } from "./types.js";

/** Number of this layout. A newer one in a data folder is refused; an older one is rebuilt. */
export const SCHEMA = 1;

/** Kind byte of a key of the state table. */
export const KeyKind = {
  CHAIN_HEAD: 0,
  MODULE: 1,
  RESOURCE: 2,
  GROUP: 3,
  TABLE_ITEM: 4,
  OTHER: 5,
} as const;

/** Bytes of a key of kinds 1 to 3. */
export const PATH_KEY_BYTES = 37;
/** Longest key part of a table item that is stored as it is. */
export const TABLE_ITEM_KEY_MAX = 400;

/** Offsets within a value of the state table. */
export const StateRecord = { VERSION: 0, N: 6, STACK: 12 } as const;
/** Flag bit: a value follows. Absent in a tombstone. */
export const VALUE_PRESENT = 1;

/** Keys of the meta table. */
export const MetaKey = {
  HEAD: Buffer.from([1]),
  LOG_CURSOR: Buffer.from([2]),
  HASH_INDEX: Buffer.from([3]),
} as const;

const HEAD_FIXED_BYTES = 56;

export function encodeHead(head: LedgerHead): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_FIXED_BYTES + head.accumulatorPeaks.length);
  writeU64(bytes, 0, head.version);
  writeU64(bytes, 8, head.height);
  writeU64(bytes, 16, head.timestampUsecs);
  writeU64(bytes, 24, head.epoch);
  writeU64(bytes, 32, head.round);
  writeU64(bytes, 40, head.oldestVersion);
  writeU64(bytes, 48, head.oldestHeight);
  bytes.set(head.accumulatorPeaks, HEAD_FIXED_BYTES);
  return bytes;
}

/** @param bytes Copied where needed, so a borrowed buffer will do. */
export function decodeHead(bytes: Uint8Array): LedgerHead {
  return {
    version: readU64(bytes, 0),
    height: readU64(bytes, 8),
    timestampUsecs: readU64(bytes, 16),
    epoch: readU64(bytes, 24),
    round: readU64(bytes, 32),
    oldestVersion: readU64(bytes, 40),
    oldestHeight: readU64(bytes, 48),
    accumulatorPeaks: Buffer.from(bytes.slice(HEAD_FIXED_BYTES, bytes.length)),
  };
}

/** Where the block log ends, as LMDB knows it. */
export interface LogCursor {
  readonly schema: number;
  readonly writerEpoch: number;
  /** Meaningless before the first frame. */
  readonly lastFramePosition: number;
  readonly nextPosition: number;
  readonly lastFrameCrc: number;
  readonly nextPathId: number;
}

const LOG_CURSOR_BYTES = 28;

export function encodeLogCursor(cursor: LogCursor): Buffer {
  const bytes = Buffer.alloc(LOG_CURSOR_BYTES);
  bytes.writeUInt16LE(cursor.schema, 0);
  writeU32(bytes, 2, cursor.writerEpoch);
  writeU48(bytes, 6, cursor.lastFramePosition);
  writeU48(bytes, 12, cursor.nextPosition);
  writeU32(bytes, 18, cursor.lastFrameCrc);
  writeU48(bytes, 22, cursor.nextPathId);
  return bytes;
}

export function decodeLogCursor(bytes: Uint8Array): LogCursor {
  return {
    schema: (bytes[0] as number) | ((bytes[1] as number) << 8),
    writerEpoch: readU32(bytes, 2),
    lastFramePosition: readU48(bytes, 6),
    nextPosition: readU48(bytes, 12),
    lastFrameCrc: readU32(bytes, 18),
    nextPathId: readU48(bytes, 22),
  };
}

/** One row of the blocks table. */
export interface BlockRow {
  readonly firstVersion: number;
  readonly transactions: number;
  readonly position: number;
  readonly timestampUsecs: number;
  readonly blockId: Uint8Array;
}

const BLOCK_ROW_BYTES = 56;

export function encodeBlockRow(row: BlockRow): Buffer {
  const bytes = Buffer.allocUnsafe(BLOCK_ROW_BYTES);
  writeU48(bytes, 0, row.firstVersion);
  writeU32(bytes, 6, row.transactions);
  writeU48(bytes, 10, row.position);
  writeU64(bytes, 16, row.timestampUsecs);
  bytes.set(row.blockId, 24);
  return bytes;
}

/** @param bytes Copied where needed, so a borrowed buffer will do. */
export function decodeBlockRow(bytes: Uint8Array): BlockRow {
  return {
    firstVersion: readU48(bytes, 0),
    transactions: readU32(bytes, 6),
    position: readU48(bytes, 10),
    timestampUsecs: readU64(bytes, 16),
    blockId: Buffer.from(bytes.slice(24, BLOCK_ROW_BYTES)),
  };
}

/** Key of the blocks table. */
export function blockKey(height: number): Buffer {
  const key = Buffer.allocUnsafe(6);
  writeU48BigEndian(key, 0, height);
  return key;
}

/** Versions per value of the pos table. */
export const POSITIONS_PER_CHUNK = 256;
/** Bytes of one position in it. */
export const POSITION_BYTES = 6;

/** Key of the pos table for the chunk that holds `version`. */
export function positionKey(version: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  writeU32BigEndian(key, 0, Math.floor(version / POSITIONS_PER_CHUNK));
  return key;
}

/** Key of the paths table. */
export function pathKey(id: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  writeU32BigEndian(key, 0, id);
  return key;
}
