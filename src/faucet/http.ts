/** Small HTTP servers of the development mode: one handler, JSON or text answers, any origin. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { NodeError } from "../errors/index.js";

/** One request, read to its end. */
export interface SmallRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export interface SmallAnswer {
  readonly status: number;
  readonly type: "application/json" | "text/plain";
  readonly body: string;
}

export type SmallHandler = (request: SmallRequest) => Promise<SmallAnswer>;

export interface SmallServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Largest body, bytes. */
const BODY_BYTES_MAX = 64 * 1024;

export function jsonAnswer(status: number, value: unknown): SmallAnswer {
  return { status, type: "application/json", body: JSON.stringify(value) };
}

export function textAnswer(status: number, body: string): SmallAnswer {
  return { status, type: "text/plain", body };
}

/** @param handler What it rejects with becomes 500. @throws NodeError `listen_failed`. */
export function listenSmall(host: string, port: number, handler: SmallHandler): Promise<SmallServer> {
  const server = createServer((message, response) => {
    answer(message, handler).then(
      (given) => send(message, response, given),
      () => send(message, response, textAnswer(500, "internal error")),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new NodeError("listen_failed", `cannot listen on ${host}:${port}.`, { cause })),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function answer(message: IncomingMessage, handler: SmallHandler): Promise<SmallAnswer> {
  if (message.method === "OPTIONS") return textAnswer(204, "");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return textAnswer(413, "the body is too large");
    chunks.push(chunk);
  }
  const url = new URL(message.url ?? "/", "http://localhost");
  return handler({
    method: message.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    body: Buffer.concat(chunks),
  });
}

function send(message: IncomingMessage, response: ServerResponse, given: SmallAnswer): void {
  const { origin } = message.headers;
  if (origin !== undefined) {
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Allow-Credentials", "true");
    response.setHeader("Access-Control-Allow-Methods", "GET, POST");
    response.setHeader("Vary", "Origin");
    const requested = message.headers["access-control-request-headers"];
    if (requested !== undefined) response.setHeader("Access-Control-Allow-Headers", requested);
  }
  response.writeHead(given.status, { "Content-Type": given.type });
  response.end(given.body);
}
