/**
 * HTTP on µWebSockets.js. The one file that knows the library.
 *
 * `Reply` owns the library's response object, because that object kills the process when it is
 * touched after the client left, when a handler returns without answering or arranging to, or when
 * two answers are written. Nothing outside this file ever sees it.
 *
 * Routing, headers and the meaning of an answer belong to others.
 */

import uws from "uWebSockets.js";
import { NodeError } from "../errors/index.js";
import { BodyBudget, BodyCollector } from "./body-collector.js";
import { type Framing, judgeFraming } from "./framing.js";
import type { HeaderBlock } from "./header-block.js";
import { statusLine } from "./status-line.js";
import type {
  HttpHandler,
  HttpReply,
  HttpRequest,
  HttpServer,
  ListenOptions,
  TransportAnswers,
  TransportRefusal,
} from "./transport.js";

/** The library's response, by the calls used here. */
interface UwsResponse {
  onAborted(listener: () => void): unknown;
  onData(listener: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  cork(write: () => void): unknown;
  writeStatus(line: string): unknown;
  writeHeader(name: string, value: string): unknown;
  end(body: string | Uint8Array, closeConnection?: boolean): unknown;
  close(): unknown;
}

interface UwsRequest {
  getMethod(): string;
  getUrl(): string;
  getQuery(): string;
  getHeader(name: string): string;
  forEach(visit: (name: string, value: string) => void): void;
}

/** Exists in the binary, missing from its declarations. */
interface UwsApp {
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): UwsApp;
  listen(host: string, port: number, options: number, done: (socket: unknown) => void): UwsApp;
}

/** `LIBUS_LISTEN_DEFAULT`: other processes may share the port. */
const LISTEN_SHARED = 0;
/** `LIBUS_LISTEN_EXCLUSIVE_PORT`. */
const LISTEN_EXCLUSIVE = 1;

class Reply implements HttpReply {
  readonly #response: UwsResponse;
  readonly #answers: TransportAnswers;
  #isDone = false;
  #goneListeners: (() => void)[] | undefined;
  /** Bytes the head announced. */
  readonly #bodyBytes: number;
  readonly #isHead: boolean;
  readonly #budget: BodyBudget;
  #collector: BodyCollector | undefined;

  constructor(
    response: UwsResponse,
    isHead: boolean,
    bodyBytes: number,
    budget: BodyBudget,
    answers: TransportAnswers,
  ) {
    this.#response = response;
    this.#budget = budget;
    this.#isHead = isHead;
    this.#bodyBytes = bodyBytes;
    this.#answers = answers;
    response.onAborted(() => this.#gone());
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  send(status: number, headers: HeaderBlock, body: string | Uint8Array): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#goneListeners = undefined;
    const response = this.#response;
    response.cork(() => {
      response.writeStatus(statusLine(status));
      response.writeHeader(headers.name, headers.value);
      // The answer to HEAD has no body, and the library would write one.
      response.end(this.#isHead ? "" : body);
    });
  }

  readBody(done: (body: Buffer) => void): void {
    if (this.#bodyBytes === 0) {
      this.guard(() => done(Buffer.alloc(0)));
      return;
    }
    const collector = new BodyCollector(this.#budget, this.#bodyBytes);
    this.#collector = collector;
    this.#response.onData((chunk, isLast) => {
      if (this.#isDone) return;
      if (!collector.add(new Uint8Array(chunk))) {
        collector.drop();
        this.refuse("unavailable");
      } else if (isLast) {
        this.guard(() => done(collector.finish()));
      }
    });
  }

  onGone(listener: () => void): void {
    if (this.#isDone) return;
    this.#goneListeners ??= [];
    this.#goneListeners.push(listener);
  }

  /** Runs a step of a handler; what it throws becomes 500. */
  guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#answers.onHandlerError(error);
      this.refuse("internal_error");
    }
  }

  refuse(code: TransportRefusal): void {
    const refusal = this.#answers.refusal(code);
    this.send(refusal.status, refusal.headers, refusal.body);
  }

  #gone(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#collector?.drop();
    const listeners = this.#goneListeners;
    this.#goneListeners = undefined;
    for (const listener of listeners ?? []) {
      try {
        listener();
      } catch (error) {
        this.#answers.onHandlerError(error);
      }
    }
  }
}

/** The library lends its request until the handler returns; so does this. */
class Request implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #request: UwsRequest;

  constructor(method: string, request: UwsRequest) {
    this.method = method;
    this.path = request.getUrl();
    this.query = request.getQuery() ?? "";
    this.#request = request;
  }

  header(name: string): string {
    return this.#request.getHeader(name);
  }
}

function framingOf(method: string, request: UwsRequest): Framing | undefined {
  // Most requests announce no body: two look-ups instead of a walk over every header.
  if (
    method !== "POST" &&
    request.getHeader("content-length") === "" &&
    request.getHeader("transfer-encoding") === ""
  ) {
    return undefined;
  }
  return judgeFraming(method, request);
}

/** True if the machine code of the library is loaded, not the slow JavaScript stand-in its package falls back to. */
export function isNativeTransport(): boolean {
  return (
    typeof uws.SSLApp === "function" && /\[native code\]/.test(Function.prototype.toString.call(uws.App))
  );
}

/**
 * Listens.
 *
 * @throws NodeError `transport_unavailable` if the library's binary for this Node did not load,
 *   `listen_failed` if the address cannot be had.
 */
export function listenUws(
  options: ListenOptions,
  handler: HttpHandler,
  answers: TransportAnswers,
): Promise<HttpServer> {
  if (!isNativeTransport()) {
    throw new NodeError(
      "transport_unavailable",
      `uWebSockets.js has no binary for Node ${process.versions.node} on ${process.platform}-${process.arch}; start with --http node.`,
    );
  }
  const app = uws.App() as unknown as UwsApp;
  const budget = new BodyBudget();
  app.any("/*", (response, request) => {
    const method = request.getMethod().toUpperCase();
    const framing = framingOf(method, request);
    if (framing?.kind === "broken") {
      response.close();
      return;
    }
    const reply = new Reply(
      response,
      method === "HEAD",
      framing?.kind === "body" ? framing.bytes : 0,
      budget,
      answers,
    );
    if (framing?.kind === "length_required") reply.refuse("length_required");
    else if (framing?.kind === "too_large") reply.refuse("body_too_large");
    else reply.guard(() => handler(new Request(method, request), reply));
  });
  return new Promise((resolve, reject) => {
    app.listen(options.host, options.port, options.isShared ? LISTEN_SHARED : LISTEN_EXCLUSIVE, (socket) => {
      if (!socket) {
        reject(new NodeError("listen_failed", `cannot listen on ${options.host}:${options.port}.`));
        return;
      }
      resolve({
        port: uws.us_socket_local_port(socket as never),
        close: () => uws.us_listen_socket_close(socket as never),
      });
    });
  });
}
