/** Transactions that wait for a block. */

export { type BlockBounds, type Fate, Mempool } from "./mempool.js";
export { type Admission, DEFAULT_LIMITS, type MempoolLimits, type PooledTransaction } from "./transaction.js";
