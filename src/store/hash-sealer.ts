/**
 * Moves full tables of recent hashes into sorted runs, beside the commits.
 *
 * ```
 * table 0 fills ─► full: tables change places ─► table 0 copied into a run ─► run named in meta, table 0 cleared
 *                  (in a block's transaction)     (in slices, off to the side)   (in a later block's transaction)
 * ```
 *
 * Promise: at every moment each hash of the window is in one of the tables or in a run that is
 * durable and named, so a crash anywhere loses none; a run that was written and not named is written
 * again. A sealing that is late only lets the table in use grow.
 */

import fs from "node:fs";
import { join } from "node:path";
import type { Disk } from "./disk.js";
import type { Environment } from "./environment.js";
import { encodeHashIndex, type HashIndexState, type RunDescription, readHashIndex } from "./hash-index.js";
import { RUN_ENTRY_BYTES, runName, writeRun } from "./hash-run.js";
import { readU48, writeU32 } from "./integers.js";
import { MetaKey } from "./schema.js";

/** Hashes of a table that is full. */
export const TABLE_HASHES = 65_536;
/** Entries copied between two turns of the event loop: about 5 ms. */
const SLICE_ENTRIES = 4_096;

export class HashSealer {
  readonly #disk: Disk;
  readonly #environment: Environment;
  readonly #folder: string;
  readonly #tableHashes: number;
  #sealing: Promise<void> | undefined;
  #sealed: RunDescription | undefined;
  #dropped: RunDescription[] = [];

  constructor(disk: Disk, environment: Environment, folder: string, tableHashes = TABLE_HASHES) {
    this.#disk = disk;
    this.#environment = environment;
    this.#folder = folder;
    this.#tableHashes = tableHashes;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Inside a block's transaction, after its hashes are put. */
  inTransaction(newestVersion: number, oldestVersion: number): void {
    const before = readHashIndex(this.#environment);
    let index: HashIndexState = before;
    const other = index.tableInUse === 0 ? 1 : 0;
    if (this.#sealed !== undefined && this.#sealed.firstVersion === index.otherFirstVersion) {
      this.#environment.hashes[other].clearSync();
      index = { ...index, otherFirstVersion: index.firstVersion, runs: [...index.runs, this.#sealed] };
    }
    this.#sealed = undefined;
    const isOtherEmpty = index.otherFirstVersion === index.firstVersion;
    if (isOtherEmpty && newestVersion + 1 - index.firstVersion >= this.#tableHashes) {
      index = { ...index, tableInUse: other, firstVersion: newestVersion + 1 };
    }
    const isOld = (run: RunDescription) => run.firstVersion + run.entries <= oldestVersion;
    this.#dropped = index.runs.filter(isOld);
    if (this.#dropped.length > 0) index = { ...index, runs: index.runs.filter((run) => !isOld(run)) };
    if (index !== before) this.#environment.meta.putSync(MetaKey.HASH_INDEX, encodeHashIndex(index));
  }

  /** After that transaction: removes what it dropped and starts sealing what it filled. */
  settle(): void {
    for (const run of this.#dropped) this.#disk.unlink(join(this.#folder, runName(run.firstVersion)));
    this.#dropped = [];
    if (this.#sealing !== undefined || this.#sealed !== undefined) return;
    const index = readHashIndex(this.#environment);
    if (index.otherFirstVersion === index.firstVersion) return;
    this.#sealing = this.#seal(index)
      // Not sealed is not lost: the next commit tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#sealing = undefined;
      });
  }

  /** Waits for a sealing under way. */
  async finish(): Promise<void> {
    await this.#sealing;
  }

  async #seal(index: HashIndexState): Promise<void> {
    const table = this.#environment.hashes[index.tableInUse === 0 ? 1 : 0];
    const parts: Buffer[] = [];
    let start: Buffer | undefined;
    for (;;) {
      let count = 0;
      let last: Buffer | undefined;
      const range = start === undefined ? {} : { start, exclusiveStart: true };
      for (const { key, value } of table.getRange({ ...range, limit: SLICE_ENTRIES })) {
        for (let at = 0; at < value.length; at += 6) {
          const entry = Buffer.allocUnsafe(RUN_ENTRY_BYTES);
          key.copy(entry, 0);
          writeU32(entry, 8, readU48(value, at) - index.otherFirstVersion);
          parts.push(entry);
        }
        last = key;
        count++;
      }
      if (count < SLICE_ENTRIES || last === undefined) break;
      start = last;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#sealed = await writeRun(this.#disk, this.#folder, index.otherFirstVersion, Buffer.concat(parts));
  }
}
