/**
 * What the VM's differential test compares with is what the compiler's own Move machine says today.
 *
 * Needs the package of framework/package.json, which the unit tests of the framework install where they can; without it
 * the test is skipped by name.
 */

import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..", "..");
const RECORD = join(ROOT, "native", "crates", "vm", "tests", "differential", "record.mjs");

function run(...args: string[]) {
  const child = spawnSync(process.execPath, args, { cwd: join(ROOT, "framework"), encoding: "utf8" });
  return { status: child.status, output: `${child.stdout}${child.stderr}` };
}

test("the recorded verdicts and modules are what the sources make", ({ skip }) => {
  skip(
    run("-e", "import('@initia/builder.js')").status !== 0,
    "the Move compiler is neither installed nor installable",
  );
  const { status, output } = run(RECORD, "--check");
  expect(output).toMatch(/^\d+ modules; \d+ programs returned, \d+ aborted, \d+ failed, as committed\n$/);
  expect(status).toBe(0);
});
