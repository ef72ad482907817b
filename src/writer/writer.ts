/**
 * The writer: the one process that changes the ledger, put together from its parts.
 *
 * Promises: an empty store gets its genesis; a filled one is loaded into the core; submits are
 * answered from then on. While the store has no room, or after any failure, no block is made and
 * every submit is refused with `unavailable`; what is committed stays readable, since reading needs
 * no writer.
 */

import type { NodeConfig } from "../config/index.js";
import { NodeError } from "../errors/index.js";
import type {
  AdmissionStatus,
  AdmittedTransaction,
  CommitAnnouncement,
  WriterService,
} from "../ipc/index.js";
import { Mempool } from "../mempool/index.js";
import type { Core } from "../native/index.js";
import type { Logger, Meter } from "../observe/index.js";
import type { StoreWriter } from "../store/types.js";
import { BlockLoop } from "./block-loop.js";
import { BlockProducer } from "./block-producer.js";
import { genesisBlock, genesisFileBlock, genesisOptions } from "./genesis.js";

/** How often waiting transactions are checked for their deadlines, in milliseconds. */
const EXPIRE_EVERY_MS = 1000;

/** What a writer is made of. */
export interface WriterParts {
  readonly config: NodeConfig;
  readonly core: Core;
  /** Open and locked; the writer closes it. */
  readonly store: StoreWriter;
  readonly log: Logger;
  readonly meter: Meter;
  readonly announce: (announcement: CommitAnnouncement) => void;
  /** Told once when no further block can be made. */
  readonly onFailure: (error: unknown) => void;
}

/** The running writer. */
export class Writer implements WriterService {
  readonly #parts: WriterParts;
  readonly #mempool = new Mempool();
  readonly #loop: BlockLoop;
  #expiry: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();
  #takesTransactions = true;

  private constructor(parts: WriterParts) {
    this.#parts = parts;
    const { config, core, store, meter } = parts;
    const producer = new BlockProducer({
      core,
      store,
      mempool: this.#mempool,
      meter,
      nowUsecs: () => Date.now() * 1000,
      announce: (announcement) => this.#announce(announcement),
      onStall: (error) => {
        this.#takesTransactions = false;
        parts.log.error({ err: error }, "the store takes no block; submits are refused until it does");
      },
      onResume: () => {
        this.#takesTransactions = true;
        parts.log.info("the store takes blocks again");
      },
      stop: this.#stop.signal,
    });
    this.#loop = new BlockLoop({
      blockDelayMs: config.blockDelayMs,
      idleBlockMs: config.idleBlockMs,
      produce: () => producer.produce(),
      hasReady: () => this.#mempool.hasReady,
      onFailure: (error) => this.#fail(error),
      nowMs: () => performance.now(),
    });
  }

  /** Brings core and store to the same state. Blocks begin with {@link begin}. */
  static async open(parts: WriterParts): Promise<Writer> {
    const { config, core, store, log } = parts;
    const startedMs = performance.now();
    if (store.isEmpty) {
      if (config.genesis === undefined) {
        await store.commit([genesisBlock(core, genesisOptions(config, Date.now() * 1000))]);
      } else {
        const { block, waypoint } = genesisFileBlock(core, config.genesis);
        await store.commit([block]);
        log.info({ file: config.genesis, waypoint }, "began with a genesis file");
      }
      store.refresh();
      log.info({ ms: Math.round(performance.now() - startedMs) }, "made the genesis block");
    } else {
      const { accumulatorPeaks, version } = store.head;
      core.loadState(store.allState(), accumulatorPeaks, version + 1);
      log.info({ version, ms: Math.round(performance.now() - startedMs) }, "loaded the state");
    }
    return new Writer(parts);
  }

  /** Starts to make blocks. */
  begin(): void {
    this.#loop.start();
    this.#expiry = setInterval(() => {
      const { meter } = this.#parts;
      meter.add("mempool_expired_total", this.#mempool.expire(Date.now()));
      meter.set("mempool_transactions", this.#mempool.size);
      meter.set("mempool_parked_transactions", this.#mempool.parkedCount);
      meter.set("mempool_bytes", this.#mempool.bytes);
    }, EXPIRE_EVERY_MS);
  }

  get newest(): CommitAnnouncement {
    const { height, version, timestampUsecs } = this.#parts.store.head;
    return { height, version, timestampUsecs };
  }

  submit(transactions: readonly AdmittedTransaction[]): AdmissionStatus[] {
    if (!this.#takesTransactions) throw new NodeError("unavailable", "The node takes no transactions now.");
    const nowMs = Date.now();
    const statuses = transactions.map((transaction) => this.#mempool.admit(transaction, nowMs));
    this.#loop.note();
    return statuses;
  }

  pendingByHash(hash: Uint8Array): Uint8Array | undefined {
    return this.#mempool.bytesByHash(hash);
  }

  /**
   * Ends after the block under way, unless the store takes none, and closes the store. Waiting
   * transactions are lost.
   */
  async close(): Promise<void> {
    clearInterval(this.#expiry);
    this.#stop.abort();
    await this.#loop.stop();
    await this.#parts.store.closeWriter();
    this.#parts.log.info({ metrics: this.#parts.meter.values() }, "the writer has ended");
  }

  #announce(announcement: CommitAnnouncement): void {
    this.#parts.log.debug(announcement, "committed a block");
    this.#parts.announce(announcement);
  }

  #fail(error: unknown): void {
    this.#takesTransactions = false;
    // A block given up because of the end is no news.
    if (!this.#stop.signal.aborted) this.#parts.onFailure(error);
  }
}
