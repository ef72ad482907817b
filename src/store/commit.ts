/**
 * The writer's handle: makes executed blocks durable, then visible.
 *
 * ```
 * commit(blocks) ─ encode frames ─ reserve disk ─ write + fdatasync the log ─ one LMDB transaction ─ resolve
 *                  (reads LMDB)                            durable                   visible
 * ```
 *
 * Promises
 * - Nobody can read a block before it is durable: LMDB changes only after the log's fdatasync has
 *   returned. `commit` resolves after both, so the caller may announce.
 * - Calls take effect in order. Calls that wait while another is being written are joined: one write,
 *   one fdatasync, one LMDB transaction, up to BATCH_TRANSACTIONS_MAX.
 * - A failure before the log is written (no room) changes nothing, and a later commit may succeed. A
 *   failure of the write, the sync or the transaction is final: every later commit is refused, and
 *   the next open decides from the log what has happened.
 * - One writer per data folder (folder-lock.ts), checked again inside each transaction.
 */

import fs from "node:fs";
import { join } from "node:path";
import { invariant, NodeError } from "../errors/index.js";
import { applyBatch } from "./block-apply.js";
import { BlockBatch } from "./block-batch.js";
import { BlockEncoder } from "./block-encoder.js";
import { type Disk, realDisk } from "./disk.js";
import { type Environment, openEnvironment } from "./environment.js";
import { FolderLock } from "./folder-lock.js";
import { STORE_TAG_BYTES } from "./frame.js";
import { LogReader } from "./log-reader.js";
import { PathRegistry } from "./path-directory.js";
import { type EnvironmentEnd, readEnvironmentEnd, recover } from "./recovery.js";
import { TransactionRow } from "./rows.js";
import { encodeLogCursor, type LogCursor, MetaKey, SCHEMA } from "./schema.js";
import { SegmentLog } from "./segment-log.js";
import { LIVE_FOLDER, LOG_FOLDER, Snapshot } from "./snapshot.js";
import { StateKeyEncoder } from "./state-key.js";
import {
  createIdentity,
  isEnvironmentTrusted,
  machineBootId,
  readIdentity,
  writeBoot,
} from "./store-file.js";
import type { BlockToCommit, LedgerHead, StoreWriter } from "./types.js";

export interface StoreWriterOptions {
  /** The data folder; made if it does not exist. */
  readonly directory: string;
  /** Of a new store; an existing one must have the same. */
  readonly chainId: number;
  /** Size of a log file of a new store; default 64 MiB. */
  readonly segmentBytes?: number;
  /** Address space of the environment; readers must use the same. Default 64 GiB. */
  readonly mapBytes?: number;
  /** Names this boot of the machine; for tests. */
  readonly bootId?: string | undefined;
  /** File system calls; for tests. */
  readonly disk?: Disk;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;
/** Transactions joined into one write. */
const BATCH_TRANSACTIONS_MAX = 5_000;
const BUFFER_BYTES = 4 * 1024 * 1024;

/**
 * Opens a data folder for writing, recovering it first if the last writer did not close it.
 *
 * @throws NodeError `data_folder_unusable`, `data_folder_in_use`, `data_folder_other_chain`,
 *   `store_format`, `store_corrupt`.
 */
export async function openStoreWriter(options: StoreWriterOptions): Promise<StoreWriter> {
  const { directory, chainId } = options;
  const disk = options.disk ?? realDisk;
  const bootId = "bootId" in options ? options.bootId : machineBootId();
  try {
    fs.mkdirSync(join(directory, LOG_FOLDER), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new NodeError("data_folder_unusable", "the data folder cannot be made", {
      cause: error,
      details: { directory },
    });
  }
  const lock = FolderLock.take(directory);
  let environment: Environment | undefined;
  try {
    const identity =
      readIdentity(directory) ??
      (await createIdentity(disk, directory, chainId, options.segmentBytes ?? SEGMENT_BYTES));
    if (identity.chainId !== chainId) {
      throw new NodeError(
        "data_folder_other_chain",
        `the data folder belongs to chain ${identity.chainId}, this node runs chain ${chainId}`,
        { details: { directory } },
      );
    }
    const live = join(directory, LIVE_FOLDER);
    const isTrusted = identity.schema === SCHEMA && isEnvironmentTrusted(directory, bootId);
    if (!isTrusted) fs.rmSync(live, { recursive: true, force: true });
    environment = openEnvironment({
      directory: live,
      readOnly: false,
      ...(options.mapBytes === undefined ? {} : { mapBytes: options.mapBytes }),
    });
    // From here on the environment changes, so only this boot may trust it.
    await writeBoot(disk, directory, bootId, false);
    const logFolder = join(directory, LOG_FOLDER);
    const reader = new LogReader(logFolder, identity.segmentBytes);
    const segments = new SegmentLog(disk, logFolder, identity.segmentBytes);
    const before = readEnvironmentEnd(environment);
    const paths = new PathRegistry(environment, before.cursor?.nextPathId ?? 0);
    const storeTag = identity.storeId.subarray(0, STORE_TAG_BYTES);
    const recovered = recover(environment, reader, paths, storeTag, true);
    const position = recovered.end.cursor?.nextPosition ?? 0;
    if (recovered.tornBytes > 0) await segments.erase(position, position + recovered.tornBytes);
    const cursor = raiseWriterEpoch(environment, recovered.end, recovered.writerEpoch, paths.next);
    return new Writer({
      environment,
      reader,
      segments,
      paths,
      lock,
      cursor,
      storeTag,
      chainId,
      directory,
      disk,
      bootId,
    });
  } catch (error) {
    await environment?.root.close();
    lock.release();
    throw error;
  }
}

/** Takes the store over: any older writer fails its next transaction. */
function raiseWriterEpoch(
  environment: Environment,
  end: EnvironmentEnd,
  epoch: number,
  nextPathId: number,
): LogCursor {
  const cursor: LogCursor = {
    schema: SCHEMA,
    lastFramePosition: end.cursor?.lastFramePosition ?? 0,
    nextPosition: end.cursor?.nextPosition ?? 0,
    lastFrameCrc: end.cursor?.lastFrameCrc ?? 0,
    nextPathId,
    writerEpoch: epoch + 1,
  };
  environment.root.transactionSync(() => {
    environment.meta.putSync(MetaKey.LOG_CURSOR, encodeLogCursor(cursor));
  });
  return cursor;
}

interface WriterParts {
  readonly environment: Environment;
  readonly reader: LogReader;
  readonly segments: SegmentLog;
  readonly paths: PathRegistry;
  readonly lock: FolderLock;
  readonly cursor: LogCursor;
  readonly storeTag: Buffer;
  readonly chainId: number;
  readonly directory: string;
  readonly disk: Disk;
  readonly bootId: string | undefined;
}

/** A `commit` call that has not settled. */
interface WaitingCommit {
  readonly blocks: readonly BlockToCommit[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class Writer extends Snapshot implements StoreWriter {
  readonly chainId: number;
  readonly #parts: WriterParts;
  readonly #encoder: BlockEncoder;
  #cursor: LogCursor;
  #committed: LedgerHead | undefined;
  #buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #waiting: WaitingCommit[] = [];
  #running: Promise<void> | undefined;
  #failure: unknown;
  #isClosed = false;

  constructor(parts: WriterParts) {
    super(parts.environment, parts.reader, parts.paths);
    this.#parts = parts;
    this.chainId = parts.chainId;
    this.#encoder = new BlockEncoder(parts.environment, new StateKeyEncoder(), parts.paths);
    this.#cursor = parts.cursor;
    if (this.hasHead()) this.#committed = this.refresh();
  }

  get isEmpty(): boolean {
    return this.#committed === undefined;
  }

  commit(blocks: readonly BlockToCommit[]): Promise<void> {
    if (this.#isClosed) return Promise.reject(new NodeError("unavailable", "the store is closed"));
    if (blocks.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ blocks, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  allState(): Iterable<readonly [key: Buffer, value: Buffer]> {
    return this.liveState();
  }

  /** As `closeWriter`, for callers that cannot wait. */
  override close(): void {
    void this.closeWriter();
  }

  async closeWriter(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#running;
    const { environment, segments, disk, directory, bootId, lock } = this.#parts;
    await segments.close();
    this.log.close();
    await environment.root.close();
    if (this.#failure === undefined) {
      const fd = disk.open(join(directory, LIVE_FOLDER, "data.mdb"), false);
      try {
        await disk.sync(fd);
      } finally {
        disk.close(fd);
      }
      await writeBoot(disk, directory, bootId, true);
    }
    lock.release();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const calls = this.#takeBatch();
      try {
        await this.#commitBatch(calls.flatMap(({ blocks }) => blocks));
        for (const { resolve } of calls) resolve();
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    this.#running = undefined;
  }

  #takeBatch(): WaitingCommit[] {
    let transactions = 0;
    let count = 0;
    for (const { blocks } of this.#waiting) {
      for (const block of blocks) transactions += block.transactions.length / TransactionRow.WIDTH;
      if (count > 0 && transactions > BATCH_TRANSACTIONS_MAX) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #commitBatch(blocks: readonly BlockToCommit[]): Promise<void> {
    if (this.#failure !== undefined) {
      throw new NodeError("store_failed", "the store has failed before and takes no more blocks", {
        cause: this.#failure,
      });
    }
    const { segments, paths, environment } = this.#parts;
    const batch = new BlockBatch(this.#buffer, this.#cursor.nextPosition);
    try {
      this.#encode(batch, blocks);
      await segments.reserve(batch.position, batch.position + batch.length);
    } catch (error) {
      paths.forget();
      throw error;
    }
    this.#buffer = batch.buffer;
    try {
      // The order of these two is the promise of the store.
      await segments.append(batch.buffer.subarray(0, batch.length), batch.position);
      const { cursor, head } = applyBatch(environment, paths, batch, this.#cursor.writerEpoch);
      this.#cursor = cursor;
      this.#committed = head;
    } catch (error) {
      this.#failure = error;
      paths.forget();
      throw error;
    }
  }

  #encode(batch: BlockBatch, blocks: readonly BlockToCommit[]): void {
    const { storeTag } = this.#parts;
    const durableHeight = this.#committed?.height;
    let height = durableHeight ?? -1;
    let version = this.#committed?.version ?? -1;
    let previousPosition = this.#cursor.lastFramePosition;
    let previousCrc = this.#cursor.lastFrameCrc;
    for (const block of blocks) {
      invariant(
        block.height === height + 1 && block.firstVersion === version + 1 && block.transactions.length > 0,
        `block ${block.height} at version ${block.firstVersion} follows block ${height} at version ${version}`,
      );
      this.#encoder.append(batch, block, {
        writerEpoch: this.#cursor.writerEpoch,
        storeTag,
        previousPosition,
        previousCrc,
        durableHeight,
        oldestVersion: this.#committed?.oldestVersion ?? 0,
        oldestHeight: this.#committed?.oldestHeight ?? 0,
      });
      const frame = batch.frames.at(-1);
      invariant(frame !== undefined, "an appended block is a frame of the batch");
      previousPosition = batch.position + frame.at;
      previousCrc = frame.header.crc;
      height = block.height;
      version += block.transactions.length / TransactionRow.WIDTH;
    }
  }
}
