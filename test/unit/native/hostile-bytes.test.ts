/** Whatever bytes come in, the core answers with data or a refusal: it never throws and never breaks. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { core as functions, isCoreBroken, type StateReader } from "../../../src/native/index.js";

const machine = functions.createCore({ chainId: 4 });
const nothing: StateReader = { read: () => undefined };

const vectors = JSON.parse(
  readFileSync(new URL("../../vectors/signed-transactions.json", import.meta.url), "utf8"),
) as { cases: { bcs: string }[] };

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

/** Good transactions with some bytes changed, some cut off and some added. */
const mutated = fc
  .record({
    row: fc.integer({ min: 0, max: vectors.cases.length - 1 }),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
    cut: fc.nat({ max: 3 }),
    tail: fc.uint8Array({ maxLength: 2 }),
  })
  .map(({ row, changes, cut, tail }) => {
    const good = Buffer.from(vectors.cases[row]?.bcs as string, "hex");
    for (const [at, value] of changes) good[at % good.length] = value;
    return Buffer.concat([good.subarray(0, good.length - cut), tail]);
  });

const OPTIONS = {
  estimateGasUnitPrice: true,
  estimateMaxGasAmount: true,
  gasUnitPriceEstimate: 100n,
  version: 1,
  timestampUsecs: 1,
};

describe("hostile bytes", () => {
  it("as transactions", () => {
    fc.assert(
      fc.property(fc.oneof(bytes, mutated), fc.boolean(), (signed, json) => {
        functions.inspectSigned(signed);
        expect([0, 1]).toContain(functions.verifySigned([signed])[0]);
        machine.renderPending(signed, nothing);
        machine.simulate(signed, { ...OPTIONS, json }, nothing);
      }),
      { numRuns: 1000 },
    );
  });

  it("as requests", () => {
    fc.assert(
      fc.property(fc.oneof(bytes, fc.json().map(Buffer.from)), fc.boolean(), (request, isJson) => {
        machine.view(request, isJson, true, 1000, nothing);
        machine.signedFromJson(request, 4, nothing);
        machine.encodeSubmission(request, 4, nothing);
      }),
      { numRuns: 1000 },
    );
  });

  it("as modules, types and values", () => {
    const types = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("vector<vector<u8>>", "0x1::a::B<u8>"),
    );
    fc.assert(
      fc.property(bytes, types, (value, type) => {
        machine.renderModule(value, nothing);
        machine.renderValue(type, value, nothing);
        machine.encodeValue(type, value, nothing);
        machine.locateResource(Buffer.alloc(32), type, nothing);
        machine.renderResources([{ key: value, value }], nothing);
        functions.canonicalType(type);
        functions.parseAddress(type);
      }),
      { numRuns: 1000 },
    );
  });

  it("as stored state: a broken store is our failure, never a crash", () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const garbled: StateReader = { read: () => value };
        machine.view(
          Buffer.from('{"function":"0x1::a::b","type_arguments":[],"arguments":[]}'),
          true,
          true,
          9,
          garbled,
        );
        machine.renderValue("0x1::a::B", value, garbled);
      }),
      { numRuns: 300 },
    );
  });
});

afterAll(() => {
  expect(isCoreBroken()).toBe(false);
});
