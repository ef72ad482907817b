/** `POST /experimental/state_values/raw`: any state value by its key, envelope and all. */

import { parseHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { BcsWalker } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { checkVersion, shownVersion } from "./state.js";

export interface StateValueArgs {
  /** BCS `StateKey`, as hexadecimal text. */
  readonly key: string;
  readonly version: number | undefined;
  readonly form: Form;
}

/** Variants of BCS `StateKey`. */
const ACCESS_PATH = 0;
const TABLE_ITEM = 1;
const RAW = 2;
/** First byte of a raw key in storage encoding; the other kinds keep their variant. */
const RAW_STORED = 0xff;

export function stateValue(context: ReadContext, args: StateValueArgs): ReadAnswer {
  if (args.form === "json")
    throw new NodeError("api_disabled", "this endpoint answers in application/x-bcs only");
  checkVersion(context.store, args.version);
  const bytes = parseHex(args.key);
  const key = bytes === undefined ? undefined : storageKey(bytes);
  if (key === undefined) throw new NodeError("invalid_input", "key is not the BCS of a state key");
  const value = context.store.state(key, args.version);
  if (value === undefined) {
    throw new NodeError(
      "state_value_not_found",
      `no state value under that key at ledger version ${shownVersion(context.store, args.version)}`,
    );
  }
  return { form: "bcs", body: Buffer.from(value) };
}

/** @param bytes BCS `StateKey`. @returns Its storage encoding; `undefined` if it does not decode. */
export function storageKey(bytes: Buffer): Buffer | undefined {
  const walker = new BcsWalker(bytes);
  try {
    const variant = walker.u8();
    const address = variant === RAW ? Buffer.alloc(0) : walker.take(32);
    const rest = walker.sized();
    if (walker.offset !== bytes.length) return undefined;
    if (variant === ACCESS_PATH) return bytes;
    if (variant === TABLE_ITEM) return Buffer.concat([Buffer.of(TABLE_ITEM), address, rest]);
    return variant === RAW ? Buffer.concat([Buffer.of(RAW_STORED), rest]) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
