/**
 * Bodies on their way in. Each grows with what arrives, not with what was announced, because an
 * announced length is free to send; and all of a front share one bound, because many slow senders
 * together could otherwise take any amount of memory.
 */

/** Bytes that all bodies of a front may hold while they are received. */
const BYTES_TOGETHER_MAX = 256 * 1024 * 1024;
/** First allocation for a body. */
const BYTES_FIRST = 16 * 1024;

/** The bound that the bodies of one front share. */
export class BodyBudget {
  #left: number;

  constructor(bytesMax = BYTES_TOGETHER_MAX) {
    this.#left = bytesMax;
  }

  /** @returns False if there is not as much left; nothing is taken then. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** One body. Call {@link drop} or {@link finish} exactly once at the end. */
export class BodyCollector {
  readonly #budget: BodyBudget;
  readonly #bytesMax: number;
  #body: Buffer = Buffer.alloc(0);
  #length = 0;
  #isOver = false;

  /** @param bytesMax The announced length; more does not come. */
  constructor(budget: BodyBudget, bytesMax: number) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
  }

  /** Copies `chunk`. @returns False if the front has no memory left for it. */
  add(chunk: Uint8Array): boolean {
    const end = this.#length + chunk.length;
    if (end > this.#body.length) {
      const size = Math.min(this.#bytesMax, Math.max(2 * this.#body.length, end, BYTES_FIRST));
      if (!this.#budget.take(size - this.#body.length)) return false;
      const grown = Buffer.allocUnsafe(size);
      this.#body.copy(grown, 0, 0, this.#length);
      this.#body = grown;
    }
    this.#body.set(chunk, this.#length);
    this.#length = end;
    return true;
  }

  /** @returns The body; its memory is the caller's from now on. */
  finish(): Buffer {
    const body = this.#body.subarray(0, this.#length);
    this.drop();
    return body;
  }

  drop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#budget.give(this.#body.length);
    this.#body = Buffer.alloc(0);
  }
}
