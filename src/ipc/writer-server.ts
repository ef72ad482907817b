/**
 * The writer's end of the local socket.
 *
 * Promises: nobody is heard before a HELLO with this start's token and protocol, due within
 * {@link HELLO_MS_MAX}; every request is answered or its connection closed; announcements reach
 * every connected front in order, starting with the newest block at the time it connects.
 */

import { timingSafeEqual } from "node:crypto";
import { mkdirSync, unlinkSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { isNodeError, NodeError } from "../errors/index.js";
import type { Logger } from "../observe/index.js";
import { Channel } from "./channel.js";
import { FrameError } from "./frames.js";
import type { AdmissionStatus, AdmittedTransaction, CommitAnnouncement } from "./messages.js";
import { decodeToWriter, encodeFromWriter, PROTOCOL_VERSION, type ToWriter } from "./wire-messages.js";

/** Longest wait for a HELLO, in milliseconds. */
const HELLO_MS_MAX = 2000;

/** Most connections at once. */
const CONNECTIONS_MAX = 256;

/** What the writer does for fronts. Throwing a NodeError refuses the request with its code. */
export interface WriterService {
  submit(transactions: readonly AdmittedTransaction[]): AdmissionStatus[];
  pendingByHash(hash: Uint8Array): Uint8Array | undefined;
  /** The newest committed block. */
  readonly newest: CommitAnnouncement;
}

/** Where and to whom the writer listens. */
export interface WriterServerOptions {
  readonly path: string;
  readonly token: Uint8Array;
  readonly log: Logger;
}

/** Listens for fronts. */
export class WriterServer {
  readonly #server: Server;
  readonly #service: WriterService;
  readonly #options: WriterServerOptions;
  readonly #channels = new Set<Channel>();

  private constructor(service: WriterService, options: WriterServerOptions) {
    this.#service = service;
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /**
   * Starts to listen. A socket file left by a killed writer is removed first: the caller holds the
   * data folder's lock, so no living one can be there.
   *
   * @throws NodeError `listen_failed`.
   */
  static async listen(service: WriterService, options: WriterServerOptions): Promise<WriterServer> {
    const writer = new WriterServer(service, options);
    // A node that was refused this data folder may just have removed the folder as empty.
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    try {
      unlinkSync(options.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    await new Promise<void>((resolve, reject) => {
      writer.#server.once("error", (cause) => {
        reject(new NodeError("listen_failed", "The writer's local socket cannot be opened.", { cause }));
      });
      writer.#server.listen(options.path, resolve);
    });
    return writer;
  }

  /** Tells every front of a block that readers can see. */
  announce(announcement: CommitAnnouncement): void {
    const body = encodeFromWriter({ type: "committed", announcement });
    for (const channel of this.#channels) channel.send(body);
  }

  /** Closes every connection and removes the socket file. */
  close(): Promise<void> {
    for (const channel of this.#channels) channel.close();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const deadline = setTimeout(() => socket.destroy(new Error("no HELLO in time")), HELLO_MS_MAX);
    let isKnown = false;
    const channel = new Channel(
      socket,
      (body) => {
        const message = decodeToWriter(body);
        if (isKnown) return this.#answer(channel, message);
        this.#checkHello(message);
        clearTimeout(deadline);
        isKnown = true;
        this.#channels.add(channel);
        channel.send(encodeFromWriter({ type: "committed", announcement: this.#service.newest }));
      },
      (reason) => {
        clearTimeout(deadline);
        this.#channels.delete(channel);
        if (reason !== undefined) this.#options.log.warn({ err: reason }, "closed a front's connection");
      },
    );
  }

  #checkHello(message: ToWriter): void {
    if (message.type !== "hello") throw new FrameError("expected HELLO first");
    if (message.protocol !== PROTOCOL_VERSION) {
      throw new FrameError(`expected protocol ${PROTOCOL_VERSION}, not ${message.protocol}`);
    }
    const { token } = this.#options;
    if (message.token.length !== token.length || !timingSafeEqual(message.token, token)) {
      throw new FrameError("a token of another start");
    }
  }

  #answer(channel: Channel, message: ToWriter): void {
    if (message.type === "hello") throw new FrameError("HELLO twice");
    const { id } = message;
    try {
      if (message.type === "submit") {
        const statuses = this.#service.submit(message.transactions);
        channel.send(encodeFromWriter({ type: "submitted", id, statuses }));
      } else {
        const bytes = this.#service.pendingByHash(message.hash);
        channel.send(encodeFromWriter({ type: "found", id, bytes }));
      }
    } catch (error) {
      if (!isNodeError(error) || error.code === "bug") throw error;
      channel.send(encodeFromWriter({ type: "failed", id, code: error.code, message: error.message }));
    }
  }
}
