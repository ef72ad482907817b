/**
 * State keys the fronts build themselves, in storage encoding: an account's items all begin with
 * `00 ‖ address`, then come a sized path that depends on the type or module alone.
 */

import { BcsWriter } from "./bcs.js";

const ACCESS_PATH = 0;
const PATH_CODE = 0;
const PATH_RESOURCE = 1;

/** Bytes before the path: variant and address. */
const PREFIX_BYTES = 33;

/** `0x1`. */
export const FRAMEWORK_ADDRESS: Buffer = Buffer.from("01".padStart(64, "0"), "hex");

/** The part of an account item's key behind the address. */
export type KeySuffix = Buffer;

/** @param address 32 bytes. */
export function accountKey(address: Uint8Array, suffix: KeySuffix): Buffer {
  const key = Buffer.allocUnsafe(PREFIX_BYTES + suffix.length);
  key[0] = ACCESS_PATH;
  key.set(address, 1);
  key.set(suffix, PREFIX_BYTES);
  return key;
}

/** @param key Storage encoding of an account's item. */
export function suffixOf(key: Buffer): KeySuffix {
  return Buffer.from(key.subarray(PREFIX_BYTES));
}

/** True for the key of an item of `address`, such as a page may begin at. */
export function isKeyOf(address: Uint8Array, key: Buffer): boolean {
  return key.length > PREFIX_BYTES && key[0] === ACCESS_PATH && key.subarray(1, PREFIX_BYTES).equals(address);
}

/** Suffix of a resource of the framework, without type arguments. */
export function frameworkResource(module: string, name: string): KeySuffix {
  const path = new BcsWriter()
    .u8(PATH_RESOURCE)
    .bytes(FRAMEWORK_ADDRESS)
    .text(module)
    .text(name)
    .uleb(0)
    .finish();
  return new BcsWriter().sized(path).finish();
}

/** Key of a module of the framework. */
export function frameworkModule(name: string): Buffer {
  const path = new BcsWriter().u8(PATH_CODE).bytes(FRAMEWORK_ADDRESS).text(name).finish();
  return accountKey(FRAMEWORK_ADDRESS, new BcsWriter().sized(path).finish());
}

export const ACCOUNT = frameworkResource("account", "Account");
export const FEATURES = frameworkResource("features", "Features");
/** The module whose absence means that a chain has no fungible assets. */
export const FUNGIBLE_ASSET_MODULE = frameworkModule("fungible_asset");
export const GAS_SCHEDULE = frameworkResource("gas_schedule", "GasScheduleV2");
