/**
 * The value of a state key at an older version: from its newest row through undos in the block log.
 *
 * Promise: for every version from the oldest of the window to the newest, the same bytes that a read
 * at that version gave when it was the newest. At most log2 of the key's overwrites log reads.
 */

import { NodeError } from "../errors/index.js";
import { readU32, readU48 } from "./integers.js";
import type { LogPieces } from "./log-pieces.js";
import { UndoField } from "./record.js";
import { VALUE_PRESENT } from "./schema.js";
import { HISTORY_ENTRY_BYTES, stackBytes } from "./skip-stack.js";

/**
 * @param row Row of the state table, newer than `version`; not used after the first log read.
 * @param stackAt Where its stack starts.
 * @param check `keyCheck` of the key in the state table.
 * @returns BCS `StateValue`, in memory that the next log read reuses; `undefined` if the key did not
 *   exist at `version`.
 */
export function valueBefore(
  pieces: LogPieces,
  row: Uint8Array,
  stackAt: number,
  check: number,
  version: number,
): Buffer | undefined {
  let position = oldestAbove(row, stackAt, version);
  while (position !== undefined) {
    const undo = pieces.read(position);
    if (readU32(undo, UndoField.KEY_CHECK) !== check) {
      throw new NodeError(
        "store_corrupt",
        `the history of a key leads to another key at position ${position}`,
      );
    }
    if (readU48(undo, UndoField.N) > 0 && readU48(undo, UndoField.VERSION) <= version) {
      const flagsAt = UndoField.STACK + stackBytes(undo, UndoField.STACK, HISTORY_ENTRY_BYTES);
      return ((undo[flagsAt] as number) & VALUE_PRESENT) === 0 ? undefined : undo.subarray(flagsAt + 1);
    }
    position = oldestAbove(undo, UndoField.STACK, version);
  }
  // No overwrite above `version` is left: the key appeared after it.
  return undefined;
}

/** Position of the oldest overwrite in the stack that is newer than `version`. */
function oldestAbove(source: Uint8Array, stackAt: number, version: number): number | undefined {
  for (let index = (source[stackAt] as number) - 1; index >= 0; index--) {
    const at = stackAt + 1 + index * HISTORY_ENTRY_BYTES;
    if (readU48(source, at) > version) return readU48(source, at + 6);
  }
  return undefined;
}
