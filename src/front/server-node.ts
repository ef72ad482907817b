/**
 * HTTP on node:http, for machines and Node versions without a µWebSockets.js binary. About three
 * times the processor time per request, the same answers.
 *
 * The parser of node:http refuses a second Content-Length and Content-Length beside
 * Transfer-Encoding by itself, with 400; the remaining framing rules are applied here.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { NodeError } from "../errors/index.js";
import { BodyBudget, BodyCollector } from "./body-collector.js";
import { judgeFraming } from "./framing.js";
import type { HeaderBlock } from "./header-block.js";
import type {
  HttpHandler,
  HttpReply,
  HttpRequest,
  HttpServer,
  ListenOptions,
  TransportAnswers,
  TransportRefusal,
} from "./transport.js";

class NodeReply implements HttpReply {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #answers: TransportAnswers;
  #isDone = false;
  readonly #goneListeners: (() => void)[] = [];

  /** Bytes the head announced. */
  readonly #bodyBytes: number;
  readonly #budget: BodyBudget;
  #collector: BodyCollector | undefined;

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    bodyBytes: number,
    budget: BodyBudget,
    answers: TransportAnswers,
  ) {
    this.#bodyBytes = bodyBytes;
    this.#budget = budget;
    this.#message = message;
    this.#response = response;
    this.#answers = answers;
    response.on("close", () => this.#gone());
    response.on("error", () => this.#gone());
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  send(status: number, headers: HeaderBlock, body: string | Uint8Array): void {
    if (this.#isDone) return;
    this.#isDone = true;
    const response = this.#response;
    response.statusCode = status;
    for (const [name, value] of headers.pairs()) response.appendHeader(name, value);
    if (status !== 204) response.setHeader("Content-Length", Buffer.byteLength(body));
    response.end(body);
  }

  readBody(done: (body: Buffer) => void): void {
    const collector = new BodyCollector(this.#budget, this.#bodyBytes);
    this.#collector = collector;
    this.#message.on("data", (chunk: Buffer) => {
      if (this.#isDone || collector.add(chunk)) return;
      collector.drop();
      this.refuse("unavailable");
    });
    this.#message.on("end", () => {
      if (!this.#isDone) this.guard(() => done(collector.finish()));
    });
  }

  onGone(listener: () => void): void {
    if (!this.#isDone) this.#goneListeners.push(listener);
  }

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
    for (const listener of this.#goneListeners) {
      try {
        listener();
      } catch (error) {
        this.#answers.onHandlerError(error);
      }
    }
  }
}

function requestOf(message: IncomingMessage): HttpRequest {
  const target = message.url ?? "/";
  const mark = target.indexOf("?");
  return {
    method: message.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    header(name: string): string {
      const value = message.headers[name];
      return Array.isArray(value) ? value.join(", ") : (value ?? "");
    },
  };
}

function headerWalk(message: IncomingMessage) {
  return {
    forEach(visit: (name: string, value: string) => void): void {
      const raw = message.rawHeaders;
      for (let index = 0; index + 1 < raw.length; index += 2)
        visit((raw[index] as string).toLowerCase(), raw[index + 1] as string);
    },
  };
}

/** Listens. A port cannot be shared this way: one front at most. @throws NodeError `listen_failed`. */
export function listenNode(
  options: ListenOptions,
  handler: HttpHandler,
  answers: TransportAnswers,
): Promise<HttpServer> {
  const budget = new BodyBudget();
  const server = createServer((message, response) => {
    const method = message.method ?? "GET";
    const framing = judgeFraming(method, headerWalk(message));
    if (framing.kind === "broken") {
      message.socket.destroy();
      return;
    }
    const reply = new NodeReply(
      message,
      response,
      framing.kind === "body" ? framing.bytes : 0,
      budget,
      answers,
    );
    if (framing.kind === "length_required") reply.refuse("length_required");
    else if (framing.kind === "too_large") reply.refuse("body_too_large");
    else reply.guard(() => handler(requestOf(message), reply));
  });
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new NodeError("listen_failed", `cannot listen on ${options.host}:${options.port}.`, { cause }));
    });
    server.listen(options.port, options.host, () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : options.port,
        close: () => server.close(),
      });
    });
  });
}
