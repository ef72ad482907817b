/**
 * The commands that look into files: modules of the framework, and public genesis blobs where
 * LEDGER_NODE_GENESIS_BLOBS names a folder of them.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..", "..");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "inspect-"));
  const made = spawnSync(process.execPath, [join(ROOT, "framework", "build.mjs"), "--extract", folder]);
  expect(made.status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function node(...args: string[]) {
  const child = spawnSync(process.execPath, [join(ROOT, "src", "cli", "start.mjs"), ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, LEDGER_NODE_PREPARED: "1" },
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  return { status: child.status, stdout: child.stdout, stderr: child.stderr };
}

describe("inspect module", () => {
  it("prints bytecode, unless asked for another form", () => {
    const asked = node("inspect", "module", "signer.mv", "--bytecode");
    expect(asked).toMatchObject({ status: 0, stderr: "" });
    expect(asked.stdout).toMatch(
      /^module 0x1::signer\nversion 7\n[\s\S]*public fun address_of\(&signer\): address \{\n {2}0: /,
    );
    expect(node("inspect", "module", "signer.mv")).toEqual(asked);
  });

  it("prints the register code of every function", () => {
    const { status, stdout } = node("inspect", "module", "coin.mv", "--lowered");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^module 0x1::coin\n\nfun /);
    expect(stdout).toMatch(/\nfun balance<u64>\nframe \d+ slots, \d+ operands\n {4}0 @/);
  });

  it("prints the interface as the REST interface has it", () => {
    const abi = JSON.parse(node("inspect", "module", join(folder, "coin.mv"), "--abi").stdout);
    expect(abi).toMatchObject({ address: "0x1", name: "coin" });
    expect(abi.exposed_functions).toContainEqual({
      name: "balance",
      visibility: "public",
      is_entry: false,
      is_view: true,
      generic_type_params: [{ constraints: [] }],
      params: ["address"],
      return: ["u64"],
    });
  });

  it.each([
    [["inspect", "module"], /^Usage: npm start -- inspect module FILE/],
    [["inspect", "script", "signer.mv"], /^Usage: npm start -- inspect module FILE/],
    [["inspect", "module", "signer.mv", "--hex"], /^Usage: npm start -- inspect module FILE/],
    [["inspect", "module", "signer.mv", "--abi", "--lowered"], /^Usage: npm start -- inspect module FILE/],
    [["inspect", "module", "absent.mv"], /^absent\.mv: cannot be read \(ENOENT\)\.\n$/],
    [["inspect", "module", "."], /^\.: cannot be read \(EISDIR\)\.\n$/],
    [["inspect", "module", "text.mv"], /^text\.mv: not a Move module: .*\n$/],
    [["genesis", "inspect"], /^Usage: npm start -- genesis inspect FILE\n$/],
    [["genesis", "inspect", "signer.mv"], /^signer\.mv: not a genesis transaction: .*\n$/],
  ])("answers %j with one sentence", (args, sentence) => {
    writeFileSync(join(folder, "text.mv"), "not a module");
    const { status, stdout, stderr } = node(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
  });
});

describe("genesis inspect", () => {
  const blobs = process.env.LEDGER_NODE_GENESIS_BLOBS;

  it("tells the waypoint that a public network published", ({ skip }) => {
    skip(blobs === undefined, "no genesis blobs");
    // A network that was never started has an empty file.
    const networks = readdirSync(blobs as string).filter((name) => {
      const blob = join(blobs as string, name, "genesis.blob");
      return existsSync(blob) && statSync(blob).size > 0;
    });
    expect(networks.length).toBeGreaterThan(0);
    for (const name of networks) {
      const file = (part: string) => join(blobs as string, name, part);
      const published = ["genesis_waypoint.txt", "waypoint.txt"].map(file).find(existsSync) as string;
      const { status, stdout } = node("genesis", "inspect", file("genesis.blob"));
      expect(status, name).toBe(0);
      expect(stdout).toContain(`\nwaypoint           ${readFileSync(published, "utf8").trim()}\n`);
      expect(stdout).toMatch(/^module 0x1::account \d+ bytes$/m);
    }
  });
});

it("--help names the commands", () => {
  const { stdout } = node("--help");
  expect(stdout).toContain("inspect module FILE [--bytecode | --lowered | --abi]");
  expect(stdout).toContain("genesis inspect FILE");
});
