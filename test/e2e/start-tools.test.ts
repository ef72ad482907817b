/** What `npm start` says before there is a node: missing tools, flags, and questions it answers alone. */

import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..", "..");

let tools: string;
beforeAll(() => {
  tools = mkdtempSync(join(tmpdir(), "tools-"));
});
afterAll(() => rmSync(tools, { recursive: true, force: true }));

/** Runs the start script with nothing on the path but `programs`, shell scripts by name. */
function startWith(programs: Record<string, string>, args: string[] = []) {
  const path = join(tools, `path-${Object.keys(programs).join("-")}-${Object.values(programs).length}`);
  mkdirSync(path, { recursive: true });
  symlinkOnce(process.execPath, join(path, "node"));
  symlinkOnce("/bin/sh", join(path, "sh"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(path, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(path, name), 0o755);
  }
  return run(args, { PATH: path });
}

function symlinkOnce(target: string, path: string): void {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function run(args: string[], environment: Record<string, string>) {
  return spawnSync(process.execPath, [join(ROOT, "src", "cli", "start.mjs"), ...args], {
    encoding: "utf8",
    env: environment,
    cwd: tools,
  });
}

const prepared = (args: string[]) => run(args, { PATH: "", LEDGER_NODE_PREPARED: "1" });

describe("a missing or old tool is one plain sentence", () => {
  it("when Rust is missing", () => {
    const { status, stderr, stdout } = startWith({});
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^Rust [\d.]+ or newer is needed, .*\n$/);
  });
  it("when Rust is too old", () => {
    const { status, stderr } = startWith({ cargo: "echo 'cargo 1.60.0 (abcdef 2022-01-01)'" });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Rust [\d.]+ or newer is needed; the cargo on the path is 1\.60\.0\.\n$/);
  });
});

describe("a Node.js outside the range", () => {
  it("is one plain sentence", () => {
    const checkout = join(tools, "checkout");
    cpSync(join(ROOT, "src", "cli"), join(checkout, "src", "cli"), { recursive: true });
    writeFileSync(join(checkout, "package.json"), '{"type":"module","engines":{"node":">=99.1 <100"}}');
    const { status, stderr } = spawnSync(process.execPath, [join(checkout, "src", "cli", "start.mjs")], {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "" },
    });
    expect(status).toBe(2);
    expect(stderr).toBe(`Node.js 99.1 or newer, below 100, is needed; this is ${process.versions.node}.\n`);
  });
});

describe("the command line", () => {
  it("answers --help with every option, on standard output", () => {
    const { status, stdout, stderr } = prepared(["--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("--port PORT");
    expect(stdout).toContain("--chain-id ID");
  });
  it("answers --version", () => {
    expect(prepared(["--version"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
  it.each([
    [["--prot", "1"], "Unknown option --prot"],
    [["--port", "many"], "--port must be"],
    [["--chain-id", "1"], "public network"],
  ])("refuses %j with exit code 2 and one sentence", (args, part) => {
    const { status, stdout, stderr } = prepared(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(part);
    expect(stderr.trimEnd()).not.toContain("\n");
  });
});
