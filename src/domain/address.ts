/**
 * Account addresses: 32 bytes, and the three ways they are written.
 *
 * Long form is `0x` and 64 digits. Short form drops leading zeros. The interface's answers use the
 * short form for special addresses (0x0 to 0xf) and the long form for all others, but for the few
 * places that always use one of the two.
 */

import { formatHex, isHexDigits } from "./hex.js";

/** Bytes of an address. */
export const ADDRESS_BYTES = 32;

/**
 * Reads an address the relaxed way path parameters allow.
 *
 * @param text 1 to 64 hexadecimal digits of either case, `0x` in front or not.
 * @returns 32 bytes, or `undefined` if `text` is anything else.
 */
export function parseAddress(text: string): Buffer | undefined {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  if (digits.length === 0 || digits.length > 2 * ADDRESS_BYTES || !isHexDigits(digits)) return undefined;
  return Buffer.from(digits.padStart(2 * ADDRESS_BYTES, "0"), "hex");
}

/** True for 0x0 to 0xf. */
export function isSpecialAddress(address: Uint8Array): boolean {
  for (let index = 0; index < ADDRESS_BYTES - 1; index++) {
    if (address[index] !== 0) return false;
  }
  return (address[ADDRESS_BYTES - 1] ?? 0) < 0x10;
}

/** @returns `0x` and 64 digits. */
export function formatAddressLong(address: Uint8Array): string {
  return formatHex(address);
}

/** @returns `0x` and the digits without leading zeros; `0x0` for the zero address. */
export function formatAddressShort(address: Uint8Array): string {
  return formatHex(address).replace(/^0x0*(?=.)/, "0x");
}

/** @returns the short form for special addresses, the long form for all others. */
export function formatAddress(address: Uint8Array): string {
  return isSpecialAddress(address) ? formatAddressShort(address) : formatAddressLong(address);
}
