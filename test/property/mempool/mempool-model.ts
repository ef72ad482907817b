/**
 * The mempool's rules once more, as plainly as they can be written: lists, searched from end to end.
 * Unbounded; bounds have properties of their own.
 */

import type { Admission, PooledTransaction } from "../../../src/mempool/index.js";

interface Held {
  readonly transaction: PooledTransaction;
  readonly deadlineMs: number;
}

const name = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

export class MempoolModel {
  /** In order of admission. */
  held: Held[] = [];
  /** Sequence number of each account on chain. */
  readonly next = new Map<string, bigint>();

  nextOf(sender: Uint8Array): bigint {
    return this.next.get(name(sender)) ?? 0n;
  }

  admit(transaction: PooledTransaction, nowMs: number, stayMsMax: number): Admission {
    if (this.held.some((one) => name(one.transaction.hash) === name(transaction.hash))) return "accepted";
    const { sequenceNumber } = transaction;
    if (sequenceNumber !== undefined && sequenceNumber < this.nextOf(transaction.sender)) {
      return "sequence_number_too_old";
    }
    const rival = this.held.find(
      (one) =>
        name(one.transaction.sender) === name(transaction.sender) &&
        one.transaction.sequenceNumber === sequenceNumber &&
        one.transaction.replayProtectionNonce === transaction.replayProtectionNonce,
    );
    if (rival !== undefined) {
      const isCopy = name(rival.transaction.replacementKey) === name(transaction.replacementKey);
      if (!isCopy || transaction.gasUnitPrice < rival.transaction.gasUnitPrice)
        return "invalid_transaction_update";
      if (transaction.gasUnitPrice === rival.transaction.gasUnitPrice) return "accepted";
      this.held = this.held.filter((one) => one !== rival);
    }
    const deadlineMs = Math.min(nowMs + stayMsMax, Number(transaction.expirationTimestampSecs) * 1000);
    this.held.push({ transaction, deadlineMs });
    return "accepted";
  }

  take(transactionsMax: number, nowSecs: bigint): PooledTransaction[] {
    const taken: PooledTransaction[] = [];
    const cursors = new Map(this.next);
    while (taken.length < transactionsMax) {
      const ready = this.held.filter(({ transaction }) => {
        if (taken.includes(transaction)) return false;
        const cursor = cursors.get(name(transaction.sender)) ?? 0n;
        return transaction.sequenceNumber === undefined || transaction.sequenceNumber === cursor;
      });
      const dearest = ready.reduce<Held | undefined>(
        (best, one) =>
          best === undefined || one.transaction.gasUnitPrice > best.transaction.gasUnitPrice ? one : best,
        undefined,
      );
      if (dearest === undefined) break;
      const { transaction } = dearest;
      if (transaction.expirationTimestampSecs <= nowSecs) {
        this.held = this.held.filter((one) => one !== dearest);
        continue;
      }
      taken.push(transaction);
      if (transaction.sequenceNumber !== undefined) {
        cursors.set(name(transaction.sender), transaction.sequenceNumber + 1n);
      }
    }
    return taken;
  }

  commit(transaction: PooledTransaction): void {
    this.discard(transaction);
    const { sequenceNumber } = transaction;
    if (sequenceNumber !== undefined) this.next.set(name(transaction.sender), sequenceNumber + 1n);
  }

  discard(transaction: PooledTransaction): void {
    this.held = this.held.filter((one) => one.transaction !== transaction);
  }

  expire(nowMs: number): void {
    this.held = this.held.filter((one) => one.deadlineMs > nowMs);
  }
}
