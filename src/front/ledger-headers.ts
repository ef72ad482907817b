/**
 * The ledger headers of an answer, formatted once per ledger version instead of once per answer.
 */

import type { LedgerHead } from "../store/types.js";
import { BCS_TYPE, JSON_TYPE, type WireNames } from "../wire/index.js";
import { HeaderBlock } from "./header-block.js";
import type { Form } from "./negotiation.js";

/** Keeps the blocks of the newest head; asked for another head, it formats that one instead. */
export class LedgerHeaders {
  readonly #wire: WireNames;
  readonly #chainId: number;
  #head: LedgerHead | undefined;
  #json: HeaderBlock | undefined;
  #bcs: HeaderBlock | undefined;

  constructor(wire: WireNames, chainId: number) {
    this.#wire = wire;
    this.#chainId = chainId;
  }

  /** Content type and ledger headers. */
  of(head: LedgerHead, form: Form): HeaderBlock {
    if (!isSame(this.#head, head)) {
      this.#head = { ...head };
      this.#json = undefined;
      this.#bcs = undefined;
    }
    if (form === "json") {
      this.#json ??= this.#format(head, JSON_TYPE);
      return this.#json;
    }
    this.#bcs ??= this.#format(head, BCS_TYPE);
    return this.#bcs;
  }

  /** As {@link of}, for a content type that is rare enough not to be kept. */
  ofType(head: LedgerHead, contentType: string): HeaderBlock {
    return this.#format(head, contentType);
  }

  #format(head: LedgerHead, contentType: string): HeaderBlock {
    const names = this.#wire.headers;
    return HeaderBlock.of(
      ["Content-Type", contentType],
      [names.chainId, `${this.#chainId}`],
      [names.ledgerVersion, `${head.version}`],
      [names.oldestVersion, `${head.oldestVersion}`],
      [names.timestampUsecs, `${head.timestampUsecs}`],
      [names.epoch, `${head.epoch}`],
      [names.blockHeight, `${head.height}`],
      [names.oldestBlockHeight, `${head.oldestHeight}`],
    );
  }
}

function isSame(left: LedgerHead | undefined, right: LedgerHead): boolean {
  if (left === undefined) return false;
  return (
    left.version === right.version &&
    left.oldestVersion === right.oldestVersion &&
    left.oldestHeight === right.oldestHeight
  );
}
