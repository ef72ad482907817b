/**
 * The metadata value that nodes and clients of the public format read: error texts, attributes of structs and functions.
 *
 *   map<u64, { name: string, description: string }>, map<struct name, attributes>, map<function name, attributes>
 *
 * with attribute = kind u8, arguments vector<string>. Maps are sorted by the encoding of their keys.
 */

import { BcsWriter } from "./bcs-writer.mjs";

/** The key under which public nodes look for the value. */
export const PUBLIC_METADATA_KEY = "aptos::metadata_v1";

/** The encoded value, or undefined where a module has nothing to say. */
export function encodePublicMetadata({ errors, structs, functions }) {
  if (errors.length + structs.length + functions.length === 0) return undefined;
  return Buffer.concat([
    encodeMap(
      errors,
      ({ code }) => new BcsWriter().u64(code),
      (w, { name, description }) => w.string(name).string(description),
    ),
    encodeItems(structs),
    encodeItems(functions),
  ]);
}

function encodeItems(items) {
  return encodeMap(
    items,
    ({ name }) => new BcsWriter().string(name),
    (w, { attributes }) =>
      w.list(attributes, (inner, { kind, args }) =>
        inner.u8(kind).list(args, (list, arg) => list.string(arg)),
      ),
  );
}

function encodeMap(items, key, writeValue) {
  const entries = items
    .map((item) => ({ key: key(item).bytes(), item }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key));
  const repeated = entries.find((entry, i) => i > 0 && entry.key.equals(entries[i - 1].key));
  if (repeated !== undefined)
    throw new Error(`a module states ${JSON.stringify(repeated.item, (_, v) => String(v))} twice`);
  return new BcsWriter().list(entries, (w, entry) => writeValue(w.raw(entry.key), entry.item)).bytes();
}
