/**
 * Bytes as hexadecimal text, the way the REST interface writes them: `0x`, then two lower-case
 * digits per byte. Zeros are never trimmed here; addresses have their own short form in address.ts.
 */

/** True for text of hexadecimal digits alone. `Buffer` would not tell: it looks at low bytes of characters. */
export function isHexDigits(text: string): boolean {
  return /^[0-9a-fA-F]*$/.test(text);
}

/** @returns `0x` and two digits per byte; `0x` alone for no bytes. */
export function formatHex(bytes: Uint8Array): string {
  return `0x${view(bytes).toString("hex")}`;
}

/**
 * Reads hexadecimal text of either case.
 *
 * @param text With or without `0x`. At most `bytesMax` bytes.
 * @returns `undefined` for an odd number of digits, any other character, or too many bytes.
 */
export function parseHex(text: string, bytesMax = 8 * 1024 * 1024): Buffer | undefined {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  if (digits.length % 2 !== 0 || digits.length / 2 > bytesMax) return undefined;
  return isHexDigits(digits) ? Buffer.from(digits, "hex") : undefined;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
