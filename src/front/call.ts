/**
 * One request on its way through a route: parsed parameters in, one answer out. Routes see nothing
 * else of HTTP.
 */

import { NodeError } from "../errors/index.js";
import type { LedgerHead } from "../store/types.js";
import { bareMediaType, JSON_TYPE } from "../wire/index.js";
import { errorResponse, isNodeFault } from "./error-response.js";
import type { HeaderBlock } from "./header-block.js";
import { answerForm, type Form, takesGzip } from "./negotiation.js";
import { Query } from "./query.js";
import { LEAVE_TO_THREAD, type ReadAnswer } from "./reads/context.js";
import { type ReadArgs, type ReadName, runRead } from "./reads/index.js";
import type { Match } from "./router.js";
import type { RequestBody, Route } from "./routes/route.js";
import type { FrontServices } from "./services.js";
import type { HttpReply, HttpRequest } from "./transport.js";
import { fromWorkFailure } from "./work.js";

export class Call {
  readonly services: FrontServices;
  readonly params: readonly string[];
  readonly query: Query;
  /** What the answer shall be. Errors are JSON always. */
  readonly form: Form;
  /** Bare media type of the body; empty if the request names none. */
  readonly contentType: string;
  readonly #bodyForms: RequestBody | undefined;
  readonly #takesGzip: boolean;
  readonly #origin: string;
  readonly #reply: HttpReply;

  /** Reads all it needs of `request`, which is lent for the moment only. */
  constructor(services: FrontServices, request: HttpRequest, match: Match<Route>, reply: HttpReply) {
    this.services = services;
    this.params = match.params;
    this.#bodyForms = match.route.operation?.body;
    this.query = new Query(request.query);
    this.form = answerForm(request.header("accept"));
    this.contentType = request.method === "POST" ? bareMediaType(request.header("content-type")) : "";
    const encodings = request.header("accept-encoding");
    this.#takesGzip = encodings !== "" && takesGzip(encodings);
    this.#origin = request.header("origin");
    this.#reply = reply;
  }

  /** A segment of the path, by position among the parameters. */
  param(index: number): string {
    return this.params[index] as string;
  }

  /** Answers with a read on this thread, or on a work thread if it turns out to be large. */
  read<Name extends ReadName>(name: Name, args: ReadArgs<Name>): void {
    const context = this.services.snapshot.current();
    let answer: ReadAnswer;
    try {
      answer = runRead(name, context, args);
    } catch (error) {
      if (error === LEAVE_TO_THREAD) this.run(() => this.readOnThread(name, args));
      else this.fail(error, context.store.head);
      return;
    }
    this.answer(context.store.head, answer);
  }

  /** Answers with a read on a work thread, for what may take long. */
  async readOnThread<Name extends ReadName>(name: Name, args: ReadArgs<Name>): Promise<void> {
    const { head, answer, failure } = await this.services.work.read(name, args, this.#takesGzip);
    if (answer !== undefined) this.answer(head, answer);
    else if (failure !== undefined) this.fail(fromWorkFailure(failure), head);
  }

  /**
   * Collects the body, whose media type must be one that the route defines. Failures of `use` become
   * the answer.
   *
   * @throws NodeError `unsupported_media_type`.
   */
  withBody(use: (body: Buffer, type: string) => void | Promise<void>): void {
    const type = this.contentType;
    const bcs = this.#bodyForms?.bcs;
    if (type !== JSON_TYPE && (bcs === undefined || type !== this.services.wire[bcs])) {
      const types = bcs === undefined ? JSON_TYPE : `${JSON_TYPE} or ${this.services.wire[bcs]}`;
      throw new NodeError("unsupported_media_type", `the body must be ${types}`);
    }
    this.#reply.readBody((body) => this.run(() => use(body, type)));
  }

  /** Runs a step of a route and turns what it throws or rejects with into the answer. */
  run(step: () => void | Promise<void>): void {
    try {
      const pending = step();
      if (pending === undefined) return;
      const { underWay } = this.services;
      const settled = pending.catch((error) => this.fail(error)).finally(() => underWay.delete(settled));
      underWay.add(settled);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Calls `listener` if the client leaves before it is answered. */
  onGone(listener: () => void): void {
    this.#reply.onGone(listener);
  }

  /** @param head Of the snapshot the answer was computed from. */
  answer(head: LedgerHead, answer: ReadAnswer, status = 200): void {
    const names = this.services.wire.headers;
    let headers = this.services.ledgerHeaders.of(head, answer.form);
    if (answer.gasUnits !== undefined) headers = headers.with(names.gasUsed, `${answer.gasUnits}`);
    if (answer.cursor !== undefined) headers = headers.with(names.cursor, answer.cursor);
    if (answer.isGzip === true) {
      headers = headers.with("Content-Encoding", "gzip").with("Vary", "Accept-Encoding");
    }
    this.#send(status, headers, answer.body);
  }

  /** Answers with a text that no state stands behind; the ledger headers are part of it all the same. */
  answerText(contentType: string, body: string): void {
    const { head } = this.services.snapshot.current().store;
    this.#send(200, this.services.ledgerHeaders.ofType(head, contentType), body);
  }

  /** @param head Of the snapshot that was read, if one was; its headers are then part of the answer. */
  fail(error: unknown, head?: LedgerHead): void {
    if (isNodeFault(error)) this.services.onFault(error);
    const { status, body } = errorResponse(error);
    const headers =
      head === undefined ? this.services.plainHeaders : this.services.ledgerHeaders.of(head, "json");
    this.#send(status, headers, body);
  }

  #send(status: number, headers: HeaderBlock, body: string | Uint8Array): void {
    const extended = this.#origin === "" ? headers : this.services.crossOrigin.extend(headers, this.#origin);
    this.#reply.send(status, extended, body);
  }
}
