/**
 * Sorted runs: transaction hashes that have left the recent tables, in files that never change.
 *
 * ```
 * hash/<first version, 15 digits>.run
 *   0 u32 crc32 of the rest ‖ u32 entries ‖ u48 first version ‖ u16 0
 *  16 entries × (8 B hash prefix ‖ u32 LE version - first version), sorted by prefix, then version
 * ```
 *
 * Promise: a run is proved whole by its crc when it is first opened; a damaged one is `store_corrupt`
 * and never a hash that is not found. A lookup is one read of about 9 KiB, since prefixes are spread
 * evenly; a binary search covers the rest.
 */

import fs from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { NodeError } from "../errors/index.js";
import { type Disk, replaceFile } from "./disk.js";
import type { RunDescription } from "./hash-index.js";
import { readU32, readU48, writeU32, writeU48 } from "./integers.js";

const HEADER_BYTES = 16;
/** Bytes of one entry: prefix and version offset. */
export const RUN_ENTRY_BYTES = 12;
/** Entries on each side of the guessed place that one read covers: three standard deviations. */
const WINDOW_ENTRIES = 384;

/** File name of a run. */
export function runName(firstVersion: number): string {
  return `${firstVersion.toString().padStart(15, "0")}.run`;
}

/** Makes a run durable under its name. @param entries Sorted entries, RUN_ENTRY_BYTES each. */
export async function writeRun(
  disk: Disk,
  folder: string,
  firstVersion: number,
  entries: Buffer,
): Promise<RunDescription> {
  const count = entries.length / RUN_ENTRY_BYTES;
  const bytes = Buffer.alloc(HEADER_BYTES + entries.length);
  writeU32(bytes, 4, count);
  writeU48(bytes, 8, firstVersion);
  entries.copy(bytes, HEADER_BYTES);
  writeU32(bytes, 0, crc32(bytes.subarray(4)));
  await replaceFile(disk, join(folder, runName(firstVersion)), bytes);
  return { firstVersion, entries: count };
}

/** Looks runs up; keeps their files open. One per process or thread. */
export class HashRuns {
  readonly #folder: string;
  readonly #files = new Map<number, number>();
  readonly #window = Buffer.allocUnsafe(2 * WINDOW_ENTRIES * RUN_ENTRY_BYTES);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Versions whose hash starts with `prefix`, newest run first.
   *
   * @param oldestVersion A run that is gone and lies wholly before it has been pruned.
   * @throws NodeError `store_corrupt`
   */
  candidates(runs: readonly RunDescription[], prefix: Buffer, oldestVersion: number): number[] {
    const versions: number[] = [];
    for (let index = runs.length - 1; index >= 0; index--) {
      const run = runs[index] as RunDescription;
      const fd = this.#file(run, oldestVersion);
      if (fd !== undefined) this.#collect(fd, run, prefix, versions);
    }
    return versions;
  }

  close(): void {
    for (const fd of this.#files.values()) fs.closeSync(fd);
    this.#files.clear();
  }

  #collect(fd: number, run: RunDescription, prefix: Buffer, versions: number[]): void {
    const window = this.#window;
    let low = 0;
    let high = run.entries;
    const guess = Math.floor((prefix.readUInt32BE(0) / 2 ** 32) * run.entries);
    let first = Math.max(0, guess - WINDOW_ENTRIES);
    for (;;) {
      const count = Math.min(2 * WINDOW_ENTRIES, run.entries - first);
      readExactly(fd, window, count * RUN_ENTRY_BYTES, HEADER_BYTES + first * RUN_ENTRY_BYTES, run);
      const startsBefore = first === 0 || compareEntry(window, 0, prefix) < 0;
      const endsBehind = first + count === run.entries || compareEntry(window, count - 1, prefix) > 0;
      if (startsBefore && endsBehind) {
        for (let index = 0; index < count; index++) {
          if (compareEntry(window, index, prefix) !== 0) continue;
          versions.push(run.firstVersion + readU32(window, index * RUN_ENTRY_BYTES + 8));
        }
        return;
      }
      // More equal prefixes than a window holds cannot be: each would be a ground 64-bit collision.
      if (!startsBefore) high = first + 1;
      else low = first + count - 1;
      first = Math.max(0, Math.min(Math.floor((low + high) / 2) - WINDOW_ENTRIES, run.entries - 1));
    }
  }

  #file(run: RunDescription, oldestVersion: number): number | undefined {
    const known = this.#files.get(run.firstVersion);
    if (known !== undefined) return known;
    const path = join(this.#folder, runName(run.firstVersion));
    let bytes: Buffer;
    try {
      bytes = fs.readFileSync(path);
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === "ENOENT";
      if (isGone && run.firstVersion + run.entries <= oldestVersion) return undefined;
      throw damaged(run, error);
    }
    const isWhole =
      bytes.length === HEADER_BYTES + run.entries * RUN_ENTRY_BYTES &&
      readU32(bytes, 0) === crc32(bytes.subarray(4)) &&
      readU48(bytes, 8) === run.firstVersion;
    if (!isWhole) throw damaged(run, undefined);
    const fd = fs.openSync(path, fs.constants.O_RDONLY);
    this.#files.set(run.firstVersion, fd);
    return fd;
  }
}

/** Compares the prefix of an entry in the window with another. */
function compareEntry(window: Buffer, index: number, prefix: Buffer): number {
  const at = index * RUN_ENTRY_BYTES;
  return window.compare(prefix, 0, 8, at, at + 8);
}

function readExactly(fd: number, target: Buffer, length: number, offset: number, run: RunDescription): void {
  if (fs.readSync(fd, target, 0, length, offset) !== length) throw damaged(run, undefined);
}

function damaged(run: RunDescription, cause: unknown): NodeError {
  return new NodeError(
    "store_corrupt",
    `the hash run from version ${run.firstVersion} is missing or damaged`,
    { cause },
  );
}
