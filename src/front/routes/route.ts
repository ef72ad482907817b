/**
 * What a route is: one definition from which requests are routed, validated and described.
 *
 * A route names its parameters, the body it takes and the answers it gives. `defineRoute` turns that
 * into a handler that gets parsed values only; the API description is made from the same object.
 */

import type { RequestErrorCode } from "../../errors/index.js";
import type { Call } from "../call.js";
import type { Schema } from "../openapi/schema.js";
import type { PathParameter, QueryParameter } from "../parameters.js";
import type { Method, Routed } from "../router.js";

/** A BCS body besides JSON; the wire has a media type for each. */
export type BcsBody = "signedTransactionType" | "viewFunctionType";

/** What a request carries. Its media types are refused if they are others. */
export interface RequestBody {
  readonly json: Schema;
  readonly bcs?: BcsBody;
  /** A JSON body that means something on a development chain. */
  readonly example?: unknown;
}

/** A success. Without `json` the JSON form is refused, without `bcs` there is no other. */
export interface Success {
  /** 200 unless given. */
  readonly status?: 202;
  readonly description: string;
  readonly json?: Schema;
  /** What the bytes are. */
  readonly bcs?: string;
  /** An answer that is neither. */
  readonly other?: { readonly type: string; readonly schema: Schema };
  /** What a 206 of the same shape means, where there is one. */
  readonly partial?: string;
  /** Headers besides those of every success. */
  readonly headers?: readonly ("gasUsed" | "cursor")[];
}

/** What the description says of a route, and what its requests are held to. */
export interface Operation {
  /** Unique, stable: clients name functions after it. */
  readonly id: string;
  readonly tag: "General" | "Accounts" | "Events" | "Tables" | "Transactions" | "Blocks" | "View" | "State";
  readonly summary: string;
  readonly description?: string;
  readonly segments: Readonly<Record<string, PathParameter<unknown>>>;
  readonly query: Readonly<Record<string, QueryParameter<unknown>>>;
  readonly body?: RequestBody;
  readonly success: Success;
  /** Refusals of its own, besides those any request with such parameters may get. */
  readonly refusals: readonly RequestErrorCode[];
}

/** One operation of the interface. */
export interface Route extends Routed {
  /** Absent for parts of the explorer page, which are no interface. */
  readonly operation?: Operation;
  /**
   * Answers the call, now or later. What it throws or rejects with becomes the answer; a body must be
   * asked for before the first await.
   */
  handle(call: Call): void | Promise<void>;
}

type Segments = Readonly<Record<string, PathParameter<unknown>>>;
type QueryValues = Readonly<Record<string, QueryParameter<unknown>>>;

/** Parsed parameters by name. */
type Inputs<S extends Segments, Q extends QueryValues> = {
  readonly [Name in keyof S]: S[Name] extends PathParameter<infer Value> ? Value : never;
} & {
  readonly [Name in keyof Q]: Q[Name] extends QueryParameter<infer Value> ? Value : never;
};

interface Definition<S extends Segments, Q extends QueryValues>
  extends Omit<Operation, "segments" | "query" | "refusals"> {
  readonly method: Method;
  /** `:name` takes one segment; each name has its entry in `segments`, in this order. */
  readonly path: string;
  readonly segments?: S;
  readonly query?: Q;
  readonly refusals?: readonly RequestErrorCode[];
  handle(call: Call, inputs: Inputs<S, Q>): void | Promise<void>;
}

/** @throws RangeError if the path and `segments` name different parameters. */
export function defineRoute<
  const S extends Segments = Record<never, never>,
  const Q extends QueryValues = Record<never, never>,
>(definition: Definition<S, Q>): Route {
  const { method, path, handle, segments = {} as S, query = {} as Q, refusals = [], ...rest } = definition;
  const segmentEntries = Object.entries(segments);
  const queryEntries = Object.entries(query);
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).join();
  if (named !== segmentEntries.map(([name]) => name).join())
    throw new RangeError(`the path ${path} and its segments differ`);
  return {
    method,
    path,
    operation: { ...rest, segments, query, refusals },
    handle(call) {
      const inputs: Record<string, unknown> = {};
      segmentEntries.forEach(([name, parameter], index) => {
        inputs[name] = parameter.parse(call.param(index));
      });
      for (const [name, parameter] of queryEntries) inputs[name] = parameter.read(call.query, name);
      return handle(call, inputs as Inputs<S, Q>);
    },
  };
}
