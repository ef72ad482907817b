/**
 * The waiting tasks of a pool in two lines: what is urgent goes before what is not, each line in order
 * of arrival. With it a submission waits for the task a thread is busy with, and not for every view
 * that came before.
 */

import { queueOptionsSymbol } from "piscina";

/** What the pool asks of a queue, by the calls it makes. */
interface QueuedTask {
  readonly [queueOptionsSymbol]: object | null;
}

const URGENT = Object.freeze({ isUrgent: true });

/** Marks a task for the first line. The mark stays here: it is not sent to the thread. */
export function urgent<Task extends object>(task: Task): Task {
  return Object.defineProperty(task, queueOptionsSymbol, { value: URGENT, enumerable: false });
}

/** Plain arrays: a pool refuses tasks long before moving their elements would count. */
export class UrgentFirstQueue {
  readonly #urgent: QueuedTask[] = [];
  readonly #others: QueuedTask[] = [];

  get size(): number {
    return this.#urgent.length + this.#others.length;
  }

  push(task: QueuedTask): void {
    this.#lineOf(task).push(task);
  }

  /** Takes back a task that {@link shift} gave and no thread could take. */
  unshift(task: QueuedTask): void {
    this.#lineOf(task).unshift(task);
  }

  shift(): QueuedTask | null {
    return this.#urgent.shift() ?? this.#others.shift() ?? null;
  }

  remove(task: QueuedTask): void {
    const line = this.#lineOf(task);
    const position = line.indexOf(task);
    if (position >= 0) line.splice(position, 1);
  }

  #lineOf(task: QueuedTask): QueuedTask[] {
    return task[queueOptionsSymbol] === URGENT ? this.#urgent : this.#others;
  }
}
