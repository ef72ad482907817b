/** Committed and pending transactions, and blocks. */

import { formatHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Call } from "../call.js";
import { addressSegment, hashSegment, versionSegment } from "../query.js";
import { pendingAnswer } from "../reads/transactions.js";
import { LIST_PAGE, type Route } from "./route.js";

export const transactionRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/transactions",
    handle: (call) =>
      call.readOnThread("transactions", {
        start: call.query.version("start"),
        limit: call.query.limit(LIST_PAGE.fallback, LIST_PAGE.max),
        form: call.form,
      }),
  },
  {
    method: "GET",
    path: "/transactions/by_version/:version",
    handle(call) {
      call.read("transactionByVersion", { version: versionSegment(call.param(0)), form: call.form });
    },
  },
  {
    method: "GET",
    path: "/transactions/by_hash/:hash",
    handle: (call) => answerByHash(call, hashSegment(call.param(0)), false),
  },
  {
    method: "GET",
    path: "/transactions/wait_by_hash/:hash",
    handle: (call) => answerByHash(call, hashSegment(call.param(0)), true),
  },
  {
    method: "GET",
    path: "/accounts/:address/transactions",
    handle: (call) =>
      call.readOnThread("accountTransactions", {
        address: addressSegment(call.param(0)),
        start: call.query.u64("start"),
        limit: call.query.limit(LIST_PAGE.fallback, LIST_PAGE.max),
        form: call.form,
      }),
  },
  {
    method: "GET",
    path: "/accounts/:address/transaction_summaries",
    handle: (call) =>
      call.readOnThread("transactionSummaries", {
        address: addressSegment(call.param(0)),
        startVersion: call.query.version("start_version"),
        endVersion: call.query.version("end_version"),
        limit: call.query.limit(LIST_PAGE.max, LIST_PAGE.max),
        form: call.form,
      }),
  },
  {
    method: "GET",
    path: "/blocks/by_height/:height",
    handle: (call) => answerBlock(call, versionSegment(call.param(0)), undefined),
  },
  {
    method: "GET",
    path: "/blocks/by_version/:version",
    handle: (call) => answerBlock(call, undefined, versionSegment(call.param(0))),
  },
];

function answerBlock(
  call: Call,
  height: number | undefined,
  version: number | undefined,
): void | Promise<void> {
  const hasTransactions = call.query.flag("with_transactions");
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
