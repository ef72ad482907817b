/**
 * Finds where the block log ends and brings LMDB up to it.
 *
 * ```
 * LMDB's log cursor                        end
 *      │   frame  frame  frame  frame │ torn frame, zeros, or what a recycled file held before
 *      └─ must be whole ─┘ applied ───┘ erased
 * ```
 *
 * Promises
 * - A frame is applied only if it is whole, of this store, and the successor of the one before it
 *   (height, first version, crc of its predecessor, writer epoch).
 * - The first that is not ends the log, unless a later frame says it had been durable: then the log
 *   is damaged, and the store refuses to open rather than forget blocks that readers may have seen.
 * - LMDB that is ahead of the log is refused for the same reason: the log was synced first, so the
 *   disk has lost what it had acknowledged.
 */

import { NodeError } from "../errors/index.js";
import { applyBatch } from "./block-apply.js";
import { BlockBatch } from "./block-batch.js";
import { type Environment, getFast } from "./environment.js";
import {
  decodeFrameHeader,
  FRAME_BYTES_MAX,
  FRAME_HEADER_BYTES,
  type FrameHeader,
  isWholeFrame,
  STORE_TAG_AT,
} from "./frame.js";
import type { LogReader } from "./log-reader.js";
import type { PathRegistry } from "./path-directory.js";
import { decodeHead, decodeLogCursor, type LogCursor, MetaKey } from "./schema.js";
import { StateKeyEncoder } from "./state-key.js";
import type { LedgerHead } from "./types.js";

/** Bytes of log read at a time. */
const WINDOW_BYTES = 8 * 1024 * 1024;
/** Transactions applied per LMDB transaction. */
const BATCH_TRANSACTIONS_MAX = 5_000;

/** What LMDB says of itself; both `undefined` in an environment that never saw a block. */
export interface EnvironmentEnd {
  readonly head: LedgerHead | undefined;
  readonly cursor: LogCursor | undefined;
}

/** How the log ended. */
export interface RecoveredLog {
  readonly end: EnvironmentEnd;
  /** Blocks that LMDB did not have. */
  readonly blocksApplied: number;
  /** Bytes behind the end that are not zero and have to be erased; 0 after a clean stop. */
  readonly tornBytes: number;
  /** Highest writer epoch met. */
  readonly writerEpoch: number;
}

export function readEnvironmentEnd(environment: Environment): EnvironmentEnd {
  const cursor = getFast(environment.meta, MetaKey.LOG_CURSOR);
  const decodedCursor = cursor === undefined ? undefined : decodeLogCursor(cursor);
  const head = getFast(environment.meta, MetaKey.HEAD);
  return {
    head: head === undefined ? undefined : decodeHead(head.subarray(0, head.length)),
    cursor: decodedCursor,
  };
}

/**
 * Applies what LMDB lacks.
 *
 * @param searchBehind Look behind the end for frames that prove damage: needed unless the last
 *   writer closed the store itself.
 * @throws NodeError `store_corrupt`
 */
export function recover(
  environment: Environment,
  log: LogReader,
  paths: PathRegistry,
  storeTag: Buffer,
  searchBehind: boolean,
): RecoveredLog {
  let end = readEnvironmentEnd(environment);
  if (end.head !== undefined && end.cursor !== undefined) checkLastFrame(log, end.head, end.cursor, storeTag);
  const keys = new StateKeyEncoder();
  const storedEpoch = end.cursor?.writerEpoch ?? 0;
  let previousEpoch = 0;
  let blocksApplied = 0;
  let windowBytes = WINDOW_BYTES;
  for (;;) {
    const position = end.head === undefined ? 0 : (end.cursor?.nextPosition ?? 0);
    const window = Buffer.allocUnsafe(windowBytes);
    const count = log.read(position, window, windowBytes);
    const bytes = window.subarray(0, count);
    const batch = new BlockBatch(bytes, position);
    let at = 0;
    let head = end.head;
    let previousCrc = head === undefined ? 0 : (end.cursor?.lastFrameCrc ?? 0);
    let needed = 0;
    while (batch.transactions < BATCH_TRANSACTIONS_MAX) {
      const header = decodeFrameHeader(bytes, at, storeTag);
      if (header === undefined) {
        if (count === windowBytes && at > 0 && count - at < FRAME_HEADER_BYTES) needed = FRAME_HEADER_BYTES;
        break;
      }
      if (at + header.length > count && count === windowBytes) {
        needed = header.length;
        break;
      }
      if (!follows(header, head, previousCrc, previousEpoch) || !isWholeFrame(bytes, at, header)) break;
      batch.addFrame(at, header, keys, paths);
      at += header.length;
      head = {
        ...(head ?? EMPTY_HEAD),
        version: header.firstVersion + header.transactions - 1,
        height: header.height,
      };
      previousCrc = header.crc;
      previousEpoch = header.writerEpoch;
    }
    if (batch.frames.length > 0) {
      end = applyBatch(environment, paths, batch, storedEpoch);
      blocksApplied += batch.frames.length;
      windowBytes = WINDOW_BYTES;
      continue;
    }
    if (needed > windowBytes && needed <= FRAME_BYTES_MAX) {
      windowBytes = needed;
      continue;
    }
    const height = end.head === undefined ? 0 : end.head.height + 1;
    const tornBytes = tornLength(bytes);
    if (searchBehind) refuseLaterFrames(log, position, height, storeTag);
    return { end, blocksApplied, tornBytes, writerEpoch: Math.max(storedEpoch, previousEpoch) };
  }
}

const EMPTY_HEAD: LedgerHead = {
  version: -1,
  height: -1,
  timestampUsecs: 0,
  epoch: 0,
  round: 0,
  oldestVersion: 0,
  oldestHeight: 0,
  accumulatorPeaks: Buffer.alloc(0),
};

function follows(
  header: FrameHeader,
  head: LedgerHead | undefined,
  previousCrc: number,
  previousEpoch: number,
): boolean {
  const { height, version } = head ?? EMPTY_HEAD;
  return (
    header.height === height + 1 &&
    header.firstVersion === version + 1 &&
    header.transactions > 0 &&
    header.previousCrc === previousCrc &&
    header.writerEpoch >= previousEpoch
  );
}

function checkLastFrame(log: LogReader, head: LedgerHead, cursor: LogCursor, storeTag: Buffer): void {
  const length = cursor.nextPosition - cursor.lastFramePosition;
  const bytes = Buffer.allocUnsafe(length);
  const count = log.read(cursor.lastFramePosition, bytes, length);
  const header = count === length ? decodeFrameHeader(bytes, 0, storeTag) : undefined;
  const isLast =
    header !== undefined &&
    header.height === head.height &&
    header.crc === cursor.lastFrameCrc &&
    isWholeFrame(bytes, 0, header);
  if (isLast) return;
  throw new NodeError(
    "store_corrupt",
    `the block log does not hold block ${head.height}, which had been committed`,
  );
}

/** How far the bytes behind the end are something else than zeros, at most one window. */
function tornLength(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}

/** @throws NodeError `store_corrupt` if a whole frame further on says that block `height` was durable. */
function refuseLaterFrames(log: LogReader, position: number, height: number, storeTag: Buffer): void {
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  for (let at = position; ; ) {
    const count = log.read(at, window, WINDOW_BYTES);
    const bytes = window.subarray(0, count);
    for (let found = bytes.indexOf(storeTag); found >= 0; found = bytes.indexOf(storeTag, found + 1)) {
      const frameAt = at + found - STORE_TAG_AT;
      if (frameAt < position) continue;
      if (isLaterDurable(log, frameAt, height, storeTag)) {
        throw new NodeError(
          "store_corrupt",
          `the block log is damaged: block ${height} was durable and is not whole`,
        );
      }
    }
    if (count < WINDOW_BYTES) return;
    // A tag across the border of two windows is found in the second.
    at += WINDOW_BYTES - storeTag.length;
  }
}

function isLaterDurable(log: LogReader, position: number, height: number, storeTag: Buffer): boolean {
  const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
  if (log.read(position, head, FRAME_HEADER_BYTES) < FRAME_HEADER_BYTES) return false;
  const header = decodeFrameHeader(head, 0, storeTag);
  if (header === undefined || header.height <= height || (header.durableHeight ?? -1) < height) return false;
  const bytes = Buffer.allocUnsafe(header.length);
  return log.read(position, bytes, header.length) === header.length && isWholeFrame(bytes, 0, header);
}
