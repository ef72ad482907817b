/**
 * Lets go of versions that have left the history window.
 *
 * ```
 * segments   │ recycled │ cleaned, kept for a checkpoint │ below oldest │ window ───────────► newest
 *                                                        ▲              ▲
 *                                              previous oldest        oldest, on a segment border
 * ```
 *
 * Promises
 * - The oldest version moves only in a block's frame, in steps of whole segments, so that it is the
 *   same after a replay.
 * - Rows are taken out one step late, and files later still: a reader that has not refreshed for the
 *   time of a whole segment is the only one that can meet a gap, and it meets an error.
 * - No history is deleted row by row. Per block there is one row of `blocks`, per 256 versions one
 *   of `pos`, and the tombstones that the block left and nobody wrote over.
 */

import { changeOffsets } from "./block-batch.js";
import type { Environment } from "./environment.js";
import { getFast } from "./environment.js";
import { decodeFrameHeader, FRAME_HEADER_BYTES, recordOffset } from "./frame.js";
import { readU32, readU32BigEndian, readU48 } from "./integers.js";
import type { LogReader } from "./log-reader.js";
import type { PathDirectory } from "./path-directory.js";
import { DELETED, partEnd, partStart, RecordPart } from "./record.js";
import {
  type BlockRow,
  blockKey,
  decodeBlockRow,
  POSITIONS_PER_CHUNK,
  StateRecord,
  VALUE_PRESENT,
} from "./schema.js";
import { HISTORY_ENTRY_BYTES, stackBytes } from "./skip-stack.js";
import { StateKeyEncoder } from "./state-key.js";
import type { LedgerHead } from "./types.js";

/** Old blocks cleaned per block committed: more than one, so that cleaning catches up. */
const CLEANED_PER_BLOCK = 4;

/** Where the window starts. */
export interface Oldest {
  readonly oldestVersion: number;
  readonly oldestHeight: number;
}

export class Pruner {
  readonly #environment: Environment;
  readonly #log: LogReader;
  readonly #paths: PathDirectory;
  readonly #storeTag: Buffer;
  readonly #segmentBytes: number;
  readonly #historyVersions: number;
  readonly #keys = new StateKeyEncoder();
  /** Rows below it may go. */
  #cleanBelow: Oldest | undefined;
  /** Next segment border to move to, with the oldest height it was computed for. */
  #nextStep: { readonly from: number; readonly height: number; readonly version: number } | undefined;

  /** @param historyVersions Versions that stay readable; Infinity keeps all. */
  constructor(
    environment: Environment,
    log: LogReader,
    paths: PathDirectory,
    storeTag: Buffer,
    segmentBytes: number,
    historyVersions: number,
  ) {
    this.#environment = environment;
    this.#log = log;
    this.#paths = paths;
    this.#storeTag = storeTag;
    this.#segmentBytes = segmentBytes;
    this.#historyVersions = historyVersions;
  }

  /** The oldest version that the next frame should state. */
  advance(head: LedgerHead): Oldest {
    let { oldestVersion, oldestHeight } = head;
    const target = head.version + 1 - this.#historyVersions;
    if (target <= oldestVersion) return { oldestVersion, oldestHeight };
    for (;;) {
      const step = this.#step(oldestHeight, head.height);
      if (step === undefined || step.version > target) break;
      oldestVersion = step.version;
      oldestHeight = step.height;
    }
    return { oldestVersion, oldestHeight };
  }

  /** Tells that the window's start has moved in a committed block. */
  moved(from: Oldest): void {
    this.#cleanBelow = from;
  }

  /** Takes rows out, inside a block's transaction. */
  inTransaction(blocks: number): void {
    const limit = this.#cleanBelow;
    if (limit === undefined) return;
    for (let count = 0; count < blocks * CLEANED_PER_BLOCK; count++) {
      const first = this.#firstBlock();
      if (first === undefined || first.height >= limit.oldestHeight) {
        this.#cleanBelow = undefined;
        return;
      }
      this.#removeTombstones(first.row, limit.oldestVersion);
      this.#removePositions(limit.oldestVersion);
      this.#environment.blocks.removeSync(blockKey(first.height));
    }
  }

  /** The log is not needed before this position by the rows that are left. */
  firstPosition(): number {
    return this.#firstBlock()?.row.position ?? 0;
  }

  /** The first block that starts in a later segment than block `height` does. */
  #step(height: number, newest: number): { readonly height: number; readonly version: number } | undefined {
    if (this.#nextStep?.from === height) return this.#nextStep;
    const row = this.#blockRow(height);
    if (row === undefined) return undefined;
    const border = (Math.floor(row.position / this.#segmentBytes) + 1) * this.#segmentBytes;
    let low = height + 1;
    let high = newest + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#blockRow(middle)?.position ?? 0) >= border) high = middle;
      else low = middle + 1;
    }
    const found = low <= newest ? this.#blockRow(low) : undefined;
    if (found === undefined) return undefined;
    this.#nextStep = { from: height, height: low, version: found.firstVersion };
    return this.#nextStep;
  }

  #removeTombstones(row: BlockRow, oldestVersion: number): void {
    const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
    if (this.#log.read(row.position, head, FRAME_HEADER_BYTES) < FRAME_HEADER_BYTES) return;
    const header = decodeFrameHeader(head, 0, this.#storeTag);
    if (header === undefined || header.firstVersion !== row.firstVersion) return;
    const frame = Buffer.allocUnsafe(header.length);
    if (this.#log.read(row.position, frame, header.length) < header.length) return;
    for (let index = 0; index < header.transactions; index++) {
      const at = recordOffset(frame, 0, header, index);
      const end = at + partEnd(frame, at, RecordPart.CHANGES);
      for (let changeAt = at + partStart(frame, at, RecordPart.CHANGES); changeAt < end; ) {
        const change = changeOffsets(frame, changeAt);
        if (change.valueLength === DELETED) {
          this.#removeTombstone(frame.subarray(change.keyAt, change.keyAt + change.keyLength), oldestVersion);
        }
        changeAt = change.undoAt + readU32(frame, change.undoAt);
      }
    }
  }

  #removeTombstone(key: Buffer, oldestVersion: number): void {
    const { state } = this.#environment;
    const tableKey = this.#keys.find(key, this.#paths);
    const row = tableKey === undefined ? undefined : getFast(state, tableKey);
    if (tableKey === undefined || row === undefined) return;
    const flagsAt = StateRecord.STACK + stackBytes(row, StateRecord.STACK, HISTORY_ENTRY_BYTES);
    const isOld = readU48(row, StateRecord.VERSION) < oldestVersion;
    if (isOld && ((row[flagsAt] as number) & VALUE_PRESENT) === 0) state.removeSync(tableKey);
  }

  #removePositions(oldestVersion: number): void {
    const { positions } = this.#environment;
    for (const key of positions.getKeys({ limit: 1 })) {
      const first = readU32BigEndian(key, 0);
      if ((first + 1) * POSITIONS_PER_CHUNK <= oldestVersion) positions.removeSync(key);
    }
  }

  #firstBlock(): { readonly height: number; readonly row: BlockRow } | undefined {
    for (const { key, value } of this.#environment.blocks.getRange({ limit: 1 })) {
      return { height: key.readUIntBE(0, 6), row: decodeBlockRow(value) };
    }
    return undefined;
  }

  #blockRow(height: number): BlockRow | undefined {
    const bytes = getFast(this.#environment.blocks, blockKey(height));
    return bytes === undefined ? undefined : decodeBlockRow(bytes.subarray(0, bytes.length));
  }
}
