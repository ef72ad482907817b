/**
 * Which form an answer takes, and which form a request body has.
 *
 * Only `Accept` decides the answer: the first entry, best quality first, that is exactly one of the
 * two known types. Anything else is skipped, and nothing at all means JSON; no request is refused
 * for its `Accept`.
 */

import { BCS_TYPE, bareMediaType, JSON_TYPE } from "../wire/index.js";

/** JSON text, or Binary Canonical Serialization. */
export type Form = "json" | "bcs";

/** Longest `Accept` that is looked at; beyond it the header counts as absent. */
const ACCEPT_LENGTH_MAX = 1024;

/** @param accept The header's value, empty if absent. */
export function answerForm(accept: string): Form {
  if (accept === "" || accept === JSON_TYPE || accept === "*/*") return "json";
  if (accept === BCS_TYPE) return "bcs";
  if (accept.length > ACCEPT_LENGTH_MAX) return "json";
  let best: Form = "json";
  let bestQuality = 0;
  for (const entry of accept.split(",")) {
    const form = formOf(bareMediaType(entry));
    const quality = form === undefined ? 0 : qualityOf(entry);
    if (form !== undefined && quality > bestQuality) {
      best = form;
      bestQuality = quality;
    }
  }
  return best;
}

/** True if the client takes gzip. @param acceptEncoding The header's value, empty if absent. */
export function takesGzip(acceptEncoding: string): boolean {
  if (acceptEncoding.length > ACCEPT_LENGTH_MAX) return false;
  return acceptEncoding.split(",").some((entry) => bareMediaType(entry) === "gzip" && qualityOf(entry) > 0);
}

function formOf(type: string): Form | undefined {
  if (type === JSON_TYPE) return "json";
  return type === BCS_TYPE ? "bcs" : undefined;
}

/** The `q` parameter, 0 to 1; 1 if absent or not a number. */
function qualityOf(entry: string): number {
  const match = /;\s*q=([0-9.]+)/i.exec(entry);
  const quality = match === null ? 1 : Number(match[1]);
  return Number.isNaN(quality) ? 1 : quality;
}
