/**
 * Compiles the programs, runs them in the compiler's own Move machine and records what became of each: `node record.mjs` writes
 * `modules/*.mv` and `verdicts.txt`, `node record.mjs --check` compares them instead.
 *
 * The programs are in `sources`, one module a file; `integers.move.in` is a template that becomes a module for every integer width.
 * What the recorded lines mean stands in `verdicts.mjs`. The test `differential.rs` holds our machine to them.
 */

import { spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isCompilerInstalled } from "../../../../../framework/tool/packages.mjs";
import { integerModules, programsOf, recorderModule } from "./programs.mjs";
import { readSourceMap } from "./source-map.mjs";
import { readVerdicts } from "./verdicts.mjs";

const HERE = import.meta.dirname;
const STANDARD_LIBRARY = path.join(HERE, "..", "move", "std", "sources");
/** What the programs need of the standard library. */
const STANDARD_MODULES = ["bcs", "signer", "vector"];
const MODULES = path.join(HERE, "modules");
const VERDICTS = path.join(HERE, "verdicts.txt");

if (!isCompilerInstalled()) stop("The Move compiler is not installed. Run: npm ci --prefix framework");
const { modules, verdicts } = record();
if (process.argv[2] === "--check") check();
else write();

/** `{ modules: map from file name to bytes, verdicts: text }`. */
function record() {
  const sources = readSources();
  const programs = [...sources.values()].flatMap(programsOf);
  const copy = mkdtempSync(path.join(tmpdir(), "ledger-differential-"));
  try {
    mkdirSync(path.join(copy, "sources"));
    copyFileSync(path.join(HERE, "Move.toml"), path.join(copy, "Move.toml"));
    for (const name of STANDARD_MODULES)
      copyFileSync(path.join(STANDARD_LIBRARY, `${name}.move`), path.join(copy, "sources", `${name}.move`));
    for (const [name, text] of sources) writeFileSync(path.join(copy, "sources", name), text);
    const recorder = path.join(copy, "sources", "recorder.move");
    writeFileSync(recorder, recorderModule(programs));
    const report = compile(copy, "test");
    rmSync(recorder);
    const buildLog = compile(copy, "build");

    const built = path.join(copy, "build", "Differential");
    if (!existsSync(built)) stop(`the compiler refused the programs:\n${buildLog}`);
    const names = readdirSync(path.join(built, "bytecode_modules"))
      .filter((name) => name.endsWith(".mv"))
      .map((name) => path.basename(name, ".mv"))
      .toSorted();
    const maps = new Map(
      names.map((name) => [
        name,
        readSourceMap(readFileSync(path.join(built, "source_maps", `${name}.mvsm`))),
      ]),
    );
    const code = names.map((name) => [
      `${name}.mv`,
      readFileSync(path.join(built, "bytecode_modules", `${name}.mv`)),
    ]);
    return {
      modules: new Map(code),
      verdicts: `${readVerdicts(programs, report, sources, maps).join("\n")}\n`,
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Text by file name. */
function readSources() {
  const folder = path.join(HERE, "sources");
  const read = (name) => readFileSync(path.join(folder, name), "utf8");
  const plain = readdirSync(folder)
    .filter((name) => name.endsWith(".move"))
    .map((name) => [name, read(name)]);
  const all = [...plain, ...integerModules(read("integers.move.in"))];
  return new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the compiler printed, without colours. A test run ends badly by design: every test aborts. */
function compile(folder, verb) {
  // Through a file: the compiler ends at once where a pipe is full for a moment.
  const log = path.join(folder, "compiler.log");
  const file = openSync(log, "w");
  spawnSync(process.execPath, [path.join(HERE, "compile.mjs"), folder, verb], {
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the escape character
  return readFileSync(log, "utf8").replaceAll(/\u001b\[[0-9;]*m/g, "");
}

function write() {
  rmSync(MODULES, { recursive: true, force: true });
  mkdirSync(MODULES);
  for (const [name, bytes] of modules) writeFileSync(path.join(MODULES, name), bytes);
  writeFileSync(VERDICTS, verdicts);
  console.log(summary());
}

function check() {
  const committed = readdirSync(MODULES).toSorted();
  const isSame =
    committed.join() === [...modules.keys()].join() &&
    committed.every((name) => modules.get(name).equals(readFileSync(path.join(MODULES, name)))) &&
    verdicts === readFileSync(VERDICTS, "utf8");
  if (!isSame)
    stop("The committed programs and verdicts are not what the sources make. Run: node record.mjs");
  console.log(`${summary()}, as committed`);
}

function summary() {
  const count = (word) => verdicts.split("\n").filter((line) => line.split(" ")[1] === word).length;
  return `${modules.size} modules; ${count("returned")} programs returned, ${count("aborted")} aborted, ${count("failed")} failed`;
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
