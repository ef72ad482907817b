/**
 * One child process over its many lives: started, watched, started again, drained.
 *
 * ```
 *            fork              ready message
 *   down ──────────► starting ──────────────► serving
 *    ▲                  │ exit                   │ exit
 *    └── wait, longer each time ◄────────────────┘        drain: ──► ended, for good
 * ```
 *
 * Promises: a child that serves but has not been heard of for `silenceMsMax` is killed, since it does
 * its work no more; a child that ends unasked is started again after a wait that doubles from
 * {@link RESTART_MS_MIN} to {@link RESTART_MS_MAX} and falls back once it has served a while; after
 * {@link VAIN_LIVES_MAX} lives in a row that never served, it is given up. A drain is bounded by
 * {@link KILL_AFTER_MS}; after it no process is left.
 */

import { type ChildProcess, fork } from "node:child_process";
import { NodeError } from "../errors/index.js";
import type { Logger } from "../observe/index.js";
import type { ChildFailed, ChildStart, FromChild, ToChild } from "./child-protocol.js";

const RESTART_MS_MIN = 50;
const RESTART_MS_MAX = 2000;

/** Serving this long, in milliseconds, makes the next wait a short one again. */
const STABLE_MS = 2000;

/** Lives in a row that ended before they served, after which a child is given up. */
const VAIN_LIVES_MAX = 6;

/** Longest wait for a drained child before it is killed, in milliseconds. */
const KILL_AFTER_MS = 6000;

/** What a managed child is started with. */
export interface ManagedChildOptions {
  /** Name in logs: `writer`, `front-0`. */
  readonly name: string;
  /** JavaScript file to run. */
  readonly entry: string;
  readonly start: ChildStart;
  readonly log: Logger;
  /** Longest a serving child may be silent before it counts as stuck, in milliseconds. */
  readonly silenceMsMax: number;
  /** Called once, when the child is given up. */
  readonly onGivenUp: (error: NodeError) => void;
}

/** A child and its successors. */
export class ManagedChild {
  readonly #options: ManagedChildOptions;
  #process: ChildProcess | undefined;
  #isDraining = false;
  #isServing = false;
  #hasServed = false;
  /** Ends since it last served for a while; sets the wait. */
  #ends = 0;
  /** Ends since it last served at all; sets when to give up. */
  #vainLives = 0;
  #restarts = 0;
  #lastFailure: ChildFailed | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stable: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #onServing: (() => void) | undefined;
  #onFirstEnd: ((error: NodeError) => void) | undefined;
  #onEnded: (() => void) | undefined;

  /** Starts the process at once, so that it loads its code; it waits for {@link begin}. */
  constructor(options: ManagedChildOptions) {
    this.#options = options;
    this.#fork();
  }

  get name(): string {
    return this.#options.name;
  }

  /** Process id of the present life. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Lives after the first. */
  get restarts(): number {
    return this.#restarts;
  }

  /** True while the present life serves. */
  get isServing(): boolean {
    return this.#isServing;
  }

  /**
   * Tells the waiting process to begin.
   *
   * @returns once it serves.
   * @throws NodeError with the child's own code and sentence if its first life ends before that.
   */
  begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onServing = resolve;
      this.#onFirstEnd = reject;
      if (this.#process?.exitCode !== null || this.#process.signalCode !== null)
        reject(this.#endOf("before it began"));
      else this.#tell(this.#options.start);
    });
  }

  /** Asks for an orderly end and waits for it. No further life follows. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#stable);
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => {
      this.#onEnded = resolve;
    });
    this.#tell({ type: "drain" });
    const killer = setTimeout(() => {
      this.#options.log.error({ child: this.name }, "a child did not end in time and is killed");
      child.kill("SIGKILL");
    }, KILL_AFTER_MS);
    await ended;
    clearTimeout(killer);
  }

  /** Ends it now, whatever it is doing. No further life follows. */
  kill(): void {
    this.#isDraining = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#stable);
    this.#process?.kill("SIGKILL");
  }

  #fork(): void {
    const { entry, log, name } = this.#options;
    const child = fork(entry, [], {
      serialization: "advanced",
      // Flags of this process, a debugger's port for one, are not for others.
      execArgv: [],
      // Results go to standard output, and children have none to give.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#process = child;
    this.#lastFailure = undefined;
    child.on("message", (message: FromChild) => {
      if (message.type === "ready") this.#serving();
      else if (message.type === "alive") this.#silence?.refresh();
      else this.#lastFailure = message;
    });
    child.on("error", (error) => log.error({ err: error, child: name }, "a child process has a problem"));
    child.on("exit", (code, signal) => this.#ended(code, signal));
  }

  #serving(): void {
    this.#options.log.info({ child: this.name, childPid: this.pid }, "a child serves");
    this.#isServing = true;
    this.#hasServed = true;
    this.#vainLives = 0;
    this.#stable = setTimeout(() => {
      this.#ends = 0;
    }, STABLE_MS);
    this.#stable.unref();
    const child = this.#process;
    this.#silence = setTimeout(() => {
      this.#options.log.error({ child: this.name }, "a child is stuck and is killed");
      child?.kill("SIGKILL");
    }, this.#options.silenceMsMax);
    this.#silence.unref();
    this.#onServing?.();
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    const { log, name } = this.#options;
    const wasServing = this.#isServing;
    this.#isServing = false;
    clearTimeout(this.#stable);
    clearTimeout(this.#silence);
    this.#onEnded?.();
    const error = this.#endOf(`with ${signal ?? `exit code ${code}`}`);
    if (this.#isDraining) {
      this.#onFirstEnd?.(error);
      return;
    }
    log.error({ child: name, code, signal, wasServing, reason: error.message }, "a child ended unasked");
    if (!this.#hasServed) {
      this.#isDraining = true;
      this.#onFirstEnd?.(error);
      return;
    }
    this.#ends++;
    if (!wasServing) this.#vainLives++;
    if (this.#vainLives >= VAIN_LIVES_MAX) {
      this.#isDraining = true;
      this.#options.onGivenUp(error);
      return;
    }
    this.#restarts++;
    const waitMs = Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** (this.#ends - 1));
    this.#retry = setTimeout(() => {
      this.#fork();
      this.#tell(this.#options.start);
    }, waitMs);
  }

  #endOf(how: string): NodeError {
    const failure = this.#lastFailure;
    if (failure !== undefined) return new NodeError(failure.code, failure.message);
    return new NodeError(
      "child_failed",
      `The ${this.name} process ended ${how}; node.log in the data folder may say why.`,
    );
  }

  #tell(message: ToChild): void {
    // A child that is gone is noticed by its exit.
    if (this.#process?.connected) this.#process.send(message, () => {});
  }
}
