/** addresses.json and type-tags.json: text to bytes and back, by the core and by our own words. */
import { describe, expect, it } from "vitest";
import {
  formatAddress,
  formatAddressLong,
  formatAddressShort,
  isSpecialAddress,
  parseAddress,
} from "../../../src/domain/index.js";
import { BcsWalker } from "../../../src/front/reads/bcs.js";
import { core } from "../../../src/native/index.js";
import { genesisState, granted } from "./genesis-state.js";
import { callOf, signedWithoutProof } from "./transaction-bytes.js";
import { bytesOf, dealCases, named, sizes } from "./vector-file.js";

const addresses = dealCases("addresses.json", {
  valid: (row) => row.valid === true,
  refused: (row) => row.valid === false,
});
const tags = dealCases("type-tags.json", {
  valid: (row) => row.valid === true,
  refused: (row) => row.valid === false,
});

it("uses all 32 addresses and all 51 type tags", () => {
  expect(sizes(addresses)).toEqual({ valid: 21, refused: 11 });
  expect(sizes(tags)).toEqual({ valid: 32, refused: 19 });
});

describe("an address", () => {
  it.each(named(addresses.valid))("%s: is read alike by both and written in three forms", (_, row) => {
    const bytes = bytesOf(row.bcs);
    expect(core.parseAddress(row.input as string)).toEqual(bytes);
    expect(parseAddress(row.input as string)).toEqual(bytes);
    expect(formatAddressLong(bytes)).toBe(row.long);
    expect(formatAddressShort(bytes)).toBe(row.short);
    expect(formatAddress(bytes)).toBe(row.standard);
    expect(isSpecialAddress(bytes)).toBe(row.special);
  });

  it.each(named(addresses.valid))("%s: each of its forms is read back", (_, row) => {
    const bytes = bytesOf(row.bcs);
    for (const form of [row.long, row.short, row.standard] as string[]) {
      expect(core.parseAddress(form)).toEqual(bytes);
      expect(parseAddress(form)).toEqual(bytes);
    }
  });

  it.each(named(addresses.refused))("%s: by both", (_, row) => {
    expect(core.parseAddress(row.input as string)).toBeUndefined();
    expect(parseAddress(row.input as string)).toBeUndefined();
  });
});

describe("a type tag", () => {
  const { core: machine, reader } = genesisState();

  it.each(named(tags.valid))("%s: has one canonical text", (_, row) => {
    expect(core.canonicalType(row.input as string)).toBe(row.canonical);
    expect(core.canonicalType(row.canonical as string)).toBe(row.canonical);
  });

  it.each(named(tags.valid))("%s: its bytes are those of the text", (_, row) => {
    // A resource's key ends with the bytes of its type; any type can be an argument of one.
    const text = row.input as string;
    const isStruct = text.includes("::") && !text.startsWith("vector");
    const isDeepest = text.startsWith("vector<vector<vector<");
    if (isDeepest) {
      const refusal = machine.locateResource(Buffer.alloc(32), `0x1::m::S<${text}>`, reader);
      expect(refusal).toMatchObject({ kind: "failure", code: "invalid_input" });
      return;
    }
    const type = isStruct ? text : `0x1::m::S<${text}>`;
    const { key } = granted(machine.locateResource(Buffer.alloc(32), type, reader));
    const bytes = bytesOf(row.bcs);
    expect(key.subarray(-bytes.length + (isStruct ? 1 : 0))).toEqual(isStruct ? bytes.subarray(1) : bytes);
  });

  it.each(named(tags.valid))("%s: its bytes are read back to the text", (_, row) => {
    const payload = callOf({ typeArgs: [bytesOf(row.bcs)] });
    const shown = granted(machine.renderPending(signedWithoutProof({ payload }), reader));
    expect(JSON.parse(shown.toString()).payload.type_arguments).toEqual([row.canonical]);
  });

  it.each(named(tags.valid))("%s: is passed whole by the walk over stored bytes", (_, row) => {
    const bytes = bytesOf(row.bcs);
    const walker = new BcsWalker(Buffer.concat([bytes, Buffer.of(0xee)]));
    walker.skipTypeTag();
    expect(walker.offset).toBe(bytes.length);
  });

  it.each(named(tags.refused))("%s: by every function that takes a type", (_, row) => {
    const text = row.input as string;
    const refusal = { kind: "failure", code: "invalid_input" };
    expect(core.canonicalType(text)).toBeUndefined();
    expect(machine.locateResource(Buffer.alloc(32), text, reader)).toMatchObject(refusal);
    expect(machine.renderValue(text, Buffer.of(0), reader)).toMatchObject(refusal);
    expect(machine.encodeValue(text, Buffer.from("0"), reader)).toMatchObject(refusal);
  });
});
