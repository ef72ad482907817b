/** Errors: the tables, the class, and `invariant`. Imports nothing of ours. */

export * from "./invariant.js";
export * from "./node-error.js";
export * from "./process-errors.js";
export * from "./request-errors.js";
