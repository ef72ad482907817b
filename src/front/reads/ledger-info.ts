/** `GET /v1`, `GET /info` and the health check: what the node says of itself and of its ledger. */

import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";

const FULL_NODE_VARIANT = 1;

export function ledgerInfo(context: ReadContext, args: { readonly form: Form }): ReadAnswer {
  const { head } = context.store;
  if (args.form === "bcs") {
    // The numbers of this one type travel as decimal text.
    const writer = new BcsWriter()
      .u8(context.chainId)
      .text(`${head.epoch}`)
      .text(`${head.version}`)
      .text(`${head.oldestVersion}`)
      .text(`${head.timestampUsecs}`)
      .uleb(FULL_NODE_VARIANT)
      .text(`${head.oldestHeight}`)
      .text(`${head.height}`);
    return { form: "bcs", body: writer.finish() };
  }
  return {
    form: "json",
    body:
      `{"chain_id":${context.chainId},"epoch":"${head.epoch}","ledger_version":"${head.version}",` +
      `"oldest_ledger_version":"${head.oldestVersion}","ledger_timestamp":"${head.timestampUsecs}",` +
      `"node_role":"full_node","oldest_block_height":"${head.oldestHeight}","block_height":"${head.height}",` +
      `"encryption_key":null}`,
  };
}

export interface InfoArgs {
  /** Version of this program. */
  readonly release: string;
  /** Versions kept readable. */
  readonly historyWindow: number;
}

export function info(context: ReadContext, args: InfoArgs): ReadAnswer {
  return {
    form: "json",
    body: JSON.stringify({
      chain_id: `${context.chainId}`,
      node_type: "FullNode",
      vendor: context.wire.vendor,
      version: args.release,
      bootstrapping_mode: "ExecuteFromGenesis",
      continuous_syncing_mode: "Execute",
      new_storage_format: true,
      history_window: args.historyWindow,
    }),
  };
}

export interface HealthArgs {
  /** How far the ledger may be behind the clock, seconds; no check if absent. */
  readonly durationSecs: number | undefined;
  /** Clock, seconds since the Unix epoch. */
  readonly nowSecs: number;
  readonly form: Form;
}

/** @throws NodeError `internal_error` if the duration reaches before the epoch, `health_check_failed` if behind. */
export function health(context: ReadContext, args: HealthArgs): ReadAnswer {
  if (args.durationSecs !== undefined) {
    const boundSecs = args.nowSecs - args.durationSecs;
    if (boundSecs < 0) throw new NodeError("internal_error", "duration_secs reaches back before 1970");
    const ledgerSecs = Math.floor(context.store.head.timestampUsecs / 1_000_000);
    if (ledgerSecs < boundSecs) {
      throw new NodeError(
        "health_check_failed",
        `the ledger is at ${ledgerSecs}, expected ${Math.floor(boundSecs)} or later (seconds)`,
      );
    }
  }
  const message = context.wire.healthMessage;
  if (args.form === "bcs") return { form: "bcs", body: new BcsWriter().text(message).finish() };
  return { form: "json", body: `{"message":"${message}"}` };
}
