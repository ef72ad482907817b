/**
 * Lists of byte strings in one buffer: `u32 length ‖ bytes`, little-endian, repeated. A list crosses
 * into the core in one piece; an array would cost a reference for each item.
 */

/** Packs `items` in order. */
export function packList(items: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const item of items) length += 4 + item.length;
  const packed = Buffer.allocUnsafe(length);
  let offset = 0;
  for (const item of items) {
    packed.writeUInt32LE(item.length, offset);
    packed.set(item, offset + 4);
    offset += 4 + item.length;
  }
  return packed;
}
