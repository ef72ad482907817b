/** What the API description says of each route, by method and path. A test holds the two lists equal. */

import type { SCHEMAS } from "./schemas.js";

export type SchemaName = keyof typeof SCHEMAS;

/** Query parameters by name; their meaning is the same wherever they occur, but for `start`. */
export const QUERY_PARAMETERS = {
  ledger_version: ["uint64", "Ledger version to read at; the newest if absent"],
  limit: ["uint16", "Most items of the page"],
  start: ["text", "Where the page begins: a cursor, a version or a sequence number, by the list"],
  start_version: ["uint64", "First ledger version of the list"],
  end_version: ["uint64", "Last ledger version of the list"],
  duration_secs: ["uint32", "How far the ledger may be behind the clock"],
  with_transactions: ["boolean", "True to include the block's transactions"],
  estimate_gas_unit_price: ["boolean", "True to replace the gas unit price by the estimate"],
  estimate_prioritized_gas_unit_price: ["boolean", "True to replace it by the high estimate"],
  estimate_max_gas_amount: ["boolean", "True to replace the maximum gas by what the sender can pay"],
} as const satisfies Readonly<Record<string, readonly [kind: string, meaning: string]>>;

export interface Operation {
  readonly summary: string;
  readonly query?: readonly (keyof typeof QUERY_PARAMETERS)[];
  /** JSON answer, or an array of it; absent where only bytes are given. */
  readonly answer?: SchemaName;
  readonly isList?: true;
  /** Whether the answer has a BCS form. */
  readonly hasBcs: boolean;
  readonly body?: SchemaName;
  /** The BCS form of the body, where it has one. */
  readonly bcsBody?: "signed_transaction" | "view_function";
  /** 200 unless given. */
  readonly status?: 202;
}

const VERSION = ["ledger_version"] as const;
const PAGE = ["start", "limit"] as const;

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /": { summary: "The ledger's newest version, time and epoch", answer: "LedgerInfo", hasBcs: true },
  "GET /info": { summary: "The node itself", answer: "Info", hasBcs: false },
  "GET /-/healthy": {
    summary: "Whether the ledger moves",
    query: ["duration_secs"],
    answer: "Health",
    hasBcs: true,
  },
  "GET /estimate_gas_price": {
    summary: "Gas unit prices that recent blocks would have asked",
    answer: "GasEstimate",
    hasBcs: true,
  },
  "GET /accounts/:address": {
    summary: "Sequence number and authentication key",
    query: VERSION,
    answer: "Account",
    hasBcs: true,
  },
  "GET /accounts/:address/resource/:type": {
    summary: "One resource",
    query: VERSION,
    answer: "Resource",
    hasBcs: true,
  },
  "GET /accounts/:address/resources": {
    summary: "All resources, in pages",
    query: [...VERSION, ...PAGE],
    answer: "Resource",
    isList: true,
    hasBcs: true,
  },
  "GET /accounts/:address/module/:name": {
    summary: "One module with its declarations",
    query: VERSION,
    answer: "Module",
    hasBcs: true,
  },
  "GET /accounts/:address/modules": {
    summary: "All modules, in pages",
    query: [...VERSION, ...PAGE],
    answer: "Module",
    isList: true,
    hasBcs: true,
  },
  "GET /accounts/:address/balance/:asset": {
    summary: "Balance of a coin or fungible asset",
    query: VERSION,
    answer: "Balance",
    hasBcs: true,
  },
  "GET /accounts/:address/transactions": {
    summary: "Transactions the account signed, by sequence number",
    query: PAGE,
    answer: "Transaction",
    isList: true,
    hasBcs: true,
  },
  "GET /accounts/:address/transaction_summaries": {
    summary: "Transactions the account signed, by ledger version",
    query: ["start_version", "end_version", "limit"],
    answer: "TransactionSummary",
    isList: true,
    hasBcs: true,
  },
  "GET /accounts/:address/events/:creation_number": {
    summary: "Events of one stream",
    query: PAGE,
    answer: "Event",
    isList: true,
    hasBcs: true,
  },
  "GET /accounts/:address/events/:event_handle/:field_name": {
    summary: "Events of the stream a field of a resource names",
    query: PAGE,
    answer: "Event",
    isList: true,
    hasBcs: true,
  },
  "POST /tables/:handle/item": {
    summary: "A table item by its typed key",
    query: VERSION,
    answer: "MoveValue",
    hasBcs: true,
    body: "TableItemRequest",
  },
  "POST /tables/:handle/raw_item": {
    summary: "The bytes of a table item by the bytes of its key",
    query: VERSION,
    hasBcs: true,
    body: "RawKeyRequest",
  },
  "POST /experimental/state_values/raw": {
    summary: "The bytes of a state value by the bytes of its key",
    query: VERSION,
    hasBcs: true,
    body: "RawKeyRequest",
  },
  "GET /transactions": {
    summary: "Transactions by ledger version",
    query: PAGE,
    answer: "Transaction",
    isList: true,
    hasBcs: true,
  },
  "GET /transactions/by_version/:version": {
    summary: "The transaction at a ledger version",
    answer: "Transaction",
    hasBcs: true,
  },
  "GET /transactions/by_hash/:hash": {
    summary: "A transaction, committed or pending",
    answer: "Transaction",
    hasBcs: true,
  },
  "GET /transactions/wait_by_hash/:hash": {
    summary: "The same, waiting up to a second for a pending one to commit",
    answer: "Transaction",
    hasBcs: true,
  },
  "GET /blocks/by_height/:height": {
    summary: "A block by its height",
    query: ["with_transactions"],
    answer: "Block",
    hasBcs: true,
  },
  "GET /blocks/by_version/:version": {
    summary: "The block that holds a ledger version",
    query: ["with_transactions"],
    answer: "Block",
    hasBcs: true,
  },
  "POST /transactions": {
    summary: "Submit a signed transaction",
    answer: "Transaction",
    hasBcs: true,
    body: "SubmitRequest",
    bcsBody: "signed_transaction",
    status: 202,
  },
  "POST /transactions/simulate": {
    summary: "Execute a transaction without keeping anything",
    query: ["estimate_gas_unit_price", "estimate_prioritized_gas_unit_price", "estimate_max_gas_amount"],
    answer: "Transaction",
    isList: true,
    hasBcs: true,
    body: "SubmitRequest",
    bcsBody: "signed_transaction",
  },
  "POST /transactions/encode_submission": {
    summary: "The bytes to sign for a transaction",
    answer: "Bytes",
    hasBcs: false,
    body: "EncodeRequest",
  },
  "POST /transactions/batch": {
    summary: "Submit several transactions; not implemented",
    hasBcs: false,
  },
  "POST /view": {
    summary: "Call a view function",
    query: VERSION,
    answer: "MoveValues",
    hasBcs: true,
    body: "ViewRequest",
    bcsBody: "view_function",
  },
};
