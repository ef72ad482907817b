/**
 * The snapshot a front reads from: moved to the newest commit at the first request of each turn of
 * the event loop, and still for the rest of that turn. A read therefore sees every transaction whose
 * commit was announced before the read began, and all requests of one turn share the cost of moving.
 */

import type { ReadContext } from "./reads/context.js";

export class TurnSnapshot {
  readonly #context: ReadContext;
  #isFresh = false;
  readonly #endOfTurn = () => {
    this.#isFresh = false;
  };

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** The context, on the newest snapshot this turn has seen. Do not keep it across an await. */
  current(): ReadContext {
    if (!this.#isFresh) this.moved();
    return this.#context;
  }

  /** The context on the newest snapshot there is, for what happened since this turn began. */
  moved(): ReadContext {
    this.#context.store.refresh();
    if (!this.#isFresh) {
      this.#isFresh = true;
      setImmediate(this.#endOfTurn);
    }
    return this.#context;
  }
}
