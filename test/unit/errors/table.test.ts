import { describe, expect, it } from "vitest";
import {
  exitCode,
  httpStatus,
  invariant,
  NodeError,
  PROCESS_ERRORS,
  REQUEST_ERRORS,
  wireCode,
} from "../../../src/errors/index.js";

/** Codes typed clients know; an answer may carry no other. */
const PUBLIC_CODES = new Set([
  "account_not_found",
  "resource_not_found",
  "module_not_found",
  "struct_field_not_found",
  "version_not_found",
  "transaction_not_found",
  "table_item_not_found",
  "block_not_found",
  "state_value_not_found",
  "version_pruned",
  "block_pruned",
  "invalid_input",
  "invalid_transaction_update",
  "sequence_number_too_old",
  "vm_error",
  "rejected_by_filter",
  "health_check_failed",
  "mempool_is_full",
  "internal_error",
  "web_framework_error",
  "bcs_not_supported",
  "api_disabled",
]);

describe("the table of request errors", () => {
  it.each(Object.entries(REQUEST_ERRORS))("%s has a public wire code and an error status", (_code, row) => {
    expect(PUBLIC_CODES).toContain(row.wire);
    expect([400, 403, 404, 405, 410, 411, 413, 415, 500, 503, 507]).toContain(row.status);
  });
  it("gives every public code at least one row", () => {
    const used = new Set(Object.values(REQUEST_ERRORS).map((row) => row.wire as string));
    expect([...PUBLIC_CODES].filter((code) => !used.has(code))).toEqual([]);
  });
  it("shares no code with the table of process errors", () => {
    const both = Object.keys(REQUEST_ERRORS).filter((code) => Object.hasOwn(PROCESS_ERRORS, code));
    expect(both).toEqual([]);
  });
});

describe("NodeError", () => {
  it("looks status and wire code up from its code", () => {
    expect(httpStatus("version_pruned")).toBe(410);
    expect(httpStatus("unavailable")).toBe(503);
    expect(wireCode("unavailable")).toBe("internal_error");
  });
  it("shows process failures to clients as internal errors", () => {
    expect(httpStatus("store_failed")).toBe(500);
    expect(wireCode("store_failed")).toBe("internal_error");
  });
  it("exits with 2 for what the operator can fix, and 1 for what nobody foresaw", () => {
    expect(exitCode(new NodeError("port_in_use", "taken"))).toBe(2);
    expect(exitCode(new NodeError("invalid_input", "bad"))).toBe(1);
    expect(exitCode(new Error("surprise"))).toBe(1);
  });
  it("keeps its cause", () => {
    const cause = new Error("below");
    expect(new NodeError("store_failed", "above", { cause }).cause).toBe(cause);
  });
});

describe("invariant", () => {
  it("passes what holds and reports what does not as a bug", () => {
    expect(() => invariant(true, "holds")).not.toThrow();
    expect(() => invariant(false, "two is three")).toThrow(expect.objectContaining({ code: "bug" }));
  });
});
