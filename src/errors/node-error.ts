/**
 * The one error class of the TypeScript side, and what its codes imply.
 *
 * Promise: whoever catches one can branch on `code` alone. HTTP status, wire code and exit code are
 * looked up from it, never carried. Turning an error into an answer belongs to the fronts.
 */

import { PROCESS_ERRORS, type ProcessErrorCode } from "./process-errors.js";
import { REQUEST_ERRORS, type RequestErrorCode } from "./request-errors.js";

/** All codes. */
export type ErrorCode = RequestErrorCode | ProcessErrorCode;

/** Facts that come with an error. */
export interface ErrorFacts {
  /** For the log only: keys, sizes, paths. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Numeric VM status, shown to clients as `vm_error_code`. */
  readonly vmStatus?: number;
}

/**
 * A failure with a code. `message` is one sentence a stranger may read: what was wrong, what was
 * expected, what was given. Secrets and paths of the host belong in `details`.
 */
export class NodeError extends Error {
  override readonly name = "NodeError";
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly vmStatus: number | undefined;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.details = facts.details;
    this.vmStatus = facts.vmStatus;
  }
}

/** True for a {@link NodeError}, narrowed to `code` when one is given. */
export function isNodeError(error: unknown, code?: ErrorCode): error is NodeError {
  return error instanceof NodeError && (code === undefined || error.code === code);
}

/** True for text that names a request error, such as the code of a `CoreFailure`. */
export function isRequestErrorCode(text: string): text is RequestErrorCode {
  return Object.hasOwn(REQUEST_ERRORS, text);
}

/** HTTP status of a code; 500 for codes that belong to a process. */
export function httpStatus(code: ErrorCode): number {
  return isRequestErrorCode(code) ? REQUEST_ERRORS[code].status : 500;
}

/** `error_code` a client sees; `internal_error` for codes that belong to a process. */
export function wireCode(code: ErrorCode): string {
  return isRequestErrorCode(code) ? REQUEST_ERRORS[code].wire : "internal_error";
}

/** Exit code of a process that ends because of `error`; 1 for anything without one. */
export function exitCode(error: unknown): number {
  if (!(error instanceof NodeError)) return 1;
  return Object.hasOwn(PROCESS_ERRORS, error.code) ? PROCESS_ERRORS[error.code as ProcessErrorCode].exit : 1;
}
