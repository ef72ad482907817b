/** Resources of an account: one by type, and all of them in pages. */

import { formatAddressShort } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { StateItem } from "../../store/types.js";
import type { Form } from "../negotiation.js";
import { BcsWalker, BcsWriter } from "./bcs.js";
import { allowRender, type ReadAnswer, type ReadContext, StateAtVersion } from "./context.js";
import { accepted } from "./failure.js";
import { findResource } from "./located-types.js";
import { checkVersion, dataOf, shownVersion } from "./state.js";
import { suffixOf } from "./state-keys.js";

export interface ResourceArgs {
  readonly address: Uint8Array;
  /** As asked for; any spacing. */
  readonly type: string;
  readonly version: number | undefined;
  readonly form: Form;
}

/** One page of an account's items. */
export interface PageArgs {
  readonly address: Uint8Array;
  readonly version: number | undefined;
  /** State key to begin at. */
  readonly start: Uint8Array | undefined;
  readonly limit: number;
  readonly form: Form;
}

export function resource(context: ReadContext, args: ResourceArgs): ReadAnswer {
  const { store } = context;
  checkVersion(store, args.version);
  const address = Buffer.from(args.address);
  const { type, data } = findResource(context, address, args.type, args.version);
  if (data === undefined) {
    throw new NodeError(
      "resource_not_found",
      `resource ${type} not found under ${formatAddressShort(address)} at ledger version ${shownVersion(store, args.version)}`,
    );
  }
  allowRender(context, data.length);
  // Rendering reads modules through the same reader, which may reuse the bytes behind `data`.
  const owned = Buffer.from(data);
  if (args.form === "bcs") return { form: "bcs", body: owned };
  const json = accepted(context.core.renderResource(type, owned, new StateAtVersion(store, args.version)));
  return { form: "json", body: `{"type":${JSON.stringify(type)},"data":${json.toString("utf8")}}` };
}

export function resources(context: ReadContext, args: PageArgs): ReadAnswer {
  const { items, cursor } = accountPage(context, "resource", args);
  if (args.form === "bcs") return { form: "bcs", body: resourceMap(items), ...cursor };
  const body = accepted(context.core.renderResources(items, new StateAtVersion(context.store, args.version)));
  return { form: "json", body, ...cursor };
}

/** @throws NodeError `version_not_found`, `version_pruned`. */
export function accountPage(
  context: ReadContext,
  kind: "module" | "resource",
  args: PageArgs,
): { readonly items: StateItem[]; readonly cursor: { readonly cursor?: string } } {
  checkVersion(context.store, args.version);
  const start = args.start === undefined ? undefined : Buffer.from(args.start);
  const page = context.store.accountItems(Buffer.from(args.address), kind, args.limit, start, args.version);
  return { items: page.items, cursor: page.next === undefined ? {} : { cursor: page.next.toString("hex") } };
}

const PATH_GROUP = 2;

/** BCS map from `StructTag` to bytes, groups opened, sorted by encoded tag. */
function resourceMap(items: readonly StateItem[]): Buffer {
  const entries: { tag: Buffer; data: Buffer }[] = [];
  for (const item of items) {
    const path = new BcsWalker(suffixOf(item.key)).sized();
    const data = dataOf(item.value);
    if (path[0] !== PATH_GROUP) {
      entries.push({ tag: path.subarray(1), data });
      continue;
    }
    const walker = new BcsWalker(data);
    for (let left = walker.uleb(); left > 0; left -= 1) {
      const from = walker.offset;
      walker.skipStructTag();
      entries.push({ tag: data.subarray(from, walker.offset), data: walker.sized() });
    }
  }
  entries.sort((left, right) => Buffer.compare(left.tag, right.tag));
  const writer = new BcsWriter().uleb(entries.length);
  for (const entry of entries) writer.bytes(entry.tag).sized(entry.data);
  return writer.finish();
}
