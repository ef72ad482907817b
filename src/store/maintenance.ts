/**
 * What the writer does besides committing: pruning, sealing hash runs, checkpoints, watching readers.
 *
 * Promise: nothing here can fail a commit. Changes to LMDB ride in a block's own transaction; files
 * are made beside the commits and named in LMDB only when durable. A checkpoint that fails is tried
 * again later; log files are given up only when a finished checkpoint makes them superfluous.
 */

import fs from "node:fs";
import { join } from "node:path";
import { NodeError } from "../errors/index.js";
import type { Housekeeping } from "./block-apply.js";
import { checkpointManifests, takeCheckpoint } from "./checkpoint.js";
import type { StoreWriterOptions } from "./commit.js";
import { getFast } from "./environment.js";
import { HashSealer } from "./hash-sealer.js";
import { type Oldest, Pruner } from "./prune.js";
import { ReaderWatch } from "./reader-watch.js";
import { blockKey, decodeBlockRow } from "./schema.js";
import { CHECKPOINT_FOLDER, HASH_FOLDER, LIVE_FOLDER } from "./snapshot.js";
import type { LedgerHead } from "./types.js";
import type { WriterParts } from "./writer.js";

const CHECKPOINT_VERSIONS = 1_000_000;
const TICK_MS = 1_000;
/** A data file up to this size is copied every minute: recovery from it then takes no time. */
const SMALL_BYTES = 64 * 1024 * 1024;
const SMALL_CHECKPOINT_MS = 60_000;

export class Maintenance {
  readonly #parts: WriterParts;
  readonly #head: () => LedgerHead | undefined;
  readonly #pruner: Pruner;
  readonly #sealer: HashSealer;
  readonly #readers: ReaderWatch;
  readonly #timer: NodeJS.Timeout;
  readonly #dataFile: string;
  readonly #checkpoints: string;
  readonly #checkpointVersions: number;
  #copying: Promise<void> | undefined;
  #copiedVersion: number;
  #copiedAtMs = performance.now();

  /** @param head The newest committed block. */
  constructor(options: StoreWriterOptions, parts: WriterParts, head: () => LedgerHead | undefined) {
    const { environment, disk, reader, paths, storeTag, identity } = parts;
    this.#parts = parts;
    this.#head = head;
    this.#pruner = new Pruner(
      environment,
      reader,
      paths,
      storeTag,
      identity.segmentBytes,
      options.historyVersions ?? Number.POSITIVE_INFINITY,
    );
    this.#sealer = new HashSealer(
      disk,
      environment,
      join(options.directory, HASH_FOLDER),
      options.tableHashes,
    );
    this.#readers = new ReaderWatch(environment);
    this.#dataFile = join(options.directory, LIVE_FOLDER, "data.mdb");
    this.#checkpoints = join(options.directory, CHECKPOINT_FOLDER);
    this.#checkpointVersions = options.checkpointVersions ?? CHECKPOINT_VERSIONS;
    this.#copiedVersion = checkpointManifests(this.#checkpoints)[0]?.version ?? -1;
    this.#timer = setInterval(() => {
      const age = this.#readers.check(performance.now());
      options.onReaderAge?.(age);
      if (this.#isCheckpointDue()) void this.checkpoint().catch(() => undefined);
    }, TICK_MS);
    this.#timer.unref();
  }

  /** Rides in each block's transaction. */
  readonly housekeeping: Housekeeping = (head, blocks) => {
    this.#sealer.inTransaction(head.version, head.oldestVersion);
    this.#pruner.inTransaction(blocks);
  };

  /** Where the window starts as of the next block. */
  oldest(): Oldest {
    const head = this.#head();
    return head === undefined ? { oldestVersion: 0, oldestHeight: 0 } : this.#pruner.advance(head);
  }

  /** A block's transaction has been committed. */
  committed(before: LedgerHead | undefined, after: LedgerHead): void {
    if (before !== undefined && before.oldestHeight !== after.oldestHeight) this.#pruner.moved(before);
    this.#sealer.settle();
  }

  checkpoint(): Promise<void> {
    this.#copying ??= this.#checkpoint().finally(() => {
      this.#copying = undefined;
    });
    return this.#copying;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#copying?.catch(() => undefined);
    await this.#sealer.finish();
  }

  #isCheckpointDue(): boolean {
    const head = this.#head();
    if (head === undefined || head.version === this.#copiedVersion) return false;
    if (head.version - this.#copiedVersion >= this.#checkpointVersions) return true;
    if (performance.now() - this.#copiedAtMs < SMALL_CHECKPOINT_MS) return false;
    // Blocks in use, since the file is sparse.
    return fs.statSync(this.#dataFile).blocks * 512 <= SMALL_BYTES;
  }

  async #checkpoint(): Promise<void> {
    const { disk, environment, segments } = this.#parts;
    const head = this.#head();
    if (head === undefined) return;
    const oldest = getFast(environment.blocks, blockKey(head.oldestHeight));
    if (oldest === undefined) throw new NodeError("store_corrupt", `block ${head.oldestHeight} is missing`);
    const oldestPosition = decodeBlockRow(oldest.subarray(0, oldest.length)).position;
    const facts = { height: head.height, version: head.version, oldestPosition };
    try {
      await takeCheckpoint(disk, environment, this.#checkpoints, this.#dataFile, facts);
      const needed = checkpointManifests(this.#checkpoints).map((manifest) => manifest.oldestPosition);
      segments.recycleBefore(Math.min(...needed, this.#pruner.firstPosition()));
    } catch (error) {
      throw new NodeError("store_failed", "taking a checkpoint failed", { cause: error });
    } finally {
      this.#copiedAtMs = performance.now();
    }
    this.#copiedVersion = head.version;
  }
}
