/**
 * The committed framework bundle: what it holds, and that the sources make exactly it.
 *
 * Compiling needs the package of framework/package.json; where it is neither installed nor installable, those
 * tests are skipped by name and the others still hold the committed bytes to their digests.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const FRAMEWORK = join(import.meta.dirname, "../../../framework");
const INSTALL_MS = 300_000;

interface Digests {
  readonly bundle: string;
  readonly modules: Readonly<Record<string, string>>;
}

const bundle = readFileSync(join(FRAMEWORK, "build/framework.bundle"));
const digests = JSON.parse(readFileSync(join(FRAMEWORK, "build/digests.json"), "utf8")) as Digests;

function sha3(bytes: Uint8Array): string {
  return createHash("sha3-256").update(bytes).digest("hex");
}

function framework(...args: string[]) {
  const child = spawnSync(process.execPath, args, { cwd: FRAMEWORK, encoding: "utf8" });
  return { status: child.status, output: `${child.stdout}${child.stderr}` };
}

describe("the committed bundle", () => {
  const folder = mkdtempSync(join(tmpdir(), "framework-modules-"));

  beforeAll(() => {
    expect(framework("build.mjs", "--extract", folder).output).toContain("modules written");
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const code = (name: string) => readFileSync(join(folder, `${name}.mv`));

  test("has the digest that stands beside it", () => {
    expect(sha3(bundle)).toBe(digests.bundle);
  });

  test("holds every listed module with its digest, and no other", () => {
    const found = readdirSync(folder).map((file) => [
      file.slice(0, -".mv".length),
      sha3(readFileSync(join(folder, file))),
    ]);
    expect(Object.fromEntries(found)).toEqual(digests.modules);
  });

  test("holds version 7 bytecode in the public flavour", () => {
    for (const name of Object.keys(digests.modules)) {
      expect(code(name).subarray(0, 8).toString("hex"), name).toBe("a11ceb0b0700000a");
    }
  });

  test("carries the public metadata and not the compiler's own", () => {
    const metadata = "aptos::metadata_v1";
    // Error texts, an event, a view; and a module that has nothing to say.
    for (const name of ["coin", "transaction_fee", "chain_id"])
      expect(code(name).includes(metadata), name).toBe(true);
    expect(code("hash").includes(metadata)).toBe(false);
    for (const name of Object.keys(digests.modules))
      expect(code(name).includes("initia::"), name).toBe(false);
  });

  // Worked out by hand: one struct named by its length and bytes, one attribute of a kind with one argument.
  test("encodes resource groups and their members as the public format does", () => {
    const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
    const attribute = (name: string, kind: number, argument: string) =>
      Buffer.concat([text(name), Buffer.from([1, kind, 1]), text(argument)]);
    expect(code("object").includes(attribute("ObjectGroup", 2, "global"))).toBe(true);
    const group = "0x1::object::ObjectGroup";
    expect(code("object").includes(attribute("ObjectCore", 3, group))).toBe(true);
    expect(code("fungible_asset").includes(attribute("FungibleStore", 3, group))).toBe(true);
    expect(code("4-token").includes(attribute("Token", 3, group))).toBe(true);
  });

  // Worked out by hand from the layout of the value: one error map entry, no events, two functions of kind 1.
  test("encodes error texts, events and views as the public format does", () => {
    const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
    const view = Buffer.from([1, 1, 0]);
    const status = Buffer.concat([
      Buffer.from([2]),
      Buffer.from("0100000000000000", "hex"),
      text("ENOT_OPERATING"),
      text("The chain does not run yet."),
      Buffer.from("0200000000000000", "hex"),
      text("ENOT_GENESIS"),
      text("The chain is past its genesis."),
      Buffer.from([0, 2]),
      text("is_genesis"),
      view,
      text("is_operating"),
      view,
    ]);
    // More than 127 bytes: the length takes two.
    const length = Buffer.from([(status.length & 0x7f) | 0x80, status.length >> 7]);
    const entry = Buffer.concat([text("aptos::metadata_v1"), length, status]);
    expect(code("chain_status").includes(entry)).toBe(true);

    const feeStatement = Buffer.concat([
      Buffer.from([0, 1]),
      text("FeeStatement"),
      Buffer.from([1, 4, 0, 0]),
    ]);
    expect(code("transaction_fee").includes(feeStatement)).toBe(true);
  });
});

describe("with the compiler", () => {
  const isUsable = () => framework("-e", "import('@initia/builder.js')").status === 0;
  let isMissing = true;

  beforeAll(() => {
    if (!isUsable()) {
      spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: FRAMEWORK, timeout: INSTALL_MS });
    }
    isMissing = !isUsable();
  }, INSTALL_MS + 10_000);

  const why = "the Move compiler is neither installed nor installable";

  test("the sources make the committed bundle, byte for byte", ({ skip }) => {
    skip(isMissing, why);
    const { status, output } = framework("build.mjs", "--check");
    expect(output).toContain(digests.bundle);
    expect(status).toBe(0);
  });

  test("the Move unit tests pass on the compiler's own machine", ({ skip }) => {
    skip(isMissing, why);
    const { status, output } = framework("test.mjs");
    expect(output).toMatch(/MoveStdlib: [1-9]\d* passed, 0 failed/);
    expect(output).toMatch(/LedgerFramework: [1-9]\d* passed, 0 failed/);
    expect(output).toMatch(/LedgerTokenObjects: [1-9]\d* passed, 0 failed/);
    expect(status).toBe(0);
  });
});
