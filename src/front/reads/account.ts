/** `GET /accounts/{address}`: sequence number and authentication key, decoded here for speed. */

import { formatAddressLong, formatAddressShort } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { StoreReader } from "../../store/types.js";
import type { Form } from "../negotiation.js";
import { BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { checkVersion, readData, shownVersion } from "./state.js";
import { ACCOUNT, accountKey, FEATURES, FRAMEWORK_ADDRESS } from "./state-keys.js";

export interface AccountArgs {
  readonly address: Uint8Array;
  readonly version: number | undefined;
  readonly form: Form;
}

const KEY_BYTES = 32;
/** `Account` begins with the sized key, then the sequence number. */
const SEQUENCE_NUMBER_OFFSET = 1 + KEY_BYTES;

/** Feature flag: accounts nobody created answer as empty ones. */
const DEFAULT_ACCOUNT_FEATURE = 91;

export function account(context: ReadContext, args: AccountArgs): ReadAnswer {
  const { store } = context;
  checkVersion(store, args.version);
  const data = readData(store, accountKey(args.address, ACCOUNT), args.version);
  if (data === undefined) return missingAccount(store, args);
  if (args.form === "bcs") return { form: "bcs", body: Buffer.from(data) };
  // A key longer than 127 bytes would need two length digits; the framework knows 32 only.
  const key = data[0] === KEY_BYTES ? data.toString("hex", 1, SEQUENCE_NUMBER_OFFSET) : "";
  return {
    form: "json",
    body: `{"sequence_number":"${u64Text(data, SEQUENCE_NUMBER_OFFSET)}","authentication_key":"0x${key}"}`,
  };
}

/** Sequence number of an account; `undefined` if it has no `Account` resource. */
export function sequenceNumberOf(store: StoreReader, address: Uint8Array): bigint | undefined {
  return readData(store, accountKey(address, ACCOUNT), undefined)?.readBigUInt64LE(SEQUENCE_NUMBER_OFFSET);
}

function missingAccount(store: StoreReader, args: AccountArgs): ReadAnswer {
  if (!hasFeature(store, DEFAULT_ACCOUNT_FEATURE, args.version)) {
    throw new NodeError(
      "account_not_found",
      `account ${formatAddressShort(args.address)} not found at ledger version ${shownVersion(store, args.version)}`,
    );
  }
  if (args.form === "json") {
    return {
      form: "json",
      body: `{"sequence_number":"0","authentication_key":"${formatAddressLong(args.address)}"}`,
    };
  }
  return { form: "bcs", body: defaultAccount(args.address) };
}

/** BCS of the `Account` the prologue would create for an address without one. */
function defaultAccount(address: Uint8Array): Buffer {
  const handle = (creationNumber: number) =>
    new BcsWriter().u64(0).u64(creationNumber).bytes(address).finish();
  return new BcsWriter().sized(address).u64(0).u64(2).bytes(handle(0)).bytes(handle(1)).u8(0).u8(0).finish();
}

function hasFeature(store: StoreReader, feature: number, version: number | undefined): boolean {
  const data = readData(store, accountKey(FRAMEWORK_ADDRESS, FEATURES), version);
  if (data === undefined) return false;
  // Sized bytes; fewer than 128 of them, so one length digit.
  const byte = data[1 + (feature >> 3)] ?? 0;
  return ((byte >> (feature & 7)) & 1) === 1;
}

/** Decimal text of a little-endian u64; without a bigint where a double holds it exactly. */
function u64Text(bytes: Buffer, offset: number): string {
  const high = bytes.readUInt32LE(offset + 4);
  if (high < 0x20_0000) return `${high * 0x1_0000_0000 + bytes.readUInt32LE(offset)}`;
  return bytes.readBigUInt64LE(offset).toString();
}
