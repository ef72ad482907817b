/**
 * The integer widths of the store's byte layouts, over plain `Uint8Array`.
 *
 * Promise: values are exact up to 2^48 - 1 (u48) or 2^53 - 1 (u64). Ledger versions, heights,
 * microseconds and log positions stay below both. All little-endian unless the name says otherwise;
 * big-endian is for keys, so that byte order is number order.
 */

const TWO_32 = 0x1_0000_0000;

/** Largest value of a u48 field. */
export const U48_MAX = 0xffff_ffff_ffff;

export function readU32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  );
}

export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

export function readU48(bytes: Uint8Array, at: number): number {
  return readU32(bytes, at) + ((bytes[at + 4] as number) | ((bytes[at + 5] as number) << 8)) * TWO_32;
}

export function writeU48(bytes: Uint8Array, at: number, value: number): void {
  writeU32(bytes, at, value % TWO_32);
  const high = Math.floor(value / TWO_32);
  bytes[at + 4] = high;
  bytes[at + 5] = high >>> 8;
}

export function readU64(bytes: Uint8Array, at: number): number {
  return readU32(bytes, at) + readU32(bytes, at + 4) * TWO_32;
}

export function writeU64(bytes: Uint8Array, at: number, value: number): void {
  writeU32(bytes, at, value % TWO_32);
  writeU32(bytes, at + 4, Math.floor(value / TWO_32));
}

export function readU32BigEndian(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}

export function writeU32BigEndian(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

export function writeU48BigEndian(bytes: Uint8Array, at: number, value: number): void {
  const high = Math.floor(value / TWO_32);
  bytes[at] = high >>> 8;
  bytes[at + 1] = high;
  writeU32BigEndian(bytes, at + 2, value % TWO_32);
}
