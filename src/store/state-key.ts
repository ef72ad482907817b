/**
 * From the storage encoding of a state key to its key in the state table, and back.
 *
 * ```
 * 00 ‖ 32 B address ‖ ULEB length ‖ path   →  address ‖ 1 + first byte of path ‖ u32 BE path id
 * 01 ‖ 32 B handle ‖ key                   →  handle ‖ 4 ‖ key                  (key up to 400 B)
 * anything else                            →  sha3-256(storage encoding) ‖ 5    (encoding kept in the value)
 * ```
 *
 * Promise: different storage encodings have different table keys. Whether an encoding is a sensible
 * state key is for others to say; whatever does not fit the first two forms takes the third.
 */

import { createHash } from "node:crypto";
import { writeU32BigEndian } from "./integers.js";
import type { PathDirectory, PathRegistry } from "./path-directory.js";
import { KeyKind, PATH_KEY_BYTES, TABLE_ITEM_KEY_MAX } from "./schema.js";

const ADDRESS_BYTES = 32;
const ACCESS_PATH = 0;
const TABLE_ITEM = 1;
/** First bytes of a path: module, resource, group. */
const PATH_KINDS = 3;

/** Makes table keys for one thread. Its answers share memory: each is valid until the next call. */
export class StateKeyEncoder {
  readonly #pathKey = Buffer.alloc(PATH_KEY_BYTES);
  readonly #itemKey = Buffer.alloc(ADDRESS_BYTES + 1 + TABLE_ITEM_KEY_MAX);

  /** @returns the table key; `undefined` if the key's path was never written. */
  find(key: Buffer, paths: PathDirectory): Buffer | undefined {
    const pathAt = accessPathAt(key);
    if (pathAt === undefined) return this.#withoutPath(key);
    const id = paths.idOf(key.subarray(pathAt));
    return id === undefined ? undefined : this.#withPath(key, pathAt, id);
  }

  /** As `find`, giving a number to a path that has none. */
  make(key: Buffer, paths: PathRegistry): Buffer {
    const pathAt = accessPathAt(key);
    if (pathAt === undefined) return this.#withoutPath(key);
    return this.#withPath(key, pathAt, paths.assign(key.subarray(pathAt)));
  }

  #withPath(key: Buffer, pathAt: number, id: number): Buffer {
    key.copy(this.#pathKey, 0, 1, 1 + ADDRESS_BYTES);
    this.#pathKey[ADDRESS_BYTES] = 1 + (key[pathAt] as number);
    writeU32BigEndian(this.#pathKey, ADDRESS_BYTES + 1, id);
    return this.#pathKey;
  }

  #withoutPath(key: Buffer): Buffer {
    const rest = key.length - 1 - ADDRESS_BYTES;
    if (key[0] === TABLE_ITEM && rest >= 0 && rest <= TABLE_ITEM_KEY_MAX) {
      key.copy(this.#itemKey, 0, 1, 1 + ADDRESS_BYTES);
      this.#itemKey[ADDRESS_BYTES] = KeyKind.TABLE_ITEM;
      key.copy(this.#itemKey, 1 + ADDRESS_BYTES, 1 + ADDRESS_BYTES);
      return this.#itemKey.subarray(0, key.length);
    }
    createHash("sha3-256").update(key).digest().copy(this.#itemKey);
    this.#itemKey[ADDRESS_BYTES] = KeyKind.OTHER;
    return this.#itemKey.subarray(0, ADDRESS_BYTES + 1);
  }
}

/** True if the value of this table key starts with the full storage encoding. */
export function keepsFullKey(tableKey: Uint8Array): boolean {
  return tableKey[ADDRESS_BYTES] === KeyKind.OTHER;
}

/** Table key (kinds 1 to 4) back to storage encoding; `undefined` for a path id nobody knows. */
export function storageEncoding(tableKey: Buffer, paths: PathDirectory): Buffer | undefined {
  if (tableKey[ADDRESS_BYTES] === KeyKind.TABLE_ITEM) {
    return Buffer.concat([
      Buffer.from([TABLE_ITEM]),
      tableKey.subarray(0, ADDRESS_BYTES),
      tableKey.subarray(ADDRESS_BYTES + 1),
    ]);
  }
  const path = paths.pathOf(tableKey.readUInt32BE(ADDRESS_BYTES + 1));
  if (path === undefined) return undefined;
  return Buffer.concat([
    Buffer.from([ACCESS_PATH]),
    tableKey.subarray(0, ADDRESS_BYTES),
    Buffer.from(ulebLength(path.length)),
    path,
  ]);
}

/** Where the path starts, if `key` is a well-formed access path of a kind we number. */
function accessPathAt(key: Buffer): number | undefined {
  if (key[0] !== ACCESS_PATH) return undefined;
  let at = 1 + ADDRESS_BYTES;
  let length = 0;
  // Five groups of seven bits hold any u32; the shortest form only, so that the way back is exact.
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = key[at++];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) {
      if (byte === 0 && shift > 0) return undefined;
      const first = key[at];
      return at + length === key.length && first !== undefined && first < PATH_KINDS ? at : undefined;
    }
  }
  return undefined;
}

function ulebLength(length: number): number[] {
  const bytes: number[] = [];
  for (; length > 0x7f; length = Math.floor(length / 0x80)) bytes.push((length % 0x80) | 0x80);
  bytes.push(length);
  return bytes;
}
