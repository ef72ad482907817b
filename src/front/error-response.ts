/**
 * Errors made visible. The only place that turns one into an answer: strangers see the code and a
 * plain sentence, the log sees the cause.
 */

import { type ErrorCode, httpStatus, NodeError, wireCode } from "../errors/index.js";

/** What a client gets instead of the answer. */
export interface ErrorResponse {
  readonly status: number;
  /** JSON with exactly the three properties of the interface. */
  readonly body: string;
}

/** @param vmStatus Numeric VM status, where there is one. */
export function errorBody(message: string, code: ErrorCode, vmStatus?: number): string {
  return `{"message":${JSON.stringify(message)},"error_code":"${wireCode(code)}","vm_error_code":${vmStatus ?? null}}`;
}

/**
 * @param error Anything thrown. What is not a `NodeError`, or belongs to the process and not to the
 *   request, says only that the node failed.
 */
export function errorResponse(error: unknown): ErrorResponse {
  if (!(error instanceof NodeError)) return hidden();
  const status = httpStatus(error.code);
  if (status === 500 && error.code !== "internal_error") return hidden();
  return { status, body: errorBody(error.message, error.code, error.vmStatus) };
}

/** True for an error an operator should hear of: the node's fault, not the client's. */
export function isNodeFault(error: unknown): boolean {
  return !(error instanceof NodeError) || httpStatus(error.code) === 500;
}

function hidden(): ErrorResponse {
  return { status: 500, body: errorBody("the node failed to answer this request", "internal_error") };
}
