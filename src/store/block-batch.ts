/**
 * Some consecutive blocks as frames in one buffer, with what they leave behind per key. Made by
 * block-encoder.ts from executed blocks, or here from frames read back from the log; block-apply.ts
 * turns either into LMDB rows, so what a commit writes and what a recovery writes is the same.
 *
 * Promise: a batch refers to its buffer by offset and copies nothing. The buffer is the owner's: it
 * must stay as it is until the batch has been applied.
 */

import { NodeError } from "../errors/index.js";
import { type FrameHeader, recordOffset } from "./frame.js";
import { readU32, readU48 } from "./integers.js";
import type { PathRegistry } from "./path-directory.js";
import { decodeLink, LINK_KEY_AT, partEnd, partStart, RecordField, RecordPart } from "./record.js";
import type { StateKeyEncoder } from "./state-key.js";

/** The newest change of one state key within a batch: offsets into the batch's buffer. */
export interface PendingState {
  readonly version: number;
  readonly undoAt: number;
  readonly keyAt: number;
  readonly keyLength: number;
  readonly valueAt: number;
  /** DELETED for a tombstone. */
  readonly valueLength: number;
  readonly oldestVersion: number;
}

/** The newest link of one chain within a batch. */
export interface PendingHead {
  readonly linkAt: number;
  readonly oldestVersion: number;
}

/** A frame within a batch. */
export interface BatchFrame {
  readonly at: number;
  readonly header: FrameHeader;
}

export class BlockBatch {
  /** Log position of the first byte of the buffer. */
  readonly position: number;
  buffer: Buffer;
  /** Bytes of the buffer in use. */
  length = 0;
  transactions = 0;
  readonly frames: BatchFrame[] = [];
  /** Keyed by the bytes of the state table's key, one character per byte. */
  readonly states = new Map<string, PendingState>();
  readonly heads = new Map<string, PendingHead>();

  constructor(buffer: Buffer, position: number) {
    this.buffer = buffer;
    this.position = position;
  }

  /** Adds the frame that lies whole at `at` in the buffer, reading its changes from its records. */
  addFrame(at: number, header: FrameHeader, keys: StateKeyEncoder, paths: PathRegistry): void {
    for (let index = 0; index < header.transactions; index++) {
      const recordAt = at + recordOffset(this.buffer, at, header, index);
      this.#addRecord(recordAt, at + header.length, header, keys, paths);
    }
    this.frames.push({ at, header });
    this.length = at + header.length;
    this.transactions += header.transactions;
  }

  #addRecord(
    at: number,
    limit: number,
    header: FrameHeader,
    keys: StateKeyEncoder,
    paths: PathRegistry,
  ): void {
    const { buffer } = this;
    const oldestVersion = header.oldestVersion;
    const version = readU48(buffer, at + RecordField.VERSION);
    const end = at + readU32(buffer, at);
    // The frame's crc vouches for these bytes; this only keeps a layout mistake from running away.
    if (end > limit) throw new NodeError("store_corrupt", `record of version ${version} leaves its frame`);
    const linksEnd = at + partEnd(buffer, at, RecordPart.LINKS);
    for (let linkAt = at + partStart(buffer, at, RecordPart.LINKS); linkAt < linksEnd; ) {
      const keyLength = buffer[linkAt + LINK_KEY_AT - 1] as number;
      const head = buffer.toString("latin1", linkAt + LINK_KEY_AT, linkAt + LINK_KEY_AT + keyLength);
      this.heads.set(head, { linkAt, oldestVersion });
      linkAt += readU32(buffer, linkAt);
    }
    const changesEnd = at + partEnd(buffer, at, RecordPart.CHANGES);
    for (let changeAt = at + partStart(buffer, at, RecordPart.CHANGES); changeAt < changesEnd; ) {
      const change = changeOffsets(buffer, changeAt);
      const tableKey = keys.make(buffer.subarray(change.keyAt, change.keyAt + change.keyLength), paths);
      this.states.set(tableKey.toString("latin1", 0, tableKey.length), { version, oldestVersion, ...change });
      changeAt = change.undoAt + readU32(buffer, change.undoAt);
    }
  }

  /** Sequence number of the newest element of a chain touched in this batch. */
  lastSequenceNumber(head: PendingHead): number {
    return decodeLink(this.buffer, head.linkAt).sequenceNumber;
  }
}

/** Where the fields of the change at `at` lie. */
export function changeOffsets(
  buffer: Uint8Array,
  at: number,
): Pick<PendingState, "keyAt" | "keyLength" | "valueAt" | "valueLength" | "undoAt"> {
  const keyAt = at + 4;
  const keyLength = readU32(buffer, at);
  const valueAt = keyAt + keyLength + 4;
  const valueLength = readU32(buffer, valueAt - 4);
  const undoAt = valueLength === 0xffff_ffff ? valueAt : valueAt + valueLength;
  return { keyAt, keyLength, valueAt, valueLength, undoAt };
}
