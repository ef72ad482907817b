/**
 * Reads the compiler's source maps: which part of the source each instruction comes from.
 *
 *   module: Loc, option<address, name>, structs, map<u16, function>, ...
 *   struct: Loc, type parameters, fields of each variant vector<vector<Loc>>
 *   function: Loc, type parameters, parameters, locals, labels, map<u16, Loc>, is native
 *   Loc: file hash (32 bytes), start u32, end u32; type parameters, parameters, locals: vector<(name, Loc)>
 */

import { ByteReader } from "../../../../../framework/tool/byte-reader.mjs";

/**
 * Functions in definition order: `{ name, code }`. A name is the `{ start, end }` of it in the source (bytes, end excluded), code a list
 * of `{ first, last, start, end }`, instructions `first` to `last`. The map itself names only the first instruction of each run.
 */
export function readSourceMap(bytes) {
  const reader = new ByteReader(bytes);
  location(reader);
  if (reader.u8() === 1) {
    reader.raw(32);
    reader.string();
  }
  reader.list((r) => {
    u16(r);
    location(r);
    r.list(named);
    r.list((variant) => variant.list(location));
  });
  const functions = reader.list((r) => {
    const index = u16(r);
    const name = location(r);
    r.list(named);
    r.list(named);
    r.list(named);
    r.list((label) => [label.string(), u16(label)]);
    const starts = r.list((entry) => ({ first: u16(entry), ...location(entry) }));
    const code = starts.map((entry, i) => ({ ...entry, last: (starts[i + 1]?.first ?? Infinity) - 1 }));
    r.u8();
    return { index, name, code };
  });
  return functions.toSorted((a, b) => a.index - b.index).map(({ name, code }) => ({ name, code }));
}

function location(reader) {
  reader.raw(32);
  const start = reader.u32();
  return { start, end: reader.u32() };
}

function named(reader) {
  reader.string();
  return location(reader);
}

function u16(reader) {
  return reader.raw(2).readUInt16LE();
}
