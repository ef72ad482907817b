/**
 * Executed blocks as the store takes them, made without an executor. Keys and values are whatever a
 * test says; bodies are filler that names its version, so that a mix-up shows.
 */

import { createHash } from "node:crypto";
import { EventLinkRow, NONE, TransactionRow, WriteRow } from "../../../src/store/rows.js";
import type { BlockToCommit } from "../../../src/store/types.js";

/** One transaction of a made-up block. */
export interface BuiltTransaction {
  readonly writes?: readonly { readonly key: Buffer; readonly value: Buffer | undefined }[];
  readonly sender?: Buffer;
  readonly sequenceNumber?: number;
  readonly events?: readonly {
    readonly account: Buffer;
    readonly creation: bigint;
    readonly sequenceNumber: number;
  }[];
  readonly body?: Buffer;
  readonly hash?: Buffer;
}

export function buildBlock(
  height: number,
  firstVersion: number,
  transactions: readonly BuiltTransaction[],
  timestampUsecs = 1_000_000 + height,
): BlockToCommit {
  const parts: Buffer[] = [];
  let length = 0;
  const put = (bytes: Buffer): number => {
    parts.push(bytes);
    length += bytes.length;
    return length - bytes.length;
  };
  const rows = new Uint32Array(transactions.length * TransactionRow.WIDTH);
  const writes: number[] = [];
  const links: number[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const version = firstVersion + index;
    const row = index * TransactionRow.WIDTH;
    rows[row + TransactionRow.HASH] = put(transaction.hash ?? hashOf(version));
    rows[row + TransactionRow.ACCUMULATOR_ROOT] = put(digest(`root ${version}`));
    const bodies = ["transaction", "info", "events", "write set"].map((name) =>
      name === "transaction" && transaction.body !== undefined
        ? transaction.body
        : Buffer.from(`${name} ${version}`),
    );
    for (const [part, body] of bodies.entries()) {
      rows[row + TransactionRow.TRANSACTION + 2 * part] = put(body);
      rows[row + TransactionRow.TRANSACTION_END + 2 * part] = length;
    }
    rows[row + TransactionRow.FIRST_WRITE] = writes.length / WriteRow.WIDTH;
    for (const { key, value } of transaction.writes ?? []) {
      const keyAt = put(key);
      const keyEnd = length;
      const valueAt = value === undefined ? NONE : put(value);
      writes.push(keyAt, keyEnd, valueAt, value === undefined ? NONE : length);
    }
    rows[row + TransactionRow.WRITES_END] = writes.length / WriteRow.WIDTH;
    rows[row + TransactionRow.FIRST_LINK] = links.length / EventLinkRow.WIDTH;
    for (const [eventIndex, event] of (transaction.events ?? []).entries()) {
      const key = Buffer.alloc(40);
      event.account.copy(key);
      key.writeBigUInt64LE(event.creation, 32);
      links.push(
        put(key),
        event.sequenceNumber >>> 0,
        Math.floor(event.sequenceNumber / 2 ** 32),
        eventIndex,
      );
    }
    rows[row + TransactionRow.LINKS_END] = links.length / EventLinkRow.WIDTH;
    rows[row + TransactionRow.SENDER] = transaction.sender === undefined ? NONE : put(transaction.sender);
    rows[row + TransactionRow.SEQUENCE_NUMBER_LOW] = (transaction.sequenceNumber ?? 0) >>> 0;
    rows[row + TransactionRow.SEQUENCE_NUMBER_HIGH] = Math.floor((transaction.sequenceNumber ?? 0) / 2 ** 32);
  }
  return {
    height,
    firstVersion,
    timestampUsecs,
    epoch: 1,
    round: height,
    blockId: digest(`block ${height}`),
    accumulatorPeaks: digest(`peaks ${height}`),
    bytes: Buffer.concat(parts),
    transactions: rows,
    writes: Uint32Array.from(writes),
    eventLinks: Uint32Array.from(links),
  };
}

/** The hash `buildBlock` gives the transaction of a version. */
export function hashOf(version: number): Buffer {
  return digest(`hash ${version}`);
}

export function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** 32 bytes that end in `number`. */
export function address(number: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(number, 28);
  return bytes;
}

/** Storage encoding of an access path whose path is `kind ‖ name`: 0 module, 1 resource, 2 group. */
export function pathKey(account: Buffer, kind: 0 | 1 | 2, name: string): Buffer {
  const path = Buffer.concat([Buffer.from([kind]), Buffer.from(name)]);
  const length = path.length < 128 ? [path.length] : [(path.length & 0x7f) | 0x80, path.length >> 7];
  return Buffer.concat([Buffer.from([0]), account, Buffer.from(length), path]);
}

/** Storage encoding of a table item. */
export function itemKey(handle: Buffer, key: Buffer): Buffer {
  return Buffer.concat([Buffer.from([1]), handle, key]);
}
