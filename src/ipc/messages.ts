/**
 * What fronts and the writer say to each other, as typed data. Framing, ids and backpressure are
 * beside this file; the meaning of the bytes inside is nobody's business here.
 */

/** A decoded, signature-checked, prologue-checked transaction on its way to the mempool. */
export interface AdmittedTransaction {
  /** BCS SignedTransaction. */
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  readonly sender: Uint8Array;
  /** Absent for an orderless transaction. */
  readonly sequenceNumber: bigint | undefined;
  readonly replayProtectionNonce: bigint | undefined;
  /** The account's sequence number in the snapshot it was validated on. */
  readonly accountSequenceNumber: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationTimestampSecs: bigint;
  readonly replacementKey: Uint8Array;
}

/** Answer of the mempool; everything but "accepted" is a refusal with its own wire error. */
export type AdmissionStatus =
  | "accepted"
  | "invalid_transaction_update"
  | "sequence_number_too_old"
  | "mempool_is_full"
  | "too_many_transactions";

/** A block became visible to readers. */
export interface CommitAnnouncement {
  readonly height: number;
  readonly version: number;
  readonly timestampUsecs: number;
}

/** A front's line to the writer. */
export interface WriterLink {
  /** False while the writer is away; submits then reject at once with `unavailable`. */
  readonly isUp: boolean;
  submit(transactions: readonly AdmittedTransaction[]): Promise<AdmissionStatus[]>;
  /** BCS SignedTransaction of a pending transaction. */
  pendingByHash(hash: Uint8Array): Promise<Uint8Array | undefined>;
  /** @returns a function that stops listening. */
  onCommit(listener: (announcement: CommitAnnouncement) => void): () => void;
  close(): void;
}
