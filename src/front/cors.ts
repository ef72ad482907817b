/**
 * Cross-origin access for browsers: any origin, with credentials, because browser SDKs send them and
 * the interface holds no session that a foreign page could borrow.
 *
 * With credentials a browser insists on seeing its own origin repeated, so this is the one place
 * where text of a request reaches a response header: only after it matched the grammar of an origin
 * or of a list of header names.
 */

import type { WireNames } from "../wire/index.js";
import { HeaderBlock } from "./header-block.js";

const ORIGIN = /^[a-z][a-z0-9+.-]{0,31}:\/\/[A-Za-z0-9.:[\]-]{1,255}$/;
const HEADER_NAMES = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1024}$/;

/** Seconds a browser may remember a preflight. */
const PREFLIGHT_SECS = 86_400;

/** Cross-origin headers of one node. */
export class CrossOrigin {
  readonly #exposed: string;

  constructor(wire: WireNames) {
    this.#exposed = Object.values(wire.headers).join(", ");
  }

  /** @returns `block`, plus what the page at `origin` needs to read the answer. */
  extend(block: HeaderBlock, origin: string): HeaderBlock {
    if (!ORIGIN.test(origin)) return block;
    return block
      .with("Access-Control-Allow-Origin", origin)
      .with("Access-Control-Allow-Credentials", "true")
      .with("Access-Control-Expose-Headers", this.#exposed)
      .with("Vary", "Origin");
  }

  /** Headers of the answer to a preflight. */
  preflight(origin: string, requestedHeaders: string): HeaderBlock {
    let block = HeaderBlock.of(["Allow", "GET, POST, OPTIONS"]);
    if (!ORIGIN.test(origin)) return block;
    block = block
      .with("Access-Control-Allow-Origin", origin)
      .with("Access-Control-Allow-Credentials", "true")
      .with("Access-Control-Allow-Methods", "GET, POST")
      .with("Access-Control-Max-Age", `${PREFLIGHT_SECS}`)
      .with("Vary", "Origin");
    return HEADER_NAMES.test(requestedHeaders)
      ? block.with("Access-Control-Allow-Headers", requestedHeaders)
      : block;
  }
}
