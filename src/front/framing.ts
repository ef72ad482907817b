/**
 * Which requests are framed in a way that two parsers could read differently.
 *
 * A server that reads one request where a proxy read two (or the reverse) lets one client answer
 * for another. The rules here refuse every such request before it is routed: the connection is
 * closed, because nothing behind the doubtful head can be trusted.
 */

import { BODY_BYTES_MAX } from "./transport.js";

/** Reads headers one after the other, as sent; names in lower case. */
export interface HeaderWalk {
  forEach(visit: (name: string, value: string) => void): void;
}

/** What the head says about the body. */
export type Framing =
  | { readonly kind: "body"; readonly bytes: number }
  /** Answer 411 and close: a body of unknown length. */
  | { readonly kind: "length_required" }
  /** Answer 413 and close. */
  | { readonly kind: "too_large" }
  /** Close without an answer. */
  | { readonly kind: "broken" };

const NO_BODY: Framing = { kind: "body", bytes: 0 };
const BROKEN: Framing = { kind: "broken" };
const LENGTH_REQUIRED: Framing = { kind: "length_required" };
const TOO_LARGE: Framing = { kind: "too_large" };

/**
 * Judges a request that carries `Content-Length` or `Transfer-Encoding`, or is a POST.
 *
 * @param method Upper case.
 */
export function judgeFraming(method: string, headers: HeaderWalk): Framing {
  let length: string | undefined;
  let coding: string | undefined;
  let isRepeated = false;
  headers.forEach((name, value) => {
    if (name === "content-length") {
      if (length !== undefined) isRepeated = true;
      length = value;
    } else if (name === "transfer-encoding") {
      if (coding !== undefined) isRepeated = true;
      coding = value;
    }
  });
  if (isRepeated || (length !== undefined && coding !== undefined)) return BROKEN;
  if (coding !== undefined) {
    if ((coding as string).toLowerCase() !== "chunked") return BROKEN;
    return method === "POST" ? LENGTH_REQUIRED : BROKEN;
  }
  if (length === undefined) return method === "POST" ? LENGTH_REQUIRED : NO_BODY;
  // Digits alone: the library's own parser also takes signs, lists and letters.
  if (!/^[0-9]{1,15}$/.test(length)) return BROKEN;
  const bytes = Number(length);
  if (bytes === 0) return NO_BODY;
  if (method !== "POST") return BROKEN;
  return bytes > BODY_BYTES_MAX ? TOO_LARGE : { kind: "body", bytes };
}
