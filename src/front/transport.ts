/**
 * What the fronts ask of an HTTP library. server.ts implements it on µWebSockets.js,
 * server-node.ts on node:http; nothing else knows either.
 *
 * Promises of every implementation: a handler runs once per well-framed request, a throw in it
 * becomes 500, a reply is sent at most once and as one write, and whatever is sent after the client
 * left is dropped.
 */

import type { HeaderBlock } from "./header-block.js";

/** Largest request body, bytes. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;

/**
 * One request as it came in. Valid only until the handler returns or first awaits, because one of
 * the libraries lends the bytes behind it: read what you need at once.
 */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark; empty if none. */
  readonly query: string;
  /** @param name Lower case. @returns The value, or an empty string. */
  header(name: string): string;
}

/** The one answer to a request. */
export interface HttpReply {
  /** True once sent or once the client left; sending is then without effect. */
  readonly isDone: boolean;

  /**
   * Sends the whole answer.
   *
   * @param headers Every header but `Content-Length`, which follows from `body`.
   * @param body Taken over; must not change afterwards.
   */
  send(status: number, headers: HeaderBlock, body: string | Uint8Array): void;

  /**
   * Collects the body, then calls `done` once with bytes the callee owns. `done` is not called if
   * the client leaves first; a throw in it becomes 500. Call before the handler returns.
   */
  readBody(done: (body: Buffer) => void): void;

  /** Called once if the client leaves before the answer. */
  onGone(listener: () => void): void;
}

/** Answers one request. Must send, or arrange that something sends, on `reply`. */
export type HttpHandler = (request: HttpRequest, reply: HttpReply) => void;

/** Why a transport refuses a request by itself. */
export type TransportRefusal = "body_too_large" | "length_required" | "internal_error" | "unavailable";

/** Answers that the transport has to give on its own, without routing. */
export interface TransportAnswers {
  /** The headers and JSON body of a refusal. */
  refusal(code: TransportRefusal): {
    readonly status: number;
    readonly headers: HeaderBlock;
    readonly body: string;
  };
  /** Told of every throw that became a 500. */
  onHandlerError(error: unknown): void;
}

/** A listening server. */
export interface HttpServer {
  /** The port in use, also when 0 was asked for. */
  readonly port: number;
  /** Stops accepting connections; requests under way are answered. */
  close(): void;
}

/** Where to listen. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** True to share the port with other processes that also say so. */
  readonly isShared: boolean;
}
