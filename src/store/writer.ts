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
 */

import { join } from "node:path";
import { invariant, NodeError } from "../errors/index.js";
import { applyBatch } from "./block-apply.js";
import { BlockBatch } from "./block-batch.js";
import { BlockEncoder } from "./block-encoder.js";
import type { StoreWriterOptions } from "./commit.js";
import type { Disk } from "./disk.js";
import type { Environment } from "./environment.js";
import type { FolderLock } from "./folder-lock.js";
import { HashRuns } from "./hash-run.js";
import { LiveRoom } from "./live-room.js";
import type { LogReader } from "./log-reader.js";
import { Maintenance } from "./maintenance.js";
import type { PathRegistry } from "./path-directory.js";
import { TransactionRow } from "./rows.js";
import type { LogCursor } from "./schema.js";
import type { SegmentLog } from "./segment-log.js";
import { HASH_FOLDER, LIVE_FOLDER, Snapshot } from "./snapshot.js";
import { StateKeyEncoder } from "./state-key.js";
import { type StoreIdentity, writeBoot } from "./store-file.js";
import type { BlockToCommit, LedgerHead, StoreWriter } from "./types.js";

/** What opening leaves for the writer to own. */
export interface WriterParts {
  readonly environment: Environment;
  readonly reader: LogReader;
  readonly segments: SegmentLog;
  readonly paths: PathRegistry;
  readonly lock: FolderLock;
  readonly cursor: LogCursor;
  readonly storeTag: Buffer;
  readonly identity: StoreIdentity;
  readonly disk: Disk;
  readonly bootId: string | undefined;
}

/** A `commit` call that has not settled. */
interface WaitingCommit {
  readonly blocks: readonly BlockToCommit[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Transactions joined into one write. */
const BATCH_TRANSACTIONS_MAX = 5_000;
const BUFFER_BYTES = 1024 * 1024;
/** Rows of a block besides its writes, hashes and links. */
const BLOCK_PUTS = 8;

export class Writer extends Snapshot implements StoreWriter {
  readonly chainId: number;
  readonly #parts: WriterParts;
  readonly #directory: string;
  readonly #encoder: BlockEncoder;
  readonly #room: LiveRoom;
  readonly #maintenance: Maintenance;
  #cursor: LogCursor;
  #committed: LedgerHead | undefined;
  #buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #waiting: WaitingCommit[] = [];
  #running: Promise<void> | undefined;
  #failure: unknown;
  #closing: Promise<void> | undefined;

  constructor(options: StoreWriterOptions, parts: WriterParts) {
    const { environment, paths, disk, cursor } = parts;
    super(environment, parts.reader, paths, new HashRuns(join(options.directory, HASH_FOLDER)));
    this.#parts = parts;
    this.#directory = options.directory;
    this.chainId = parts.identity.chainId;
    this.#encoder = new BlockEncoder(environment, new StateKeyEncoder(), paths);
    this.#room = new LiveRoom(disk, environment, join(options.directory, LIVE_FOLDER, "data.mdb"));
    this.#cursor = cursor;
    if (this.hasHead()) this.#committed = this.refresh();
    this.#maintenance = new Maintenance(options, parts, () => this.#committed);
  }

  get isEmpty(): boolean {
    return this.#committed === undefined;
  }

  commit(blocks: readonly BlockToCommit[]): Promise<void> {
    if (this.#closing !== undefined)
      return Promise.reject(new NodeError("unavailable", "the store is closed"));
    if (blocks.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ blocks, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  allState(): Iterable<readonly [key: Buffer, value: Buffer]> {
    return this.liveState();
  }

  /**
   * Takes a checkpoint now. Commits go on meanwhile.
   *
   * @throws NodeError `store_failed`; the store itself is as before.
   */
  checkpoint(): Promise<void> {
    return this.#maintenance.checkpoint();
  }

  /** As `closeWriter`, for callers that cannot wait. */
  override close(): void {
    void this.closeWriter();
  }

  closeWriter(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#running;
    await this.#maintenance.stop();
    const { environment, segments, disk, bootId, lock } = this.#parts;
    await segments.close();
    this.closeFiles();
    this.#room.close();
    await environment.root.close();
    try {
      if (this.#failure === undefined) await this.#noteCleanClose(disk, bootId);
    } finally {
      lock.release();
    }
  }

  /** The environment is synced before the note says it can be trusted. */
  async #noteCleanClose(disk: Disk, bootId: string | undefined): Promise<void> {
    const fd = disk.open(join(this.#directory, LIVE_FOLDER, "data.mdb"), false);
    try {
      await disk.sync(fd);
    } finally {
      disk.close(fd);
    }
    await writeBoot(disk, this.#directory, bootId, true);
  }

  async #drain(): Promise<void> {
    // Calls made in the same turn are joined.
    await Promise.resolve();
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
    const before = this.#committed;
    try {
      this.#encode(batch, blocks);
      this.#room.ensure(putsOf(batch), batch.length);
      await segments.reserve(batch.position, batch.position + batch.length);
    } catch (error) {
      paths.forget();
      throw error;
    }
    this.#buffer = batch.buffer;
    try {
      // The order of these two is the promise of the store.
      await segments.append(batch.buffer.subarray(0, batch.length), batch.position);
      const applied = applyBatch(
        environment,
        paths,
        batch,
        this.#cursor.writerEpoch,
        this.#maintenance.housekeeping,
      );
      this.#cursor = applied.cursor;
      this.#committed = applied.head;
    } catch (error) {
      this.#failure = error;
      paths.forget();
      if (error instanceof NodeError) throw error;
      throw new NodeError("store_failed", "bringing the latest state up to the log failed", { cause: error });
    }
    this.#maintenance.committed(before, this.#committed);
  }

  #encode(batch: BlockBatch, blocks: readonly BlockToCommit[]): void {
    const { storeTag } = this.#parts;
    const head = this.#committed;
    const oldest = this.#maintenance.oldest();
    let height = head?.height ?? -1;
    let version = head?.version ?? -1;
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
        durableHeight: head?.height,
        ...oldest,
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

/** Rows that applying the batch puts, and a few for what rides along. */
function putsOf(batch: BlockBatch): number {
  return batch.states.size + batch.heads.size + BLOCK_PUTS * batch.frames.length + batch.transactions;
}
