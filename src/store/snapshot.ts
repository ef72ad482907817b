/**
 * Reads of the store: by state key and version, by ledger version, by hash, by account.
 *
 * Promise: all answers between two `refresh` calls belong to one ledger version, that of `head`,
 * even if the writer commits in between and even if the engine has moved on to a newer snapshot
 * meanwhile. Rows newer than `head` are read through the history, so consistency rests on versions
 * and no transaction is ever held open. Everything that can be seen here is durable.
 *
 * Every call is synchronous. A latest read is one lookup in LMDB.
 *
 * Leaves to others: what the bytes mean, and when to refresh.
 */

import { join } from "node:path";
import { NodeError } from "../errors/index.js";
import { chainLength, chainPage, type VersionRange } from "./chain.js";
import { type Environment, getFast, openEnvironment } from "./environment.js";
import { HASH_PREFIX_BYTES, readHashIndex, recentCandidates } from "./hash-index.js";
import { HashRuns } from "./hash-run.js";
import { valueBefore } from "./history.js";
import { readU32, readU48 } from "./integers.js";
import { LogPieces, RECORD_READ_BYTES } from "./log-pieces.js";
import { LogReader } from "./log-reader.js";
import { PathDirectory } from "./path-directory.js";
import { keyCheck, partEnd, partStart, RecordField, RecordPart } from "./record.js";
import {
  blockKey,
  decodeBlockRow,
  decodeHead,
  KeyKind,
  MetaKey,
  POSITION_BYTES,
  POSITIONS_PER_CHUNK,
  positionKey,
  StateRecord,
  VALUE_PRESENT,
} from "./schema.js";
import { HISTORY_ENTRY_BYTES, stackBytes } from "./skip-stack.js";
import { keepsFullKey, StateKeyEncoder, storageEncoding } from "./state-key.js";
import { readIdentity } from "./store-file.js";
import type { BlockSummary, LedgerHead, StateItem, StoredRecord, StoreReader } from "./types.js";

/** Folders of a data folder. */
export const LIVE_FOLDER = "live";
export const LOG_FOLDER = "log";
export const HASH_FOLDER = "hash";
export const CHECKPOINT_FOLDER = "ckpt";

export interface StoreReaderOptions {
  /** The data folder. */
  readonly directory: string;
  /** Must equal the writer's. */
  readonly mapBytes?: number;
}

/**
 * Opens a data folder for reading. One per process or worker thread.
 *
 * @throws NodeError `unavailable` while no writer has made the store yet; `store_format`,
 *   `store_corrupt`.
 */
export function openStoreReader(options: StoreReaderOptions): StoreReader {
  const identity = readIdentity(options.directory);
  if (identity === undefined) throw new NodeError("unavailable", "the data folder holds no store yet");
  let environment: Environment;
  try {
    environment = openEnvironment({
      directory: join(options.directory, LIVE_FOLDER),
      readOnly: true,
      ...(options.mapBytes === undefined ? {} : { mapBytes: options.mapBytes }),
    });
  } catch (error) {
    throw new NodeError("unavailable", "the store is not open for reading yet", { cause: error });
  }
  const log = new LogReader(join(options.directory, LOG_FOLDER), identity.segmentBytes);
  const runs = new HashRuns(join(options.directory, HASH_FOLDER));
  return new Snapshot(environment, log, new PathDirectory(environment), runs);
}

export class Snapshot implements StoreReader {
  protected readonly environment: Environment;
  protected readonly log: LogReader;
  readonly #paths: PathDirectory;
  readonly #runs: HashRuns;
  readonly #pieces: LogPieces;
  readonly #keys = new StateKeyEncoder();
  readonly #headKey = Buffer.alloc(41);
  #head: LedgerHead | undefined;
  #headBytes: Buffer | undefined;

  constructor(environment: Environment, log: LogReader, paths: PathDirectory, runs: HashRuns) {
    this.environment = environment;
    this.log = log;
    this.#paths = paths;
    this.#runs = runs;
    this.#pieces = new LogPieces(log);
    this.#headKey[32] = KeyKind.CHAIN_HEAD;
  }

  get head(): LedgerHead {
    return this.#head ?? this.refresh();
  }

  refresh(): LedgerHead {
    this.environment.root.resetReadTxn();
    const bytes = getFast(this.environment.meta, MetaKey.HEAD);
    if (bytes === undefined) throw new NodeError("unavailable", "the ledger has no block yet");
    const before = this.#headBytes;
    // The version comes first and never repeats, so it alone tells whether anything changed.
    if (this.#head === undefined || before === undefined || before.compare(bytes, 0, 8, 0, 8) !== 0) {
      this.#headBytes = Buffer.from(bytes.subarray(0, 8));
      this.#head = decodeHead(bytes.subarray(0, bytes.length));
    }
    return this.#head;
  }

  /** True once the genesis block is committed. */
  protected hasHead(): boolean {
    return getFast(this.environment.meta, MetaKey.HEAD) !== undefined;
  }

  state(key: Buffer, version?: number): Buffer | undefined {
    const at = this.#readable(version);
    const tableKey = this.#keys.find(key, this.#paths);
    const row = tableKey === undefined ? undefined : getFast(this.environment.state, tableKey);
    if (tableKey !== undefined && row !== undefined) return this.#valueAt(row, tableKey, at);
    this.#refuseIfPruned(at);
    return undefined;
  }

  accountItems(
    address: Buffer,
    kind: "module" | "resource",
    limit: number,
    start?: Buffer,
    version?: number,
  ): { readonly items: StateItem[]; readonly next: Buffer | undefined } {
    const at = this.#readable(version);
    const first = kind === "module" ? KeyKind.MODULE : KeyKind.RESOURCE;
    const behind = kind === "module" ? KeyKind.RESOURCE : KeyKind.TABLE_ITEM;
    const from =
      start === undefined ? prefixed(address, first) : this.#cursorKey(address, start, first, behind);
    const items: StateItem[] = [];
    let next: Buffer | undefined;
    for (const { key, value: row } of this.environment.state.getRange({
      start: from,
      end: prefixed(address, behind),
    })) {
      const value = this.#valueAt(row, key, at);
      if (value === undefined) continue;
      // `value` may share memory with the next lookup.
      const copy = Buffer.from(value);
      const encoding = storageEncoding(key, this.#paths);
      if (encoding === undefined)
        throw new NodeError("store_corrupt", "a state key names a path that is not stored");
      if (items.length === limit) {
        next = encoding;
        break;
      }
      items.push({ key: encoding, value: copy });
    }
    this.#refuseIfPruned(at);
    items.sort((a, b) => Buffer.compare(a.key, b.key));
    return { items, next };
  }

  recordByVersion(version: number): StoredRecord | undefined {
    const { head } = this;
    if (version > head.version) return undefined;
    if (version < head.oldestVersion) throw prunedVersion(version, head);
    const record = Buffer.from(this.#record(version));
    const part = (index: number) => record.subarray(partStart(record, 0, index), partEnd(record, 0, index));
    const height = readU48(record, RecordField.HEIGHT);
    return {
      version,
      height,
      blockTimestampUsecs: this.#blockRow(height).timestampUsecs,
      hash: record.subarray(RecordField.HASH, RecordField.HASH + 32),
      accumulatorRoot: record.subarray(RecordField.ACCUMULATOR_ROOT, RecordField.ACCUMULATOR_ROOT + 32),
      transaction: part(RecordPart.TRANSACTION),
      info: part(RecordPart.INFO),
      events: part(RecordPart.EVENTS),
      writeSet: part(RecordPart.WRITE_SET),
    };
  }

  versionByHash(hash: Buffer): number | undefined {
    const { head } = this;
    if (hash.length !== 32) return undefined;
    const prefix = Buffer.from(hash.subarray(0, HASH_PREFIX_BYTES));
    const index = readHashIndex(this.environment);
    return (
      this.#withHash(hash, recentCandidates(this.environment, prefix, index)) ??
      this.#withHash(hash, this.#runs.candidates(index.runs, prefix, head.oldestVersion))
    );
  }

  accountVersions(sender: Buffer, start: number, limit: number): number[] {
    const key = this.#senderKey(sender);
    const page = chainPage(this.environment.state, this.#pieces, key, start, limit, this.#range());
    return page.map(({ version }) => version);
  }

  accountTransactionCount(sender: Buffer): number {
    return chainLength(this.environment.state, this.#pieces, this.#senderKey(sender), this.#range());
  }

  streamEvents(
    account: Buffer,
    creationNumber: bigint,
    start: bigint | undefined,
    limit: number,
  ): { version: number; eventIndex: number; sequenceNumber: bigint }[] {
    const key = this.#headKey;
    account.copy(key, 0, 0, 32);
    key.writeBigUInt64BE(creationNumber, 33);
    if (start !== undefined && start > BigInt(Number.MAX_SAFE_INTEGER)) return [];
    const from = start === undefined ? undefined : Number(start);
    const page = chainPage(this.environment.state, this.#pieces, key, from, limit, this.#range());
    return page.map(({ version, eventIndex, sequenceNumber }) => ({
      version,
      eventIndex,
      sequenceNumber: BigInt(sequenceNumber),
    }));
  }

  blockByHeight(height: number): BlockSummary | undefined {
    const { head } = this;
    if (height > head.height) return undefined;
    if (height < head.oldestHeight) {
      throw prunedBlock(height, head.oldestHeight);
    }
    const row = this.#blockRow(height);
    return {
      height,
      firstVersion: row.firstVersion,
      lastVersion: row.firstVersion + row.transactions - 1,
      timestampUsecs: row.timestampUsecs,
      blockId: Buffer.from(row.blockId),
    };
  }

  blockByVersion(version: number): BlockSummary | undefined {
    const { head } = this;
    if (version > head.version) return undefined;
    if (version < head.oldestVersion) throw prunedVersion(version, head);
    return this.blockByHeight(readU48(this.#record(version), RecordField.HEIGHT));
  }

  close(): void {
    this.closeFiles();
    // Settles at once: a reader has no writes to wait for.
    void this.environment.root.close();
  }

  protected closeFiles(): void {
    this.log.close();
    this.#runs.close();
  }

  /** Every live state item, in key order, as the engine's newest snapshot has them. */
  protected *liveState(): Iterable<readonly [key: Buffer, value: Buffer]> {
    for (const { key, value: row } of this.environment.state.getRange({})) {
      if (key[32] === KeyKind.CHAIN_HEAD) continue;
      const value = presentValue(row, key);
      if (value === undefined) continue;
      const encoding = keepsFullKey(key) ? fullKey(row) : storageEncoding(key, this.#paths);
      if (encoding === undefined)
        throw new NodeError("store_corrupt", "a state key names a path that is not stored");
      yield [encoding, value];
    }
  }

  #valueAt(row: Buffer, tableKey: Buffer, version: number): Buffer | undefined {
    if (readU48(row, StateRecord.VERSION) <= version) return presentValue(row, tableKey);
    return valueBefore(this.#pieces, row, StateRecord.STACK, keyCheck(tableKey), version);
  }

  /** @throws NodeError `version_pruned`, `version_not_found` */
  #readable(version: number | undefined): number {
    const { head } = this;
    if (version === undefined) return head.version;
    if (version > head.version) {
      throw new NodeError("version_not_found", `version ${version} is above the newest, ${head.version}`);
    }
    if (version < head.oldestVersion) throw prunedVersion(version, head);
    return version;
  }

  #range(): VersionRange {
    const { head } = this;
    return { oldest: head.oldestVersion, newest: head.version };
  }

  #senderKey(sender: Buffer): Buffer {
    const key = this.#headKey;
    sender.copy(key, 0, 0, 32);
    return key.subarray(0, 33);
  }

  #cursorKey(address: Buffer, start: Buffer, first: number, behind: number): Buffer {
    const key = this.#keys.find(start, this.#paths);
    const kind = key?.[32];
    if (
      key === undefined ||
      kind === undefined ||
      kind < first ||
      kind >= behind ||
      !key.subarray(0, 32).equals(address)
    ) {
      throw new NodeError("invalid_input", "the cursor does not name an item of this account");
    }
    return Buffer.from(key);
  }

  #withHash(hash: Buffer, candidates: readonly number[]): number | undefined {
    const { oldest, newest } = this.#range();
    for (const version of candidates) {
      if (version > newest || version < oldest) continue;
      const record = this.#record(version);
      if (hash.compare(record, RecordField.HASH, RecordField.HASH + 32) === 0) return version;
    }
    return undefined;
  }

  /** A record known to be in the window, in memory that the next log read reuses. */
  #record(version: number): Buffer {
    const chunk = getFast(this.environment.positions, positionKey(version));
    const at = (version % POSITIONS_PER_CHUNK) * POSITION_BYTES;
    if (chunk === undefined || chunk.length < at + POSITION_BYTES) {
      this.#refuseIfPruned(version);
      throw new NodeError("store_corrupt", `the position of version ${version} is missing`);
    }
    const record = this.#pieces.read(readU48(chunk, at), RECORD_READ_BYTES);
    if (readU48(record, RecordField.VERSION) !== version) {
      throw new NodeError("store_corrupt", `version ${version} leads to another record`);
    }
    return record;
  }

  #blockRow(height: number) {
    const bytes = getFast(this.environment.blocks, blockKey(height));
    if (bytes !== undefined) return decodeBlockRow(bytes.subarray(0, bytes.length));
    const { oldestHeight } = this.#newestHead();
    if (height < oldestHeight) throw prunedBlock(height, oldestHeight);
    throw new NodeError("store_corrupt", `block ${height} is missing`);
  }

  /**
   * Absence proves nothing to a reader that has not refreshed for so long that rows of its window
   * are being taken out.
   *
   * @throws NodeError `version_pruned`
   */
  #refuseIfPruned(version: number): void {
    const newest = this.#newestHead();
    if (version < newest.oldestVersion) throw prunedVersion(version, newest);
  }

  /** The head as the engine has it now, which may be newer than the reader's. */
  #newestHead(): LedgerHead {
    const bytes = getFast(this.environment.meta, MetaKey.HEAD);
    if (bytes === undefined) throw new NodeError("store_corrupt", "the ledger head is missing");
    return decodeHead(bytes.subarray(0, bytes.length));
  }
}

function prunedVersion(version: number, head: LedgerHead): NodeError {
  return new NodeError(
    "version_pruned",
    `version ${version} has been pruned, the oldest is ${head.oldestVersion}`,
  );
}

function prunedBlock(height: number, oldestHeight: number): NodeError {
  return new NodeError("block_pruned", `block ${height} has been pruned, the oldest is ${oldestHeight}`);
}

function prefixed(address: Buffer, kind: number): Buffer {
  const key = Buffer.allocUnsafe(33);
  address.copy(key, 0, 0, 32);
  key[32] = kind;
  return key;
}

/** The newest value of a row; `undefined` for a tombstone. */
function presentValue(row: Buffer, tableKey: Buffer): Buffer | undefined {
  const flagsAt = StateRecord.STACK + stackBytes(row, StateRecord.STACK, HISTORY_ENTRY_BYTES);
  if (((row[flagsAt] as number) & VALUE_PRESENT) === 0) return undefined;
  const valueAt = keepsFullKey(tableKey) ? flagsAt + 5 + readU32(row, flagsAt + 1) : flagsAt + 1;
  return row.subarray(valueAt, row.length);
}

function fullKey(row: Buffer): Buffer {
  const at = StateRecord.STACK + stackBytes(row, StateRecord.STACK, HISTORY_ENTRY_BYTES) + 1;
  return row.subarray(at + 4, at + 4 + readU32(row, at));
}
