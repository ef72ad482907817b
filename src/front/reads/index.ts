/** Every read by name, so that a front can hand one to a work thread. */

import { account } from "./account.js";
import { balance } from "./balance.js";
import { block } from "./blocks.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { events, handleEvents } from "./events.js";
import { encodeSubmission, signedFromJson, simulate, view } from "./executions.js";
import { gasEstimate } from "./gas-estimate.js";
import { health, info, ledgerInfo } from "./ledger-info.js";
import { module, modules } from "./modules.js";
import { resource, resources } from "./resources.js";
import { stateValue } from "./state-value.js";
import { rawTableItem, tableItem } from "./tables.js";
import { transactionSummaries } from "./transaction-summaries.js";
import { accountTransactions, transactionByVersion, transactions } from "./transactions.js";

export type { ReadAnswer, ReadContext } from "./context.js";

/** Reads by name. Arguments are plain data: they may cross to a thread. */
export const READS = {
  account,
  accountTransactions,
  balance,
  block,
  encodeSubmission,
  events,
  gasEstimate,
  handleEvents,
  health,
  info,
  ledgerInfo,
  module,
  modules,
  rawTableItem,
  resource,
  resources,
  signedFromJson,
  simulate,
  stateValue,
  tableItem,
  transactionByVersion,
  transactionSummaries,
  transactions,
  view,
} as const;

export type ReadName = keyof typeof READS;

/** Arguments of one read. */
export type ReadArgs<Name extends ReadName> = Parameters<(typeof READS)[Name]>[1];

/** Runs a read by name. @throws NodeError as the read does. */
export function runRead<Name extends ReadName>(
  name: Name,
  context: ReadContext,
  args: ReadArgs<Name>,
): ReadAnswer {
  const read = READS[name] as (context: ReadContext, args: ReadArgs<Name>) => ReadAnswer;
  return read(context, args);
}
