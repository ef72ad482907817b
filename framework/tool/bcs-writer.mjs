/**
 * Writes the few BCS shapes the bundle needs.
 *
 * Promises the canonical encoding: little-endian integers, shortest ULEB128 lengths. Maps are written by the caller as vectors sorted
 * by encoded key. Reading BCS is not its business, but for the tail of the bundle that `bundle.mjs` reads back.
 */

/** Appends values to one growing byte list; `bytes()` returns them. */
export class BcsWriter {
  #parts = [];

  /** Raw bytes, without a length. */
  raw(bytes) {
    this.#parts.push(Buffer.from(bytes));
    return this;
  }

  u8(value) {
    return this.raw([value]);
  }

  /** Takes a number or a bigint, below 2^64. */
  u64(value) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return this.raw(bytes);
  }

  /** A length or an enum variant, below 2^32. */
  uleb(value) {
    return this.raw(encodeUleb(value));
  }

  /** A byte vector with its length. */
  blob(bytes) {
    return this.uleb(bytes.length).raw(bytes);
  }

  string(text) {
    return this.blob(Buffer.from(text, "utf8"));
  }

  /** A vector: its length, then `write(writer, item)` for each item. */
  list(items, write) {
    this.uleb(items.length);
    for (const item of items) write(this, item);
    return this;
  }

  bytes() {
    return Buffer.concat(this.#parts);
  }
}

/** Shortest ULEB128 form of a number below 2^32. */
export function encodeUleb(value) {
  const bytes = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
