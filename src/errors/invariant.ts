/**
 * Bugs. A broken invariant is not handled, only reported: the process ends and its supervisor
 * starts another from the last durable block.
 */

import { NodeError } from "./node-error.js";

/**
 * Ends the operation as a bug unless `condition` holds.
 *
 * @param fact The statement that should have been true, with the values that matter.
 * @throws NodeError `bug`. Nothing may catch it but the process entry.
 */
export function invariant(condition: unknown, fact: string): asserts condition {
  if (!condition) throw new NodeError("bug", `broken invariant: ${fact}`);
}

/** Marks a `switch` arm that no value reaches; the compiler checks that the arms are complete. */
export function unreachable(value: never): never {
  throw new NodeError("bug", `broken invariant: no such case: ${String(value)}`);
}
