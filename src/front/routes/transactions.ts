/** Committed and pending transactions, and blocks. */

import { formatHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Call } from "../call.js";
import { list, ref } from "../openapi/schema.js";
import {
  ACCOUNT_ADDRESS,
  BLOCK_HEIGHT,
  END_VERSION,
  LIST_LIMIT,
  START_SEQUENCE_NUMBER,
  START_VERSION,
  SUMMARY_LIMIT,
  TRANSACTION_HASH,
  TRANSACTION_VERSION,
  WITH_TRANSACTIONS,
} from "../parameters.js";
import { pendingAnswer } from "../reads/transactions.js";
import { defineRoute, type Route } from "./route.js";

const TRANSACTION = {
  description: "The transaction",
  json: ref("Transaction"),
  bcs: "TransactionData: a committed TransactionOnChainData or a pending SignedTransaction",
};
const TRANSACTIONS = {
  description: "A page of transactions, oldest first",
  json: list(ref("Transaction")),
  bcs: "vector<TransactionOnChainData>",
};
const BLOCK = { description: "The block", json: ref("Block"), bcs: "Block" };

export const transactionRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/transactions",
    id: "get_transactions",
    tag: "Transactions",
    summary: "Get transactions",
    description: "Committed transactions by ledger version.",
    query: { start: START_VERSION, limit: LIST_LIMIT },
    success: TRANSACTIONS,
    refusals: ["invalid_input", "version_pruned"],
    handle: (call, { start, limit }) => call.readOnThread("transactions", { start, limit, form: call.form }),
  }),
  defineRoute({
    method: "GET",
    path: "/transactions/by_version/:txn_version",
    id: "get_transaction_by_version",
    tag: "Transactions",
    summary: "Get transaction by version",
    segments: { txn_version: TRANSACTION_VERSION },
    success: TRANSACTION,
    refusals: ["transaction_not_found", "version_pruned"],
    handle(call, { txn_version: version }) {
      call.read("transactionByVersion", { version, form: call.form });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/transactions/by_hash/:txn_hash",
    id: "get_transaction_by_hash",
    tag: "Transactions",
    summary: "Get transaction by hash",
    description: "A transaction, be it committed or pending.",
    segments: { txn_hash: TRANSACTION_HASH },
    success: TRANSACTION,
    refusals: ["transaction_not_found", "version_pruned"],
    handle: (call, { txn_hash: hash }) => answerByHash(call, hash, false),
  }),
  defineRoute({
    method: "GET",
    path: "/transactions/wait_by_hash/:txn_hash",
    id: "wait_transaction_by_hash",
    tag: "Transactions",
    summary: "Wait for transaction by hash",
    description: "The same, but a pending transaction is given up to a second to commit.",
    segments: { txn_hash: TRANSACTION_HASH },
    success: TRANSACTION,
    refusals: ["transaction_not_found", "version_pruned"],
    handle: (call, { txn_hash: hash }) => answerByHash(call, hash, true),
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/transactions",
    id: "get_account_transactions",
    tag: "Transactions",
    summary: "Get account transactions",
    description: "Committed transactions that the account signed with a sequence number, by that number.",
    segments: { address: ACCOUNT_ADDRESS },
    query: { start: START_SEQUENCE_NUMBER, limit: LIST_LIMIT },
    success: TRANSACTIONS,
    refusals: ["invalid_input", "version_pruned"],
    handle: (call, { address, start, limit }) =>
      call.readOnThread("accountTransactions", { address, start, limit, form: call.form }),
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/transaction_summaries",
    id: "get_account_transaction_summaries",
    tag: "Transactions",
    summary: "Get account transaction summaries",
    description:
      "Who, what and where of the committed transactions the account signed, those without a sequence number included, by ledger version.",
    segments: { address: ACCOUNT_ADDRESS },
    query: { start_version: START_VERSION, end_version: END_VERSION, limit: SUMMARY_LIMIT },
    success: {
      description: "A page of summaries, oldest first",
      json: list(ref("TransactionSummary")),
      bcs: "vector<IndexedTransactionSummary>",
    },
    refusals: ["invalid_input", "version_pruned"],
    handle: (call, { address, start_version: startVersion, end_version: endVersion, limit }) =>
      call.readOnThread("transactionSummaries", {
        address,
        startVersion,
        endVersion,
        limit,
        form: call.form,
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/blocks/by_height/:block_height",
    id: "get_block_by_height",
    tag: "Blocks",
    summary: "Get block by height",
    segments: { block_height: BLOCK_HEIGHT },
    query: { with_transactions: WITH_TRANSACTIONS },
    success: BLOCK,
    refusals: ["block_not_found", "block_pruned"],
    handle: (call, { block_height: height, with_transactions: hasTransactions }) =>
      answerBlock(call, height, undefined, hasTransactions),
  }),
  defineRoute({
    method: "GET",
    path: "/blocks/by_version/:version",
    id: "get_block_by_version",
    tag: "Blocks",
    summary: "Get block by version",
    description: "The block that holds a ledger version.",
    segments: { version: TRANSACTION_VERSION },
    query: { with_transactions: WITH_TRANSACTIONS },
    success: BLOCK,
    refusals: ["block_not_found", "version_not_found", "block_pruned", "version_pruned"],
    handle: (call, { version, with_transactions: hasTransactions }) =>
      answerBlock(call, undefined, version, hasTransactions),
  }),
];

function answerBlock(
  call: Call,
  height: number | undefined,
  version: number | undefined,
  hasTransactions: boolean,
): void | Promise<void> {
  const args = { height, version, hasTransactions, form: call.form };
  if (hasTransactions) return call.readOnThread("block", args);
  call.read("block", args);
}

async function answerByHash(call: Call, hash: Buffer, waits: boolean): Promise<void> {
  if (answerCommitted(call, hash)) return;
  const { writer, commitWaits, snapshot } = call.services;
  // Without the writer nothing can be said of what is pending; what is committed was answered above.
  const pending = writer.isUp ? await writer.pendingByHash(hash) : undefined;
  // It may have committed while the writer was asked.
  if (answerCommitted(call, hash)) return;
  if (pending === undefined) {
    call.fail(
      new NodeError(
        "transaction_not_found",
        `transaction ${formatHex(hash)} not found, committed or pending`,
      ),
      snapshot.current().store.head,
    );
    return;
  }
  if (waits) {
    let isAnswered = false;
    const check = () => {
      isAnswered = answerCommitted(call, hash);
      return isAnswered;
    };
    await commitWaits.until(check, (cancel) => call.onGone(cancel));
    if (isAnswered || answerCommitted(call, hash)) return;
  }
  const context = snapshot.current();
  const signed = Buffer.from(pending.buffer, pending.byteOffset, pending.byteLength);
  call.answer(context.store.head, pendingAnswer(context, signed, call.form));
}

/** Answers if the newest snapshot has the transaction. A failure counts as an answer. */
function answerCommitted(call: Call, hash: Buffer): boolean {
  const version = call.services.snapshot.moved().store.versionByHash(hash);
  if (version === undefined) return false;
  call.read("transactionByVersion", { version, form: call.form });
  return true;
}
