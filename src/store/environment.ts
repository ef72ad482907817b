/**
 * Opens the LMDB environment. The only importer of the engine, and the only place its options stand.
 *
 * Promises: a writer's environment is never synced for correctness (the block log is) and never
 * remapped while readers are open (the map has its final size from the start; the file is sparse).
 * A reader's handle cannot write and does not read ahead: pages faulted in one by one stay in small
 * folios, which spares the writer 2 to 13 µs per transfer and the disk its write amplification.
 *
 * Rules for callers. Blocks are written with `transactionSync` alone: the engine's asynchronous
 * transactions become visible before they are flushed, and overlapping sync is off for the same
 * reason. `getFast` borrows: its answer is overwritten by the next read of any table in the process.
 * Handles of one process on one file share a map, with the rights of the first: a process that
 * writes opens its writer before any reader.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Database, open, type PutOptions, type RootDatabase, type RootDatabaseOptions } from "lmdb";

/** One table: binary keys, binary values. */
export type Table = Database<Buffer, Buffer>;

/** The tables of schema.ts. */
export interface Environment {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly state: Table;
  readonly paths: Table;
  readonly pathIds: Table;
  readonly positions: Table;
  readonly blocks: Table;
  readonly hashes: readonly [Table, Table];
  readonly meta: Table;
}

export interface EnvironmentOptions {
  /** Folder of the data file. */
  readonly directory: string;
  readonly readOnly: boolean;
  /** Address space of the map, and so the largest data file, in bytes. The same for all processes. */
  readonly mapBytes?: number;
  /** Write through the map (default) or with pwrite. */
  readonly writeMap?: boolean;
}

/** 64 GiB: about 60 million accounts. */
const MAP_BYTES = 2 ** 36;
/** Fronts, worker threads and slots of killed ones not cleared yet. */
const READERS_MAX = 1024;
const TABLES_MAX = 12;

/** @throws whatever the engine throws: a missing file for a reader, a full disk, missing rights. */
export function openEnvironment(options: EnvironmentOptions): Environment {
  if (!options.readOnly) mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const table = { encoding: "binary", keyEncoding: "binary", cache: false } as const;
  // The engine knows two options that its types do not.
  const flags: RootDatabaseOptions & { readonly noReadAhead: true; readonly permissionsMode: number } = {
    ...table,
    noSubdir: true,
    readOnly: options.readOnly,
    noReadAhead: true,
    permissionsMode: 0o600,
    noSync: !options.readOnly,
    overlappingSync: false,
    useWritemap: !options.readOnly && options.writeMap !== false,
    mapSize: options.mapBytes ?? MAP_BYTES,
    maxReaders: READERS_MAX,
    maxDbs: TABLES_MAX,
  };
  const root = open<Buffer, Buffer>(join(options.directory, "data.mdb"), flags);
  const openTable = (name: string): Table => {
    const opened: Table | undefined = root.openDB<Buffer, Buffer>({ ...table, name });
    if (opened === undefined) throw new Error(`table ${name} is missing`);
    return opened;
  };
  return {
    root,
    state: openTable("state"),
    paths: openTable("paths"),
    pathIds: openTable("pathid"),
    positions: openTable("pos"),
    blocks: openTable("blocks"),
    hashes: [openTable("hash0"), openTable("hash1")],
    meta: openTable("meta"),
  };
}

/**
 * Reads one value without copying it.
 *
 * @returns bytes valid until the next read of any table in this process. Trust `length` only:
 *   `byteLength` is the whole pool, and reading past the end yields bytes of older values.
 */
export function getFast(table: Table, key: Buffer): Buffer | undefined {
  const bytes: Uint8Array | undefined = table.getBinaryFast(key);
  if (bytes === undefined || Buffer.isBuffer(bytes)) return bytes;
  // Large values come as a plain view of the map.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** @returns false, with nothing changed, if the key is there. The engine's types hide its answer. */
export function putIfAbsent(table: Table, key: Buffer, value: Buffer): boolean {
  const put = table.putSync as (key: Buffer, value: Buffer, options: PutOptions) => unknown;
  return put.call(table, key, value, { noOverwrite: true }) !== false;
}
