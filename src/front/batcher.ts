/**
 * Collects single items into batches for a consumer that is dear to call and cheap per item.
 *
 * Promise: while fewer than `inFlightMax` batches are out, an item leaves at the end of the turn of
 * the event loop it came in; otherwise it leaves with everything that gathered meanwhile, in order.
 * The queue is bounded: beyond `waitingMax` an item is refused at once.
 */

import { NodeError } from "../errors/index.js";

export interface BatchLimits {
  /** Items of one batch. */
  readonly itemsMax: number;
  /** Batches out at the same time. */
  readonly inFlightMax: number;
  /** Items waiting for a batch. */
  readonly waitingMax: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<Item, Result> {
  readonly #consume: (items: Item[]) => Promise<readonly Result[]>;
  readonly #limits: BatchLimits;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #isScheduled = false;

  /** @param consume Answers one result per item, in order; a rejection fails the whole batch. */
  constructor(limits: BatchLimits, consume: (items: Item[]) => Promise<readonly Result[]>) {
    this.#limits = limits;
    this.#consume = consume;
  }

  /** @throws NodeError `unavailable` if too many items wait; otherwise whatever the consumer rejects with. */
  push(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#limits.waitingMax) {
      return Promise.reject(
        new NodeError("unavailable", "the node has too many requests of this kind waiting"),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#limits.inFlightMax) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#inFlight < this.#limits.inFlightMax) {
      const batch = this.#waiting.splice(0, this.#limits.itemsMax);
      this.#inFlight += 1;
      this.#consume(batch.map((waiting) => waiting.item))
        .then(
          (results) => {
            for (const [index, waiting] of batch.entries()) {
              if (index < results.length) waiting.resolve(results[index] as Result);
              else
                waiting.reject(
                  new RangeError(`a batch of ${batch.length} came back with ${results.length} results`),
                );
            }
          },
          (error) => {
            for (const waiting of batch) waiting.reject(error);
          },
        )
        .finally(() => {
          this.#inFlight -= 1;
          this.#send();
        });
    }
  }
}
