/**
 * One framed connection over a local socket.
 *
 * Promises: frames sent in one turn of the event loop leave in one write; a peer that does not read
 * is cut off at {@link QUEUED_BYTES_MAX}; a peer that breaks the framing or the messages is cut off
 * at once. Leaves shapes of messages and who may talk to others.
 */

import type { Socket } from "node:net";
import { encodeFrame, FrameCutter, FrameError } from "./frames.js";

/** Most bytes waiting for a peer that reads slowly. */
export const QUEUED_BYTES_MAX = 64 * 1024 * 1024;

/** A connection that carries frames. */
export class Channel {
  readonly #socket: Socket;
  #isCorked = false;

  /**
   * @param onFrame Called per frame body; a FrameError it throws closes the connection, anything else
   *   is a bug and left to the process.
   * @param onEnd Called once, when the connection is gone, with the reason where there is one.
   */
  constructor(socket: Socket, onFrame: (body: Buffer) => void, onEnd: (reason: Error | undefined) => void) {
    this.#socket = socket;
    const cutter = new FrameCutter();
    let reason: Error | undefined;
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const body of cutter.push(chunk)) {
          if (socket.destroyed) return;
          onFrame(body);
        }
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        socket.destroy(error);
      }
    });
    socket.on("error", (error) => {
      reason = error;
    });
    socket.on("close", () => onEnd(reason));
  }

  /** Sends one frame; does nothing once the connection is closed. */
  send(body: Uint8Array): void {
    if (this.#socket.destroyed) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      setImmediate(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(encodeFrame(body));
    if (this.#socket.writableLength > QUEUED_BYTES_MAX) {
      this.#socket.destroy(new Error(`a peer left more than ${QUEUED_BYTES_MAX} bytes unread`));
    }
  }

  /** Closes at once; bytes still queued are lost. */
  close(): void {
    this.#socket.destroy();
  }
}
