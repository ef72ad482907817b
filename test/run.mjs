/**
 * What `npm test` runs: prepares the checkout, then every suite, one after another.
 *
 * Promises: each suite's seconds are printed; what was skipped is named and counted; no silence over
 * a few seconds; the last line is exactly `N passed, M failed`; exit code 1 if anything failed.
 * A test counts as one, and so does each suite that only says yes or no (formatting, lints, types).
 *
 * Usage: node test/run.mjs [--long] [--only SUITE[,SUITE…]]
 * `--long` runs the same tests at full size (they read the environment variable LONG).
 */

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installPackages, PrepareError, prepare, ROOT } from "../src/cli/prepare.mjs";
import { runStep } from "../src/cli/steps.mjs";

const RESULTS = join(ROOT, "test", ".results");
const NATIVE = join(ROOT, "native");

/** What one suite found. @typedef {{ passed: number, failed: number, skipped: string[] }} Counts */

const isLong = process.argv.includes("--long");
const environment = {
  ...process.env,
  LONG: isLong ? "1" : "",
  NO_COLOR: "1",
  CARGO_TERM_COLOR: "never",
  TERM: "dumb",
  // Nodes the tests start find everything built; looking again would cost each of them a moment.
  LEDGER_NODE_PREPARED: "1",
};

/** Suites in the order they run: cheap ones first. @type {[name: string, run: () => Promise<Counts>][]} */
const SUITES = [
  [
    "biome",
    () =>
      verdict("checking format and lints", node("@biomejs/biome/bin/biome"), [
        "check",
        "--no-errors-on-unmatched",
      ]),
  ],
  ["types", () => verdict("checking types", node("typescript/bin/tsc"), ["-p", "test"])],
  ["rustfmt", () => verdict("checking Rust format", ["cargo"], ["fmt", "--all", "--check"], NATIVE)],
  [
    "clippy",
    () =>
      verdict(
        "running clippy",
        ["cargo"],
        ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
        NATIVE,
      ),
  ],
  ["cargo", cargoTests],
  ["unit", () => vitest("unit")],
  ["property", () => vitest("property")],
  ["api", () => vitest("api")],
  ["e2e", () => vitest("e2e")],
  ["fault", () => vitest("fault")],
];

function node(script) {
  return [process.execPath, join(ROOT, "node_modules", script)];
}

/** A suite that only says yes or no. */
async function verdict(name, [command, ...first], args, cwd = ROOT) {
  const { code } = await runStep(name, command, [...first, ...args], { cwd, env: environment });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [] };
}

async function cargoTests() {
  const args = ["test", "--workspace", "--locked", "--no-fail-fast"];
  const { code, output } = await runStep("running cargo tests", "cargo", args, {
    cwd: NATIVE,
    env: environment,
    keepOutput: true,
  });
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const [, passed, failed] of output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)) {
    counts.passed += Number(passed);
    counts.failed += Number(failed);
  }
  for (const [, name] of output.matchAll(/^test (.+?) \.\.\. ignored/gm)) counts.skipped.push(name);
  return blameCrash(counts, code);
}

async function vitest(project) {
  const report = join(RESULTS, `${project}.json`);
  rmSync(report, { force: true });
  const [command, ...first] = node("vitest/vitest.mjs");
  const args = [
    "run",
    "--project",
    project,
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  const { code } = await runStep(`running ${project} tests`, command, [...first, ...args], {
    cwd: ROOT,
    env: environment,
  });
  const counts = { passed: 0, failed: 0, skipped: [] };
  const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
  for (const file of files) {
    // A file that could not be loaded has no tests, only a verdict.
    if (file.status === "failed" && file.assertionResults.length === 0) counts.failed += 1;
    for (const test of file.assertionResults) {
      if (test.status === "passed") counts.passed += 1;
      else if (test.status === "failed") counts.failed += 1;
      else counts.skipped.push(test.fullName);
    }
  }
  return blameCrash(counts, code);
}

/** A tool that ends badly without naming a failed test is itself the failure. */
function blameCrash(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Suites named by --only, or all. */
function chosenSuites() {
  const at = process.argv.indexOf("--only");
  if (at === -1) return SUITES;
  const names = (process.argv[at + 1] ?? "").split(",");
  const unknown = names.filter((name) => !SUITES.some(([suite]) => suite === name));
  if (unknown.length > 0)
    throw new PrepareError(
      `No such suite: ${unknown.join(", ")}; there are ${SUITES.map(([name]) => name).join(", ")}.`,
    );
  return SUITES.filter(([name]) => names.includes(name));
}

async function main() {
  const suites = chosenSuites();
  const startedMs = Date.now();
  mkdirSync(RESULTS, { recursive: true });
  console.log("== prepare");
  // Formats, lints and types need no build.
  await (suites.every(([name]) => name === "biome" || name === "types") ? installPackages() : prepare());
  const rows = [];
  for (const [name, run] of suites) {
    console.log(`\n== ${name}`);
    const suiteStartedMs = Date.now();
    const counts = await run();
    rows.push({ name, ...counts, seconds: (Date.now() - suiteStartedMs) / 1000 });
  }
  console.log(
    `\n${"suite".padEnd(10)} ${"passed".padStart(7)} ${"failed".padStart(7)} ${"skipped".padStart(8)} ${"seconds".padStart(8)}`,
  );
  for (const row of rows) {
    console.log(
      `${row.name.padEnd(10)} ${String(row.passed).padStart(7)} ${String(row.failed).padStart(7)} ${String(row.skipped.length).padStart(8)} ${row.seconds.toFixed(1).padStart(8)}`,
    );
  }
  const skipped = rows.flatMap((row) => row.skipped.map((test) => `${row.name}: ${test}`));
  console.log(`skipped: ${skipped.length}`);
  for (const test of skipped) console.log(`  ${test}`);
  console.log(`total: ${((Date.now() - startedMs) / 1000).toFixed(1)} s${isLong ? ", long" : ""}`);
  return [sum(rows, "passed"), sum(rows, "failed")];
}

function sum(rows, field) {
  return rows.reduce((total, row) => total + row[field], 0);
}

let totals;
try {
  totals = await main();
} catch (error) {
  console.error(error instanceof PrepareError ? error.message : error);
  totals = [0, 1];
}
console.log(`${totals[0]} passed, ${totals[1]} failed`);
process.exitCode = totals[1] === 0 ? 0 : 1;
