/**
 * One front: the parts put together and the server started. Reads are answered from the store's
 * snapshot on this thread or a work thread; submissions go to the writer; nothing here writes.
 */

import { NodeError } from "../errors/index.js";
import type { WriterLink } from "../ipc/messages.js";
import type { Core, CoreFunctions } from "../native/types.js";
import type { Logger } from "../observe/index.js";
import type { StoreReader } from "../store/types.js";
import { HTML_TYPE, JSON_TYPE, wireNames } from "../wire/index.js";
import { Call } from "./call.js";
import { CommitWaits } from "./commit-waits.js";
import { CrossOrigin } from "./cors.js";
import { errorResponse } from "./error-response.js";
import { GasPriceCache } from "./gas-price-cache.js";
import { HeaderBlock } from "./header-block.js";
import { LedgerHeaders } from "./ledger-headers.js";
import { LOOP_RENDER_BYTES_MAX } from "./reads/context.js";
import { Router } from "./router.js";
import { ROUTES, type Route } from "./routes/index.js";
import { listenUws } from "./server.js";
import { listenNode } from "./server-node.js";
import type { FrontServices } from "./services.js";
import { TurnSnapshot } from "./snapshot.js";
import { Submission } from "./submission.js";
import { Switches } from "./switches.js";
import type { HttpReply, HttpRequest, HttpServer, ListenOptions, TransportAnswers } from "./transport.js";
import type { Work } from "./work.js";

/** What a front is made of. */
export interface FrontParts {
  readonly store: StoreReader;
  readonly core: Core;
  readonly functions: CoreFunctions;
  readonly writer: WriterLink;
  readonly work: Work;
  /** Threads behind `work`. */
  readonly threads: number;
  readonly log: Logger;
  /** Told of every failure that is the node's own, after it was logged. */
  readonly onFault?: (error: unknown) => void;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
}

export interface FrontOptions {
  readonly listen: ListenOptions;
  readonly transport: "uws" | "node";
  readonly vendor: string;
  readonly chainId: number;
  readonly release: string;
  readonly historyWindow: number;
  /** Operations and forms that are switched off; see {@link Switches}. */
  readonly disabled: readonly string[];
}

/** A front that serves. */
export interface Front {
  readonly port: number;
  /** Stops accepting; resolves when the requests under way are answered. */
  close(): Promise<void>;
}

/** @throws NodeError `transport_unavailable`, `listen_failed`, `config_invalid`. */
export async function startFront(options: FrontOptions, parts: FrontParts): Promise<Front> {
  const services = buildServices(options, parts);
  const router = new Router<Route>(ROUTES);
  const answers = transportAnswers(services);
  const handler = (request: HttpRequest, reply: HttpReply) => answer(services, router, request, reply);
  const listen = options.transport === "uws" ? listenUws : listenNode;
  const server: HttpServer = await listen(options.listen, handler, answers);
  return {
    port: server.port,
    async close() {
      server.close();
      services.commitWaits.close();
      await Promise.all(services.underWay);
    },
  };
}

function buildServices(options: FrontOptions, parts: FrontParts): FrontServices {
  const wire = wireNames(options.vendor);
  const { store, core, functions, writer, work, log, clock } = parts;
  return {
    wire,
    snapshot: new TurnSnapshot({
      store,
      core,
      functions,
      wire,
      chainId: options.chainId,
      renderBytesMax: LOOP_RENDER_BYTES_MAX,
    }),
    work,
    writer,
    submission: new Submission(functions, work, writer, parts.threads),
    commitWaits: new CommitWaits(writer),
    gasPrices: new GasPriceCache(work, clock),
    ledgerHeaders: new LedgerHeaders(wire, options.chainId),
    crossOrigin: new CrossOrigin(wire),
    plainHeaders: HeaderBlock.of(["Content-Type", JSON_TYPE]),
    underWay: new Set(),
    onFault(error) {
      log.error({ err: error }, "a request failed");
      parts.onFault?.(error);
    },
    clock,
    release: options.release,
    historyWindow: options.historyWindow,
    switches: new Switches(options.disabled, ROUTES),
  };
}

function answer(
  services: FrontServices,
  router: Router<Route>,
  request: HttpRequest,
  reply: HttpReply,
): void {
  if (request.method === "OPTIONS") {
    const headers = services.crossOrigin.preflight(
      request.header("origin"),
      request.header("access-control-request-headers"),
    );
    reply.send(204, headers, "");
    return;
  }
  if (request.path === "/" && request.method === "GET") {
    reply.send(200, HTML_HEADERS, FRONT_PAGE);
    return;
  }
  try {
    const match = router.match(request.method, request.path);
    const call = new Call(services, request, match, reply);
    services.switches.check(match.route, call.form);
    call.run(() => match.route.handle(call));
  } catch (error) {
    refuse(services, error, request.header("origin"), reply);
  }
}

/** Answers what did not even become a call: unknown path, wrong method, broken encoding. */
function refuse(services: FrontServices, error: unknown, origin: string, reply: HttpReply): void {
  if (!(error instanceof NodeError)) throw error;
  const { status, body } = errorResponse(error);
  const { plainHeaders, crossOrigin } = services;
  reply.send(status, origin === "" ? plainHeaders : crossOrigin.extend(plainHeaders, origin), body);
}

const REFUSALS = {
  body_too_large: "the body is larger than this node accepts",
  length_required: "a POST needs a Content-Length",
  internal_error: "the node failed to answer this request",
  unavailable: "the node is receiving too much at once",
} as const;

function transportAnswers(services: FrontServices): TransportAnswers {
  return {
    refusal(code) {
      const { status, body } = errorResponse(new NodeError(code, REFUSALS[code]));
      return { status, headers: services.plainHeaders, body };
    },
    onHandlerError: services.onFault,
  };
}

const HTML_HEADERS = HeaderBlock.of(["Content-Type", HTML_TYPE]);
const FRONT_PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ledger Node</title></head><body>' +
  '<h1>Ledger Node</h1><p>The interface is below <a href="/v1">/v1</a>; <a href="/v1/spec">/v1/spec</a> describes it.</p></body></html>';
