/**
 * Many byte strings as one, for handing to a thread: one allocation and one transfer instead of one
 * per item, and no cloning of the pooled memory small buffers live in.
 */

export interface PackedBatch {
  /** The items end to end. Its memory is of its own and can be transferred. */
  readonly bytes: Uint8Array;
  /** End of each item in `bytes`. */
  readonly ends: Uint32Array;
}

export function pack(items: readonly Uint8Array[]): PackedBatch {
  const ends = new Uint32Array(items.length);
  let end = 0;
  for (const [index, item] of items.entries()) {
    end += item.length;
    ends[index] = end;
  }
  const bytes = new Uint8Array(end);
  for (const [index, item] of items.entries()) bytes.set(item, (ends[index] as number) - item.length);
  return { bytes, ends };
}

/** @returns Views into the batch. */
export function unpack(batch: PackedBatch): Buffer[] {
  const items: Buffer[] = [];
  let start = 0;
  for (const end of batch.ends) {
    items.push(Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset + start, end - start));
    start = end;
  }
  return items;
}

/** What may be moved instead of copied when the batch is sent. */
export function transferables(batch: PackedBatch): ArrayBuffer[] {
  return [batch.bytes.buffer as ArrayBuffer, batch.ends.buffer as ArrayBuffer];
}
