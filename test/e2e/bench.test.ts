/** The bench runs from end to end, at its smallest, and finds nothing wrong. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../bench/node-process.js";

function bench(...flags: string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const root = packageRoot();
  const child = spawn(process.execPath, [join(root, "src", "cli", "start.mjs"), "--run-bench", ...flags], {
    cwd: root,
    env: { ...process.env, LEDGER_NODE_PREPARED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.on("exit", (code) => resolve({ code, output })));
}

test("every load runs without errors and the report names machine, commit and parameters", async () => {
  const parameters = ["--accounts", "60", "--senders", "8", "--transfers", "80", "--connections", "8"];
  const { code, output } = await bench(...parameters, "--seconds", "1", "--runs", "1");
  expect([code, output]).toEqual([0, expect.stringContaining("transfers committed/s")]);
  for (const name of ["machine", "commit", "60 accounts, 8 connections", "submit to commit"]) {
    expect(output).toContain(name);
  }
  const rows = output.split("\n").filter((line) => /(autocannon|wrk|own) /.test(line));
  expect(rows.length).toBeGreaterThanOrEqual(5);
  for (const row of rows) expect(row).toMatch(/ 0$/);
});

test("an unknown parameter is refused with the usage", async () => {
  const { code, output } = await bench("--accountz", "5");
  expect(code).toBe(2);
  expect(output).toContain("Usage: npm run bench");
});
