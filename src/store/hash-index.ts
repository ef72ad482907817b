/**
 * Finding a transaction by its hash: a small table of recent hashes, and sorted runs of older ones.
 *
 * ```
 * meta value  u8 table in use (0 or 1) ‖ u48 its first version ‖ u48 first version of the other
 *             ‖ u16 runs ‖ runs × (u48 first version ‖ u32 entries), oldest first
 * ```
 *
 * Random inserts into one large table would dirty a leaf per transaction; a table of 65,536 entries
 * stays small enough that a block's hashes share leaves. When it is full the two tables change
 * places and the full one is written out as a run (hash-run.ts), which costs 12 B per entry.
 *
 * Promise: an answer's version has been compared by the caller against the full hash; this only
 * yields candidates. The newest versions come first.
 */

import { type Environment, getFast, putIfAbsent } from "./environment.js";
import { readU48, writeU48 } from "./integers.js";
import { MetaKey } from "./schema.js";

/** Bytes of a hash that are indexed. */
export const HASH_PREFIX_BYTES = 8;

const VERSION_BYTES = 6;

/** A sorted run on disk. */
export interface RunDescription {
  readonly firstVersion: number;
  readonly entries: number;
}

/** What the meta table says of the index. */
export interface HashIndexState {
  readonly tableInUse: 0 | 1;
  readonly firstVersion: number;
  readonly otherFirstVersion: number;
  readonly runs: readonly RunDescription[];
}

export const EMPTY_HASH_INDEX: HashIndexState = {
  tableInUse: 0,
  firstVersion: 0,
  otherFirstVersion: 0,
  runs: [],
};

const FIXED_BYTES = 15;
const RUN_BYTES = 10;

export function encodeHashIndex(state: HashIndexState): Buffer {
  const bytes = Buffer.alloc(FIXED_BYTES + RUN_BYTES * state.runs.length);
  bytes[0] = state.tableInUse;
  writeU48(bytes, 1, state.firstVersion);
  writeU48(bytes, 7, state.otherFirstVersion);
  bytes.writeUInt16LE(state.runs.length, 13);
  for (const [index, run] of state.runs.entries()) {
    writeU48(bytes, FIXED_BYTES + RUN_BYTES * index, run.firstVersion);
    bytes.writeUInt32LE(run.entries, FIXED_BYTES + RUN_BYTES * index + 6);
  }
  return bytes;
}

export function decodeHashIndex(bytes: Buffer): HashIndexState {
  const runs: RunDescription[] = [];
  for (let index = 0; index < bytes.readUInt16LE(13); index++) {
    const at = FIXED_BYTES + RUN_BYTES * index;
    runs.push({ firstVersion: readU48(bytes, at), entries: bytes.readUInt32LE(at + 6) });
  }
  return {
    tableInUse: bytes[0] === 1 ? 1 : 0,
    firstVersion: readU48(bytes, 1),
    otherFirstVersion: readU48(bytes, 7),
    runs,
  };
}

/** The index as the current snapshot has it. */
export function readHashIndex(environment: Environment): HashIndexState {
  const bytes = getFast(environment.meta, MetaKey.HASH_INDEX);
  return bytes === undefined ? EMPTY_HASH_INDEX : decodeHashIndex(bytes);
}

/** Adds one hash; inside a write transaction. */
export function putHash(environment: Environment, table: 0 | 1, prefix: Buffer, version: number): void {
  const target = environment.hashes[table];
  const entry = Buffer.allocUnsafe(VERSION_BYTES);
  writeU48(entry, 0, version);
  if (putIfAbsent(target, prefix, entry)) return;
  const others = getFast(target, prefix);
  const list = others === undefined ? entry : Buffer.concat([others.subarray(0, others.length), entry]);
  target.putSync(prefix, list);
}

/** Versions in the two tables whose hash starts like this, newest table first. */
export function recentCandidates(environment: Environment, prefix: Buffer, state: HashIndexState): number[] {
  const versions: number[] = [];
  for (const table of [state.tableInUse, state.tableInUse === 0 ? 1 : 0] as const) {
    const list = getFast(environment.hashes[table], prefix);
    if (list === undefined) continue;
    for (let at = list.length - VERSION_BYTES; at >= 0; at -= VERSION_BYTES) versions.push(readU48(list, at));
  }
  return versions;
}
