/**
 * Chains: the transactions of an account and the events of a handle, found by sequence number.
 *
 * Each element is a link in the block log that knows its predecessors through a skip stack; the head
 * stands beside the account's resources in the state table. No index is written for them.
 *
 * Promise: only elements up to the snapshot's version and not below its oldest are returned,
 * ascending. A page of 25 deep in a long chain costs about 5 + 25 log reads.
 */

import { getFast, type Table } from "./environment.js";
import { readU48, readU64 } from "./integers.js";
import type { LogPieces } from "./log-pieces.js";
import { decodeLink, type Link } from "./record.js";
import { StateRecord } from "./schema.js";
import { CHAIN_ENTRY_BYTES } from "./skip-stack.js";

/** The part of the ledger a reader may see. */
export interface VersionRange {
  readonly oldest: number;
  readonly newest: number;
}

/** One element of a chain. */
export interface ChainElement {
  readonly sequenceNumber: number;
  readonly version: number;
  readonly eventIndex: number;
}

/**
 * Elements with sequence numbers from `start`, ascending.
 *
 * @param start `undefined`: the newest `limit` elements.
 */
export function chainPage(
  state: Table,
  pieces: LogPieces,
  headKey: Buffer,
  start: number | undefined,
  limit: number,
  range: VersionRange,
): ChainElement[] {
  if (limit <= 0) return [];
  const last = start === undefined ? Number.MAX_SAFE_INTEGER : start + limit - 1;
  const page: ChainElement[] = [];
  let link = findLink(state, pieces, headKey, last, range);
  while (link !== undefined) {
    const { sequenceNumber, version, eventIndex } = link;
    if (start !== undefined && sequenceNumber < start) break;
    page.push({ sequenceNumber, version, eventIndex });
    if (page.length === limit) break;
    link =
      link.previous === undefined || link.previousVersion < range.oldest
        ? undefined
        : readLink(pieces, link.previous);
  }
  return page.reverse();
}

/** Elements of the chain up to the snapshot, pruned ones included. */
export function chainLength(state: Table, pieces: LogPieces, headKey: Buffer, range: VersionRange): number {
  return findLink(state, pieces, headKey, Number.MAX_SAFE_INTEGER, range)?.n ?? 0;
}

interface FoundLink extends Link {
  /** Position of the element before it. */
  readonly previous: number | undefined;
  readonly previousVersion: number;
}

/** The newest element of the snapshot whose sequence number is at most `last`. */
function findLink(
  state: Table,
  pieces: LogPieces,
  headKey: Buffer,
  last: number,
  range: VersionRange,
): FoundLink | undefined {
  let source = getFast(state, headKey);
  if (source === undefined) return undefined;
  let stackAt: number = StateRecord.STACK;
  for (;;) {
    const length = source[stackAt] as number;
    // Newest first: skip what is too new; the oldest of those leads furthest back.
    let index = 0;
    while (index < length && isTooNew(source, stackAt + 1 + index * CHAIN_ENTRY_BYTES, last, range.newest))
      index++;
    if (index === 0) {
      if (length === 0) return undefined;
      const at = stackAt + 1;
      if (readU48(source, at + 8) < range.oldest) return undefined;
      return readLink(pieces, readU48(source, at + 14));
    }
    const at = stackAt + 1 + (index - 1) * CHAIN_ENTRY_BYTES;
    // Everything before an element that is already out of the window is out of it too.
    if (readU48(source, at + 8) < range.oldest) return undefined;
    source = pieces.read(readU48(source, at + 14));
    stackAt = decodeLink(source, 0).stackAt;
  }
}

function isTooNew(source: Uint8Array, entryAt: number, last: number, newest: number): boolean {
  return readU64(source, entryAt) > last || readU48(source, entryAt + 8) > newest;
}

function readLink(pieces: LogPieces, position: number): FoundLink {
  const bytes = pieces.read(position);
  const link = decodeLink(bytes, 0);
  const hasPrevious = (bytes[link.stackAt] as number) > 0;
  return {
    ...link,
    previous: hasPrevious ? readU48(bytes, link.stackAt + 15) : undefined,
    previousVersion: hasPrevious ? readU48(bytes, link.stackAt + 9) : 0,
  };
}
