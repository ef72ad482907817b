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
/** New pages one put can take: its leaf, the leaf's other half, its share of branches. */
const PAGES_PER_PUT = 3;
const PAGE_BYTES = 4096;

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
    // A value of its own pages takes up to a page more than its length.
    const needed = used + puts * PAGES_PER_PUT * PAGE_BYTES + 2 * valueBytes;
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
