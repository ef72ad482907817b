/**
 * The build steps of a start, in a made-up checkout whose build never ends: what is said meanwhile,
 * and what an interruption leaves.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isAlive, waitUntil } from "../fault/left-behind.js";

const ROOT = resolve(import.meta.dirname, "..", "..");

let checkout: string;
let start: ChildProcess | undefined;

function write(name: string, content: string): void {
  mkdirSync(dirname(join(checkout, name)), { recursive: true });
  writeFileSync(join(checkout, name), content);
}

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "checkout-"));
  cpSync(join(ROOT, "src", "cli"), join(checkout, "src", "cli"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(checkout, "package.json"));
  write("package-lock.json", '{"packages":{"":{}}}');
  write("node_modules/.package-lock.json", '{"packages":{}}');
  write("native/Cargo.toml", '[workspace.package]\nrust-version = "1.0"\n');
  // Like a build, it starts a tool of its own; both must go.
  write(
    "native/build.mjs",
    `import { spawn } from "node:child_process";
     import { writeFileSync } from "node:fs";
     const tool = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
     writeFileSync("pids", process.pid + " " + tool.pid);
     setInterval(() => {}, 1000);`,
  );
});
afterEach(() => {
  start?.kill("SIGKILL");
  rmSync(checkout, { recursive: true, force: true });
});

it("a quiet build is heard of, and an interruption ends it with all it started", async () => {
  const { LEDGER_NODE_PREPARED: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(checkout, "src", "cli", "start.mjs")], { env: environment });
  start = child;
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise((settle) => child.on("close", (code) => settle(code)));
  const pidFile = join(checkout, "pids");
  await waitUntil("the build to start", () => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "");
  const pids = readFileSync(pidFile, "utf8").split(" ").map(Number);
  expect(pids.every(isAlive)).toBe(true);
  await waitUntil("a word while nothing is printed", () => /still building the native core/.test(stderr));
  child.kill("SIGTERM");
  expect(await ended).toBe(143);
  await waitUntil("the build to end", () => !pids.some(isAlive));
});
