/**
 * Path and method to route. Segments are compared as sent for literals, and percent-decoded once for
 * parameters. Literals win over parameters.
 */

import { NodeError } from "../errors/index.js";
import { percentDecode } from "./query.js";

export type Method = "GET" | "POST";

/** What the router needs to know of a route. */
export interface Routed {
  readonly method: Method;
  /** Below the prefix: `/accounts/:address`. `:name` takes one segment that is not empty. */
  readonly path: string;
}

interface Place<R> {
  readonly literals: Map<string, Place<R>>;
  parameter: Place<R> | undefined;
  readonly routes: Map<string, R>;
}

/** A match. `params` are in path order, decoded. */
export interface Match<R> {
  readonly route: R;
  readonly params: readonly string[];
}

/** Longest path that is looked at. */
const PATH_LENGTH_MAX = 8192;
const PREFIX = "/v1";

/** The table of routes below `/v1`. */
export class Router<R extends Routed> {
  readonly #root: Place<R> = emptyPlace();

  constructor(routes: readonly R[]) {
    for (const route of routes) {
      let place = this.#root;
      for (const segment of segmentsOf(route.path)) place = descend(place, segment);
      if (place.routes.has(route.method))
        throw new RangeError(`two routes for ${route.method} ${route.path}`);
      place.routes.set(route.method, route);
    }
  }

  /**
   * @param path Encoded, as sent.
   * @throws NodeError `path_not_found`, `method_not_allowed`, `web_framework_error` (broken encoding).
   */
  match(method: string, path: string): Match<R> {
    if (path.length > PATH_LENGTH_MAX || !path.startsWith(PREFIX)) throw notFound();
    const below = path.slice(PREFIX.length);
    const params: string[] = [];
    let place: Place<R> | undefined = this.#root;
    if (below !== "" && below !== "/") {
      if (below[0] !== "/") throw notFound();
      for (const segment of segmentsOf(below)) {
        const literal: Place<R> | undefined = place.literals.get(segment);
        if (literal !== undefined) {
          place = literal;
          continue;
        }
        place = segment === "" ? undefined : place.parameter;
        if (place === undefined) throw notFound();
        params.push(percentDecode(segment, "the path"));
      }
    }
    const route = place.routes.get(method);
    if (route === undefined) {
      if (place.routes.size === 0) throw notFound();
      throw new NodeError(
        "method_not_allowed",
        `method not allowed; this path takes ${[...place.routes.keys()].join(", ")}`,
      );
    }
    return { route, params };
  }
}

function emptyPlace<R>(): Place<R> {
  return { literals: new Map(), parameter: undefined, routes: new Map() };
}

function segmentsOf(path: string): string[] {
  return path === "" || path === "/" ? [] : path.slice(1).split("/");
}

function descend<R>(place: Place<R>, segment: string): Place<R> {
  if (segment.startsWith(":")) {
    place.parameter ??= emptyPlace();
    return place.parameter;
  }
  let next = place.literals.get(segment);
  if (next === undefined) {
    next = emptyPlace();
    place.literals.set(segment, next);
  }
  return next;
}

function notFound(): NodeError {
  return new NodeError("path_not_found", "not found");
}
