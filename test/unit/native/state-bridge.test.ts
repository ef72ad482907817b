/** State reads across the binding: keys out, values in, failures through. */
import { describe, expect, it } from "vitest";
import { core, isCoreBroken } from "../../../src/native/index.js";

const REQUEST = Buffer.from('{"function":"0x1::coin::name","type_arguments":[],"arguments":[]}');

describe("a reader", () => {
  it("that throws ends the call with its own exception, and the core serves the next one", () => {
    const machine = core.createCore({ chainId: 4 });
    const pruned = new Error("version_pruned");
    const broken = {
      read: () => {
        throw pruned;
      },
    };
    for (let turn = 0; turn < 2; turn += 1) {
      expect(() => machine.view(REQUEST, true, true, 1000, broken)).toThrow(pruned);
    }
    const empty = machine.view(REQUEST, true, true, 1000, { read: () => undefined });
    expect(empty).toMatchObject({ kind: "failure", code: "invalid_input" });
    expect(isCoreBroken()).toBe(false);
  });

  it("that answers with bytes that are no state value is a bug of the node, not of the client", () => {
    const machine = core.createCore({ chainId: 4 });
    const garbled = machine.view(REQUEST, true, true, 1000, { read: () => Buffer.from([7, 7, 7]) });
    expect(garbled).toMatchObject({ kind: "failure", code: "internal_error" });
  });

  it("is asked with storage-encoded keys, each once in a call", () => {
    const machine = core.createCore({ chainId: 4 });
    const asked: string[] = [];
    machine.view(REQUEST, true, true, 1000, {
      read: (key) => {
        asked.push(key.toString("hex"));
        return undefined;
      },
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.every((key) => key.startsWith(`00${"00".repeat(31)}01`))).toBe(true);
  });

  it("may not call the core again", () => {
    const machine = core.createCore({ chainId: 4 });
    const nested = { read: () => machine.renderModule(Buffer.alloc(0), nested) };
    expect(() => machine.view(REQUEST, true, true, 1000, nested)).toThrow("entered twice");
  });
});
