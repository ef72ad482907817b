/** Blocks, by height and by a version inside them. */

import { formatHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { BlockSummary } from "../../store/types.js";
import type { Form } from "../negotiation.js";
import { BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { jsonArray } from "./json-array.js";
import { checkVersion } from "./state.js";
import { onChainBytes, recordAt, rendered } from "./transactions.js";

export interface BlockArgs {
  /** Exactly one of the two is given. */
  readonly height: number | undefined;
  readonly version: number | undefined;
  readonly hasTransactions: boolean;
  readonly form: Form;
}

/** Transactions of one block that an answer holds at most. */
const TRANSACTIONS_MAX = 10_000;

export function block(context: ReadContext, args: BlockArgs): ReadAnswer {
  const summary =
    args.height === undefined
      ? blockOfVersion(context, args.version ?? 0)
      : blockOfHeight(context, args.height);
  const records = args.hasTransactions ? recordsOf(context, summary) : undefined;
  if (args.form === "bcs") {
    const writer = new BcsWriter()
      .u64(summary.height)
      .sized(summary.blockId)
      .u64(summary.timestampUsecs)
      .u64(summary.firstVersion)
      .u64(summary.lastVersion)
      .u8(records === undefined ? 0 : 1);
    if (records !== undefined) {
      writer.uleb(records.length);
      for (const record of records) writer.bytes(onChainBytes(record));
    }
    return { form: "bcs", body: writer.finish() };
  }
  const head =
    `{"block_height":"${summary.height}","block_hash":"${formatHex(summary.blockId)}",` +
    `"block_timestamp":"${summary.timestampUsecs}","first_version":"${summary.firstVersion}",` +
    `"last_version":"${summary.lastVersion}","transactions":`;
  if (records === undefined) return { form: "json", body: `${head}null}` };
  const list = jsonArray(records.map((record) => rendered(context, record)));
  return { form: "json", body: Buffer.concat([Buffer.from(head), list, Buffer.from("}")]) };
}

function recordsOf(context: ReadContext, summary: BlockSummary) {
  const count = Math.min(TRANSACTIONS_MAX, summary.lastVersion - summary.firstVersion + 1);
  return Array.from({ length: count }, (_, index) => recordAt(context, summary.firstVersion + index));
}

function blockOfHeight(context: ReadContext, height: number): BlockSummary {
  const { head } = context.store;
  if (height < head.oldestHeight) {
    throw new NodeError(
      "block_pruned",
      `block ${height} has been pruned; the oldest is ${head.oldestHeight}`,
    );
  }
  const found = height > head.height ? undefined : context.store.blockByHeight(height);
  if (found === undefined)
    throw new NodeError("block_not_found", `block ${height} not found; the newest is ${head.height}`);
  return found;
}

function blockOfVersion(context: ReadContext, version: number): BlockSummary {
  checkVersion(context.store, version);
  const found = context.store.blockByVersion(version);
  if (found === undefined) throw new NodeError("block_not_found", `no block holds ledger version ${version}`);
  return found;
}
