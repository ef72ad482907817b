/**
 * Brings LMDB up to the end of a batch of frames, in one transaction.
 *
 * Promises: what is put follows from the frames alone, so applying them at commit and applying them
 * again after a restart leave the same rows. The writer epoch is compared inside the transaction: a
 * writer that has been replaced changes nothing. Keys are put in byte order; sequential tables are
 * appended to.
 *
 * Leaves to others: that the frames are durable. Nobody may call this before they are.
 */

import { NodeError } from "../errors/index.js";
import type { BlockBatch } from "./block-batch.js";
import { writeChainEntry, writeHistoryStack } from "./block-encoder.js";
import { copyBytes } from "./byte-copy.js";
import { type Environment, getFast } from "./environment.js";
import { FRAME_HEADER_BYTES, recordOffset } from "./frame.js";
import { encodeHashIndex, HASH_PREFIX_BYTES, putHash, readHashIndex } from "./hash-index.js";
import { readU48, writeU32, writeU48 } from "./integers.js";
import type { PathRegistry } from "./path-directory.js";
import { DELETED, decodeLink, RecordField, UndoField } from "./record.js";
import {
  blockKey,
  decodeLogCursor,
  encodeBlockRow,
  encodeHead,
  encodeLogCursor,
  KeyKind,
  type LogCursor,
  MetaKey,
  POSITION_BYTES,
  POSITIONS_PER_CHUNK,
  positionKey,
  SCHEMA,
  StateRecord,
  VALUE_PRESENT,
} from "./schema.js";
import { CHAIN_ENTRY_BYTES, pushOnStack } from "./skip-stack.js";
import type { LedgerHead } from "./types.js";

/** Where applying a batch got to. */
export interface AppliedBatch {
  readonly head: LedgerHead;
  readonly cursor: LogCursor;
}

/** Changes that ride along in the transaction of `blocks` blocks; `head` is the one after them. */
export type Housekeeping = (head: LedgerHead, blocks: number) => void;

/**
 * @param writerEpoch Epoch this writer raised at open.
 * @throws NodeError `writer_fenced` if the table says another; whatever the engine throws otherwise.
 *   Nothing has been changed in either case.
 */
export function applyBatch(
  environment: Environment,
  paths: PathRegistry,
  batch: BlockBatch,
  writerEpoch: number,
  housekeeping?: Housekeeping,
): AppliedBatch {
  const applied = environment.root.transactionSync(() => {
    checkWriterEpoch(environment, writerEpoch);
    putStates(environment, batch);
    putHashes(environment, batch);
    const nextPathId = paths.put();
    putPositions(environment, batch);
    putBlocks(environment, batch);
    const end = putMeta(environment, batch, writerEpoch, nextPathId);
    housekeeping?.(end.head, batch.frames.length);
    return end;
  });
  paths.settle();
  return applied;
}

/** @throws NodeError `writer_fenced` */
export function checkWriterEpoch(environment: Environment, writerEpoch: number): void {
  const bytes = getFast(environment.meta, MetaKey.LOG_CURSOR);
  const found = bytes === undefined ? 0 : decodeLogCursor(bytes).writerEpoch;
  if (found !== writerEpoch) {
    throw new NodeError(
      "writer_fenced",
      `another writer has taken the store over: epoch ${found}, ours ${writerEpoch}`,
    );
  }
}

function putStates(environment: Environment, batch: BlockBatch): void {
  const { state } = environment;
  const names = [...batch.states.keys(), ...batch.heads.keys()].sort();
  const key = Buffer.allocUnsafe(512);
  let row = Buffer.allocUnsafe(64 * 1024);
  for (const name of names) {
    const pending = batch.states.get(name);
    const length = key.write(name, 0, "latin1");
    if (pending !== undefined) {
      const need = 1024 + pending.keyLength + (pending.valueLength === DELETED ? 0 : pending.valueLength);
      if (need > row.length) row = Buffer.allocUnsafe(2 * need);
      const full = name.charCodeAt(32) === KeyKind.OTHER;
      let at: number = StateRecord.STACK;
      writeU48(row, StateRecord.VERSION, pending.version);
      writeU48(row, StateRecord.N, readU48(batch.buffer, pending.undoAt + UndoField.N));
      at = writeHistoryStack(row, at, batch, pending);
      row[at++] = pending.valueLength === DELETED ? 0 : VALUE_PRESENT;
      if (full) {
        writeU32(row, at, pending.keyLength);
        at = copyBytes(row, at + 4, batch.buffer, pending.keyAt, pending.keyAt + pending.keyLength);
      }
      if (pending.valueLength !== DELETED) {
        at = copyBytes(row, at, batch.buffer, pending.valueAt, pending.valueAt + pending.valueLength);
      }
      state.putSync(key.subarray(0, length), row.subarray(0, at));
    } else {
      const head = batch.heads.get(name);
      if (head === undefined) continue;
      const link = decodeLink(batch.buffer, head.linkAt);
      const stackAt = StateRecord.STACK;
      const end = pushOnStack(
        row,
        stackAt,
        batch.buffer,
        link.stackAt,
        link.n,
        CHAIN_ENTRY_BYTES,
        head.oldestVersion,
      );
      writeU48(row, StateRecord.VERSION, link.version);
      writeU48(row, StateRecord.N, link.n);
      writeChainEntry(row, stackAt + 1, link.sequenceNumber, link.version, batch.position + head.linkAt);
      state.putSync(key.subarray(0, length), row.subarray(0, end));
    }
  }
}

function putHashes(environment: Environment, batch: BlockBatch): void {
  const index = readHashIndex(environment);
  if (getFast(environment.meta, MetaKey.HASH_INDEX) === undefined) {
    environment.meta.putSync(MetaKey.HASH_INDEX, encodeHashIndex(index));
  }
  const prefixes: { readonly prefix: Buffer; readonly version: number }[] = [];
  for (const { at, header } of batch.frames) {
    for (let record = 0; record < header.transactions; record++) {
      const hashAt = at + recordOffset(batch.buffer, at, header, record) + RecordField.HASH;
      const prefix = batch.buffer.subarray(hashAt, hashAt + HASH_PREFIX_BYTES);
      prefixes.push({ prefix, version: header.firstVersion + record });
    }
  }
  prefixes.sort((a, b) => Buffer.compare(a.prefix, b.prefix) || a.version - b.version);
  for (const { prefix, version } of prefixes) putHash(environment, index.tableInUse, prefix, version);
}

function putPositions(environment: Environment, batch: BlockBatch): void {
  const { positions } = environment;
  const first = batch.frames[0];
  if (first === undefined) return;
  const chunk = Buffer.alloc(POSITIONS_PER_CHUNK * POSITION_BYTES);
  let version = first.header.firstVersion;
  let filled = version % POSITIONS_PER_CHUNK;
  if (filled > 0) {
    const stored = getFast(positions, positionKey(version));
    if (stored?.length !== filled * POSITION_BYTES) {
      throw new NodeError("store_corrupt", `positions before version ${version} are missing`);
    }
    chunk.set(stored.subarray(0, stored.length));
  }
  let isNew = filled === 0;
  const flush = () => {
    const value = chunk.subarray(0, filled * POSITION_BYTES);
    positions.putSync(positionKey(version - 1), value, isNew ? { append: true } : {});
    filled = 0;
    isNew = true;
  };
  for (const { at, header } of batch.frames) {
    for (let record = 0; record < header.transactions; record++) {
      const recordAt = at + recordOffset(batch.buffer, at, header, record);
      writeU48(chunk, filled * POSITION_BYTES, batch.position + recordAt);
      filled++;
      version++;
      if (filled === POSITIONS_PER_CHUNK) flush();
    }
  }
  if (filled > 0) flush();
}

function putBlocks(environment: Environment, batch: BlockBatch): void {
  for (const { at, header } of batch.frames) {
    const row = encodeBlockRow({ ...header, position: batch.position + at });
    environment.blocks.putSync(blockKey(header.height), row, { append: true });
  }
}

function putMeta(
  environment: Environment,
  batch: BlockBatch,
  writerEpoch: number,
  nextPathId: number,
): AppliedBatch {
  const last = batch.frames.at(-1);
  if (last === undefined) throw new NodeError("bug", "broken invariant: a batch has at least one frame");
  const { at, header } = last;
  const peaksAt = at + FRAME_HEADER_BYTES;
  const head: LedgerHead = {
    version: header.firstVersion + header.transactions - 1,
    height: header.height,
    timestampUsecs: header.timestampUsecs,
    epoch: header.epoch,
    round: header.round,
    oldestVersion: header.oldestVersion,
    oldestHeight: header.oldestHeight,
    accumulatorPeaks: Buffer.from(batch.buffer.subarray(peaksAt, peaksAt + 32 * header.peaks)),
  };
  const cursor: LogCursor = {
    schema: SCHEMA,
    writerEpoch,
    lastFramePosition: batch.position + at,
    nextPosition: batch.position + batch.length,
    lastFrameCrc: header.crc,
    nextPathId,
  };
  environment.meta.putSync(MetaKey.HEAD, encodeHead(head));
  environment.meta.putSync(MetaKey.LOG_CURSOR, encodeLogCursor(cursor));
  return { head, cursor };
}
