/**
 * The record: one transaction in the block log, with everything that is read by its version.
 *
 * ```
 * record  0 u32 length   4 u32 crc   8 u48 version   14 u48 height
 *        20 32 B transaction hash   52 32 B accumulator root after it
 *        84 6 × u32 part end, from the start of the record
 *       108 Transaction ‖ TransactionInfo ‖ events ‖ WriteSet ‖ links ‖ changes
 *
 * link    0 u32 length   4 u32 crc   8 u8 key length ‖ key of the chain's head in the state table
 *         … u48 n ‖ u64 sequence number ‖ u48 version ‖ u32 event index
 *         ‖ stack of n - 1, 20 B entries
 *
 * change  0 u32 key length ‖ storage encoding ‖ u32 value length, all ones: deletion ‖ StateValue ‖ undo
 * undo    0 u32 length   4 u32 crc   8 u32 check of the table key   12 u48 version of the old value
 *        18 u48 n ‖ stack of n - 1, 12 B entries ‖ u8 flags (1: there was a value) ‖ old StateValue
 *         n = 0: the key did not exist in the window, nothing is known before it
 * ```
 *
 * Promise: record, link and undo are read alone, at a position found elsewhere, so each has its own
 * crc, and the crc starts from the position. Bytes that are whole but belong to another place (a
 * recycled file, a stale pointer) do not pass.
 */

import { crc32 } from "node:zlib";
import { readU32, readU48, readU64, writeU32 } from "./integers.js";

/** Offsets within a record. */
export const RecordField = { VERSION: 8, HEIGHT: 14, HASH: 20, ACCUMULATOR_ROOT: 52, PART_ENDS: 84 } as const;
/** Bytes before the first part. */
export const RECORD_HEADER_BYTES = 108;
/** Parts, in order. */
export const RecordPart = { TRANSACTION: 0, INFO: 1, EVENTS: 2, WRITE_SET: 3, LINKS: 4, CHANGES: 5 } as const;

/** Offsets within an undo. */
export const UndoField = { KEY_CHECK: 8, VERSION: 12, N: 18, STACK: 24 } as const;

/** Marks a deletion in a change. */
export const DELETED = 0xffff_ffff;

/** Length and crc stand first in records, links and undos alike. */
export const PIECE_HEADER_BYTES = 8;

/** Writes length and crc of a finished piece that starts at `at` and will lie at `position`. */
export function sealPiece(target: Buffer, at: number, end: number, position: number): void {
  writeU32(target, at, end - at);
  writeU32(target, at + 4, crc32(target.subarray(at + PIECE_HEADER_BYTES, end), positionSeed(position)));
}

/** True if the piece of `length` bytes at `at` is the one written at `position`. */
export function isWholePiece(source: Buffer, at: number, length: number, position: number): boolean {
  if (length < PIECE_HEADER_BYTES || at + length > source.length) return false;
  return (
    crc32(source.subarray(at + PIECE_HEADER_BYTES, at + length), positionSeed(position)) ===
    readU32(source, at + 4)
  );
}

/** Start and end of a part within the record. */
export function partStart(source: Uint8Array, at: number, part: number): number {
  return part === 0 ? RECORD_HEADER_BYTES : partEnd(source, at, part - 1);
}
export function partEnd(source: Uint8Array, at: number, part: number): number {
  return readU32(source, at + RecordField.PART_ENDS + 4 * part);
}

/** A link, decoded. Offsets are into the buffer it was read from. */
export interface Link {
  readonly n: number;
  readonly sequenceNumber: number;
  readonly version: number;
  readonly eventIndex: number;
  /** Where the stack of n - 1 starts, its length byte first. */
  readonly stackAt: number;
}

/** Bytes of a link before its key. */
export const LINK_KEY_AT = 9;

/** @param at Start of a link already found whole. */
export function decodeLink(source: Uint8Array, at: number): Link {
  const afterKey = at + LINK_KEY_AT + (source[at + 8] as number);
  return {
    n: readU48(source, afterKey),
    sequenceNumber: readU64(source, afterKey + 6),
    version: readU48(source, afterKey + 14),
    eventIndex: readU32(source, afterKey + 20),
    stackAt: afterKey + 24,
  };
}

/**
 * FNV-1a over a key of the state table: tells that an undo is of the key it was reached from. The
 * undo's own crc vouches for its bytes; this only has to be cheap.
 */
export function keyCheck(tableKey: Uint8Array): number {
  let check = 0x811c_9dc5;
  for (let index = 0; index < tableKey.length; index++) {
    check = Math.imul(check ^ (tableKey[index] as number), 0x0100_0193);
  }
  return check >>> 0;
}

/** Start value of a crc, so that equal bytes at different positions have different ones. */
function positionSeed(position: number): number {
  return ((position % 0x1_0000_0000) ^ Math.floor(position / 0x1_0000_0000)) >>> 0;
}
