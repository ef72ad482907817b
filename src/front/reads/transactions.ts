/** Committed transactions, one or many, as JSON and as BCS. */

import { NodeError } from "../../errors/index.js";
import type { StoredRecord } from "../../store/types.js";
import type { Form } from "../negotiation.js";
import { sequenceNumberOf } from "./account.js";
import { BcsWriter } from "./bcs.js";
import { allowRender, type ReadAnswer, type ReadContext, StateAtVersion } from "./context.js";
import { accepted } from "./failure.js";
import { jsonArray } from "./json-array.js";

export interface ByVersionArgs {
  readonly version: number;
  readonly form: Form;
}

export interface TransactionsArgs {
  /** Ledger version to begin at; the last page if absent. */
  readonly start: number | undefined;
  readonly limit: number;
  readonly form: Form;
}

export interface AccountTransactionsArgs {
  readonly address: Uint8Array;
  /** Sequence number to begin at; the last page if absent. */
  readonly start: bigint | undefined;
  readonly limit: number;
  readonly form: Form;
}

/** Variants of the BCS answer for one transaction. */
const ON_CHAIN = 0;
const PENDING = 1;

export function transactionByVersion(context: ReadContext, args: ByVersionArgs): ReadAnswer {
  return committedAnswer(context, recordAt(context, args.version), args.form);
}

export function transactions(context: ReadContext, args: TransactionsArgs): ReadAnswer {
  const { head } = context.store;
  const start = args.start ?? Math.max(head.oldestVersion, head.version + 1 - args.limit);
  if (start > head.version) {
    throw new NodeError(
      "invalid_input",
      `start ${start} is above the newest ledger version, ${head.version}`,
    );
  }
  if (start < head.oldestVersion) {
    throw new NodeError(
      "version_pruned",
      `ledger version ${start} has been pruned; the oldest is ${head.oldestVersion}`,
    );
  }
  const versions: number[] = [];
  for (let version = start; version <= head.version && versions.length < args.limit; version += 1)
    versions.push(version);
  return transactionList(context, versions, args.form);
}

/** Transactions with sequence numbers that `address` signed; orderless ones are in the summaries. */
export function accountTransactions(context: ReadContext, args: AccountTransactionsArgs): ReadAnswer {
  const address = Buffer.from(args.address);
  const next = sequenceNumberOf(context.store, address) ?? 0n;
  const limit = BigInt(args.limit);
  const start = args.start ?? (next > limit ? next - limit : 0n);
  const versions = start >= next ? [] : context.store.accountVersions(address, Number(start), args.limit);
  return transactionList(context, versions, args.form);
}

/** Answer for one committed transaction. */
export function committedAnswer(context: ReadContext, record: StoredRecord, form: Form): ReadAnswer {
  allowRender(context, record.transaction.length + record.events.length + record.writeSet.length);
  if (form === "json") return { form, body: rendered(context, record) };
  return { form, body: new BcsWriter().u8(ON_CHAIN).bytes(onChainBytes(record)).finish() };
}

/** Answer for one transaction that waits in the mempool. @param signed BCS `SignedTransaction`. */
export function pendingAnswer(context: ReadContext, signed: Buffer, form: Form): ReadAnswer {
  if (form === "bcs") return { form, body: new BcsWriter().u8(PENDING).bytes(signed).finish() };
  return {
    form,
    body: accepted(context.core.renderPending(signed, new StateAtVersion(context.store, undefined))),
  };
}

/** JSON of one committed transaction. Types are read with the newest modules. */
export function rendered(context: ReadContext, record: StoredRecord): Buffer {
  return context.core.renderTransaction(record, new StateAtVersion(context.store, undefined));
}

/** BCS `TransactionOnChainData`. */
export function onChainBytes(record: StoredRecord): Buffer {
  return new BcsWriter()
    .u64(record.version)
    .bytes(record.transaction)
    .bytes(record.info)
    .bytes(record.events)
    .sized(record.accumulatorRoot)
    .bytes(record.writeSet)
    .finish();
}

/** @throws NodeError `transaction_not_found` above the newest version, `version_pruned` below the oldest. */
export function recordAt(context: ReadContext, version: number): StoredRecord {
  const { head } = context.store;
  if (version > head.version) {
    throw new NodeError(
      "transaction_not_found",
      `no transaction at ledger version ${version}; the newest is ${head.version}`,
    );
  }
  if (version < head.oldestVersion) {
    throw new NodeError(
      "version_pruned",
      `ledger version ${version} has been pruned; the oldest is ${head.oldestVersion}`,
    );
  }
  const record = context.store.recordByVersion(version);
  if (record === undefined)
    throw new NodeError("transaction_not_found", `no transaction at ledger version ${version}`);
  return record;
}

function transactionList(context: ReadContext, versions: readonly number[], form: Form): ReadAnswer {
  const records = versions.map((version) => recordAt(context, version));
  if (form === "json") return { form, body: jsonArray(records.map((record) => rendered(context, record))) };
  const writer = new BcsWriter().uleb(records.length);
  for (const record of records) writer.bytes(onChainBytes(record));
  return { form, body: writer.finish() };
}
