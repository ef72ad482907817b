/**
 * The frame: one block in the block log.
 *
 * ```
 * frame = header ‖ P × 32 B accumulator peaks ‖ T × u32 record offset ‖ T records (record.ts)
 *
 *   0 u32 crc32 of everything behind it        4 u32 length of the frame
 *   8 u16 schema   10 u16 0                   12 u32 writer epoch
 *  16 u64 height                              24 u64 first version
 *  32 u32 T, transactions                     36 u32 P, peaks
 *  40 u64 timestamp µs                        48 32 B block id
 *  80 u48 position of the previous frame      86 u16 0
 *  88 first 8 B of the store id               96 u64 height known durable when written (all ones: none)
 * 104 u64 epoch                              112 u64 round
 * 120 u64 oldest version                     128 u64 oldest height, both as of this block
 * 136 u32 crc32 of the previous frame        140 u32 0
 * 144 …
 * ```
 *
 * Frames follow each other without gaps in one line of bytes that starts at genesis (segment-log.ts
 * cuts it into files), so a frame may lie across two files. A frame is never edited.
 *
 * Promise: a frame that is accepted was written whole, by this store, as the successor of the one
 * before it. The crc of the previous frame makes the chain exact: after a torn end has been cut off
 * and written over, what the torn write left further on cannot pass for a continuation.
 */

import { crc32 } from "node:zlib";
import { readU32, readU48, readU64, writeU32, writeU48, writeU64 } from "./integers.js";
import { SCHEMA } from "./schema.js";

/** Bytes before the peaks. */
export const FRAME_HEADER_BYTES = 144;
/** A block larger than this is refused at commit, and a length above it marks a bad frame. */
export const FRAME_BYTES_MAX = 512 * 1024 * 1024;
/** Bytes of the store id in a frame, and where they stand: recovery searches for them. */
export const STORE_TAG_BYTES = 8;
export const STORE_TAG_AT = 88;

const NO_HEIGHT = 2 ** 53 - 1;

/** A frame header, decoded. */
export interface FrameHeader {
  readonly crc: number;
  readonly length: number;
  readonly schema: number;
  readonly writerEpoch: number;
  readonly height: number;
  readonly firstVersion: number;
  readonly transactions: number;
  readonly peaks: number;
  readonly timestampUsecs: number;
  readonly blockId: Buffer;
  readonly previousPosition: number;
  /** `undefined` in the first frame. */
  readonly durableHeight: number | undefined;
  readonly epoch: number;
  readonly round: number;
  readonly oldestVersion: number;
  readonly oldestHeight: number;
  readonly previousCrc: number;
}

/** Writes all of the header but its crc. */
export function encodeFrameHeader(
  target: Buffer,
  at: number,
  header: Omit<FrameHeader, "crc" | "schema">,
  storeTag: Uint8Array,
): void {
  target.fill(0, at, at + FRAME_HEADER_BYTES);
  writeU32(target, at + 4, header.length);
  target.writeUInt16LE(SCHEMA, at + 8);
  writeU32(target, at + 12, header.writerEpoch);
  writeU64(target, at + 16, header.height);
  writeU64(target, at + 24, header.firstVersion);
  writeU32(target, at + 32, header.transactions);
  writeU32(target, at + 36, header.peaks);
  writeU64(target, at + 40, header.timestampUsecs);
  target.set(header.blockId, at + 48);
  writeU48(target, at + 80, header.previousPosition);
  target.set(storeTag, at + STORE_TAG_AT);
  writeU64(target, at + 96, header.durableHeight ?? NO_HEIGHT);
  writeU64(target, at + 104, header.epoch);
  writeU64(target, at + 112, header.round);
  writeU64(target, at + 120, header.oldestVersion);
  writeU64(target, at + 128, header.oldestHeight);
  writeU32(target, at + 136, header.previousCrc);
}

/** Computes and writes the crc of a finished frame. @returns the crc. */
export function sealFrame(target: Buffer, at: number, length: number): number {
  const crc = crc32(target.subarray(at + 4, at + length));
  writeU32(target, at, crc);
  return crc;
}

/**
 * Reads a header's fields, believing them.
 *
 * @returns `undefined` if it cannot be the start of a frame of this store: another store's tag, or a
 *   length that no frame has. Everything else is for {@link isWholeFrame} and the caller to check.
 */
export function decodeFrameHeader(source: Buffer, at: number, storeTag: Uint8Array): FrameHeader | undefined {
  if (source.length - at < FRAME_HEADER_BYTES) return undefined;
  for (let index = 0; index < STORE_TAG_BYTES; index++) {
    if (source[at + STORE_TAG_AT + index] !== storeTag[index]) return undefined;
  }
  const length = readU32(source, at + 4);
  const transactions = readU32(source, at + 32);
  const peaks = readU32(source, at + 36);
  if (length > FRAME_BYTES_MAX || length < FRAME_HEADER_BYTES + 32 * peaks + 4 * transactions)
    return undefined;
  const durableHeight = readU64(source, at + 96);
  return {
    crc: readU32(source, at),
    length,
    schema: source.readUInt16LE(at + 8),
    writerEpoch: readU32(source, at + 12),
    height: readU64(source, at + 16),
    firstVersion: readU64(source, at + 24),
    transactions,
    peaks,
    timestampUsecs: readU64(source, at + 40),
    blockId: Buffer.from(source.subarray(at + 48, at + 80)),
    previousPosition: readU48(source, at + 80),
    durableHeight: durableHeight === NO_HEIGHT ? undefined : durableHeight,
    epoch: readU64(source, at + 104),
    round: readU64(source, at + 112),
    oldestVersion: readU64(source, at + 120),
    oldestHeight: readU64(source, at + 128),
    previousCrc: readU32(source, at + 136),
  };
}

/** True if the bytes of the frame are those that were written. */
export function isWholeFrame(source: Buffer, at: number, header: FrameHeader): boolean {
  if (at + header.length > source.length) return false;
  return crc32(source.subarray(at + 4, at + header.length)) === header.crc;
}

/** Offset of record `index` within the frame at `at`. */
export function recordOffset(source: Buffer, at: number, header: FrameHeader, index: number): number {
  return readU32(source, at + FRAME_HEADER_BYTES + 32 * header.peaks + 4 * index);
}
