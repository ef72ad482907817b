/**
 * Makes one block: take from the mempool, execute, make durable, settle, announce.
 *
 * ```
 * mempool.take ─► core.executeBlock ─► store.commit ─► mempool.settle ─► announce
 *                                      durable, then visible
 * ```
 *
 * Promises: a block is announced only after readers can see it, and readers see it only after it is
 * durable; one block at a time. While the store has no room the executed block is offered to it again
 * and again, so that a cleared disk is all it takes to go on. After any other failure nothing more
 * may be produced by this object, since the core's state is then ahead of the store's.
 */

import { setTimeout as pause } from "node:timers/promises";
import { invariant, isNodeError } from "../errors/index.js";
import type { CommitAnnouncement } from "../ipc/index.js";
import type { BlockBounds, Fate, Mempool, PooledTransaction } from "../mempool/index.js";
import { type BlockOutput, type Core, TransactionRow } from "../native/index.js";
import type { Meter } from "../observe/index.js";
import type { BlockToCommit, StoreWriter } from "../store/types.js";
import { nextBlock, nextTimestamp } from "./block-input.js";

/**
 * Bounds of one block. Execution holds the writer's thread, and with it the answers to submits, so a
 * block is kept to a fraction of a second.
 */
const BLOCK_BOUNDS: BlockBounds = { transactionsMax: 1000, bytesMax: 4 * 1024 * 1024 };

/** VM status of a transaction whose sequence number is above the account's. */
const SEQUENCE_NUMBER_TOO_NEW = 4;

/** Pause before a store without room is offered the same block again, in milliseconds. */
const COMMIT_AGAIN_MS = 1000;

/** What a producer works with. */
export interface ProducerParts {
  readonly core: Core;
  readonly store: StoreWriter;
  readonly mempool: Mempool;
  readonly meter: Meter;
  /** Microseconds of the wall clock. */
  readonly nowUsecs: () => number;
  readonly announce: (announcement: CommitAnnouncement) => void;
  /** Told when the store takes no block for now, and when it does again. */
  readonly onStall: (error: unknown) => void;
  readonly onResume: () => void;
  /** Aborted when no block needs to be waited for any more. */
  readonly stop: AbortSignal;
}

/** Makes blocks, one per call. */
export class BlockProducer {
  readonly #parts: ProducerParts;

  /** `core` must be loaded with the state of `store`. */
  constructor(parts: ProducerParts) {
    this.#parts = parts;
  }

  /** Makes the next block, an empty one if nothing waits. @throws whatever core and store throw. */
  async produce(): Promise<void> {
    const { core, store, mempool, meter, announce } = this.#parts;
    const head = store.refresh();
    const nowUsecs = this.#parts.nowUsecs();
    const transactions = mempool.take(
      BLOCK_BOUNDS,
      BigInt(Math.floor(nextTimestamp(head, nowUsecs) / 1_000_000)),
    );
    const parent = store.blockByHeight(head.height);
    invariant(parent !== undefined, `the newest block, ${head.height}, is in the store`);

    const input = nextBlock({ head, parentId: parent.blockId, nowUsecs, transactions });
    const startedUsecs = usecs();
    const output = core.executeBlock(input, { read: (key) => store.state(key) });
    const executedUsecs = usecs();
    const { height, firstVersion, timestampUsecs, round, blockId } = input;
    await this.#commit({
      height,
      firstVersion,
      timestampUsecs,
      // The epoch now in force: the next block belongs to it.
      epoch: output.epoch,
      round,
      blockId,
      accumulatorPeaks: output.accumulatorPeaks,
      bytes: output.bytes,
      transactions: output.transactions,
      writes: output.writes,
      eventLinks: output.eventLinks,
    });
    const { version } = store.refresh();
    mempool.settle(fates(transactions, output));
    announce({ height, version, timestampUsecs });

    const rows = output.transactions.length / TransactionRow.WIDTH;
    invariant(
      version === head.version + rows,
      `${rows} rows take the ledger from ${head.version} to ${version}`,
    );
    meter.add("writer_blocks_total");
    meter.add(
      "writer_transactions_total",
      transactions.length - output.discarded.length - output.retried.length,
    );
    meter.add("writer_discarded_total", output.discarded.length);
    meter.add("writer_execute_usecs_total", executedUsecs - startedUsecs);
    meter.add("writer_commit_usecs_total", usecs() - executedUsecs);
    meter.set("ledger_version", version);
    meter.set("ledger_block_height", height);
  }

  async #commit(block: BlockToCommit): Promise<void> {
    const { store, onStall, onResume, stop } = this.#parts;
    for (let isStalled = false; ; ) {
      try {
        await store.commit([block]);
        if (isStalled) onResume();
        return;
      } catch (error) {
        // A store that has failed for good says so again each time; nothing is lost by asking.
        if (!isNodeError(error, "store_failed") || stop.aborted) throw error;
        if (!isStalled) onStall(error);
        isStalled = true;
        await pause(COMMIT_AGAIN_MS, undefined, { signal: stop }).catch(() => {});
      }
    }
  }
}

/** What became of each transaction of a block, by the core's account of it. */
function fates(
  transactions: readonly PooledTransaction[],
  output: BlockOutput,
): (transaction: PooledTransaction) => Fate {
  const exceptions = new Map<PooledTransaction, Fate>();
  for (const { index, vmStatus } of output.discarded) {
    // An earlier number of the account was discarded before it: it waits for another to take its place.
    const fate = vmStatus === SEQUENCE_NUMBER_TOO_NEW ? "not due" : "discarded";
    exceptions.set(transactions[index] as PooledTransaction, fate);
  }
  for (const index of output.retried)
    exceptions.set(transactions[index] as PooledTransaction, "not attempted");
  return (transaction) => exceptions.get(transaction) ?? "committed";
}

function usecs(): number {
  return Math.round(performance.now() * 1000);
}
