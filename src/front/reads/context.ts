/**
 * What every read is computed from: one snapshot of the store, one core, and the words of this node.
 *
 * A read is a function from a context and plain-data arguments to an answer. It never awaits, so the
 * snapshot cannot move under it, and it runs alike on a front's event loop and on a work thread.
 */

import type { Core, CoreFunctions, StateReader } from "../../native/types.js";
import type { StoreReader } from "../../store/types.js";
import type { WireNames } from "../../wire/index.js";
import type { Form } from "../negotiation.js";

export interface ReadContext {
  /** Refreshed by the caller before the read, never by the read. */
  readonly store: StoreReader;
  readonly core: Core;
  readonly functions: CoreFunctions;
  readonly wire: WireNames;
  readonly chainId: number;
  /** Most stored bytes that one read may turn into an answer here; no bound on a work thread. */
  readonly renderBytesMax: number;
}

/** What an event loop may render: about 100 µs of work. */
export const LOOP_RENDER_BYTES_MAX = 16 * 1024;

/**
 * Thrown by a read that found more than its place may render. It says nothing of the request: the
 * same read on a work thread goes through.
 */
export const LEAVE_TO_THREAD: unique symbol = Symbol("leave to a thread");

/** Call before rendering `bytes` stored bytes. @throws LEAVE_TO_THREAD */
export function allowRender(context: ReadContext, bytes: number): void {
  if (bytes > context.renderBytesMax) throw LEAVE_TO_THREAD;
}

/** A successful answer. */
export interface ReadAnswer {
  readonly form: Form;
  readonly body: string | Uint8Array;
  /** Cost of a view or a simulation, gas units. */
  readonly gasUnits?: number;
  /** Where the next page of resources or modules begins. */
  readonly cursor?: string;
  /** True if `body` is compressed. */
  readonly isGzip?: boolean;
}

/** State as the core reads it, at one version of the context's snapshot. */
export class StateAtVersion implements StateReader {
  readonly #store: StoreReader;
  readonly #version: number | undefined;

  /** @param version The newest if absent. */
  constructor(store: StoreReader, version: number | undefined) {
    this.#store = store;
    this.#version = version;
  }

  read(key: Buffer): Buffer | undefined {
    return this.#store.state(key, this.#version);
  }
}
