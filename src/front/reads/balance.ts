/**
 * `GET /accounts/{address}/balance/{asset}`: what an account holds of one asset, as coin and in its
 * primary store together. An account, store or asset that does not exist holds 0.
 */

import { hash } from "node:crypto";
import { parseAddress } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { keyAt, locateTypeIfAny } from "./located-types.js";
import { checkVersion, groupMember, readData } from "./state.js";

export interface BalanceArgs {
  readonly address: Uint8Array;
  /** A coin type, or the address of a fungible asset's metadata. */
  readonly asset: string;
  readonly version: number | undefined;
  readonly form: Form;
}

const NATIVE_COIN = "0x1::aptos_coin::AptosCoin";
/** Metadata object of the native coin; also the creator of every paired asset's. */
const PAIRED_CREATOR = Buffer.from("0a".padStart(64, "0"), "hex");

/** Last byte of the hashes that make object addresses: from an owner and metadata, from a seed. */
const DERIVED_FROM_OBJECT = Buffer.of(0xfc);
const DERIVED_FROM_SEED = Buffer.of(0xfe);

export function balance(context: ReadContext, args: BalanceArgs): ReadAnswer {
  checkVersion(context.store, args.version);
  const owner = Buffer.from(args.address);
  let total: bigint;
  if (args.asset.includes("::")) {
    const type = context.functions.canonicalType(args.asset);
    if (type === undefined) throw new NodeError("web_framework_error", "the asset is not a coin type");
    total =
      coinBalance(context, owner, type, args.version) +
      storeBalance(context, owner, pairedMetadata(type), args.version);
  } else {
    const metadata = parseAddress(args.asset);
    if (metadata === undefined)
      throw new NodeError("web_framework_error", "the asset is neither a coin type nor an address");
    total = storeBalance(context, owner, metadata, args.version);
  }
  if (args.form === "json") return { form: "json", body: total.toString() };
  return { form: "bcs", body: new BcsWriter().u64(BigInt.asUintN(64, total)).finish() };
}

/** `CoinStore<T>` begins with its amount. */
function coinBalance(
  context: ReadContext,
  owner: Buffer,
  coinType: string,
  version: number | undefined,
): bigint {
  const type = locateTypeIfAny(context, owner, `0x1::coin::CoinStore<${coinType}>`, version);
  if (type === undefined) return 0n;
  return readData(context.store, keyAt(owner, type), version)?.readBigUInt64LE(0) ?? 0n;
}

/** Amount in the primary store: behind the metadata address, or in a member of its own where it is updated in parallel. */
function storeBalance(
  context: ReadContext,
  owner: Buffer,
  metadata: Buffer,
  version: number | undefined,
): bigint {
  const address = objectAddress(owner, metadata, DERIVED_FROM_OBJECT);
  const store = groupResource(context, address, "0x1::fungible_asset::FungibleStore", version);
  if (store === undefined) return 0n;
  const amount = store.readBigUInt64LE(32);
  if (amount !== 0n) return amount;
  return (
    groupResource(
      context,
      address,
      "0x1::fungible_asset::ConcurrentFungibleBalance",
      version,
    )?.readBigUInt64LE(0) ?? 0n
  );
}

function groupResource(
  context: ReadContext,
  address: Buffer,
  typeText: string,
  version: number | undefined,
): Buffer | undefined {
  const type = locateTypeIfAny(context, address, typeText, version);
  if (type === undefined) return undefined;
  const data = readData(context.store, keyAt(address, type), version);
  return data === undefined || type.memberTag === undefined ? data : groupMember(data, type.memberTag);
}

function pairedMetadata(coinType: string): Buffer {
  if (coinType === NATIVE_COIN) return PAIRED_CREATOR;
  return objectAddress(PAIRED_CREATOR, Buffer.from(coinType, "utf8"), DERIVED_FROM_SEED);
}

function objectAddress(creator: Buffer, seed: Buffer, scheme: Buffer): Buffer {
  return hash("sha3-256", Buffer.concat([creator, seed, scheme]), "buffer");
}
