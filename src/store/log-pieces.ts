/**
 * Reads one record, link or undo out of the block log and proves it is the one that was written there.
 *
 * Promise: a wrong byte is an error with a name, never an answer. A piece whose file has been pruned
 * meanwhile is `version_pruned`; a piece that is there and does not hold is `store_corrupt`.
 */

import { NodeError } from "../errors/index.js";
import { FRAME_BYTES_MAX } from "./frame.js";
import { readU32 } from "./integers.js";
import type { LogReader } from "./log-reader.js";
import { isWholePiece, PIECE_HEADER_BYTES } from "./record.js";

/** Most undos and links are shorter, so one read gets them. */
const SHORT_READ_BYTES = 512;
/** So are most records. */
export const RECORD_READ_BYTES = 4096;

export class LogPieces {
  readonly #log: LogReader;
  #buffer = Buffer.allocUnsafe(64 * 1024);

  constructor(log: LogReader) {
    this.#log = log;
  }

  /**
   * @param firstRead Bytes to ask for at first; a longer piece takes a second read.
   * @returns the piece, in memory that the next call reuses.
   * @throws NodeError `version_pruned`, `store_corrupt`
   */
  read(position: number, firstRead = SHORT_READ_BYTES): Buffer {
    const piece = this.#tryRead(position, firstRead);
    if (piece !== undefined) return piece;
    // The descriptor may be of a file that was recycled under another name: look again by name.
    if (!this.#log.forget(position))
      throw new NodeError("version_pruned", "this part of the history has been pruned");
    const again = this.#tryRead(position, firstRead);
    if (again !== undefined) return again;
    throw new NodeError("store_corrupt", `the block log is damaged at position ${position}`);
  }

  #tryRead(position: number, firstRead: number): Buffer | undefined {
    let count = this.#log.read(position, this.#buffer, Math.min(firstRead, this.#buffer.length));
    if (count < PIECE_HEADER_BYTES) return undefined;
    const length = readU32(this.#buffer, 0);
    if (length < PIECE_HEADER_BYTES || length > FRAME_BYTES_MAX) return undefined;
    if (length > count) {
      if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length);
      count = this.#log.read(position, this.#buffer, length);
      if (count < length) return undefined;
    }
    return isWholePiece(this.#buffer, 0, length, position) ? this.#buffer.subarray(0, length) : undefined;
  }
}
