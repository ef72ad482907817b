/** What the mempool keeps of a transaction, and its words for an admission. */

/** A transaction whose signature and prologue were checked. */
export interface PooledTransaction {
  /** BCS SignedTransaction. */
  readonly bytes: Uint8Array;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly sender: Uint8Array;
  /** Absent for an orderless transaction. */
  readonly sequenceNumber: bigint | undefined;
  readonly replayProtectionNonce: bigint | undefined;
  /** The account's sequence number in the snapshot the transaction was validated on. */
  readonly accountSequenceNumber: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationTimestampSecs: bigint;
  /** 32 bytes, equal for two transactions that differ in signature or gas unit price only. */
  readonly replacementKey: Uint8Array;
}

/** Answer to an admission; everything but `accepted` is a refusal. */
export type Admission =
  | "accepted"
  | "invalid_transaction_update"
  | "sequence_number_too_old"
  | "mempool_is_full"
  | "too_many_transactions";

/** Bounds of a mempool; every one has an answer for being reached. */
export interface MempoolLimits {
  /** Reached: `mempool_is_full`, unless a parked transaction can make room for a ready one. */
  readonly transactionsMax: number;
  /** As above; counts transaction bytes, not what surrounds them. */
  readonly bytesMax: number;
  /** Per account, with sequence numbers. Reached: `too_many_transactions`. */
  readonly perAccountMax: number;
  /** Per account, orderless. Reached: `too_many_transactions`. */
  readonly orderlessPerAccountMax: number;
  /** Longest stay, whatever the transaction's own expiration says. */
  readonly stayMsMax: number;
}

/** The public network's bounds, but for total capacity, which is sized for one machine. */
export const DEFAULT_LIMITS: MempoolLimits = {
  transactionsMax: 200_000,
  bytesMax: 512 * 1024 * 1024,
  perAccountMax: 100,
  orderlessPerAccountMax: 1000,
  stayMsMax: 600_000,
};
