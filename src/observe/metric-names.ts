/**
 * Names of everything measured, with their units, in one place: a metric that is spelt twice is two
 * metrics. Units end the name; counters end in `_total`.
 */

/** Metric → what it counts. */
export const METRICS = {
  mempool_transactions: "Transactions waiting, parked ones included",
  mempool_parked_transactions: "Transactions waiting for an earlier sequence number",
  mempool_bytes: "Bytes of waiting transactions",
  mempool_expired_total: "Transactions dropped because their time ran out",
  writer_blocks_total: "Blocks committed by this process",
  writer_transactions_total: "User transactions committed by this process",
  writer_discarded_total: "User transactions discarded by execution",
  writer_execute_usecs_total: "Time spent executing blocks",
  writer_commit_usecs_total: "Time spent making blocks durable",
  store_oldest_reader_ms: "Age of the oldest snapshot a reader holds",
  ledger_version: "Newest committed version",
  ledger_block_height: "Newest committed block",
} as const;

/** One of the names in {@link METRICS}. */
export type MetricName = keyof typeof METRICS;
