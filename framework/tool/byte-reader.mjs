/**
 * Reads the compiler's modules and our own bundle: both are trusted inputs, so an error here is a fault of the build, not of a user.
 */

/** A position in a byte buffer; every method reads and moves on. Throws a RangeError beyond the end. */
export class ByteReader {
  constructor(bytes, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  get isAtEnd() {
    return this.offset === this.bytes.length;
  }

  raw(length) {
    const end = this.offset + length;
    if (end > this.bytes.length)
      throw new RangeError(`need ${length} bytes at ${this.offset} of ${this.bytes.length}`);
    const part = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return part;
  }

  u8() {
    return this.raw(1)[0];
  }

  u32() {
    return this.raw(4).readUInt32LE();
  }

  u64() {
    return this.raw(8).readBigUInt64LE();
  }

  /** A ULEB128 number below 2^32. */
  uleb() {
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError(`number too long at ${this.offset}`);
  }

  /** A byte vector with its ULEB128 length. */
  blob() {
    return this.raw(this.uleb());
  }

  string() {
    return this.blob().toString("utf8");
  }

  /** A vector: its length, then `read(reader)` for each item. */
  list(read) {
    return Array.from({ length: this.uleb() }, () => read(this));
  }
}
