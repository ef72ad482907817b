/**
 * Bytes as hexadecimal text, the way the REST interface writes them: `0x`, then two lower-case
 * digits per byte. Zeros are never trimmed here; addresses have their own short form in address.ts.
 */

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
  const bytes = Buffer.from(digits, "hex");
  // Buffer stops silently at the first character that is not a digit.
  return bytes.length === digits.length / 2 ? bytes : undefined;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
