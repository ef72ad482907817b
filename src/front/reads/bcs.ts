/**
 * The few shapes of Binary Canonical Serialization that answers are put together from. Move values
 * and transactions are read and written by the core alone; what is here only frames its bytes.
 */

/** Joins pieces that grow an answer. */
export class BcsWriter {
  readonly #pieces: Uint8Array[] = [];

  bytes(value: Uint8Array): this {
    this.#pieces.push(value);
    return this;
  }

  u8(value: number): this {
    return this.bytes(Buffer.of(value));
  }

  u64(value: number | bigint): this {
    const piece = Buffer.allocUnsafe(8);
    piece.writeBigUInt64LE(BigInt(value));
    return this.bytes(piece);
  }

  /** @param value 0 to 2^31 - 1. */
  uleb(value: number): this {
    return this.bytes(ulebBytes(value));
  }

  /** Bytes behind their length. */
  sized(value: Uint8Array): this {
    return this.uleb(value.length).bytes(value);
  }

  text(value: string): this {
    return this.sized(Buffer.from(value, "utf8"));
  }

  finish(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

export function ulebBytes(value: number): Buffer {
  const digits: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    digits.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  digits.push(rest);
  return Buffer.from(digits);
}

/**
 * Walks bytes the node wrote itself; a shape that does not fit is a corrupt store, not a bad request.
 * Never reads past the end.
 */
export class BcsWalker {
  readonly bytes: Buffer;
  offset: number;

  constructor(bytes: Buffer, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  u8(): number {
    return this.take(1)[0] as number;
  }

  u64(): bigint {
    return this.take(8).readBigUInt64LE();
  }

  uleb(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const digit = this.u8();
      value += (digit & 0x7f) * 2 ** shift;
      if (digit < 0x80) return value;
    }
    throw new RangeError("a stored length is longer than five bytes");
  }

  /** Bytes behind their length. */
  sized(): Buffer {
    return this.take(this.uleb());
  }

  /** @returns A view of the next `length` bytes. */
  take(length: number): Buffer {
    const end = this.offset + length;
    if (end > this.bytes.length) throw new RangeError("stored bytes end too early");
    const taken = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return taken;
  }

  /** Passes one `StructTag`: address, module, name, type arguments. */
  skipStructTag(): void {
    this.#skipTags(0, true);
  }

  /** Passes one `TypeTag`. */
  skipTypeTag(): void {
    this.#skipTags(1, false);
  }

  /** Tags nest; the count of tags still to come stands in for a stack. */
  #skipTags(count: number, startsWithStruct: boolean): void {
    let pending = count;
    let isStruct = startsWithStruct;
    while (pending > 0 || isStruct) {
      if (isStruct) {
        this.take(32);
        this.sized();
        this.sized();
        pending += this.uleb();
        isStruct = false;
        continue;
      }
      pending -= 1;
      const kind = this.u8();
      if (kind === TAG_VECTOR) pending += 1;
      else if (kind === TAG_STRUCT) isStruct = true;
    }
  }
}

const TAG_VECTOR = 6;
const TAG_STRUCT = 7;
