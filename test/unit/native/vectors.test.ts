/** The binding against vectors that others made: what crosses it arrives unchanged. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { core } from "../../../src/native/index.js";

interface VectorFile {
  readonly cases: readonly Record<string, unknown>[];
}

function cases(file: string): readonly Record<string, unknown>[] {
  const url = new URL(`../../vectors/${file}`, import.meta.url);
  return (JSON.parse(readFileSync(url, "utf8")) as VectorFile).cases;
}

function bytes(hex: unknown): Buffer {
  return Buffer.from(hex as string, "hex");
}

const signed = cases("signed-transactions.json");

/** Payloads that stand behind shut doors, by the name of the case. */
const BEHIND_DOOR = /multisig/;

describe("signed transactions", () => {
  it("has the cases it is meant to have", () => {
    expect(signed).toHaveLength(57);
  });

  it.each(signed.map((row) => [row.name as string, row] as const))(
    "%s: is read, or refused for its door",
    (name, row) => {
      const summary = core.inspectSigned(bytes(row.bcs));
      if (BEHIND_DOOR.test(name)) {
        expect(summary).toMatchObject({
          code: "invalid_input",
          message: expect.stringMatching("not implemented"),
        });
        return;
      }
      if ("kind" in summary) throw new Error(summary.message);
      const fields = row.fields as Record<string, string>;
      expect(summary.hash.toString("hex")).toBe((row.hash as string).replace("0x", ""));
      expect(summary.sender.toString("hex")).toBe((fields.sender as string).slice(2).padStart(64, "0"));
      expect(String(summary.maxGasAmount)).toBe(fields.max_gas_amount);
      expect(String(summary.gasUnitPrice)).toBe(fields.gas_unit_price);
      expect(summary.chainId).toBe(Number(fields.chain_id));
      if (summary.replayProtectionNonce === undefined) {
        expect(String(summary.sequenceNumber)).toBe(fields.sequence_number);
      }
    },
  );

  it("tells valid signatures from invalid ones in one batch", () => {
    const plain = signed.filter((row) => row.abstraction === undefined);
    const verdicts = core.verifySigned(plain.map((row) => bytes(row.bcs)));
    const named = plain.map((row, index) => [row.name, verdicts[index] === 1]);
    expect(named).toEqual(plain.map((row) => [row.name, row.signature_valid]));
  });

  it("gives a price bump the same replacement key and everything else another", () => {
    const original = bytes(signed[0]?.bcs);
    const rawLength = bytes(signed[0]?.raw_transaction_bcs).length;
    const key = (change: (copy: Buffer) => void) => {
      const copy = Buffer.from(original);
      change(copy);
      const summary = core.inspectSigned(copy);
      if ("kind" in summary) throw new Error(summary.message);
      return summary.replacementKey.toString("hex");
    };
    // From the end of the raw transaction: chain id 1, expiration 8, price 8, maximum of gas 8.
    const bumped = key((copy) => copy.writeBigUInt64LE(150n, rawLength - 17));
    expect(bumped).toBe(key(() => {}));
    expect(key((copy) => copy.writeBigUInt64LE(1n, rawLength - 25))).not.toBe(bumped);
    expect(key((copy) => copy.writeBigUInt64LE(1n, rawLength - 9))).not.toBe(bumped);
  });
});

describe("names", () => {
  it.each(cases("addresses.json").map((row) => [row.name as string, row] as const))("%s", (_, row) => {
    const parsed = core.parseAddress(row.input as string);
    expect(parsed?.toString("hex")).toBe(row.valid === true ? row.bcs : undefined);
  });

  it.each(cases("type-tags.json").map((row) => [row.name as string, row] as const))("%s", (_, row) => {
    expect(core.canonicalType(row.input as string)).toBe(row.valid === true ? row.canonical : undefined);
  });
});

describe("state keys", () => {
  const rows = cases("state-keys.json");

  it("of modules are those of the vectors", () => {
    const modules = rows.filter((row) => row.kind === "module");
    expect(modules.length).toBeGreaterThan(0);
    for (const row of modules) {
      const address = core.parseAddress(row.address as string) as Buffer;
      expect(core.moduleKey(address, row.name_of_module as string).toString("hex")).toBe(row.encoded);
    }
  });

  it("of table items are those of the vectors", () => {
    const items = rows.filter((row) => row.kind === "table_item");
    expect(items.length).toBeGreaterThan(0);
    for (const row of items) {
      const encoded = row.encoded as string;
      const [handle, key] = [bytes(encoded.slice(2, 66)), bytes(encoded.slice(66))];
      expect(core.tableItemKey(handle, key).toString("hex")).toBe(encoded);
    }
  });
});
