/**
 * The writer's side of the block log: one line of bytes, cut into segment files of equal size, each
 * filled with zeros before its first use or recycled from a pruned one.
 *
 * Promises
 * - `reserve` is where a full disk shows up: behind it, a write needs no new disk blocks.
 * - `append` has returned only when the bytes are durable. It writes once and syncs once per file
 *   it touched; any failure is final for this log (see disk.ts) and every later call throws.
 * - Bytes before the end are never written again.
 *
 * Leaves to others: what the bytes mean (frame.ts), where the log ends after a crash (recovery.ts).
 */

import fs from "node:fs";
import { join } from "node:path";
import { NodeError } from "../errors/index.js";
import { type Disk, fillWithZeros } from "./disk.js";
import { segmentName, segmentNumber } from "./log-reader.js";

const SPARE_NAME = /^spare-\d+\.seg$/;

export class SegmentLog {
  readonly #disk: Disk;
  readonly #directory: string;
  readonly #segmentBytes: number;
  readonly #files = new Map<number, number>();
  #failure: unknown;
  #ahead: Promise<void> | undefined;

  /** @param directory Must exist. */
  constructor(disk: Disk, directory: string, segmentBytes: number) {
    this.#disk = disk;
    this.#directory = directory;
    this.#segmentBytes = segmentBytes;
  }

  /**
   * Makes sure that the log's files reach `end`.
   *
   * @throws NodeError `store_failed`, with the log as it was: a full disk can be cleared.
   */
  async reserve(position: number, end: number): Promise<void> {
    this.#check();
    try {
      // The look-ahead may be filling the very file that is needed now.
      await this.#ahead;
      const last = this.#numberOf(end - 1);
      for (let number = this.#numberOf(position); number <= last; number++) await this.#open(number);
      if (end - last * this.#segmentBytes > this.#segmentBytes / 2) this.#lookAhead(last + 1);
    } catch (error) {
      throw new NodeError("store_failed", "no room for the next block in the block log", { cause: error });
    }
  }

  /**
   * Writes `bytes` at `position` and waits until they are durable.
   *
   * @throws NodeError `store_failed`; the log takes nothing more.
   */
  async append(bytes: Buffer, position: number): Promise<void> {
    this.#check();
    try {
      const touched: number[] = [];
      for (let done = 0; done < bytes.length; ) {
        const number = this.#numberOf(position + done);
        const offset = position + done - number * this.#segmentBytes;
        const fd = await this.#open(number);
        const part = bytes.subarray(done, done + Math.min(bytes.length - done, this.#segmentBytes - offset));
        this.#disk.write(fd, part, offset);
        touched.push(fd);
        done += part.length;
      }
      for (const fd of touched) await this.#disk.sync(fd);
    } catch (error) {
      this.#failure = error;
      throw new NodeError("store_failed", "writing the block log failed", { cause: error });
    }
    // Only the newest file is written to from here on.
    const last = this.#numberOf(position + bytes.length);
    for (const [number, fd] of this.#files) {
      if (number >= last) continue;
      this.#files.delete(number);
      this.#disk.close(fd);
    }
  }

  /** Overwrites `[from, to)` with zeros, durably; for the torn end of a log. */
  async erase(from: number, to: number): Promise<void> {
    for (let at = from; at < to; ) {
      const number = this.#numberOf(at);
      const end = Math.min(to, (number + 1) * this.#segmentBytes);
      if (!fs.existsSync(this.#path(number))) return;
      const base = number * this.#segmentBytes;
      await fillWithZeros(this.#disk, await this.#open(number), at - base, end - base);
      at = end;
    }
  }

  /** Segment files that lie entirely before `position`, renamed to wait for reuse. @returns how many. */
  recycleBefore(position: number): number {
    let recycled = 0;
    const names = fs.readdirSync(this.#directory);
    for (const name of names) {
      const number = segmentNumber(name);
      if (number === undefined || (number + 1) * this.#segmentBytes > position) continue;
      const spare = `spare-${number}.seg`;
      // One spare is enough to be ahead; more would only hold disk space.
      if (names.some((other) => SPARE_NAME.test(other)) || recycled > 0)
        this.#disk.unlink(this.#path(number));
      else this.#disk.rename(this.#path(number), join(this.#directory, spare));
      recycled++;
    }
    if (recycled > 0) this.#disk.syncFolder(this.#directory);
    return recycled;
  }

  async close(): Promise<void> {
    await this.#ahead?.catch(() => undefined);
    for (const fd of this.#files.values()) this.#disk.close(fd);
    this.#files.clear();
  }

  #numberOf(position: number): number {
    return Math.floor(position / this.#segmentBytes);
  }

  #path(number: number): string {
    return join(this.#directory, segmentName(number));
  }

  #check(): void {
    if (this.#failure !== undefined) {
      throw new NodeError("store_failed", "the block log has failed before", { cause: this.#failure });
    }
  }

  /** Opens a segment, making it first if it is not there. */
  async #open(number: number): Promise<number> {
    const known = this.#files.get(number);
    if (known !== undefined) return known;
    const path = this.#path(number);
    if (!fs.existsSync(path)) await this.#create(number);
    const fd = this.#disk.open(path, false);
    this.#files.set(number, fd);
    return fd;
  }

  /** A recycled file takes the name as it is: what is left in it does not pass as frames. */
  async #create(number: number): Promise<void> {
    const spare = fs.readdirSync(this.#directory).find((name) => SPARE_NAME.test(name));
    if (spare !== undefined) {
      this.#disk.rename(join(this.#directory, spare), this.#path(number));
    } else {
      const temporary = join(this.#directory, `${segmentName(number)}.new`);
      const fd = this.#disk.open(temporary, true);
      try {
        await fillWithZeros(this.#disk, fd, 0, this.#segmentBytes);
      } finally {
        this.#disk.close(fd);
      }
      this.#disk.rename(temporary, this.#path(number));
    }
    this.#disk.syncFolder(this.#directory);
  }

  /** Makes the next segment while the current one still has room. A failure shows when it is needed. */
  #lookAhead(number: number): void {
    if (this.#ahead !== undefined || fs.existsSync(this.#path(number))) return;
    this.#ahead = this.#create(number)
      .catch(() => undefined)
      .finally(() => {
        this.#ahead = undefined;
      });
  }
}
