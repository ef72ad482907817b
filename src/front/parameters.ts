/**
 * Every path and query parameter of the interface: how it is read, and how the description shows it.
 *
 * A route names the parameters it takes; the same entry then validates requests and describes them.
 * Path segments fail with `web_framework_error` where they do not parse, and so do query values.
 */

import type { Schema } from "./openapi/schema.js";
import { ADDRESS, HASH, HEX, MOVE_STRUCT_TAG, U64 } from "./openapi/value-schemas.js";
import { addressSegment, hashSegment, type Query, u64Segment, versionSegment } from "./query.js";

interface Described {
  readonly description: string;
  readonly schema: Schema;
  /** A value that works on a development chain. */
  readonly example?: string | number | boolean;
}

/** A segment of the path. */
export interface PathParameter<T> extends Described {
  /** @param text Percent-decoded. @throws NodeError `web_framework_error`. */
  parse(text: string): T;
}

/** A value after the question mark; all are optional. */
export interface QueryParameter<T> extends Described {
  /** @throws NodeError `web_framework_error`, or `invalid_input` for a limit of 0. */
  read(query: Query, name: string): T;
}

const TEXT: Schema = { type: "string" };
const asSent = (text: string): string => text;

export const ACCOUNT_ADDRESS: PathParameter<Buffer> = {
  description: "Address of the account, with or without 0x; leading zeros may be left out",
  schema: ADDRESS,
  example: "0x1",
  parse: addressSegment,
};

export const TABLE_HANDLE: PathParameter<Buffer> = {
  description: "Handle of the table, an address",
  schema: ADDRESS,
  parse: addressSegment,
};

export const RESOURCE_TYPE: PathParameter<string> = {
  description: "Struct tag of the resource, percent-encoded",
  schema: MOVE_STRUCT_TAG,
  example: "0x1::account::Account",
  parse: asSent,
};

export const MODULE_NAME: PathParameter<string> = {
  description: "Name of the module; case counts",
  schema: TEXT,
  example: "coin",
  parse: asSent,
};

export const ASSET_TYPE: PathParameter<string> = {
  description: "Struct tag of a coin, or address of a fungible asset's metadata",
  schema: TEXT,
  example: "0x1::aptos_coin::AptosCoin",
  parse: asSent,
};

export const CREATION_NUMBER: PathParameter<bigint> = {
  description: "Number of the event stream among those of the account",
  schema: U64,
  example: "0",
  parse: u64Segment,
};

export const EVENT_HANDLE: PathParameter<string> = {
  description: "Struct tag of the resource that holds the event handle",
  schema: MOVE_STRUCT_TAG,
  example: "0x1::account::Account",
  parse: asSent,
};

export const FIELD_NAME: PathParameter<string> = {
  description: "Field of that resource whose value is the handle",
  schema: TEXT,
  example: "coin_register_events",
  parse: asSent,
};

export const TRANSACTION_HASH: PathParameter<Buffer> = {
  description: "Hash of the transaction, with or without 0x",
  schema: HASH,
  parse: hashSegment,
};

export const TRANSACTION_VERSION: PathParameter<number> = {
  description: "Ledger version",
  schema: U64,
  example: "1",
  parse: versionSegment,
};

export const BLOCK_HEIGHT: PathParameter<number> = {
  description: "Height of the block; genesis is 0",
  schema: U64,
  example: "1",
  parse: versionSegment,
};

/** A version of the ledger to look at. */
function version(description: string): QueryParameter<number | undefined> {
  return { description, schema: U64, read: (query, name) => query.version(name) };
}

/** A sequence number to begin at. */
function sequenceNumber(description: string): QueryParameter<bigint | undefined> {
  return { description, schema: U64, read: (query, name) => query.u64(name) };
}

function limit(fallback: number, max: number): QueryParameter<number> {
  return {
    description: `Most items of the page; ${fallback} if absent, at most ${max} whatever is asked`,
    schema: { type: "integer", format: "uint16", minimum: 1, maximum: 65_535, default: fallback },
    read: (query) => query.limit(fallback, max),
  };
}

function flag(description: string): QueryParameter<boolean> {
  return {
    description,
    schema: { type: "boolean", default: false },
    read: (query, name) => query.flag(name),
  };
}

export const LEDGER_VERSION = version("Ledger version to read at; the newest if absent");
export const START_VERSION = version("Ledger version the list begins at; the newest page if absent");
export const END_VERSION = version("Ledger version the list ends at");

export const CURSOR: QueryParameter<string | undefined> = {
  description: "Where the page begins: the cursor header of the page before",
  schema: HEX,
  read: (query, name) => query.text(name),
};

export const START_SEQUENCE_NUMBER = sequenceNumber(
  "Sequence number the list begins at; the newest page if absent",
);

/** Page sizes of lists, of resources and modules, and of summaries. */
export const LIST_LIMIT = limit(25, 100);
export const ITEM_LIMIT = limit(9999, 9999);
export const SUMMARY_LIMIT = limit(100, 100);

export const WITH_TRANSACTIONS = flag("True to include the block's transactions");
export const ESTIMATE_GAS_PRICE = flag("True to replace the gas unit price by the estimate");
export const ESTIMATE_HIGH_GAS_PRICE = flag("True to replace the gas unit price by the high estimate");
export const ESTIMATE_MAX_GAS = flag("True to replace the maximum gas by the most the sender can pay for");

export const DURATION_SECS: QueryParameter<number | undefined> = {
  description: "How far the ledger may be behind the clock, seconds; not checked if absent",
  schema: { type: "integer", format: "uint32", minimum: 0, maximum: 4_294_967_295 },
  example: 30,
  read: (query, name) => query.u32(name),
};
