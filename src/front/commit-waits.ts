/**
 * Requests that wait for a transaction to commit. They are woken by the writer's announcements, never
 * by polling; how many wait and how long is bounded.
 */

import type { WriterLink } from "../ipc/messages.js";

/** Requests that wait at the same time; further ones are answered at once. */
export const WAITS_MAX = 100;
/** Longest wait, milliseconds. */
export const WAIT_MS_MAX = 1000;

interface Wait {
  /** Called at each announcement; true when there is nothing more to wait for. */
  readonly check: () => boolean;
  readonly end: () => void;
  readonly timer: NodeJS.Timeout;
}

export class CommitWaits {
  readonly #waits = new Set<Wait>();
  readonly #stopListening: () => void;

  constructor(writer: WriterLink) {
    this.#stopListening = writer.onCommit(() => this.#announced());
  }

  /**
   * Waits until `check` answers true, {@link WAIT_MS_MAX} have passed, or the wait is cancelled. With
   * {@link WAITS_MAX} others waiting it returns at once.
   *
   * @param check Runs once per announced block; must not throw.
   * @param onCancel Handed a function that ends the wait.
   */
  until(check: () => boolean, onCancel: (cancel: () => void) => void): Promise<void> {
    if (this.#waits.size >= WAITS_MAX) return Promise.resolve();
    return new Promise((resolve) => {
      const wait: Wait = {
        check,
        end: () => {
          clearTimeout(wait.timer);
          this.#waits.delete(wait);
          resolve();
        },
        timer: setTimeout(() => wait.end(), WAIT_MS_MAX),
      };
      this.#waits.add(wait);
      onCancel(wait.end);
    });
  }

  /** Ends every wait. */
  close(): void {
    this.#stopListening();
    for (const wait of [...this.#waits]) wait.end();
  }

  #announced(): void {
    for (const wait of [...this.#waits]) {
      if (wait.check()) wait.end();
    }
  }
}
