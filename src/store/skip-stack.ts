/**
 * Skip stacks: how a chain that is only ever extended at its new end is searched from that end in a
 * logarithmic number of reads.
 *
 * ```
 * chain of a key:     1 ── 2 ── 3 ── … ── 22          (elements live in the block log)
 * stack of 22:        [22, 20, 16]                    (22 with its lowest set bits cleared one by one)
 * element n keeps the stack of n - 1, so from 16 on: [15, 14, 12, 8]
 *
 * stack = u8 k ‖ k × entry, newest first
 * entry = search field (0 or 8 bytes) ‖ u48 version ‖ u48 log position
 * ```
 *
 * Promise: following the oldest entry that is still too new halves what is left at each step.
 * Entries that no reader may ask for any more can be cut off at the old end at any time. What an
 * element means (an overwritten value, a transaction of an account) is its owner's business.
 */

import { readU48 } from "./integers.js";

/** Entry of a state key's history: version and position. */
export const HISTORY_ENTRY_BYTES = 12;
/** Entry of a chain searched by sequence number: u64, then version and position. */
export const CHAIN_ENTRY_BYTES = 20;

/** Most entries a stack can have: one per set bit of a u48. */
export const STACK_ENTRIES_MAX = 48;

/**
 * Writes the stack of `n` at `at`, given the stack of `n - 1`, leaving the newest entry for the
 * caller to fill in at `at + 1`.
 *
 * @param source Holds the previous stack, starting with its length byte, at `sourceAt`.
 * @param n Number of the element being pushed, 1 for the first.
 * @param oldestVersion Entries at or below it are dropped: no reader may go there.
 * @returns offset behind the stack in `target`.
 */
export function pushOnStack(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  sourceAt: number,
  n: number,
  entryBytes: number,
  oldestVersion: number,
): number {
  const length = source[sourceAt] as number;
  const popped = Math.min(length, trailingOnes(n - 1));
  const from = sourceAt + 1 + popped * entryBytes;
  let kept = length - popped;
  while (kept > 0 && readU48(source, from + kept * entryBytes - 12) <= oldestVersion) kept--;
  target[at] = kept + 1;
  const keptAt = at + 1 + entryBytes;
  const keptBytes = kept * entryBytes;
  for (let index = 0; index < keptBytes; index++) target[keptAt + index] = source[from + index] as number;
  return keptAt + keptBytes;
}

/** Bytes a stack at `at` takes, its length byte included. */
export function stackBytes(source: Uint8Array, at: number, entryBytes: number): number {
  return 1 + (source[at] as number) * entryBytes;
}

/** Entries that fall away when the successor of `m` is pushed. */
function trailingOnes(m: number): number {
  let count = 0;
  while (m % 2 === 1) {
    count++;
    m = (m - 1) / 2;
  }
  return count;
}
