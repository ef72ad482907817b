/**
 * Decides when a block is made: a short while after the first transaction waits, so that others can
 * join it, and at a slow beat when none does.
 *
 * ```
 *           note() ──► wait blockDelayMs ──►┐
 *   idle ──────────────────────────────────►├─ produce ─┬─► more waits: again
 *           wait idleBlockMs ──────────────►┘           └─► idle
 * ```
 *
 * Promises: one block at a time; none after {@link BlockLoop.stop} has resolved; none after a failure,
 * which is reported once.
 */

/** How a loop is set up. */
export interface BlockLoopOptions {
  /** Wait after the first waiting transaction, in milliseconds. */
  readonly blockDelayMs: number;
  /** An idle chain makes a block this often, in milliseconds; 0 never. */
  readonly idleBlockMs: number;
  readonly produce: () => Promise<void>;
  /** True while something waits that the next block can take. */
  readonly hasReady: () => boolean;
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
}

/** Drives a producer. */
export class BlockLoop {
  readonly #options: BlockLoopOptions;
  #state: "stopped" | "waiting" | "producing" | "failed" = "stopped";
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** When the first transaction of the coming block was noted. */
  #firstReadyMs: number | undefined;
  #lastBlockMs = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: BlockLoopOptions) {
    this.#options = options;
  }

  /** Begins; an idle chain's first block comes at once, so that its clock is right from the start. */
  start(): void {
    this.#state = "waiting";
    if (this.#options.idleBlockMs > 0) this.#run();
    else this.#arm();
  }

  /** Call when a transaction was admitted; cheap. */
  note(): void {
    if (this.#firstReadyMs !== undefined || !this.#options.hasReady()) return;
    this.#firstReadyMs = this.#options.nowMs();
    this.#arm();
  }

  /** Ends after the block under way, if any. */
  async stop(): Promise<void> {
    if (this.#state !== "failed") this.#state = "stopped";
    this.#disarm();
    await this.#underWay;
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  #arm(): void {
    if (this.#state !== "waiting") return;
    this.#disarm();
    const { blockDelayMs, idleBlockMs, nowMs } = this.#options;
    const dueMs =
      this.#firstReadyMs !== undefined
        ? this.#firstReadyMs + blockDelayMs
        : idleBlockMs > 0
          ? this.#lastBlockMs + idleBlockMs
          : undefined;
    if (dueMs === undefined) return;
    const waitMs = dueMs - nowMs();
    // A timer would wait a millisecond even for nothing; sockets are served in between all the same.
    if (waitMs <= 0) this.#immediate = setImmediate(() => this.#run());
    else this.#timer = setTimeout(() => this.#run(), waitMs);
  }

  #run(): void {
    if (this.#state !== "waiting") return;
    this.#state = "producing";
    this.#disarm();
    this.#firstReadyMs = undefined;
    this.#lastBlockMs = this.#options.nowMs();
    this.#underWay = this.#options.produce().then(
      () => this.#next(),
      (error) => {
        this.#state = "failed";
        this.#options.onFailure(error);
      },
    );
  }

  #next(): void {
    if (this.#state !== "producing") return;
    this.#state = "waiting";
    // Left over from a full block: those have waited long enough.
    if (this.#firstReadyMs === undefined && this.#options.hasReady()) {
      this.#firstReadyMs = this.#options.nowMs() - this.#options.blockDelayMs;
    }
    this.#arm();
  }
}
