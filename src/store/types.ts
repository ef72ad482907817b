/**
 * The store's words. Everything here is bytes by key and version; the store does not know what they mean.
 * State keys are in storage encoding, state values BCS `StateValue` (src/native/types.ts says more).
 */

export interface LedgerHead {
  readonly version: number;
  readonly height: number;
  readonly timestampUsecs: number;
  readonly epoch: number;
  readonly round: number;
  readonly oldestVersion: number;
  readonly oldestHeight: number;
  /** Frozen subtree roots of the transaction accumulator, 32 bytes each. */
  readonly accumulatorPeaks: Buffer;
}

/** One executed block to make durable. The arrays have the row layouts of src/native/types.ts. */
export interface BlockToCommit {
  readonly height: number;
  readonly firstVersion: number;
  readonly timestampUsecs: number;
  readonly epoch: number;
  readonly round: number;
  readonly blockId: Buffer;
  readonly accumulatorPeaks: Buffer;
  readonly bytes: Buffer;
  readonly transactions: Uint32Array;
  readonly writes: Uint32Array;
  readonly eventLinks: Uint32Array;
}

export interface StoredRecord {
  readonly version: number;
  readonly height: number;
  readonly blockTimestampUsecs: number;
  readonly hash: Buffer;
  readonly accumulatorRoot: Buffer;
  readonly transaction: Buffer;
  readonly info: Buffer;
  readonly events: Buffer;
  readonly writeSet: Buffer;
}

export interface BlockSummary {
  readonly height: number;
  readonly firstVersion: number;
  readonly lastVersion: number;
  readonly timestampUsecs: number;
  readonly blockId: Buffer;
}

export interface StateItem {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** A read-only handle. One per front process or worker thread. All calls are synchronous. */
export interface StoreReader {
  /** Moves to the newest committed snapshot; call at the first request of an event-loop turn. */
  refresh(): LedgerHead;
  readonly head: LedgerHead;

  /**
   * State value at `version` (default: the snapshot's newest).
   * @returns bytes valid until the next call on this reader; `undefined` if absent.
   * @throws NodeError `version_pruned`, `version_not_found`.
   */
  state(key: Buffer, version?: number): Buffer | undefined;

  /** Copies of an account's items of one kind in state-key order, starting at `start` (inclusive). */
  accountItems(
    address: Buffer,
    kind: "module" | "resource",
    limit: number,
    start?: Buffer,
    version?: number,
  ): { readonly items: StateItem[]; readonly next: Buffer | undefined };

  recordByVersion(version: number): StoredRecord | undefined;
  versionByHash(hash: Buffer): number | undefined;
  /** Versions of transactions `sender` signed with sequence numbers from `start`, ascending. */
  accountVersions(sender: Buffer, start: number, limit: number): number[];
  /** Number of sequence-number transactions the store has seen from this sender. */
  accountTransactionCount(sender: Buffer): number;
  /** Handle events from sequence number `start`, ascending. */
  streamEvents(
    account: Buffer,
    creationNumber: bigint,
    start: bigint | undefined,
    limit: number,
  ): { version: number; eventIndex: number }[];
  blockByHeight(height: number): BlockSummary | undefined;
  blockByVersion(version: number): BlockSummary | undefined;
  close(): void;
}

/** The writer's handle: the only one that changes anything. */
export interface StoreWriter extends StoreReader {
  readonly isEmpty: boolean;
  readonly chainId: number;
  /** Block log durable, then LMDB; resolves when both are done, so the caller may announce. */
  commit(blocks: readonly BlockToCommit[]): Promise<void>;
  /** Every live state item, in key order. */
  allState(): Iterable<readonly [key: Buffer, value: Buffer]>;
  /** Orderly close: syncs, marks clean, releases the lock. */
  closeWriter(): Promise<void>;
}
