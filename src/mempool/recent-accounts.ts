/**
 * Sequence numbers of accounts that lately committed.
 *
 * A front validates on a snapshot that may lag behind the newest block. Without this memory the pool
 * would believe its older number and park a transaction behind a gap that is already closed.
 */
export class RecentAccounts {
  readonly #capacity: number;
  readonly #next = new Map<string, bigint>();

  /** @param capacity Accounts remembered; the longest untouched is forgotten first. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The sequence number last seen on chain, if remembered. */
  get(sender: string): bigint | undefined {
    return this.#next.get(sender);
  }

  /** Remembers `next`, unless a higher number is known. */
  note(sender: string, next: bigint): void {
    const known = this.#next.get(sender) ?? 0n;
    this.#next.delete(sender);
    this.#next.set(sender, next > known ? next : known);
    if (this.#next.size <= this.#capacity) return;
    const [oldest] = this.#next.keys();
    if (oldest !== undefined) this.#next.delete(oldest);
  }
}
