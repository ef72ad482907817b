/**
 * Every vector file has a test on this side. The numbers are those that each test asserts of its own
 * piles; here they are added up and held to what lies in the folder.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readCases, VECTORS } from "./vector-file.js";

interface Coverage {
  readonly test: string;
  readonly used: number;
  /** Cases that nothing in TypeScript can be asked about. */
  readonly notApplicable: number;
  readonly why?: string;
}

const coverage: Readonly<Record<string, Coverage>> = {
  "addresses.json": { test: "text-forms", used: 32, notApplicable: 0 },
  "bcs.json": {
    test: "bcs-values",
    used: 144,
    notApplicable: 12,
    why: "9 structs and enums of no framework module; 3 of the order of map keys, which Move values do not have",
  },
  "derived-addresses.json": {
    test: "keys",
    used: 6,
    notApplicable: 18,
    why: "objects by name and guid, tokens, resource and multisig accounts, derivable abstraction: derived in Move code only",
  },
  "genesis.json": { test: "hashes", used: 7, notApplicable: 0 },
  "hashing.json": { test: "hashes", used: 59, notApplicable: 0 },
  "keys.json": { test: "keys", used: 28, notApplicable: 0 },
  "payloads.json": { test: "transactions", used: 20, notApplicable: 0 },
  "raw-transactions.json": { test: "transactions", used: 26, notApplicable: 0 },
  "rotation-proofs.json": { test: "keys", used: 2, notApplicable: 0 },
  "signatures.json": { test: "keys", used: 20, notApplicable: 0 },
  "signed-transactions.json": { test: "transactions", used: 57, notApplicable: 0 },
  "state-keys.json": { test: "state-keys", used: 15, notApplicable: 0 },
  "system-transactions.json": { test: "hashes", used: 18, notApplicable: 0 },
  "type-tags.json": { test: "text-forms", used: 51, notApplicable: 0 },
};

it("no vector file is without a test", () => {
  const files = readdirSync(VECTORS).filter((name) => name.endsWith(".json"));
  expect(Object.keys(coverage).sort()).toEqual(files.sort());
});

it.each(Object.entries(coverage))("%s is dealt out whole by the test that names it", (file, row) => {
  expect(row.used + row.notApplicable).toBe(readCases(file).length);
  expect(row.notApplicable === 0).toBe(row.why === undefined);
  const test = new URL(`${row.test}.test.ts`, import.meta.url);
  expect(existsSync(test)).toBe(true);
  expect(readFileSync(test, "utf8")).toContain(`dealCases("${file}"`);
});

it("485 of 515 cases are used", () => {
  const rows = Object.values(coverage);
  expect(rows.reduce((sum, row) => sum + row.used, 0)).toBe(485);
  expect(rows.reduce((sum, row) => sum + row.notApplicable, 0)).toBe(30);
});
