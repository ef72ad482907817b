/**
 * Bytes and text that nobody meant: random ones, and vectors with something changed. Whatever comes in,
 * the core answers with data, and what it takes has one form only.
 */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseAddress, parseHex } from "../../../src/domain/index.js";
import { core, isCoreBroken } from "../../../src/native/index.js";
import { CHAIN_ID, genesisState } from "./genesis-state.js";
import { typedHash } from "./ledger-hashes.js";
import { bytesOf, readCases } from "./vector-file.js";

const signedBytes = readCases("signed-transactions.json").map((row) => bytesOf(row.bcs));
const rawBytes = readCases("signed-transactions.json").map((row) => bytesOf(row.raw_transaction_bcs));
/** Texts for which Node's own reading of hexadecimal digits looks at half of each character. */
const halfDigits = ["\u0e30", "0x\u0a31", "\u3031\u3032"];
const typeTexts = readCases("type-tags.json").map((row) => row.input as string);
const addressTexts = readCases("addresses.json").map((row) => row.input as string);

afterAll(() => {
  expect(isCoreBroken()).toBe(false);
});

/** Changes that keep most of the input: what a parser trusts too early, they reach. */
type Mutation = (input: Buffer) => Buffer;

const mutation: fc.Arbitrary<Mutation> = fc
  .record({
    kind: fc.constantFrom("set", "insert", "remove", "cut", "repeat", "widen"),
    at: fc.nat(2000),
    byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
    length: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ kind, at, byte, length }) => (input: Buffer) => {
    const place = input.length === 0 ? 0 : at % input.length;
    const [before, after] = [input.subarray(0, place), input.subarray(place)];
    if (kind === "insert") return Buffer.concat([before, Buffer.of(byte), after]);
    if (kind === "remove") return Buffer.concat([before, after.subarray(length)]);
    if (kind === "cut") return Buffer.from(before);
    if (kind === "repeat") return Buffer.concat([before, after.subarray(0, length), after]);
    // A length that goes on: the same number in more bytes, or a far larger one.
    if (kind === "widen")
      return Buffer.concat([before, Buffer.of(byte | 0x80, 0x80, 0x80, 0x80, 0x07), after]);
    return Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
  });

/** One of `inputs` after one to four changes. */
function changed(inputs: readonly Buffer[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.constantFrom(...inputs), fc.array(mutation, { minLength: 1, maxLength: 4 }))
    .map(([bytes, mutations]) => mutations.reduce<Buffer>((input, change) => change(input), bytes));
}

const mutated = changed(signedBytes);

/** First bytes of a module. */
const MAGIC = Buffer.from("a11ceb0b", "hex");

const anyBytes = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes));

/** Text made of the words and signs of types and addresses. */
const words = [
  "vector",
  "<",
  ">",
  "::",
  ",",
  " ",
  "0x1",
  "0x",
  "u8",
  "address",
  "coin",
  "_",
  "&",
  "$",
  "\u00e7",
];
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((list) => list.join("")),
  fc
    .tuple(fc.constantFrom(...typeTexts, ...addressTexts), mutation)
    .map(([text, change]) => change(Buffer.from(text)).toString("latin1")),
);

/** Options with which a failure can be run again: the seed is printed with the counterexample. */
const runs = (numRuns: number) => ({ numRuns });

describe("a signed transaction", () => {
  it.each([
    ["random bytes", anyBytes],
    ["changed vectors", mutated],
  ])("of %s is summed up or refused, and what is taken has its own hash", (_, inputs) => {
    let taken = 0;
    fc.assert(
      fc.property(inputs, (bytes) => {
        const answer = core.inspectSigned(bytes);
        if ("kind" in answer) {
          expect(answer.code).toBe("invalid_input");
          expect(answer.message.length).toBeLessThan(300);
          return;
        }
        taken += 1;
        expect(answer.hash).toEqual(typedHash("Transaction", Buffer.concat([Buffer.of(0), bytes])));
        expect(answer.sender).toEqual(bytes.subarray(0, 32));
        const hasNumber = answer.sequenceNumber !== undefined;
        expect(hasNumber).toBe(answer.replayProtectionNonce === undefined);
      }),
      runs(3000),
    );
    // Otherwise the property would have been about refusals alone.
    expect(taken > 20).toBe(inputs === mutated);
  });

  it("is never proven once what was signed is changed", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(mutated, anyBytes), { maxLength: 8 }), (batch) => {
        const verdicts = core.verifySigned(batch);
        expect(verdicts).toHaveLength(batch.length);
        for (const [index, bytes] of batch.entries()) {
          if (verdicts[index] === 0) continue;
          // The proof may differ: a key that did not sign is checked against the account, not here.
          const isAsSigned = rawBytes.some((raw) => bytes.subarray(0, raw.length).equals(raw));
          expect(isAsSigned).toBe(true);
        }
      }),
      runs(500),
    );
  });

  it("of any bytes is checked, shown and simulated with answers as data", () => {
    const { core: machine, reader } = genesisState();
    const simulation = {
      json: true,
      estimateGasUnitPrice: true,
      estimateMaxGasAmount: true,
      gasUnitPriceEstimate: 100n,
      version: 0,
      timestampUsecs: 0,
    };
    fc.assert(
      fc.property(fc.oneof({ weight: 5, arbitrary: mutated }, anyBytes), (bytes) => {
        const isTransaction = !("kind" in core.inspectSigned(bytes));
        const pending = machine.renderPending(bytes, reader);
        if (isTransaction) expect(pending).toBeInstanceOf(Buffer);
        if (pending instanceof Buffer) JSON.parse(pending.toString());
        if (!isTransaction) return;
        const status = machine.validate(bytes, reader, 1_700_000_000);
        expect(Number.isSafeInteger(status)).toBe(true);
        const simulated = machine.simulate(bytes, simulation, reader);
        if ("kind" in simulated) expect(simulated.code).not.toBe("internal_error");
        else JSON.parse(simulated.body.toString());
      }),
      runs(400),
    );
  });
});

describe("text", () => {
  it("is a type with one canonical text, or none", () => {
    let taken = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        const canonical = core.canonicalType(text);
        if (canonical === undefined) return;
        taken += 1;
        expect(core.canonicalType(canonical)).toBe(canonical);
      }),
      runs(3000),
    );
    expect(taken).toBeGreaterThan(10);
  });

  it.each(halfDigits)("%j is no address and no bytes", (text) => {
    expect(core.parseAddress(text)).toBeUndefined();
    expect(parseAddress(text)).toBeUndefined();
    expect(parseHex(text)).toBeUndefined();
  });

  it("is the same address to the core and to our own words, or to neither", () => {
    let taken = 0;
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEFgx "), maxLength: 70 });
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          digits,
          digits.map((rest) => `0x${rest}`),
        ),
        (text) => {
          const address = core.parseAddress(text);
          expect(parseAddress(text)).toEqual(address);
          if (address !== undefined) taken += 1;
        },
      ),
      runs(3000),
    );
    expect(taken).toBeGreaterThan(50);
  });
});

describe("values and requests", () => {
  const { core: machine, reader } = genesisState();
  const types = [
    "u64",
    "vector<u8>",
    "vector<vector<address>>",
    "0x1::string::String",
    "0x1::option::Option<u64>",
    "0x1::simple_map::SimpleMap<0x1::string::String, u256>",
    "0x1::account::Account",
    "0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>",
    "signer",
    "0x1::nowhere::Nothing",
  ];

  function expectData(answer: unknown): void {
    if (answer instanceof Buffer) return;
    expect(answer).toMatchObject({ kind: "failure", message: expect.any(String) });
    expect((answer as { code: string }).code).not.toBe("internal_error");
  }

  it("any bytes of any type become JSON of which the bytes can be made again, or are refused", () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 80 }), (type, raw) => {
        const bytes = Buffer.from(raw);
        const shown = machine.renderValue(type, bytes, reader);
        expectData(shown);
        if (!(shown instanceof Buffer)) return;
        const text = shown.toString();
        JSON.parse(text);
        // A signer cannot be given, and bytes that are no text are shown as words about them.
        if (type === "signer" || text.includes("Unparsable utf-8")) return;
        expect(machine.encodeValue(type, shown, reader)).toEqual(bytes);
      }),
      runs(2000),
    );
  });

  it("any JSON is made into bytes or refused", () => {
    const json = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "",
        "nul",
        '"\\ud800"',
        "1e999",
        "-0",
        "1.0",
        "[1,]",
        '{"a":1,"a":2}',
        "\ufeff1",
        "[[[[",
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...types), json, (type, text) => {
        expectData(machine.encodeValue(type, Buffer.from(text), reader));
        expectData(machine.signedFromJson(Buffer.from(text), CHAIN_ID, reader));
        expectData(machine.encodeSubmission(Buffer.from(text), CHAIN_ID, reader));
        const viewed = machine.view(Buffer.from(text), true, true, 100_000, reader);
        expect("kind" in viewed ? viewed.code : "answered").not.toBe("internal_error");
      }),
      runs(1000),
    );
  });

  it("any bytes are a module that is shown without its interface, or none", () => {
    const code = [...genesisState().values.values()]
      .filter((value) => value.includes(MAGIC))
      .map((value) => value.subarray(value.indexOf(MAGIC)));
    expect(code.length).toBeGreaterThan(3);
    fc.assert(
      fc.property(fc.oneof(anyBytes, changed(code)), (bytes) => {
        const shown = JSON.parse(machine.renderModule(bytes, reader).toString());
        expect(shown.bytecode).toBe(`0x${bytes.toString("hex")}`);
      }),
      runs(500),
    );
  });
});
