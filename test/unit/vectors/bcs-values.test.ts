/**
 * bcs.json: values of Move types through the core's two conversions; lengths through our own framing;
 * type tags and names where a signed transaction carries them.
 *
 * The structs, tuples and enums of the file belong to no module of the framework, so the core cannot
 * be asked about them here; the pair is `0x1::simple_map::Element`, and a map without its rule of order
 * is the list of pairs in `0x1::simple_map::SimpleMap`.
 */
import { describe, expect, it } from "vitest";
import { uleb } from "../../../src/faucet/transfer.js";
import { BcsWalker, BcsWriter, ulebBytes } from "../../../src/front/reads/bcs.js";
import { core } from "../../../src/native/index.js";
import { genesisState, granted } from "./genesis-state.js";
import { callOf, signedWithoutProof } from "./transaction-bytes.js";
import { bytesOf, dealCases, named, sizes, type VectorCase } from "./vector-file.js";

const isValid = (row: VectorCase) => row.valid === true;
const typeOf = (row: VectorCase) => row.type as string;
const isFramed = (row: VectorCase) => typeOf(row) === "uleb128-u32";
const isCarried = (row: VectorCase) => /^(type_tag|identifier)$/.test(typeOf(row));
const isForeign = (row: VectorCase) => /^(struct|enum)/.test(typeOf(row));
/** Move has lists of pairs; the order of a map's keys is checked by the types that have such maps. */
const isMapRule = (row: VectorCase) => typeOf(row).startsWith("map<") && !isValid(row);
const isMove = (row: VectorCase) => ![isFramed, isCarried, isForeign, isMapRule].some((other) => other(row));

const piles = dealCases("bcs.json", {
  values: (row) => isMove(row) && isValid(row),
  brokenValues: (row) => isMove(row) && !isValid(row) && row.reason !== "bad-utf8",
  brokenText: (row) => row.reason === "bad-utf8",
  lengths: (row) => isFramed(row) && isValid(row),
  brokenLengths: (row) => isFramed(row) && !isValid(row),
  carried: (row) => isCarried(row) && isValid(row),
  brokenCarried: (row) => isCarried(row) && !isValid(row),
  foreignTypes: isForeign,
  mapRules: isMapRule,
});

it("uses 144 of 156 cases: 9 are of types the framework lacks, 3 are of a rule that Move types lack", () => {
  expect(sizes(piles)).toEqual({
    values: 84,
    brokenValues: 19,
    brokenText: 4,
    lengths: 16,
    brokenLengths: 10,
    carried: 3,
    brokenCarried: 8,
    foreignTypes: 9,
    mapRules: 3,
  });
});

/** A type of the file: its name and, in angle brackets or parentheses, what it is of. */
function parts(type: string): { name: string; of: string[] } {
  const at = type.search(/[<(]/);
  if (at < 0) return { name: type, of: [] };
  const of: string[] = [];
  let depth = 0;
  let start = at + 1;
  for (let index = start; index < type.length - 1; index += 1) {
    const character = type[index] as string;
    if ("<(".includes(character)) depth += 1;
    if (">)".includes(character)) depth -= 1;
    if (character === "," && depth === 0) {
      of.push(type.slice(start, index));
      start = index + 1;
    }
  }
  of.push(type.slice(start, -1));
  return { name: type.slice(0, at), of };
}

/** The Move type with these bytes. */
function moveType(type: string): string {
  const { name, of } = parts(type);
  const inner = of.map(moveType);
  if (name === "string") return "0x1::string::String";
  if (name === "option") return `0x1::option::Option<${inner[0]}>`;
  if (name === "vector") return `vector<${inner[0]}>`;
  if (name === "tuple") return `0x1::simple_map::Element<${inner.join(", ")}>`;
  if (name === "map") return `0x1::simple_map::SimpleMap<${inner.join(", ")}>`;
  return name;
}

/** A value of the file the way the interface's JSON writes it. */
function moveJson(type: string, value: unknown): unknown {
  const { name, of } = parts(type);
  const [first, second] = of as [string, string];
  const pair = (key: unknown, item: unknown) => ({
    key: moveJson(first, key),
    value: moveJson(second, item),
  });
  if (/^[ui](8|16|32)$/.test(name)) return Number(value);
  if (type === "vector<u8>") return `0x${value}`;
  if (name === "vector") return (value as unknown[]).map((item) => moveJson(first, item));
  if (name === "option") {
    if (value === null) return { vec: [] };
    return { vec: [moveJson(first, value === "some(none)" ? null : value)] };
  }
  if (name === "tuple") return pair((value as unknown[])[0], (value as unknown[])[1]);
  if (name === "map") return { data: (value as unknown[][]).map(([key, item]) => pair(key, item)) };
  return value;
}

const { core: machine, reader } = genesisState();
const refusal = { kind: "failure", code: "invalid_input" };

describe("a value", () => {
  it.each(named(piles.values))("%s: becomes these bytes, and they become the value", (_, row) => {
    const type = moveType(typeOf(row));
    const json = moveJson(typeOf(row), row.value);
    const encoded = granted(machine.encodeValue(type, Buffer.from(JSON.stringify(json)), reader));
    expect(encoded).toEqual(bytesOf(row.bcs));
    const shown = granted(machine.renderValue(type, bytesOf(row.bcs), reader));
    expect(JSON.parse(shown.toString())).toEqual(json);
  });

  it.each(named(piles.values))("%s: is no value with a byte more, or cut short", (_, row) => {
    const type = moveType(typeOf(row));
    const bytes = bytesOf(row.bcs);
    expect(machine.renderValue(type, Buffer.concat([bytes, Buffer.of(0)]), reader)).toMatchObject(refusal);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(machine.renderValue(type, bytes.subarray(0, length), reader)).toMatchObject(refusal);
    }
  });

  it.each(named(piles.brokenText))("%s: is shown as bytes that are no text", (_, row) => {
    const shown = granted(machine.renderValue("0x1::string::String", bytesOf(row.bcs), reader));
    expect(JSON.parse(shown.toString())).toBe(`Unparsable utf-8 0x${(row.bcs as string).slice(2)}`);
  });

  it.each(named(piles.brokenText))("%s: is no JSON text", (_, row) => {
    const json = Buffer.concat([Buffer.from('"'), bytesOf(row.bcs).subarray(1), Buffer.from('"')]);
    expect(machine.encodeValue("0x1::string::String", json, reader)).toMatchObject(refusal);
  });

  it.each(named(piles.brokenValues))("%s: is refused", (_, row) => {
    expect(machine.renderValue(moveType(typeOf(row)), bytesOf(row.bcs), reader)).toMatchObject(refusal);
  });

  it.each(named(piles.foreignTypes))("%s: is of no type the core knows", (_, row) => {
    expect(core.canonicalType(typeOf(row))).toBeUndefined();
  });
});

describe("integers beside their range", () => {
  const widths = [8, 16, 32, 64, 128, 256];
  const rows = widths.flatMap((bits): [string, bigint][] => [
    [`u${bits}`, -1n],
    [`u${bits}`, 2n ** BigInt(bits)],
    [`i${bits}`, -(2n ** BigInt(bits - 1)) - 1n],
    [`i${bits}`, 2n ** BigInt(bits - 1)],
  ]);

  it.each(rows)("%s does not hold %s, as a number or as text", (type, value) => {
    for (const json of [`${value}`, `"${value}"`]) {
      expect(machine.encodeValue(type, Buffer.from(json), reader)).toMatchObject(refusal);
    }
  });
});

describe("a length", () => {
  it.each(named(piles.lengths))("%s: is framed alike by the fronts and the faucet", (_, row) => {
    const value = row.value as number;
    const bytes = bytesOf(row.bcs);
    expect(ulebBytes(value)).toEqual(bytes);
    expect(uleb(value)).toEqual(bytes);
    expect(new BcsWriter().uleb(value).finish()).toEqual(bytes);
    const walker = new BcsWalker(bytes);
    expect(walker.uleb()).toBe(value);
    expect(walker.offset).toBe(bytes.length);
  });

  it.each(named(piles.lengths.filter((row) => (row.value as number) < 20_000)))(
    "%s: leads a list of as many bytes",
    (_, row) => {
      const items = Buffer.alloc(row.value as number, 0xab);
      const list = Buffer.concat([bytesOf(row.bcs), items]);
      const shown = granted(machine.renderValue("vector<u8>", list, reader));
      expect(JSON.parse(shown.toString())).toBe(`0x${items.toString("hex")}`);
    },
  );

  it.each(named(piles.brokenLengths))("%s: leads no list, however much follows", (_, row) => {
    const bytes = bytesOf(row.bcs);
    const isCut = row.reason === "eof" || row.name.includes("continues");
    const list = isCut ? bytes : Buffer.concat([bytes, Buffer.alloc(127)]);
    for (const type of ["vector<u8>", "vector<bool>", "0x1::string::String"]) {
      for (const body of [bytes, list]) {
        expect(machine.renderValue(type, body, reader)).toMatchObject(refusal);
      }
    }
  });
});

describe("inside a signed transaction", () => {
  const inPlace = (row: VectorCase): Buffer[] => {
    const bytes = bytesOf(row.bcs);
    if (typeOf(row) === "type_tag") return [signedWithoutProof({ payload: callOf({ typeArgs: [bytes] }) })];
    // The name comes behind its length, as in the vector: cut that off and let the builder write it.
    const name = bytes.subarray(1);
    expect(bytes[0]).toBe(name.length);
    return [{ module: name }, { function: name }].map((call) =>
      signedWithoutProof({ payload: callOf(call) }),
    );
  };

  it.each(named(piles.carried))("%s: is read", (_, row) => {
    for (const signed of inPlace(row)) expect(core.inspectSigned(signed)).not.toHaveProperty("kind");
  });

  it.each(named(piles.brokenCarried))("%s: is refused", (_, row) => {
    for (const signed of inPlace(row)) {
      expect(core.inspectSigned(signed)).toMatchObject(refusal);
      expect([...core.verifySigned([signed])]).toEqual([0]);
    }
  });
});
