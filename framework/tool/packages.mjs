/**
 * Our Move packages, in the order they depend on each other, and how to compile a copy of them.
 *
 * The compiler writes beside the sources, so it works on a copy in a temporary folder; the tree stays clean and two builds at a time do
 * not meet.
 */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds the packages. */
export const FRAMEWORK_FOLDER = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Name as in Move.toml, folder, and the packages it depends on. */
export const PACKAGES = [
  { name: "MoveStdlib", folder: "move-stdlib", deps: [] },
  { name: "LedgerFramework", folder: "ledger-framework", deps: ["MoveStdlib"] },
];

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
    return use(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Runs the compiler on one package of a copy. Returns `{ ok, output }`, the output without terminal colours. */
export function runCompiler(copy, { folder }, verb) {
  const script = path.join(FRAMEWORK_FOLDER, "tool", "compile.mjs");
  const child = spawnSync(process.execPath, [script, path.join(copy, folder), verb], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the escape character
  const output = `${child.stdout}${child.stderr}`.replaceAll(/\u001b\[[0-9;]*m/g, "");
  return { ok: child.status === 0, output };
}
