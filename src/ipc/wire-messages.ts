/**
 * Messages between fronts and the writer as bytes: msgpack arrays, the first element says which.
 *
 * ```
 * front → writer   [HELLO, protocol, token]           first, within HELLO_MS_MAX
 *                  [SUBMIT, id, [transaction, …]]
 *                  [PENDING, id, hash]
 * writer → front   [COMMITTED, height, version, timestampUsecs]   after HELLO, then per block
 *                  [SUBMITTED, id, statuses]          one byte per transaction, see STATUSES
 *                  [FOUND, id, bytes or nil]
 *                  [FAILED, id, code, message]
 * transaction      [bytes, hash, sender, sequenceNumber or nil, nonce or nil,
 *                   accountSequenceNumber, gasUnitPrice, expirationTimestampSecs, replacementKey]
 * ```
 *
 * Promise: whatever bytes arrive, decoding gives a message of exactly these shapes or throws
 * {@link FrameError}; the peer is closed then.
 */

import { Packr } from "msgpackr";
import { U64_MAX } from "../domain/index.js";
import { FrameError } from "./frames.js";
import type { AdmissionStatus, AdmittedTransaction, CommitAnnouncement } from "./messages.js";

/** Raised whenever the shapes above change; unequal peers do not talk. */
export const PROTOCOL_VERSION = 1;

const HELLO = 0;
const SUBMIT = 1;
const PENDING = 2;
const COMMITTED = 3;
const SUBMITTED = 4;
const FOUND = 5;
const FAILED = 6;

/** Order gives the byte on the wire. */
const STATUSES: readonly AdmissionStatus[] = [
  "accepted",
  "invalid_transaction_update",
  "sequence_number_too_old",
  "mempool_is_full",
  "too_many_transactions",
];

/** Front to writer. */
export type ToWriter =
  | { readonly type: "hello"; readonly protocol: number; readonly token: Uint8Array }
  | { readonly type: "submit"; readonly id: number; readonly transactions: readonly AdmittedTransaction[] }
  | { readonly type: "pending"; readonly id: number; readonly hash: Uint8Array };

/** Writer to front. */
export type FromWriter =
  | { readonly type: "committed"; readonly announcement: CommitAnnouncement }
  | { readonly type: "submitted"; readonly id: number; readonly statuses: readonly AdmissionStatus[] }
  | { readonly type: "found"; readonly id: number; readonly bytes: Uint8Array | undefined }
  | { readonly type: "failed"; readonly id: number; readonly code: string; readonly message: string };

// Records are off: every message is complete in itself, so no state can drift between peers.
const packr = new Packr({ useRecords: false, variableMapSize: true });

/** @returns the body of one frame. */
export function encodeToWriter(message: ToWriter): Buffer {
  switch (message.type) {
    case "hello":
      return packr.pack([HELLO, message.protocol, message.token]);
    case "submit":
      return packr.pack([SUBMIT, message.id, message.transactions.map(transactionFields)]);
    case "pending":
      return packr.pack([PENDING, message.id, message.hash]);
  }
}

/** @returns the body of one frame. */
export function encodeFromWriter(message: FromWriter): Buffer {
  switch (message.type) {
    case "committed": {
      const { height, version, timestampUsecs } = message.announcement;
      return packr.pack([COMMITTED, height, version, timestampUsecs]);
    }
    case "submitted": {
      const bytes = Buffer.from(message.statuses.map((status) => STATUSES.indexOf(status)));
      return packr.pack([SUBMITTED, message.id, bytes]);
    }
    case "found":
      return packr.pack([FOUND, message.id, message.bytes ?? null]);
    case "failed":
      return packr.pack([FAILED, message.id, message.code, message.message]);
  }
}

/** @throws FrameError for anything but a message of a front. */
export function decodeToWriter(body: Buffer): ToWriter {
  const fields = unpackArray(body);
  switch (fields[0]) {
    case HELLO:
      return { type: "hello", protocol: count(fields[1]), token: bytes(fields[2]) };
    case SUBMIT:
      return { type: "submit", id: count(fields[1]), transactions: array(fields[2]).map(transaction) };
    case PENDING:
      return { type: "pending", id: count(fields[1]), hash: bytes(fields[2], 32) };
    default:
      throw new FrameError("no such message");
  }
}

/** @throws FrameError for anything but a message of the writer. */
export function decodeFromWriter(body: Buffer): FromWriter {
  const fields = unpackArray(body);
  switch (fields[0]) {
    case COMMITTED: {
      const [height, version, timestampUsecs] = [count(fields[1]), count(fields[2]), count(fields[3])];
      return { type: "committed", announcement: { height, version, timestampUsecs } };
    }
    case SUBMITTED:
      return { type: "submitted", id: count(fields[1]), statuses: [...bytes(fields[2])].map(status) };
    case FOUND:
      return {
        type: "found",
        id: count(fields[1]),
        bytes: fields[2] === null ? undefined : bytes(fields[2]),
      };
    case FAILED:
      return { type: "failed", id: count(fields[1]), code: text(fields[2]), message: text(fields[3]) };
    default:
      throw new FrameError("no such message");
  }
}

function transactionFields(admitted: AdmittedTransaction): unknown[] {
  return [
    admitted.bytes,
    admitted.hash,
    admitted.sender,
    admitted.sequenceNumber ?? null,
    admitted.replayProtectionNonce ?? null,
    admitted.accountSequenceNumber,
    admitted.gasUnitPrice,
    admitted.expirationTimestampSecs,
    admitted.replacementKey,
  ];
}

function transaction(value: unknown): AdmittedTransaction {
  const fields = array(value);
  return {
    bytes: bytes(fields[0]),
    hash: bytes(fields[1], 32),
    sender: bytes(fields[2], 32),
    sequenceNumber: fields[3] === null ? undefined : u64(fields[3]),
    replayProtectionNonce: fields[4] === null ? undefined : u64(fields[4]),
    accountSequenceNumber: u64(fields[5]),
    gasUnitPrice: u64(fields[6]),
    expirationTimestampSecs: u64(fields[7]),
    replacementKey: bytes(fields[8], 32),
  };
}

function unpackArray(body: Buffer): unknown[] {
  let value: unknown;
  try {
    value = packr.unpack(body);
  } catch (cause) {
    throw new FrameError("not msgpack", { cause });
  }
  return array(value);
}

function array(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new FrameError("expected an array");
  return value;
}

function bytes(value: unknown, length?: number): Uint8Array {
  if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length)) {
    throw new FrameError(`expected ${length ?? "some"} bytes`);
  }
  return value;
}

function count(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new FrameError("expected a count");
  }
  return value;
}

function u64(value: unknown): bigint {
  if (typeof value !== "bigint" || value < 0n || value > U64_MAX) throw new FrameError("expected a u64");
  return value;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new FrameError("expected text");
  return value;
}

function status(byte: number): AdmissionStatus {
  const found = STATUSES[byte];
  if (found === undefined) throw new FrameError("no such status");
  return found;
}
