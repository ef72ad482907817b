/**
 * The writer's side of the block log: one line of bytes, cut into segment files of equal size, each
 * filled with zeros ahead of its use or recycled from a pruned one, so that a block's fdatasync
 * finds disk blocks allocated and no file growing.
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

/** Zeros written and synced at a time: a block's fdatasync waits for at most one such step. */
const FILL_STEP_BYTES = 2 * 1024 * 1024;

/** A segment file that is written to. */
interface OpenSegment {
  readonly fd: number;
  /** Bytes of it that have disk blocks. */
  filledTo: number;
  /** Filling under way. */
  filling: Promise<void> | undefined;
}

export class SegmentLog {
  readonly #disk: Disk;
  readonly #directory: string;
  readonly #segmentBytes: number;
  readonly #segments = new Map<number, OpenSegment>();
  #failure: unknown;
  #isClosed = false;

  /** @param directory Must exist. */
  constructor(disk: Disk, directory: string, segmentBytes: number) {
    this.#disk = disk;
    this.#directory = directory;
    this.#segmentBytes = segmentBytes;
  }

  /**
   * Makes sure that the log has disk blocks up to `end`; goes on to fill the rest of the segment,
   * and from its middle on the next one, while blocks are written.
   *
   * @throws NodeError `store_failed`, with the log as it was: a full disk can be cleared.
   */
  async reserve(position: number, end: number): Promise<void> {
    this.#check();
    try {
      const last = this.#numberOf(end - 1);
      for (let number = this.#numberOf(position); number <= last; number++) {
        const base = number * this.#segmentBytes;
        await this.#fill(number, Math.min(this.#segmentBytes, end - base));
      }
      const isPastMiddle = end - last * this.#segmentBytes > this.#segmentBytes / 2;
      const isFull = this.#segments.get(last)?.filledTo === this.#segmentBytes;
      this.#fillBehind(isFull && isPastMiddle ? last + 1 : last);
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
        const { fd } = this.#open(number);
        const part = bytes.subarray(done, done + Math.min(bytes.length - done, this.#segmentBytes - offset));
        this.#disk.write(fd, part, offset);
        touched.push(fd);
        done += part.length;
      }
      for (const fd of touched) await this.#sync(fd);
      this.#check();
    } catch (error) {
      this.#failure = error;
      throw new NodeError("store_failed", "writing the block log failed", { cause: error });
    }
    // Only the newest file is written to from here on.
    const last = this.#numberOf(position + bytes.length);
    for (const [number, segment] of this.#segments) {
      if (number >= last || segment.filling !== undefined) continue;
      this.#segments.delete(number);
      this.#disk.close(segment.fd);
    }
  }

  /** Overwrites `[from, to)` with zeros, durably; for the torn end of a log. */
  async erase(from: number, to: number): Promise<void> {
    for (let at = from; at < to; ) {
      const number = this.#numberOf(at);
      if (!fs.existsSync(this.#path(number))) return;
      const base = number * this.#segmentBytes;
      const { fd, filledTo } = this.#open(number);
      const end = Math.min(to, base + filledTo);
      await fillWithZeros(this.#disk, fd, at - base, end - base);
      await this.#sync(fd);
      if (filledTo < this.#segmentBytes) return;
      at = end;
    }
  }

  /** Segment files that lie entirely before `position`, renamed to wait for reuse. @returns how many. */
  recycleBefore(position: number): number {
    let recycled = 0;
    const names = fs.readdirSync(this.#directory);
    let hasSpare = names.some((name) => SPARE_NAME.test(name));
    for (const name of names) {
      const number = segmentNumber(name);
      if (number === undefined || (number + 1) * this.#segmentBytes > position) continue;
      // One spare is enough to be ahead; more would only hold disk space.
      if (hasSpare) this.#disk.unlink(this.#path(number));
      else this.#disk.rename(this.#path(number), join(this.#directory, `spare-${number}.seg`));
      hasSpare = true;
      recycled++;
    }
    if (recycled > 0) this.#disk.syncFolder(this.#directory);
    return recycled;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const segment of this.#segments.values()) {
      await segment.filling?.catch(() => undefined);
      this.#disk.close(segment.fd);
    }
    this.#segments.clear();
  }

  /**
   * Makes what the log's files hold from `position` on durable. A writer that was killed may have left
   * a block written and not synced; nobody may see it before it is.
   */
  async syncFrom(position: number): Promise<void> {
    for (let number = this.#numberOf(position); fs.existsSync(this.#path(number)); number++) {
      await this.#sync(this.#open(number).fd);
    }
  }

  /**
   * A failed sync is final whoever asked for it: the kernel tells it once per open file, so another
   * sync of the same file may succeed for blocks that are lost.
   */
  async #sync(fd: number): Promise<void> {
    try {
      await this.#disk.sync(fd);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
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

  /** Opens a segment, making it first if it is not there: from a spare, or empty. */
  #open(number: number): OpenSegment {
    const known = this.#segments.get(number);
    if (known !== undefined) return known;
    const path = this.#path(number);
    let fd: number;
    if (fs.existsSync(path)) {
      fd = this.#disk.open(path, false);
    } else {
      // A recycled file takes the name as it is: what is left in it does not pass as frames.
      const spare = fs.readdirSync(this.#directory).find((name) => SPARE_NAME.test(name));
      if (spare !== undefined) this.#disk.rename(join(this.#directory, spare), path);
      fd = this.#disk.open(path, spare === undefined);
      this.#disk.syncFolder(this.#directory);
    }
    const segment: OpenSegment = { fd, filledTo: fs.fstatSync(fd).size, filling: undefined };
    this.#segments.set(number, segment);
    return segment;
  }

  /** Fills a segment with zeros up to `end`, in steps. */
  async #fill(number: number, end: number): Promise<void> {
    const segment = this.#open(number);
    while (segment.filledTo < end) {
      if (segment.filling !== undefined) {
        await segment.filling;
        continue;
      }
      const to = Math.min(this.#segmentBytes, segment.filledTo + FILL_STEP_BYTES);
      segment.filling = fillWithZeros(this.#disk, segment.fd, segment.filledTo, to)
        .then(() => this.#sync(segment.fd))
        .then(() => {
          segment.filledTo = to;
        })
        .finally(() => {
          segment.filling = undefined;
        });
    }
  }

  /** Fills the whole of a segment beside the commits. A failure shows when the bytes are needed. */
  #fillBehind(number: number): void {
    const segment = this.#open(number);
    if (segment.filling !== undefined || segment.filledTo === this.#segmentBytes) return;
    const next = () => {
      if (this.#isClosed || segment.filledTo === this.#segmentBytes || this.#segments.get(number) !== segment)
        return;
      this.#fill(number, segment.filledTo + 1).then(next, () => undefined);
    };
    next();
  }
}
