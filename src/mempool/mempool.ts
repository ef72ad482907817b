/**
 * Transactions that wait for a block.
 *
 * ```
 *            admit                     take                      settle
 *  front ───────────►  waiting  ─────────────────►  in block  ───────────►  gone
 *                      │  ▲ parked while an earlier      │ not attempted,
 *                      │  │ sequence number is missing   │ or not due
 *                      │  └──────────────────────────────┘
 *                      └──► gone: expired, replaced, evicted
 * ```
 *
 * Promises:
 * - within an account, transactions leave in order of sequence number and without gaps;
 * - among accounts, a higher gas unit price leaves first, then the earlier admission;
 * - one transaction per sender and sequence number (or nonce); a copy that differs in nothing but a
 *   higher price takes its place, anything else is refused;
 * - no bound of {@link MempoolLimits} is ever exceeded.
 *
 * Plain memory; the clock is handed in. Validity, signatures and blocks are others' business.
 */

import { invariant } from "../errors/index.js";
import { BinaryHeap } from "./binary-heap.js";
import type { AccountQueue, Entry } from "./entry.js";
import { RecentAccounts } from "./recent-accounts.js";
import { type Admission, DEFAULT_LIMITS, type MempoolLimits, type PooledTransaction } from "./transaction.js";

/** Accounts whose newest sequence number is remembered after their last transaction left. */
const RECENT_ACCOUNTS = 200_000;

/** Blocks that may find one transaction not due before it is dropped. */
const ATTEMPTS_MAX = 5;

/** Bounds of one block. */
export interface BlockBounds {
  readonly transactionsMax: number;
  readonly bytesMax: number;
}

/**
 * What became of one transaction of a block. `not attempted` and `not due` put it back; the latter,
 * execution's word that an earlier sequence number is missing, only {@link ATTEMPTS_MAX} times.
 */
export type Fate = "committed" | "discarded" | "not attempted" | "not due";

/** The waiting transactions of a node. */
export class Mempool {
  readonly #limits: MempoolLimits;
  readonly #byHash = new Map<string, Entry>();
  readonly #accounts = new Map<string, AccountQueue>();
  readonly #recent = new RecentAccounts(RECENT_ACCOUNTS);
  /** Waiting behind a gap, in order of admission. */
  readonly #parked = new Set<Entry>();
  readonly #ready = new BinaryHeap<Entry>(leavesBefore);
  readonly #deadlines = new BinaryHeap<Entry>((left, right) => left.deadlineMs < right.deadlineMs);
  readonly #inBlock = new Set<Entry>();
  #bytes = 0;
  #arrivals = 0;

  constructor(limits: MempoolLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** Transactions held, those handed to a block included. */
  get size(): number {
    return this.#byHash.size;
  }

  /** Transaction bytes held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Transactions waiting for an earlier sequence number. */
  get parkedCount(): number {
    return this.#parked.size;
  }

  /** True if {@link take} would give anything but for expiry. */
  get hasReady(): boolean {
    this.#dropStale();
    return this.#ready.size > 0;
  }

  /** BCS SignedTransaction of a held transaction. @param hash 32 bytes. */
  bytesByHash(hash: Uint8Array): Uint8Array | undefined {
    return this.#byHash.get(keyText(hash))?.transaction.bytes;
  }

  /** Takes a transaction in, or says why not. A transaction already held is accepted again. */
  admit(transaction: PooledTransaction, nowMs: number): Admission {
    if (this.#byHash.has(keyText(transaction.hash))) return "accepted";
    const sender = keyText(transaction.sender);
    const account = this.#accounts.get(sender) ?? this.#newAccount(sender);
    this.#learn(account, transaction.accountSequenceNumber);
    const { sequenceNumber, replayProtectionNonce } = transaction;
    if (sequenceNumber !== undefined && sequenceNumber < account.next) {
      this.#forgetIfEmpty(account);
      return "sequence_number_too_old";
    }
    const held =
      sequenceNumber !== undefined
        ? account.bySequenceNumber.get(sequenceNumber)
        : account.byNonce.get(nonceOf(replayProtectionNonce));
    const answer =
      held === undefined ? this.#makeRoom(account, transaction) : this.#replace(held, transaction);
    if (answer !== "accepted" || (held !== undefined && held.state !== "gone")) {
      this.#forgetIfEmpty(account);
      return answer;
    }
    this.#insert(account, transaction, nowMs);
    return "accepted";
  }

  /**
   * Hands the next block its transactions and marks them; {@link settle} must follow.
   *
   * @param nowSecs Time of the block; what has expired by then stays out.
   */
  take(bounds: BlockBounds, nowSecs: bigint): PooledTransaction[] {
    invariant(this.#inBlock.size === 0, "a block is settled before the next is taken");
    const taken: PooledTransaction[] = [];
    let bytesLeft = bounds.bytesMax;
    while (taken.length < bounds.transactionsMax) {
      this.#dropStale();
      const entry = this.#ready.peek();
      if (entry === undefined || entry.transaction.bytes.length > bytesLeft) break;
      this.#ready.pop();
      entry.isQueued = false;
      if (entry.transaction.expirationTimestampSecs <= nowSecs) {
        this.#drop(entry);
        continue;
      }
      entry.state = "in block";
      this.#inBlock.add(entry);
      bytesLeft -= entry.transaction.bytes.length;
      taken.push(entry.transaction);
      if (entry.transaction.sequenceNumber !== undefined) {
        entry.account.cursor = entry.transaction.sequenceNumber + 1n;
        this.#offerHead(entry.account);
      }
    }
    return taken;
  }

  /**
   * Closes the block {@link take} opened.
   *
   * @param fateOf What became of each transaction taken.
   */
  settle(fateOf: (transaction: PooledTransaction) => Fate): void {
    const accounts = new Set<AccountQueue>();
    for (const entry of this.#inBlock) {
      const { account, transaction } = entry;
      accounts.add(account);
      const fate = fateOf(transaction);
      if (fate === "committed" && transaction.sequenceNumber !== undefined) {
        this.#learn(account, transaction.sequenceNumber + 1n);
        this.#recent.note(account.sender, transaction.sequenceNumber + 1n);
      }
      if (fate === "not due") entry.attempts++;
      if (fate === "not attempted" || (fate === "not due" && entry.attempts < ATTEMPTS_MAX)) {
        entry.state = "waiting";
        if (transaction.sequenceNumber === undefined) this.#offer(entry);
        else this.#parked.add(entry);
      } else {
        this.#drop(entry);
      }
    }
    this.#inBlock.clear();
    for (const account of accounts) {
      account.cursor = account.next;
      this.#offerHead(account);
      this.#forgetIfEmpty(account);
    }
  }

  /**
   * Drops what has waited too long.
   *
   * @returns how many were dropped.
   */
  expire(nowMs: number): number {
    let dropped = 0;
    for (;;) {
      const entry = this.#deadlines.peek();
      // What is in a block stays: its fate is known within moments, and the next call sees it again.
      if (entry === undefined || entry.state === "in block") return dropped;
      if (entry.state === "waiting") {
        if (entry.deadlineMs > nowMs) return dropped;
        this.#drop(entry);
        dropped++;
      }
      this.#deadlines.pop();
    }
  }

  #newAccount(sender: string): AccountQueue {
    const next = this.#recent.get(sender) ?? 0n;
    const account = { sender, next, cursor: next, bySequenceNumber: new Map(), byNonce: new Map() };
    this.#accounts.set(sender, account);
    return account;
  }

  #forgetIfEmpty(account: AccountQueue): void {
    if (account.bySequenceNumber.size > 0 || account.byNonce.size > 0) return;
    this.#accounts.delete(account.sender);
  }

  /** Raises the account's sequence number to what the chain is known to have. */
  #learn(account: AccountQueue, next: bigint): void {
    if (next <= account.next) return;
    const passed = next - account.next;
    if (passed <= account.bySequenceNumber.size) {
      for (let number = account.next; number < next; number++) {
        this.#dropIfWaiting(account.bySequenceNumber.get(number));
      }
    } else {
      // The number jumped over more than is held: walking what is held is shorter.
      for (const [number, entry] of account.bySequenceNumber) if (number < next) this.#dropIfWaiting(entry);
    }
    account.next = next;
    if (account.cursor < next) account.cursor = next;
    this.#offerHead(account);
  }

  #dropIfWaiting(entry: Entry | undefined): void {
    if (entry?.state === "waiting") this.#drop(entry);
  }

  #replace(held: Entry, transaction: PooledTransaction): Admission {
    const isSame = Buffer.compare(held.transaction.replacementKey, transaction.replacementKey) === 0;
    if (!isSame || transaction.gasUnitPrice < held.transaction.gasUnitPrice)
      return "invalid_transaction_update";
    if (transaction.gasUnitPrice === held.transaction.gasUnitPrice) return "accepted";
    if (held.state === "in block") return "invalid_transaction_update";
    if (this.#bytes - held.transaction.bytes.length + transaction.bytes.length > this.#limits.bytesMax) {
      return "mempool_is_full";
    }
    this.#drop(held);
    return "accepted";
  }

  #makeRoom(account: AccountQueue, transaction: PooledTransaction): Admission {
    const isOrderless = transaction.sequenceNumber === undefined;
    const count = isOrderless ? account.byNonce.size : account.bySequenceNumber.size;
    if (count >= (isOrderless ? this.#limits.orderlessPerAccountMax : this.#limits.perAccountMax)) {
      return "too_many_transactions";
    }
    const isReady = isOrderless || transaction.sequenceNumber === account.cursor;
    const victims = this.#victimsFor(transaction, isReady);
    if (victims === undefined) return "mempool_is_full";
    for (const victim of victims) this.#drop(victim);
    return "accepted";
  }

  /**
   * Parked transactions, oldest first, that must go for this one to fit. Chosen before any is
   * dropped, so that a refusal changes nothing. `undefined` if it cannot fit.
   */
  #victimsFor(transaction: PooledTransaction, mayEvict: boolean): Entry[] | undefined {
    let count = this.#byHash.size + 1 - this.#limits.transactionsMax;
    let bytes = this.#bytes + transaction.bytes.length - this.#limits.bytesMax;
    const victims: Entry[] = [];
    if (count <= 0 && bytes <= 0) return victims;
    if (!mayEvict) return undefined;
    for (const entry of this.#parked) {
      victims.push(entry);
      count--;
      bytes -= entry.transaction.bytes.length;
      if (count <= 0 && bytes <= 0) return victims;
    }
    return undefined;
  }

  #insert(account: AccountQueue, transaction: PooledTransaction, nowMs: number): void {
    const expirationMs = Number(transaction.expirationTimestampSecs) * 1000;
    const entry: Entry = {
      transaction,
      account,
      arrival: this.#arrivals++,
      deadlineMs: Math.min(nowMs + this.#limits.stayMsMax, expirationMs),
      state: "waiting",
      attempts: 0,
      isQueued: false,
    };
    this.#accounts.set(account.sender, account);
    this.#byHash.set(keyText(transaction.hash), entry);
    this.#bytes += transaction.bytes.length;
    this.#deadlines.push(entry);
    if (transaction.sequenceNumber === undefined) {
      account.byNonce.set(nonceOf(transaction.replayProtectionNonce), entry);
      this.#offer(entry);
    } else {
      account.bySequenceNumber.set(transaction.sequenceNumber, entry);
      this.#parked.add(entry);
      this.#offerHead(account);
    }
  }

  /** Makes the account's next transaction ready, if it is here. */
  #offerHead(account: AccountQueue): void {
    const head = account.bySequenceNumber.get(account.cursor);
    if (head?.state === "waiting") this.#offer(head);
  }

  #offer(entry: Entry): void {
    this.#parked.delete(entry);
    if (entry.isQueued) return;
    entry.isQueued = true;
    this.#ready.push(entry);
  }

  /**
   * Takes entries off the front of the ready queue that are ready no longer: dropped, or behind a
   * number that a block gave back.
   */
  #dropStale(): void {
    for (let entry = this.#ready.peek(); entry !== undefined; entry = this.#ready.peek()) {
      const { sequenceNumber } = entry.transaction;
      const isDue = sequenceNumber === undefined || sequenceNumber === entry.account.cursor;
      if (entry.state === "waiting" && isDue) return;
      this.#ready.pop();
      entry.isQueued = false;
      if (entry.state === "waiting") this.#parked.add(entry);
    }
  }

  #drop(entry: Entry): void {
    const { transaction, account } = entry;
    entry.state = "gone";
    this.#parked.delete(entry);
    this.#byHash.delete(keyText(transaction.hash));
    this.#bytes -= transaction.bytes.length;
    if (transaction.sequenceNumber === undefined) {
      account.byNonce.delete(nonceOf(transaction.replayProtectionNonce));
    } else {
      account.bySequenceNumber.delete(transaction.sequenceNumber);
    }
    this.#forgetIfEmpty(account);
    this.#trimQueues();
  }

  /** Keeps what the queues hold of dropped entries below what is really waiting. */
  #trimQueues(): void {
    const slack = 2 * this.#byHash.size + 1024;
    for (const queue of [this.#ready, this.#deadlines]) {
      if (queue.size > slack) queue.retain((entry) => entry.state !== "gone");
    }
  }
}

function leavesBefore(left: Entry, right: Entry): boolean {
  const [leftPrice, rightPrice] = [left.transaction.gasUnitPrice, right.transaction.gasUnitPrice];
  return leftPrice === rightPrice ? left.arrival < right.arrival : leftPrice > rightPrice;
}

function nonceOf(nonce: bigint | undefined): bigint {
  invariant(nonce !== undefined, "a transaction has a sequence number or a nonce");
  return nonce;
}

/** Bytes as a map key: one character per byte. */
function keyText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
