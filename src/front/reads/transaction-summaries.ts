/**
 * `GET /accounts/{address}/transaction_summaries`: which transactions an account has signed, by ledger
 * version.
 *
 * The store finds an account's transactions by sequence number, and versions rise with those, so a
 * version is found by halving. Transactions without a sequence number are not found this way; the
 * chain's features do not admit any.
 */

import { formatAddressShort, formatHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { StoreReader } from "../../store/types.js";
import type { Form } from "../negotiation.js";
import { sequenceNumberOf } from "./account.js";
import { BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { recordAt } from "./transactions.js";

export interface SummariesArgs {
  readonly address: Uint8Array;
  /** First ledger version of the list. */
  readonly startVersion: number | undefined;
  /** Last ledger version of the list. */
  readonly endVersion: number | undefined;
  readonly limit: number;
  readonly form: Form;
}

/** Variant of the one form of summary, and of the replay protector used. */
const SUMMARY_V1 = 0;
const SEQUENCE_NUMBER = 1;

/** @throws NodeError `version_pruned` for a start below the oldest version. */
export function transactionSummaries(context: ReadContext, args: SummariesArgs): ReadAnswer {
  const { store } = context;
  const address = Buffer.from(args.address);
  if (args.startVersion !== undefined && args.startVersion < store.head.oldestVersion) {
    throw new NodeError(
      "version_pruned",
      `ledger version ${args.startVersion} has been pruned; the oldest is ${store.head.oldestVersion}`,
    );
  }
  const { first, end } = numbersOf(store, address, args);
  const versions = end > first ? store.accountVersions(address, first, end - first) : [];
  const rows = versions.map((version, index) => ({
    version,
    hash: recordAt(context, version).hash,
    sequenceNumber: first + index,
  }));
  if (args.form === "bcs") {
    const writer = new BcsWriter().uleb(rows.length);
    for (const row of rows) {
      writer.uleb(SUMMARY_V1).bytes(address).u64(row.version).sized(row.hash);
      writer.uleb(SEQUENCE_NUMBER).u64(row.sequenceNumber);
    }
    return { form: "bcs", body: writer.finish() };
  }
  const sender = formatAddressShort(address);
  return {
    form: "json",
    body: JSON.stringify(
      rows.map((row) => ({
        sender,
        version: `${row.version}`,
        transaction_hash: formatHex(row.hash),
        replay_protector: { type: "sequence_number", value: `${row.sequenceNumber}` },
      })),
    ),
  };
}

/** Sequence numbers of the page: from `first`, up to and without `end`. */
function numbersOf(store: StoreReader, address: Buffer, args: SummariesArgs): { first: number; end: number } {
  const total = Number(sequenceNumberOf(store, address) ?? 0n);
  const oldest = firstAtOrAbove(store, address, store.head.oldestVersion, total);
  const bound =
    args.endVersion === undefined ? total : firstAtOrAbove(store, address, args.endVersion + 1, total);
  if (args.startVersion === undefined) return { first: Math.max(oldest, bound - args.limit), end: bound };
  const first = firstAtOrAbove(store, address, args.startVersion, total);
  return { first, end: Math.min(bound, first + args.limit) };
}

/** Least sequence number below `total` whose transaction is at `version` or above; `total` if none. */
function firstAtOrAbove(store: StoreReader, address: Buffer, version: number, total: number): number {
  let low = 0;
  let high = total;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // What is pruned is older than anything asked for.
    const found = store.accountVersions(address, middle, 1)[0] ?? -1;
    if (found >= version) high = middle;
    else low = middle + 1;
  }
  return low;
}
