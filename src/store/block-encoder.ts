/**
 * Turns executed blocks into frames: looks up what each write replaces, extends the history of its
 * key and the chains of its accounts, and seals the crcs.
 *
 * Promises: reads LMDB, changes nothing but the path numbers it was given to hand out. A key written
 * several times, in one block or several of a batch, gets one undo per write. Cost: one LMDB read
 * per key and batch, no allocation per field.
 *
 * Leaves to others: where the frames go (segment-log.ts) and what becomes of them in LMDB
 * (block-apply.ts).
 */

import { invariant, NodeError } from "../errors/index.js";
import type { BlockBatch, PendingState } from "./block-batch.js";
import { copyBytes } from "./byte-copy.js";
import { type Environment, getFast } from "./environment.js";
import { encodeFrameHeader, FRAME_BYTES_MAX, FRAME_HEADER_BYTES, sealFrame } from "./frame.js";
import { readU48, readU64, writeU32, writeU48, writeU64 } from "./integers.js";
import type { PathRegistry } from "./path-directory.js";
import {
  DELETED,
  decodeLink,
  keyCheck,
  LINK_KEY_AT,
  PIECE_HEADER_BYTES,
  RECORD_HEADER_BYTES,
  RecordField,
  RecordPart,
  sealPiece,
  UndoField,
} from "./record.js";
import { EventLinkRow, NONE, TransactionRow, WriteRow } from "./rows.js";
import { KeyKind, SCHEMA, StateRecord, VALUE_PRESENT } from "./schema.js";
import {
  CHAIN_ENTRY_BYTES,
  HISTORY_ENTRY_BYTES,
  pushOnStack,
  STACK_ENTRIES_MAX,
  stackBytes,
} from "./skip-stack.js";
import { keepsFullKey, type StateKeyEncoder } from "./state-key.js";
import type { BlockToCommit } from "./types.js";

/** What a frame says besides its block. */
export interface FrameContext {
  readonly writerEpoch: number;
  readonly storeTag: Uint8Array;
  readonly previousPosition: number;
  readonly previousCrc: number;
  readonly durableHeight: number | undefined;
  readonly oldestVersion: number;
  readonly oldestHeight: number;
}

/** Room kept at the end of the buffer for the fixed fields and stack of one link or undo. */
const PIECE_ROOM = 256 + CHAIN_ENTRY_BYTES * STACK_ENTRIES_MAX;
/** Sequence numbers above this are not indexed; no honest account gets there. */
const SEQUENCE_NUMBER_MAX = Number.MAX_SAFE_INTEGER;

export class BlockEncoder {
  readonly #environment: Environment;
  readonly #keys: StateKeyEncoder;
  readonly #paths: PathRegistry;
  readonly #headKey = Buffer.alloc(41);

  constructor(environment: Environment, keys: StateKeyEncoder, paths: PathRegistry) {
    this.#environment = environment;
    this.#keys = keys;
    this.#paths = paths;
  }

  /**
   * Appends one block to `batch`.
   *
   * @throws NodeError `store_failed` if the frame would be larger than FRAME_BYTES_MAX; the batch
   *   must then be thrown away.
   */
  append(batch: BlockBatch, block: BlockToCommit, context: FrameContext): void {
    const transactions = block.transactions.length / TransactionRow.WIDTH;
    const peaks = block.accumulatorPeaks.length / 32;
    const at = batch.length;
    const offsetsAt = at + FRAME_HEADER_BYTES + 32 * peaks;
    this.#room(batch, offsetsAt + 4 * transactions);
    batch.buffer.set(block.accumulatorPeaks, at + FRAME_HEADER_BYTES);
    let end = offsetsAt + 4 * transactions;
    for (let index = 0; index < transactions; index++) {
      writeU32(batch.buffer, offsetsAt + 4 * index, end - at);
      end = this.#record(batch, end, block, index, context.oldestVersion);
      if (end - at > FRAME_BYTES_MAX) {
        throw new NodeError("store_failed", `block ${block.height} is larger than ${FRAME_BYTES_MAX} bytes`);
      }
    }
    const header = {
      ...context,
      length: end - at,
      height: block.height,
      firstVersion: block.firstVersion,
      transactions,
      peaks,
      timestampUsecs: block.timestampUsecs,
      blockId: block.blockId,
      epoch: block.epoch,
      round: block.round,
    };
    encodeFrameHeader(batch.buffer, at, header, context.storeTag);
    const crc = sealFrame(batch.buffer, at, end - at);
    batch.frames.push({ at, header: { ...header, crc, schema: SCHEMA } });
    batch.length = end;
    batch.transactions += transactions;
  }

  #record(batch: BlockBatch, at: number, block: BlockToCommit, index: number, oldestVersion: number): number {
    const { transactions: rows, bytes } = block;
    const row = index * TransactionRow.WIDTH;
    const version = block.firstVersion + index;
    let end = at + RECORD_HEADER_BYTES;
    for (let part = RecordPart.TRANSACTION; part <= RecordPart.WRITE_SET; part++) {
      const from = rows[row + TransactionRow.TRANSACTION + 2 * part] as number;
      const to = rows[row + TransactionRow.TRANSACTION_END + 2 * part] as number;
      this.#room(batch, end + (to - from) + PIECE_ROOM);
      copyBytes(batch.buffer, end, bytes, from, to);
      end += to - from;
      writeU32(batch.buffer, at + RecordField.PART_ENDS + 4 * part, end - at);
    }
    end = this.#links(batch, end, block, row, version, oldestVersion);
    writeU32(batch.buffer, at + RecordField.PART_ENDS + 4 * RecordPart.LINKS, end - at);
    const writesEnd = rows[row + TransactionRow.WRITES_END] as number;
    for (let write = rows[row + TransactionRow.FIRST_WRITE] as number; write < writesEnd; write++) {
      end = this.#change(batch, end, block, write * WriteRow.WIDTH, version, oldestVersion);
    }
    const { buffer } = batch;
    writeU32(buffer, at + RecordField.PART_ENDS + 4 * RecordPart.CHANGES, end - at);
    writeU48(buffer, at + RecordField.VERSION, version);
    writeU48(buffer, at + RecordField.HEIGHT, block.height);
    const hash = rows[row + TransactionRow.HASH] as number;
    const root = rows[row + TransactionRow.ACCUMULATOR_ROOT] as number;
    copyBytes(buffer, at + RecordField.HASH, bytes, hash, hash + 32);
    copyBytes(buffer, at + RecordField.ACCUMULATOR_ROOT, bytes, root, root + 32);
    sealPiece(buffer, at, end, batch.position + at);
    return end;
  }

  #links(
    batch: BlockBatch,
    at: number,
    block: BlockToCommit,
    row: number,
    version: number,
    oldestVersion: number,
  ): number {
    const { transactions: rows, eventLinks: links, bytes } = block;
    const sender = rows[row + TransactionRow.SENDER] as number;
    const key = this.#headKey;
    let end = at;
    if (sender !== NONE) {
      copyBytes(key, 0, bytes, sender, sender + 32);
      key[32] = KeyKind.CHAIN_HEAD;
      const low = rows[row + TransactionRow.SEQUENCE_NUMBER_LOW] as number;
      const high = rows[row + TransactionRow.SEQUENCE_NUMBER_HIGH] as number;
      end = this.#link(batch, end, key.subarray(0, 33), low + high * 2 ** 32, version, 0, oldestVersion);
    }
    const linksEnd = rows[row + TransactionRow.LINKS_END] as number;
    for (let index = rows[row + TransactionRow.FIRST_LINK] as number; index < linksEnd; index++) {
      const link = index * EventLinkRow.WIDTH;
      const keyAt = links[link + EventLinkRow.KEY] as number;
      copyBytes(key, 0, bytes, keyAt, keyAt + 32);
      key[32] = KeyKind.CHAIN_HEAD;
      // Little-endian on the wire, big-endian in the key.
      for (let byte = 0; byte < 8; byte++) key[33 + byte] = bytes[keyAt + 39 - byte] as number;
      const low = links[link + EventLinkRow.SEQUENCE_NUMBER_LOW] as number;
      const high = links[link + EventLinkRow.SEQUENCE_NUMBER_HIGH] as number;
      const eventIndex = links[link + EventLinkRow.EVENT_INDEX] as number;
      end = this.#link(batch, end, key, low + high * 2 ** 32, version, eventIndex, oldestVersion);
    }
    return end;
  }

  /** One element of a chain. A sequence number that does not rise starts the chain anew. */
  #link(
    batch: BlockBatch,
    at: number,
    headKey: Buffer,
    sequenceNumber: number,
    version: number,
    eventIndex: number,
    oldestVersion: number,
  ): number {
    if (sequenceNumber > SEQUENCE_NUMBER_MAX) return at;
    this.#room(batch, at + PIECE_ROOM);
    const { buffer } = batch;
    const afterKey = at + LINK_KEY_AT + headKey.length;
    buffer[at + 8] = headKey.length;
    buffer.set(headKey, at + LINK_KEY_AT);
    const name = headKey.toString("latin1", 0, headKey.length);
    const stackAt = afterKey + 24;
    let n = 1;
    let end = stackAt + 1;
    buffer[stackAt] = 0;
    const pending = batch.heads.get(name);
    if (pending !== undefined) {
      const link = decodeLink(buffer, pending.linkAt);
      if (sequenceNumber > link.sequenceNumber) {
        n = link.n + 1;
        end = pushOnStack(buffer, stackAt, buffer, link.stackAt, link.n, CHAIN_ENTRY_BYTES, oldestVersion);
        writeChainEntry(
          buffer,
          stackAt + 1,
          link.sequenceNumber,
          link.version,
          batch.position + pending.linkAt,
        );
      }
    } else {
      const head = getFast(this.#environment.state, headKey);
      if (head !== undefined && sequenceNumber > readU64(head, StateRecord.STACK + 1)) {
        n = readU48(head, StateRecord.N) + 1;
        const bytes = stackBytes(head, StateRecord.STACK, CHAIN_ENTRY_BYTES);
        copyBytes(buffer, stackAt, head, StateRecord.STACK, StateRecord.STACK + bytes);
        end = stackAt + bytes;
      }
    }
    writeU48(buffer, afterKey, n);
    writeU64(buffer, afterKey + 6, sequenceNumber);
    writeU48(buffer, afterKey + 14, version);
    writeU32(buffer, afterKey + 20, eventIndex);
    sealPiece(buffer, at, end, batch.position + at);
    batch.heads.set(name, { linkAt: at, oldestVersion });
    return end;
  }

  #change(
    batch: BlockBatch,
    at: number,
    block: BlockToCommit,
    row: number,
    version: number,
    oldestVersion: number,
  ): number {
    const { writes: rows, bytes } = block;
    const key = bytes.subarray(rows[row + WriteRow.KEY], rows[row + WriteRow.KEY_END]);
    invariant(key.length > 0, "a state key has at least one byte");
    const value = rows[row + WriteRow.VALUE] as number;
    const valueLength = value === NONE ? 0 : (rows[row + WriteRow.VALUE_END] as number) - value;
    this.#room(batch, at + 8 + key.length + valueLength + PIECE_ROOM);
    writeU32(batch.buffer, at, key.length);
    const keyAt = at + 4;
    copyBytes(batch.buffer, keyAt, key, 0, key.length);
    const valueAt = keyAt + key.length + 4;
    writeU32(batch.buffer, valueAt - 4, value === NONE ? DELETED : valueLength);
    if (value !== NONE) copyBytes(batch.buffer, valueAt, bytes, value, value + valueLength);
    const undoAt = valueAt + valueLength;

    const tableKey = this.#keys.make(key, this.#paths);
    const name = tableKey.toString("latin1", 0, tableKey.length);
    const pending = batch.states.get(name);
    const end =
      pending === undefined
        ? this.#undoFromTable(batch, undoAt, tableKey)
        : this.#undoFromBatch(batch, undoAt, pending);
    writeU32(batch.buffer, undoAt + UndoField.KEY_CHECK, keyCheck(tableKey));
    sealPiece(batch.buffer, undoAt, end, batch.position + undoAt);
    batch.states.set(name, {
      version,
      undoAt,
      keyAt,
      keyLength: key.length,
      valueAt,
      valueLength: value === NONE ? DELETED : valueLength,
      oldestVersion,
    });
    return end;
  }

  /** @returns offset behind the undo, whose head is not sealed yet. */
  #undoFromTable(batch: BlockBatch, at: number, tableKey: Buffer): number {
    const old = getFast(this.#environment.state, tableKey);
    const stackAt = at + UndoField.STACK;
    if (old === undefined) {
      batch.buffer.fill(0, at + PIECE_HEADER_BYTES, stackAt + 2);
      return stackAt + 2;
    }
    const stackLength = stackBytes(old, StateRecord.STACK, HISTORY_ENTRY_BYTES);
    const flagsAt = StateRecord.STACK + stackLength;
    let valueAt = flagsAt + 1;
    if (keepsFullKey(tableKey)) valueAt += 4 + old.readUInt32LE(valueAt);
    // `old` survives growing the buffer: no other table read lies between.
    this.#room(batch, stackAt + stackLength + 1 + (old.length - valueAt) + PIECE_ROOM);
    const { buffer } = batch;
    writeU48(buffer, at + UndoField.VERSION, readU48(old, StateRecord.VERSION));
    writeU48(buffer, at + UndoField.N, readU48(old, StateRecord.N) + 1);
    copyBytes(buffer, stackAt, old, StateRecord.STACK, flagsAt);
    buffer[stackAt + stackLength] = old[flagsAt] as number;
    copyBytes(buffer, stackAt + stackLength + 1, old, valueAt, old.length);
    return stackAt + stackLength + 1 + (old.length - valueAt);
  }

  #undoFromBatch(batch: BlockBatch, at: number, pending: PendingState): number {
    const length = pending.valueLength === DELETED ? 0 : pending.valueLength;
    this.#room(batch, at + length + PIECE_ROOM);
    const { buffer } = batch;
    const n = readU48(buffer, pending.undoAt + UndoField.N);
    writeU48(buffer, at + UndoField.VERSION, pending.version);
    writeU48(buffer, at + UndoField.N, n + 1);
    let end = writeHistoryStack(buffer, at + UndoField.STACK, batch, pending);
    buffer[end++] = pending.valueLength === DELETED ? 0 : VALUE_PRESENT;
    copyBytes(buffer, end, buffer, pending.valueAt, pending.valueAt + length);
    return end + length;
  }

  /** Makes sure the buffer reaches `end`; grows by doubling and keeps what is there. */
  #room(batch: BlockBatch, end: number): void {
    if (end <= batch.buffer.length) return;
    let size = Math.max(batch.buffer.length, 4096);
    while (size < end) size *= 2;
    const larger = Buffer.allocUnsafe(size);
    batch.buffer.copy(larger, 0);
    batch.buffer = larger;
  }
}

/**
 * Writes the stack that belongs beside the newest value of a key changed in `batch`.
 *
 * @returns offset behind it.
 */
export function writeHistoryStack(
  target: Uint8Array,
  at: number,
  batch: BlockBatch,
  pending: PendingState,
): number {
  const n = readU48(batch.buffer, pending.undoAt + UndoField.N);
  if (n === 0) {
    target[at] = 0;
    return at + 1;
  }
  const stackAt = pending.undoAt + UndoField.STACK;
  const end = pushOnStack(target, at, batch.buffer, stackAt, n, HISTORY_ENTRY_BYTES, pending.oldestVersion);
  writeU48(target, at + 1, pending.version);
  writeU48(target, at + 7, batch.position + pending.undoAt);
  return end;
}

export function writeChainEntry(
  target: Uint8Array,
  at: number,
  sequenceNumber: number,
  version: number,
  position: number,
): void {
  writeU64(target, at, sequenceNumber);
  writeU48(target, at + 8, version);
  writeU48(target, at + 14, position);
}
