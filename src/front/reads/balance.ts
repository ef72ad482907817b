/**
 * `GET /accounts/{address}/balance/{asset}`: what an account holds of one asset, as coin and in its
 * primary store together. An account, store or asset that does not exist holds 0.
 */

import { parseAddress } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { NATIVE_COIN, pairedMetadata, primaryStore } from "./asset-addresses.js";
import { BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { findResource } from "./located-types.js";
import { checkVersion } from "./state.js";
import { FUNGIBLE_ASSET_MODULE } from "./state-keys.js";

export interface BalanceArgs {
  readonly address: Uint8Array;
  /** A coin type, or the address of a fungible asset's metadata. */
  readonly asset: string;
  readonly version: number | undefined;
  readonly form: Form;
}

export function balance(context: ReadContext, args: BalanceArgs): ReadAnswer {
  checkVersion(context.store, args.version);
  const owner = Buffer.from(args.address);
  let total: bigint;
  if (args.asset.includes("::")) {
    // The coin nearly everyone asks for is written the one way it has.
    const type = args.asset === NATIVE_COIN ? NATIVE_COIN : context.functions.canonicalType(args.asset);
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
  const { data } = findResource(context, owner, `0x1::coin::CoinStore<${coinType}>`, version);
  return data?.readBigUInt64LE(0) ?? 0n;
}

/** Amount in the primary store: behind the metadata address, or in a member of its own where it is updated in parallel. */
function storeBalance(
  context: ReadContext,
  owner: Buffer,
  metadata: Buffer,
  version: number | undefined,
): bigint {
  // A chain without the module has no such stores, and one read says so.
  if (context.store.state(FUNGIBLE_ASSET_MODULE, version) === undefined) return 0n;
  const address = primaryStore(owner, metadata);
  const resource = (name: string) =>
    findResource(context, address, `0x1::fungible_asset::${name}`, version, true).data;
  const amount = resource("FungibleStore")?.readBigUInt64LE(32);
  if (amount === undefined || amount !== 0n) return amount ?? 0n;
  return resource("ConcurrentFungibleBalance")?.readBigUInt64LE(0) ?? 0n;
}
