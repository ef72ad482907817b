/**
 * Answers the core's state reads during a call.
 *
 * The core writes a key into one request buffer that lives as long as the core does and calls back with
 * its length; the answer is handed over as the reader's own buffer, which the core copies before it
 * calls again. Nothing is allocated per read: a view of the request buffer is kept for every length.
 */
import type { ReadLongState, ReadState } from "./addon.js";
import type { StateReader } from "./types.js";

/** Longer keys travel in a buffer of their own. Covers every key but table items with large keys. */
const REQUEST_BYTES = 1024;

export class StateBridge {
  readonly request = Buffer.alloc(REQUEST_BYTES);
  readonly #views: Buffer[] = [];
  #reader: StateReader | undefined;

  readonly readState: ReadState = (length) => {
    let key = this.#views[length];
    if (key === undefined) {
      key = this.request.subarray(0, length);
      this.#views[length] = key;
    }
    return this.#current().read(key);
  };

  readonly readLongState: ReadLongState = (key) => this.#current().read(key);

  /** Runs `call` with `reader` answering the core's reads. Calls do not nest. */
  during<T>(reader: StateReader, call: () => T): T {
    if (this.#reader !== undefined) throw new Error("the core was entered twice");
    this.#reader = reader;
    try {
      return call();
    } finally {
      this.#reader = undefined;
    }
  }

  #current(): StateReader {
    if (this.#reader === undefined) throw new Error("the core read state outside of a call that lends it");
    return this.#reader;
  }
}
