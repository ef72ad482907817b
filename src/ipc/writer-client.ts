/**
 * A front's end of the local socket: the {@link WriterLink} that reconnects by itself.
 *
 * Promises: a request is answered, or rejects with `unavailable` when the writer is away, when its
 * connection is lost, or after {@link REQUEST_MS_MAX}; then its outcome is unknown and the client of
 * the front may ask again, since admission is idempotent by hash. At most {@link REQUESTS_MAX} wait.
 */

import { connect, type Socket } from "node:net";
import { isRequestErrorCode, NodeError } from "../errors/index.js";
import type { Logger } from "../observe/index.js";
import { Channel } from "./channel.js";
import { FrameError } from "./frames.js";
import type { AdmissionStatus, AdmittedTransaction, CommitAnnouncement, WriterLink } from "./messages.js";
import {
  decodeFromWriter,
  encodeToWriter,
  type FromWriter,
  PROTOCOL_VERSION,
  type ToWriter,
} from "./wire-messages.js";

/** Longest wait for an answer, in milliseconds. */
export const REQUEST_MS_MAX = 10_000;

/** Most requests waiting for an answer. */
export const REQUESTS_MAX = 20_000;

/** Transactions of one submit travel in frames of at most about this many bytes. */
const SUBMIT_BATCH_BYTES_MAX = 4 * 1024 * 1024;

const RECONNECT_MS_MIN = 20;
const RECONNECT_MS_MAX = 500;

/** Where the writer is. */
export interface WriterClientOptions {
  readonly path: string;
  readonly token: Uint8Array;
  readonly log: Logger;
}

interface Waiting {
  readonly deadlineMs: number;
  readonly resolve: (message: FromWriter) => void;
  readonly reject: (error: NodeError) => void;
}

type Request = Exclude<ToWriter, { type: "hello" }>;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** Opens the line; it may take a moment until {@link WriterLink.isUp}. Never throws. */
export function connectWriter(options: WriterClientOptions): WriterLink {
  return new WriterClient(options);
}

class WriterClient implements WriterLink {
  readonly #options: WriterClientOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(announcement: CommitAnnouncement) => void>();
  readonly #sweeper: NodeJS.Timeout;
  #channel: Channel | undefined;
  #isUp = false;
  #isClosed = false;
  #nextId = 1;
  #reconnectMs = RECONNECT_MS_MIN;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: WriterClientOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), 250);
    this.#sweeper.unref();
    this.#open();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  async submit(transactions: readonly AdmittedTransaction[]): Promise<AdmissionStatus[]> {
    const answers = await Promise.all(
      batches(transactions).map((batch) => this.#request({ type: "submit", transactions: batch })),
    );
    const statuses = answers.flatMap((answer) => (answer.type === "submitted" ? answer.statuses : []));
    if (statuses.length !== transactions.length) throw unavailable("The writer's answer does not fit.");
    return statuses;
  }

  async pendingByHash(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const answer = await this.#request({ type: "pending", hash });
    return answer.type === "found" ? answer.bytes : undefined;
  }

  onCommit(listener: (announcement: CommitAnnouncement) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    clearTimeout(this.#retry);
    this.#channel?.close();
    this.#abandon("This front is ending.");
  }

  #open(): void {
    const socket: Socket = connect(this.#options.path);
    socket.once("connect", () => {
      channel.send(encodeToWriter({ type: "hello", protocol: PROTOCOL_VERSION, token: this.#options.token }));
    });
    const channel = new Channel(
      socket,
      (body) => this.#take(decodeFromWriter(body)),
      (reason) => this.#lost(reason),
    );
    this.#channel = channel;
  }

  #take(message: FromWriter): void {
    if (message.type === "committed") {
      // The first announcement is the answer to HELLO.
      if (!this.#isUp) this.#options.log.info("the writer is there");
      this.#isUp = true;
      this.#reconnectMs = RECONNECT_MS_MIN;
      for (const listener of this.#listeners) listener(message.announcement);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    // Absent: its time ran out already.
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if (message.type === "failed") {
      const code = isRequestErrorCode(message.code) ? message.code : "unavailable";
      waiting.reject(new NodeError(code, message.message));
    } else {
      waiting.resolve(message);
    }
  }

  #request(request: WithoutId<Request>): Promise<FromWriter> {
    return new Promise((resolve, reject) => {
      if (!this.#isUp) return reject(unavailable("The writer is away."));
      if (this.#waiting.size >= REQUESTS_MAX)
        return reject(unavailable("Too many requests wait for the writer."));
      const id = this.#nextId++;
      this.#waiting.set(id, { deadlineMs: Date.now() + REQUEST_MS_MAX, resolve, reject });
      this.#channel?.send(encodeToWriter({ ...request, id }));
    });
  }

  #lost(reason: Error | undefined): void {
    const isBroken = reason instanceof FrameError;
    if (this.#isUp || isBroken) this.#options.log.warn({ err: reason }, "lost the writer");
    this.#isUp = false;
    this.#channel = undefined;
    this.#abandon("The writer went away before it answered.");
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => this.#open(), this.#reconnectMs);
    this.#reconnectMs = Math.min(RECONNECT_MS_MAX, this.#reconnectMs * 2);
  }

  #abandon(sentence: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(unavailable(sentence));
    this.#waiting.clear();
  }

  /** All requests wait equally long, so the map's order is the order of their deadlines. */
  #sweep(): void {
    const nowMs = Date.now();
    for (const [id, waiting] of this.#waiting) {
      if (waiting.deadlineMs > nowMs) return;
      this.#waiting.delete(id);
      waiting.reject(unavailable("The writer did not answer in time."));
    }
  }
}

function unavailable(sentence: string): NodeError {
  return new NodeError("unavailable", sentence);
}

/** Cuts a submit into frames; one transaction alone may be as large as it likes, up to the frame. */
function batches(transactions: readonly AdmittedTransaction[]): AdmittedTransaction[][] {
  const found: AdmittedTransaction[][] = [];
  let batchBytes = Number.POSITIVE_INFINITY;
  for (const transaction of transactions) {
    if (batchBytes + transaction.bytes.length > SUBMIT_BATCH_BYTES_MAX) {
      found.push([]);
      batchBytes = 0;
    }
    found[found.length - 1]?.push(transaction);
    batchBytes += transaction.bytes.length;
  }
  return found;
}
