/**
 * Our Move packages, in the order they depend on each other, and how to compile a copy of them.
 *
 * The compiler writes beside the sources, so it works on a copy in a temporary folder; the tree stays clean and two builds at a time do
 * not meet.
 */

import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds the packages. */
export const FRAMEWORK_FOLDER = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const ONE = `${"0".repeat(63)}1`;
const FOUR = `${"0".repeat(63)}4`;

/** Name as in Move.toml, folder, the address of its modules (hex), and the packages it depends on. */
export const PACKAGES = [
  { name: "MoveStdlib", folder: "move-stdlib", address: ONE, deps: [] },
  { name: "LedgerFramework", folder: "ledger-framework", address: ONE, deps: ["MoveStdlib"] },
  {
    name: "LedgerTokenObjects",
    folder: "token-objects",
    address: FOUR,
    deps: ["LedgerFramework", "MoveStdlib"],
  },
];

/** What the sources call addresses. */
export const NAMED_ADDRESSES = {
  std: "0x1",
  aptos_std: "0x1",
  aptos_framework: "0x1",
  aptos_token_objects: "0x4",
};

/** True where the compiler is installed and its native part loads. */
export function isCompilerInstalled() {
  const load = ["-e", "import('@initia/builder.js')"];
  return spawnSync(process.execPath, load, { cwd: FRAMEWORK_FOLDER, stdio: "ignore" }).status === 0;
}

/** The files a package is made of, `{ path, text }`, path relative to the framework folder, sorted. */
export function readSources({ folder }) {
  const names = readdirSync(path.join(FRAMEWORK_FOLDER, folder, "sources")).filter((name) =>
    name.endsWith(".move"),
  );
  const paths = [`${folder}/Move.toml`, ...names.map((name) => `${folder}/sources/${name}`)].toSorted();
  return paths.map((relative) => ({
    path: relative,
    text: readFileSync(path.join(FRAMEWORK_FOLDER, relative), "utf8"),
  }));
}

/** Calls `use(folder)` with a copy of all packages, and removes the copy. */
export function withCopy(use) {
  const copy = mkdtempSync(path.join(tmpdir(), "ledger-framework-"));
  try {
    for (const { folder } of PACKAGES)
      cpSync(path.join(FRAMEWORK_FOLDER, folder), path.join(copy, folder), { recursive: true });
    for (const file of readdirSync(copy, { recursive: true }).filter((name) => name.endsWith(".move")))
      blankUnknownAttributes(path.join(copy, file));
    return use(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The compiler warns of attributes it does not know; they reach the modules by another way (`source-attributes.mjs`). */
function blankUnknownAttributes(file) {
  const text = readFileSync(file, "utf8");
  const blanked = text.replaceAll(
    /#\[(resource_group|resource_group_member|randomness)\b[^\]]*\]/g,
    (attribute) => " ".repeat(attribute.length),
  );
  if (blanked !== text) writeFileSync(file, blanked);
}

/**
 * Runs the compiler on one package of a copy. Returns `{ ok, output }`, the output without terminal colours.
 *
 * The output goes through a file: the compiler ends at once where a pipe is full for a moment.
 */
export function runCompiler(copy, { folder }, verb) {
  const script = path.join(FRAMEWORK_FOLDER, "tool", "compile.mjs");
  const log = path.join(copy, "compiler.log");
  const file = openSync(log, "w");
  const child = spawnSync(process.execPath, [script, path.join(copy, folder), verb], {
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the escape character
  const output = readFileSync(log, "utf8").replaceAll(/\u001b\[[0-9;]*m/g, "");
  return { ok: child.status === 0, output };
}
