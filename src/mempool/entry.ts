/** One waiting transaction and what the mempool notes about it. */

import type { PooledTransaction } from "./transaction.js";

/** Where an entry is in its life. `gone` marks what queues still hold but the pool has dropped. */
export type EntryState = "waiting" | "in block" | "gone";

/** One waiting transaction. Queues refer to it lazily: they check `state` when its turn comes. */
export interface Entry {
  readonly transaction: PooledTransaction;
  readonly account: AccountQueue;
  /** Position in order of admission; breaks ties of price. */
  readonly arrival: number;
  /** When the pool drops it, in milliseconds of the clock handed in. */
  readonly deadlineMs: number;
  state: EntryState;
  /** Blocks it was in and came back from. */
  attempts: number;
  /** True while the entry stands in the queue of ready ones. */
  isQueued: boolean;
}

/** Waiting transactions of one sender. */
export interface AccountQueue {
  readonly sender: string;
  /** Sequence number the account has on chain, as far as the pool knows. */
  next: bigint;
  /** Sequence number of the first transaction not yet handed to a block; at least `next`. */
  cursor: bigint;
  readonly bySequenceNumber: Map<bigint, Entry>;
  readonly byNonce: Map<bigint, Entry>;
}
