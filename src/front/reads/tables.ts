/** Items of Move tables, by a typed key or by the key's own bytes. */

import { formatHex, parseHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { allowRender, type ReadAnswer, type ReadContext, StateAtVersion } from "./context.js";
import { accepted } from "./failure.js";
import { checkVersion, readData, shownVersion } from "./state.js";

export interface TableItemArgs {
  /** 32 bytes. */
  readonly handle: Uint8Array;
  readonly keyType: string;
  readonly valueType: string;
  /** JSON text. */
  readonly key: string;
  readonly version: number | undefined;
  readonly form: Form;
}

export interface RawTableItemArgs {
  readonly handle: Uint8Array;
  /** BCS of the key, as hexadecimal text. */
  readonly key: string;
  readonly version: number | undefined;
  readonly form: Form;
}

export function tableItem(context: ReadContext, args: TableItemArgs): ReadAnswer {
  checkVersion(context.store, args.version);
  const state = new StateAtVersion(context.store, args.version);
  const key = accepted(context.core.encodeValue(args.keyType, Buffer.from(args.key, "utf8"), state));
  const data = itemData(context, args.handle, key, args.version);
  allowRender(context, data.length);
  if (args.form === "bcs") return { form: "bcs", body: data };
  return { form: "json", body: accepted(context.core.renderValue(args.valueType, data, state)) };
}

export function rawTableItem(context: ReadContext, args: RawTableItemArgs): ReadAnswer {
  if (args.form === "json")
    throw new NodeError("api_disabled", "this endpoint answers in application/x-bcs only");
  checkVersion(context.store, args.version);
  const key = parseHex(args.key);
  if (key === undefined) throw new NodeError("invalid_input", "key is not hexadecimal text");
  return { form: "bcs", body: itemData(context, args.handle, key, args.version) };
}

/** @returns Bytes of the item, owned. @throws NodeError `table_item_not_found`. */
function itemData(
  context: ReadContext,
  handle: Uint8Array,
  key: Buffer,
  version: number | undefined,
): Buffer {
  const data = readData(context.store, context.functions.tableItemKey(Buffer.from(handle), key), version);
  if (data !== undefined) return Buffer.from(data);
  throw new NodeError(
    "table_item_not_found",
    `no item in table ${formatHex(handle)} at ledger version ${shownVersion(context.store, version)} with that key`,
  );
}
