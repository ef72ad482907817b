/**
 * Reads the block log at positions.
 *
 * ```
 * position  0 ───────────── S ───────────── 2S ──────────── …      S = segment bytes, fixed per store
 * file      0000000000.seg   0000000001.seg   0000000002.seg
 * ```
 *
 * Promise: bytes come from the file that is named for their position, or not at all. A file that was
 * pruned while it was open still answers, with bytes of another place; whoever reads a piece checks
 * its crc, which starts from the position (record.ts), and calls `forget` when it does not hold.
 */

import fs from "node:fs";
import { join } from "node:path";

/** Descriptors kept open; beyond that all are closed and opened again as needed. */
const OPEN_FILES_MAX = 64;

/** File name of segment `number`. */
export function segmentName(number: number): string {
  return `${number.toString().padStart(10, "0")}.seg`;
}

/** Number in a segment's file name, `undefined` for other files. */
export function segmentNumber(name: string): number | undefined {
  return /^\d{10}\.seg$/.test(name) ? Number.parseInt(name, 10) : undefined;
}

export class LogReader {
  readonly #directory: string;
  readonly #segmentBytes: number;
  readonly #files = new Map<number, number>();

  constructor(directory: string, segmentBytes: number) {
    this.#directory = directory;
    this.#segmentBytes = segmentBytes;
  }

  /**
   * Fills `target[0, length)` from `position` on.
   *
   * @returns bytes read; fewer than asked where a segment is missing or the log's files end.
   */
  read(position: number, target: Buffer, length: number): number {
    let done = 0;
    while (done < length) {
      const at = position + done;
      const number = Math.floor(at / this.#segmentBytes);
      const offset = at - number * this.#segmentBytes;
      const fd = this.#file(number);
      if (fd === undefined) return done;
      const part = Math.min(length - done, this.#segmentBytes - offset);
      const count = fs.readSync(fd, target, done, part, offset);
      done += count;
      if (count < part) return done;
    }
    return done;
  }

  /** Drops the descriptor of the segment at `position`. @returns false if its file is gone. */
  forget(position: number): boolean {
    const number = Math.floor(position / this.#segmentBytes);
    const fd = this.#files.get(number);
    if (fd !== undefined) fs.closeSync(fd);
    this.#files.delete(number);
    return fs.existsSync(join(this.#directory, segmentName(number)));
  }

  close(): void {
    for (const fd of this.#files.values()) fs.closeSync(fd);
    this.#files.clear();
  }

  #file(number: number): number | undefined {
    const known = this.#files.get(number);
    if (known !== undefined) return known;
    let fd: number;
    try {
      fd = fs.openSync(join(this.#directory, segmentName(number)), fs.constants.O_RDONLY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    if (this.#files.size >= OPEN_FILES_MAX) this.close();
    this.#files.set(number, fd);
    return fd;
  }
}
