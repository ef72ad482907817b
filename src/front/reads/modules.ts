/** Modules of an account: one by name, and all of them in pages. */

import { formatAddressShort } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { BcsWalker, BcsWriter } from "./bcs.js";
import { type ReadAnswer, type ReadContext, StateAtVersion } from "./context.js";
import { jsonArray } from "./json-array.js";
import { accountPage, type PageArgs } from "./resources.js";
import { checkVersion, dataOf, readData, shownVersion } from "./state.js";
import { suffixOf } from "./state-keys.js";

export interface ModuleArgs {
  readonly address: Uint8Array;
  readonly name: string;
  readonly version: number | undefined;
  readonly form: Form;
}

/** Longest identifier of the bytecode format. */
const IDENTIFIER = /^(?:[A-Za-z][A-Za-z0-9_$]{0,254}|_[A-Za-z0-9_$]{1,254})$/;

export function module(context: ReadContext, args: ModuleArgs): ReadAnswer {
  const { store } = context;
  checkVersion(store, args.version);
  if (!IDENTIFIER.test(args.name))
    throw new NodeError("invalid_input", "the module name is not an identifier");
  const address = Buffer.from(args.address);
  const data = readData(store, context.functions.moduleKey(address, args.name), args.version);
  if (data === undefined) {
    throw new NodeError(
      "module_not_found",
      `module ${formatAddressShort(address)}::${args.name} not found at ledger version ${shownVersion(store, args.version)}`,
    );
  }
  const owned = Buffer.from(data);
  if (args.form === "bcs") return { form: "bcs", body: owned };
  return { form: "json", body: context.core.renderModule(owned, new StateAtVersion(store, args.version)) };
}

export function modules(context: ReadContext, args: PageArgs): ReadAnswer {
  const { items, cursor } = accountPage(context, "module", args);
  if (args.form === "json") {
    const state = new StateAtVersion(context.store, args.version);
    return {
      form: "json",
      body: jsonArray(items.map((item) => context.core.renderModule(dataOf(item.value), state))),
      ...cursor,
    };
  }
  const entries = items.map((item) => ({
    id: new BcsWriter().text(moduleIdText(item.key)).finish(),
    code: dataOf(item.value),
  }));
  entries.sort((left, right) => Buffer.compare(left.id, right.id));
  const writer = new BcsWriter().uleb(entries.length);
  for (const entry of entries) writer.bytes(entry.id).sized(entry.code);
  return { form: "bcs", body: writer.finish(), ...cursor };
}

/** The key of this map is the id's text, not its two fields. */
function moduleIdText(key: Buffer): string {
  const path = new BcsWalker(new BcsWalker(suffixOf(key)).sized(), 1);
  const address = path.take(32);
  return `${formatAddressShort(address)}::${path.sized().toString("utf8")}`;
}
