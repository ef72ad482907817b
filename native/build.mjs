/**
 * Builds the native core and puts it where src/native/index.ts loads it: native/build/ledger-core.node.
 *
 * Promises: does nothing when neither sources, lock file, toolchain nor platform changed since the last
 * build (a hash of them lies beside the addon); replaces the addon in one rename, so that a process that
 * starts meanwhile loads the old or the new one, never half of one; prints progress as cargo does.
 * Leaves to others: finding out whether Rust is installed and recent enough (src/cli/start.mjs).
 *
 * Usage: node native/build.mjs [--force]
 * Environment: CARGO_TARGET_DIR is honoured.
 * Exit code: 0 built or fresh, 1 otherwise.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const nativeDir = dirname(fileURLToPath(import.meta.url));
const rootDir = dirname(nativeDir);
const addonPath = join(nativeDir, "build", "ledger-core.node");
const stampPath = join(nativeDir, "build", "ledger-core.inputs");
const targetDir = process.env.CARGO_TARGET_DIR ?? join(nativeDir, "target");

/** Every crate that ends up in the addon. testkit and the fuzz targets do not. */
const crates = [
  "authenticated",
  "bcs",
  "bytecode",
  "crypto",
  "executor",
  "inspect",
  "node",
  "types",
  "verifier",
  "vm",
];

/** Longest time without a line of output while cargo works, in milliseconds. */
const SILENCE_MS_MAX = 4000;

/** Files below `dir`, sorted, so that the hash does not depend on the file system's order. */
function filesBelow(dir) {
  const found = [];
  const open = [dir];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.sort();
}

function inputFiles() {
  const files = [join(nativeDir, "Cargo.toml"), join(nativeDir, "Cargo.lock")];
  for (const crate of crates) {
    files.push(join(nativeDir, "crates", crate, "Cargo.toml"));
    files.push(...filesBelow(join(nativeDir, "crates", crate, "src")));
  }
  // The framework bundle is compiled into the core.
  files.push(...filesBelow(join(rootDir, "framework", "build")));
  return files;
}

function inputsHash() {
  const hash = createHash("sha256");
  const rustc = spawnSync("rustc", ["--version", "--verbose"], { encoding: "utf8" });
  hash.update(`${process.platform} ${process.arch}\n${rustc.stdout ?? ""}\n`);
  for (const file of inputFiles()) {
    const content = readFileSync(file);
    hash.update(`${relative(rootDir, file)} ${content.length}\n`);
    hash.update(content);
  }
  return hash.digest("hex");
}

function readIfPresent(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function libraryName() {
  if (process.platform === "darwin") return "libledger_node.dylib";
  if (process.platform === "win32") return "ledger_node.dll";
  return "libledger_node.so";
}

function runCargo() {
  const args = ["build", "--release", "--locked", "--package", "ledger-node"];
  return new Promise((resolve, reject) => {
    const cargo = spawn("cargo", args, {
      cwd: nativeDir,
      stdio: ["ignore", "inherit", "pipe"],
      env: { ...process.env, CARGO_TARGET_DIR: targetDir },
    });
    const startedMs = Date.now();
    let spokeMs = startedMs;
    const heartbeat = setInterval(() => {
      if (Date.now() - spokeMs < SILENCE_MS_MAX) return;
      spokeMs = Date.now();
      process.stderr.write(
        `   still building the native core (${Math.round((spokeMs - startedMs) / 1000)} s)\n`,
      );
    }, 1000);
    cargo.stderr.on("data", (chunk) => {
      spokeMs = Date.now();
      process.stderr.write(chunk);
    });
    cargo.on("error", reject);
    cargo.on("close", (code, signal) => {
      clearInterval(heartbeat);
      resolve(code ?? signal);
    });
  });
}

async function main() {
  const stamp = `${inputsHash()}\n`;
  const isForced = process.argv.includes("--force");
  if (
    !isForced &&
    readIfPresent(stampPath) === stamp &&
    readdirSync(dirname(addonPath)).includes("ledger-core.node")
  ) {
    return 0;
  }
  process.stderr.write("building the native core (release)\n");
  const outcome = await runCargo();
  if (outcome !== 0) {
    process.stderr.write(`building the native core failed (cargo: ${outcome})\n`);
    return 1;
  }
  mkdirSync(dirname(addonPath), { recursive: true });
  const freshPath = `${addonPath}.${process.pid}`;
  copyFileSync(join(targetDir, "release", libraryName()), freshPath);
  renameSync(freshPath, addonPath);
  writeFileSync(stampPath, stamp);
  return 0;
}

process.exitCode = await main();
