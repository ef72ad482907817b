/**
 * Reading path segments and query parameters. Everything here fails with `web_framework_error`:
 * what does not parse is not worth looking up.
 */

import { parseAddress, parseU64 } from "../domain/index.js";
import { NodeError } from "../errors/index.js";

/** Longest query string that is read. */
const QUERY_LENGTH_MAX = 8192;

/** The query of one request. Unknown names are never looked at; of a repeated name the first counts. */
export class Query {
  readonly #text: string;

  /** @param text Without the question mark. */
  constructor(text: string) {
    if (text.length > QUERY_LENGTH_MAX) throw malformed("the query is too long");
    this.#text = text;
  }

  /** @returns The decoded value, or `undefined` if the name does not occur. */
  text(name: string): string | undefined {
    if (this.#text === "") return undefined;
    for (const pair of this.#text.split("&")) {
      const equals = pair.indexOf("=");
      if (equals < 0 || pair.slice(0, equals) !== name) continue;
      return percentDecode(pair.slice(equals + 1).replaceAll("+", " "), `query parameter ${name}`);
    }
    return undefined;
  }

  u64(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = parseU64(text);
    if (value === undefined) throw malformed(`query parameter ${name} must be an unsigned 64-bit integer`);
    return value;
  }

  u32(name: string): number | undefined {
    const value = this.u64(name);
    if (value === undefined || value <= 0xffff_ffffn) return value === undefined ? undefined : Number(value);
    throw malformed(`query parameter ${name} must be an unsigned 32-bit integer`);
  }

  /** A ledger version or height; values beyond 2^53 saturate, since no ledger reaches them. */
  version(name: string): number | undefined {
    const value = this.u64(name);
    return value === undefined ? undefined : saturate(value);
  }

  flag(name: string): boolean {
    const text = this.text(name);
    if (text === undefined || text === "false") return false;
    if (text === "true") return true;
    throw malformed(`query parameter ${name} must be true or false`);
  }

  /**
   * A page size.
   *
   * @returns `fallback` if absent, `max` if larger.
   * @throws NodeError `web_framework_error` unless a 16-bit number, `invalid_input` for 0.
   */
  limit(fallback: number, max: number): number {
    const value = this.u64("limit");
    if (value === undefined) return fallback;
    if (value > 0xffffn) throw malformed("query parameter limit must be an unsigned 16-bit integer");
    if (value === 0n) throw new NodeError("invalid_input", "query parameter limit must not be 0");
    return Math.min(Number(value), max);
  }
}

/** @throws NodeError `web_framework_error` for a broken percent sequence. */
export function percentDecode(text: string, what: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed(`${what} is not valid percent-encoded UTF-8`);
  }
}

/** A path segment that must be an address. */
export function addressSegment(text: string): Buffer {
  const address = parseAddress(text);
  if (address === undefined)
    throw malformed("the address must be 1 to 64 hexadecimal digits, 0x in front or not");
  return address;
}

/** A path segment that must be a 32-byte hash. */
export function hashSegment(text: string): Buffer {
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw malformed("the hash must be 64 hexadecimal digits, 0x in front or not");
  return Buffer.from(digits, "hex");
}

/** A path segment that must be an unsigned 64-bit number. */
export function u64Segment(text: string): bigint {
  const value = parseU64(text);
  if (value === undefined) throw malformed("the path must have an unsigned 64-bit integer there");
  return value;
}

/** A path segment that must be a version or height. */
export function versionSegment(text: string): number {
  return saturate(u64Segment(text));
}

function saturate(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}

function malformed(message: string): NodeError {
  return new NodeError("web_framework_error", message);
}
