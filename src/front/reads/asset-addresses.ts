/** Addresses of the objects that hold fungible assets: hashes of who and what they belong to. */

import { hash } from "node:crypto";

/** Type of the native coin, canonical text. */
export const NATIVE_COIN = "0x1::aptos_coin::AptosCoin";
/** Metadata object of the native coin, and the creator of every other paired asset's. */
const PAIRED_CREATOR = Buffer.from("0a".padStart(64, "0"), "hex");

/** Last byte of what is hashed: an object derived from an owner and another object, or from a seed. */
const DERIVED_FROM_OBJECT = Buffer.of(0xfc);
const DERIVED_FROM_SEED = Buffer.of(0xfe);

/** Metadata of the fungible asset paired with a coin. @param coinType Canonical text. */
export function pairedMetadata(coinType: string): Buffer {
  if (coinType === NATIVE_COIN) return PAIRED_CREATOR;
  return objectAddress(PAIRED_CREATOR, Buffer.from(coinType, "utf8"), DERIVED_FROM_SEED);
}

/** Where an owner keeps an asset unless told otherwise. Both 32 bytes. */
export function primaryStore(owner: Buffer, metadata: Buffer): Buffer {
  return objectAddress(owner, metadata, DERIVED_FROM_OBJECT);
}

function objectAddress(source: Buffer, rest: Buffer, scheme: Buffer): Buffer {
  return hash("sha3-256", Buffer.concat([source, rest, scheme]), "buffer");
}
