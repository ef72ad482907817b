/**
 * Copies short runs of bytes without a call into the engine: below some dozens of bytes the call and
 * the view it needs cost several times the copy.
 */

/** Runs up to this long are copied byte by byte. */
const SHORT_BYTES = 64;

/** Copies `source[from, to)` to `target` at `at`. The two may not overlap. @returns offset behind the copy. */
export function copyBytes(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  to: number,
): number {
  const length = to - from;
  if (length > SHORT_BYTES) {
    target.set(source.subarray(from, to), at);
  } else {
    for (let index = 0; index < length; index++) target[at + index] = source[from + index] as number;
  }
  return at + length;
}
