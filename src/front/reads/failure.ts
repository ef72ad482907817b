/** Refusals of the core as the errors of this node. */

import { isRequestErrorCode, NodeError } from "../../errors/index.js";
import type { CoreFailure } from "../../native/types.js";

/** @returns The error to throw. A code the interface does not know is the node's fault. */
export function failure(refusal: CoreFailure): NodeError {
  const code = isRequestErrorCode(refusal.code) ? refusal.code : "internal_error";
  return new NodeError(
    code,
    refusal.message,
    refusal.vmStatus === undefined ? {} : { vmStatus: refusal.vmStatus },
  );
}

/** True for a refusal among the core's answers. */
export function isFailure(answer: unknown): answer is CoreFailure {
  return typeof answer === "object" && answer !== null && (answer as { kind?: unknown }).kind === "failure";
}

/** @throws NodeError for a refusal. */
export function accepted<T extends object>(answer: T | CoreFailure): T {
  if (isFailure(answer)) throw failure(answer);
  return answer;
}
