/**
 * The commands that look into a file instead of starting a node.
 *
 * The text goes to standard output, alone, so that it can be piped on.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { NodeError } from "../errors/index.js";
import { inspectGenesis, inspectModule, MODULE_FORMS, type ModuleForm } from "../native/inspect.js";

/** Largest file that is looked at, in bytes. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Most modules that are read beside the one asked for. */
const NEIGHBOURS_MAX = 1000;

/** How the commands are called, for `--help`. */
export const INSPECT_HELP = [
  "  inspect module FILE [--bytecode | --lowered | --abi]",
  "      prints a compiled Move module: as bytecode (the default), as the register code the machine runs, or",
  "      the interface it offers; lowering takes modules it needs from FILE's folder and the framework",
  "  genesis inspect FILE",
  "      prints what a genesis blob holds: chain id, waypoint, counts, modules, events",
].join("\n");

/** True if `args` ask for one of the commands here. */
export function isInspection(args: readonly string[]): boolean {
  return args[0] === "inspect" || args[0] === "genesis";
}

/**
 * Does what `args` ask for.
 *
 * @returns The text to print, with its last line ended.
 * @throws NodeError `config_invalid` if the command is spelt wrongly, `file_invalid` if the file cannot be shown.
 */
export function inspect(args: readonly string[], workingDir: string): string {
  const [command, subject, ...rest] = args;
  if (command === "inspect" && subject === "module") return inspectModuleFile(rest, workingDir);
  if (command === "genesis" && subject === "inspect") return inspectGenesisFile(rest, workingDir);
  if (command === "inspect") throw wrong("inspect module FILE [--bytecode | --lowered | --abi]");
  throw wrong("genesis inspect FILE");
}

function inspectModuleFile(args: readonly string[], workingDir: string): string {
  const usage = "inspect module FILE [--bytecode | --lowered | --abi]";
  const files = args.filter((arg) => !arg.startsWith("-"));
  const flags = args.filter((arg) => arg.startsWith("-"));
  const form = flags.length === 0 ? "bytecode" : formOf(flags[0] as string);
  const [file] = files;
  if (file === undefined || files.length > 1 || flags.length > 1 || form === undefined) throw wrong(usage);
  const path = resolve(workingDir, file);
  const text = about(file, () =>
    inspectModule(readFile(path), form, form === "lowered" ? neighboursOf(path) : []),
  );
  return form === "abi" ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : text;
}

function inspectGenesisFile(args: readonly string[], workingDir: string): string {
  const [file] = args;
  if (file === undefined || args.length > 1 || file.startsWith("-")) throw wrong("genesis inspect FILE");
  return about(file, () => inspectGenesis(readFile(resolve(workingDir, file))));
}

function formOf(flag: string): ModuleForm | undefined {
  return MODULE_FORMS.find((form) => flag === `--${form}`);
}

/** The other modules of the folder; what is no module is passed over by the core. */
function neighboursOf(path: string): Buffer[] {
  const folder = dirname(path);
  const names = readdirSync(folder).filter((name) => name.endsWith(".mv"));
  return names.slice(0, NEIGHBOURS_MAX).map((name) => readFile(join(folder, name)));
}

function readFile(path: string): Buffer {
  const bytes = readFileSync(path);
  if (bytes.length > FILE_BYTES_MAX) {
    throw new NodeError("file_invalid", `larger than ${FILE_BYTES_MAX} bytes`);
  }
  return bytes;
}

/** Runs `read`; what is wrong with the file is said with its name. */
function about(file: string, read: () => string): string {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof NodeError && cause.code !== "file_invalid") throw cause;
    const reason =
      cause instanceof NodeError
        ? cause.message
        : `cannot be read (${(cause as NodeJS.ErrnoException).code})`;
    throw new NodeError("file_invalid", `${file}: ${reason}.`, { cause });
  }
}

function wrong(usage: string): NodeError {
  return new NodeError("config_invalid", `Usage: npm start -- ${usage}`);
}
