/**
 * Brings a checkout from any state to runnable: tools checked, packages installed, core and
 * TypeScript built. Each part does nothing when nothing changed.
 *
 * Promises: a missing or too old tool is one plain sentence; nothing is installed or built twice; a
 * prepared checkout costs well under a second.
 * Leaves to others: how the core is built (native/build.mjs), what then runs (start.mjs, test/run.mjs).
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runStep } from "./steps.mjs";

/** Root of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const FINGERPRINT = join(ROOT, "dist", ".inputs");

/** A sentence for the operator, and nothing else. */
export class PrepareError extends Error {}

/**
 * Everything `npm start` needs. LEDGER_NODE_PREPARED=1 says that it was done already, by whoever
 * starts many nodes from one checkout; nothing is looked at then.
 *
 * @throws {PrepareError}
 */
export async function prepare() {
  if (process.env.LEDGER_NODE_PREPARED === "1") return;
  checkNode();
  checkRust();
  await installPackages();
  await buildCore();
  await compileTypeScript();
}

/** @throws {PrepareError} unless this Node.js is within the range of package.json. */
export function checkNode() {
  const range = readJson("package.json").engines.node;
  const [, lowest, above] = /^>=([\d.]+) <(\d+)$/.exec(range) ?? [];
  const given = process.versions.node;
  if (lowest === undefined || (compareVersions(given, lowest) >= 0 && compareVersions(given, above) < 0))
    return;
  throw new PrepareError(`Node.js ${lowest} or newer, below ${above}, is needed; this is ${given}.`);
}

/** @throws {PrepareError} unless cargo is installed and recent enough. */
export function checkRust() {
  const manifest = readFileSync(join(ROOT, "native", "Cargo.toml"), "utf8");
  const needed = /^rust-version = "([\d.]+)"/m.exec(manifest)?.[1] ?? "0";
  const asked = spawnSync("cargo", ["--version"], { encoding: "utf8", cwd: join(ROOT, "native") });
  const given = /^cargo (\d+\.\d+(?:\.\d+)?)/.exec(asked.stdout ?? "")?.[1];
  if (given === undefined) {
    throw new PrepareError(
      `Rust ${needed} or newer is needed, and no working cargo was found on the path; https://rustup.rs installs it.`,
    );
  }
  if (compareVersions(given, needed) < 0) {
    throw new PrepareError(`Rust ${needed} or newer is needed; the cargo on the path is ${given}.`);
  }
}

/** Installs exactly the locked packages, unless they are already there. @throws {PrepareError} */
export async function installPackages() {
  if (packagesAreCurrent()) return;
  say("installing packages (npm ci)");
  await must("installing packages", "npm", ["ci", "--no-audit", "--no-fund"]);
}

/** @throws {PrepareError} */
export async function buildCore() {
  await must("building the native core", process.execPath, [join("native", "build.mjs")]);
}

/** Compiles src, workers and bench into dist, unless no input changed. @throws {PrepareError} */
export async function compileTypeScript() {
  const inputs = fingerprint(["src", "workers", "bench"], ["tsconfig.json", "package-lock.json"]);
  if (readIfPresent(FINGERPRINT) === inputs) return;
  say("compiling TypeScript");
  await must("compiling TypeScript", process.execPath, [join("node_modules", "typescript", "bin", "tsc")]);
  mkdirSync(dirname(FINGERPRINT), { recursive: true });
  writeFileSync(FINGERPRINT, inputs);
}

/** The sentence for standard error. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

async function must(name, command, args) {
  const { code } = await runStep(name, command, args, { cwd: ROOT });
  if (code !== 0) throw new PrepareError(`${name} failed (exit code ${code}); the lines above say why.`);
}

/** Compares the lock file with npm's own record of what it installed. */
function packagesAreCurrent() {
  const record = join(ROOT, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  return Object.entries(readJson("package-lock.json").packages).every(
    ([path, entry]) =>
      // Optional packages of other platforms are locked but not installed.
      path === "" || (entry.optional && !installed[path]) || installed[path]?.version === entry.version,
  );
}

/** Names, sizes and times of every input: changes whenever an editor or git touched one. */
function fingerprint(folders, files) {
  const hash = createHash("sha256");
  for (const file of [...folders.flatMap(sourcesBelow), ...files.map((name) => join(ROOT, name))]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(ROOT, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function sourcesBelow(folder) {
  const top = join(ROOT, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => join(top, name));
}

function readJson(name) {
  return JSON.parse(readFileSync(join(ROOT, name), "utf8"));
}

function readIfPresent(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Negative, zero or positive, part by part; a missing part counts as 0. */
function compareVersions(left, right) {
  const [a, b] = [left, right].map((text) => text.split(".").map((part) => Number.parseInt(part, 10)));
  for (let index = 0; index < 3; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
