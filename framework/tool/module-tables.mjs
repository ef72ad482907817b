/**
 * A compiled module as its tables, so that one table can be replaced without touching the others.
 *
 *   magic | version | table count | (kind, offset, length) × count | table bytes | self module handle
 *
 * Offsets count from the first byte after the headers. Promises that `writeModule(readModule(b))` equals `b` for what the compiler
 * writes. Leaves the meaning of all tables but names, addresses, module handles and metadata to the virtual machine.
 */

import { encodeUleb } from "./bcs-writer.mjs";
import { ByteReader } from "./byte-reader.mjs";

const MAGIC = Buffer.from("a11ceb0b", "hex");
const MODULE_HANDLES = 0x01;
const IDENTIFIERS = 0x07;
const ADDRESS_IDENTIFIERS = 0x08;
const METADATA = 0x10;
/** The order in which official tools lay tables out. */
const TABLE_ORDER = [1, 2, 3, 4, 5, 7, 8, 6, 16, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20];

/** Splits a module into `{ version, tables: Map<kind, bytes>, tail }`, tables in file order. */
export function readModule(bytes) {
  const reader = new ByteReader(bytes);
  if (!reader.raw(4).equals(MAGIC)) throw new Error("not a Move module: wrong magic");
  const version = reader.raw(4);
  const headers = reader.list((r) => ({ kind: r.u8(), offset: r.uleb(), length: r.uleb() }));
  const start = reader.offset;
  const tables = new Map();
  let end = 0;
  for (const { kind, offset, length } of headers.toSorted((a, b) => a.offset - b.offset)) {
    if (offset !== end || tables.has(kind))
      throw new Error(`module tables overlap or repeat at kind ${kind}`);
    tables.set(kind, bytes.subarray(start + offset, start + offset + length));
    end = offset + length;
  }
  return { version, tables, tail: bytes.subarray(start + end) };
}

/** Puts a module together; the inverse of `readModule`. Empty tables are left out, as the format demands. */
export function writeModule({ version, tables, tail }) {
  const kept = [...tables].filter(([, bytes]) => bytes.length > 0);
  const headers = [];
  let offset = 0;
  for (const [kind, bytes] of kept) {
    headers.push(Buffer.from([kind]), encodeUleb(offset), encodeUleb(bytes.length));
    offset += bytes.length;
  }
  return Buffer.concat([
    MAGIC,
    version,
    encodeUleb(kept.length),
    ...headers,
    ...kept.map(([, bytes]) => bytes),
    tail,
  ]);
}

/** The metadata entries, as `[key, value]` pairs in file order. */
export function readMetadata(module) {
  const reader = new ByteReader(module.tables.get(METADATA) ?? Buffer.alloc(0));
  const entries = [];
  while (!reader.isAtEnd) entries.push([reader.string(), reader.blob()]);
  return entries;
}

/** The module with other metadata entries, tables in the official order. */
export function withMetadata(module, entries) {
  const table = entries.flatMap(([key, value]) => [
    encodeUleb(Buffer.byteLength(key)),
    Buffer.from(key),
    encodeUleb(value.length),
    value,
  ]);
  const tables = new Map(module.tables).set(METADATA, Buffer.concat(table));
  const ordered = [...tables].toSorted(([a], [b]) => TABLE_ORDER.indexOf(a) - TABLE_ORDER.indexOf(b));
  return { ...module, tables: new Map(ordered) };
}

/** `{ self, imports }`: the module's own id and those of the modules it links to, each `{ address, name }`. */
export function readModuleIds(module) {
  const names = readAll(module.tables.get(IDENTIFIERS), (r) => r.string());
  const addresses = readAll(module.tables.get(ADDRESS_IDENTIFIERS), (r) => r.raw(32).toString("hex"));
  const handles = readAll(module.tables.get(MODULE_HANDLES), (r) => ({
    address: addresses[r.uleb()],
    name: names[r.uleb()],
  }));
  const selfIndex = new ByteReader(module.tail).uleb();
  return { self: handles[selfIndex], imports: handles.filter((_, index) => index !== selfIndex) };
}

function readAll(bytes, read) {
  const reader = new ByteReader(bytes);
  const items = [];
  while (!reader.isAtEnd) items.push(read(reader));
  return items;
}
