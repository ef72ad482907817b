/**
 * Keeps written disk blocks behind the last page of the environment's data file.
 *
 * The file is sparse and is written through a memory map. A store into a hole of it on a full disk
 * is not an error that can be caught but SIGBUS. So the holes are filled with zeros, by ordinary
 * writes, before a block that may need them is promised; there a full disk is an error.
 *
 * Promise: after `ensure(bytes)`, a transaction that takes up to that many new bytes of pages meets
 * no hole. Nothing below the last page is touched.
 */

import { NodeError } from "../errors/index.js";
import { type Disk, writeZeros } from "./disk.js";
import type { Environment } from "./environment.js";

/** Room is made in steps of this size, so that a small store makes it rarely. */
const STEP_BYTES = 8 * 1024 * 1024;
/** New pages of one put into a leaf not touched before: the leaf's copy, and its other half if it splits. */
const PAGES_PER_LEAF = 2;
/** Copied branches, the free list, rows of sequential tables. */
const PAGES_BESIDE = 256;

/** What the engine reports of its file. */
interface EnvironmentStats {
  readonly lastPageNumber: number;
  readonly pageSize: number;
}

export class LiveRoom {
  readonly #disk: Disk;
  readonly #environment: Environment;
  readonly #fd: number;
  /** Everything before it has blocks. */
  #filledTo = 0;

  /** @param path The data file. */
  constructor(disk: Disk, environment: Environment, path: string) {
    this.#disk = disk;
    this.#environment = environment;
    this.#fd = disk.open(path, false);
  }

  /**
   * @param puts Rows about to be put.
   * @param valueBytes Bytes of their values.
   * @throws NodeError `store_failed` if the disk is full; nothing has been promised yet.
   */
  ensure(puts: number, valueBytes: number): void {
    const { lastPageNumber, pageSize } = this.#environment.root.getStats() as EnvironmentStats;
    const used = (lastPageNumber + 1) * pageSize;
    // No more leaves can be touched than there are; a value of its own pages takes less than twice
    // its length or fits the leaf.
    const leaves = Math.min(puts, lastPageNumber + 1);
    const needed = used + (PAGES_PER_LEAF * leaves + PAGES_BESIDE) * pageSize + 2 * valueBytes;
    if (needed <= this.#filledTo) return;
    const from = Math.max(used, this.#filledTo);
    const to = needed + STEP_BYTES;
    try {
      writeZeros(this.#disk, this.#fd, from, to);
    } catch (error) {
      throw new NodeError("store_failed", "no room for the next block beside the latest state", {
        cause: error,
      });
    }
    this.#filledTo = to;
  }

  close(): void {
    this.#disk.close(this.#fd);
  }
}
