/** Joins rendered JSON values. */

const COMMA = Buffer.from(",");

/** @param items JSON texts. @returns One JSON array of them. */
export function jsonArray(items: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [Buffer.from("[")];
  for (const item of items) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(item);
  }
  pieces.push(Buffer.from("]"));
  return Buffer.concat(pieces);
}
