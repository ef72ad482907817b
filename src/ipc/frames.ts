/**
 * Frames on a byte stream: a little-endian u32 length, then that many bytes.
 *
 * ```
 * ┌──────────────┬──────────────────┐
 * │ length u32le │ length bytes     │ …
 * └──────────────┴──────────────────┘
 * ```
 *
 * Promises: a length above {@link FRAME_BYTES_MAX} is refused before any of it is kept; memory held
 * between chunks never exceeds one frame and one chunk. Leaves meaning to others.
 */

/** Largest frame body, in bytes. A batch of submits must fit; see SUBMIT_BATCH_BYTES_MAX. */
export const FRAME_BYTES_MAX = 16 * 1024 * 1024;

const LENGTH_BYTES = 4;

/** A peer that breaks the framing; the connection is closed. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** @returns one frame around `body`, a copy. @throws FrameError above {@link FRAME_BYTES_MAX}. */
export function encodeFrame(body: Uint8Array): Buffer {
  if (body.length > FRAME_BYTES_MAX) {
    throw new FrameError(`a frame of ${body.length} bytes is above ${FRAME_BYTES_MAX}`);
  }
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
  frame.writeUInt32LE(body.length, 0);
  frame.set(body, LENGTH_BYTES);
  return frame;
}

/** Cuts a stream of chunks into frame bodies. */
export class FrameCutter {
  readonly #bytesMax: number;
  #chunks: Buffer[] = [];
  #held = 0;

  constructor(bytesMax = FRAME_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Takes the next chunk.
   *
   * @returns the bodies now complete, in order; each is valid as long as the caller keeps it.
   * @throws FrameError when the next length is above the bound; the cutter is of no use afterwards.
   */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const bodies: Buffer[] = [];
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      if (this.#held < LENGTH_BYTES + length) break;
      const joined = this.#join();
      bodies.push(joined.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
      this.#keep(joined.subarray(LENGTH_BYTES + length));
    }
    return bodies;
  }

  #nextLength(): number | undefined {
    if (this.#held < LENGTH_BYTES) return undefined;
    // Chunks are joined only when the length is split or a frame is complete, so that a frame that
    // arrives in many chunks is copied once.
    const first = this.#chunks[0] as Buffer;
    const length = (first.length >= LENGTH_BYTES ? first : this.#join()).readUInt32LE(0);
    if (length > this.#bytesMax)
      throw new FrameError(`a frame of ${length} bytes is above ${this.#bytesMax}`);
    return length;
  }

  #join(): Buffer {
    const joined = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#keep(joined);
    return joined;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
  }
}
