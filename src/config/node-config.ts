/**
 * The configuration of a node: gathered from all sources, checked once, frozen.
 *
 * Precedence: flags, then environment (LEDGER_NODE_*), then the file named by --config, then the
 * defaults of the option table. Nothing else in the node reads flags or environment.
 */

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { NodeError } from "../errors/index.js";
import { readArguments } from "./arguments.js";
import { OPTIONS, type Option } from "./options.js";

type Options = typeof OPTIONS;

/** One checked value per row of {@link OPTIONS}. Travels to child processes as it is. */
export type NodeConfig = {
  readonly [Field in Exclude<keyof Options, "genesis">]: Options[Field] extends Option<infer Value>
    ? Value
    : never;
} & {
  /** Absolute path of the genesis file to begin with; `undefined` begins with a genesis of our own. */
  readonly genesis: string | undefined;
};

/** What a command line asks for. */
export type CommandLine =
  | { readonly command: "help" }
  | { readonly command: "version" }
  | { readonly command: "start"; readonly config: NodeConfig };

/** Where options come from. */
export interface ConfigSources {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Relative paths in options are resolved against this. */
  readonly workingDir: string;
}

/** Chain ids of public networks. */
const PUBLIC_CHAIN_IDS = [1, 2];

/** Longest configuration file, in bytes. */
const FILE_BYTES_MAX = 64 * 1024;

/**
 * Reads all sources.
 *
 * @throws NodeError `config_invalid` with one sentence that names the option and its source.
 */
export function readCommandLine(sources: ConfigSources): CommandLine {
  const { flags, commands } = readArguments(sources.args);
  if (commands.has("help")) return { command: "help" };
  if (commands.has("version")) return { command: "version" };
  const file = commands.get("config") ?? sources.environment.LEDGER_NODE_CONFIG;
  const entries =
    file === undefined ? new Map<string, string>() : readConfigFile(resolve(sources.workingDir, file));

  const values: Record<string, unknown> = {};
  for (const [field, option] of Object.entries(OPTIONS) as [string, Option<unknown>][]) {
    values[field] = chosenValue(option, [
      [`--${option.name}`, flags.get(option.name)],
      [environmentName(option.name), sources.environment[environmentName(option.name)]],
      [`"${option.name}" in the configuration file`, entries.get(option.name)],
    ]);
  }
  return { command: "start", config: complete(values as Partial<NodeConfig>, sources.workingDir) };
}

/** Name of the environment variable of an option. */
export function environmentName(optionName: string): string {
  return `LEDGER_NODE_${optionName.replaceAll("-", "_").toUpperCase()}`;
}

function chosenValue(
  option: Option<unknown>,
  candidates: [source: string, text: string | undefined][],
): unknown {
  for (const [source, text] of candidates) {
    if (text === undefined) continue;
    const value = option.kind.parse(text);
    if (value === undefined) {
      throw new NodeError(
        "config_invalid",
        `${source} must be ${option.kind.expected}, not ${JSON.stringify(text)}.`,
      );
    }
    return value;
  }
  return option.fallback;
}

function readConfigFile(file: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [name, value] of Object.entries(parseConfigFile(file))) {
    if (!Object.values(OPTIONS).some((option) => option.name === name)) {
      throw new NodeError(
        "config_invalid",
        `The configuration file ${file} has an unknown entry ${JSON.stringify(name)}.`,
      );
    }
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      throw new NodeError(
        "config_invalid",
        `"${name}" in the configuration file must be text, a number or a boolean.`,
      );
    }
    entries.set(name, String(value));
  }
  return entries;
}

function parseConfigFile(file: string): object {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new NodeError("config_invalid", `The configuration file ${file} cannot be read.`, { cause });
  }
  if (text.length > FILE_BYTES_MAX) {
    throw new NodeError(
      "config_invalid",
      `The configuration file ${file} is longer than ${FILE_BYTES_MAX} bytes.`,
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The sentence below covers both.
  }
  throw new NodeError("config_invalid", `The configuration file ${file} must hold one JSON object.`);
}

/** Fills in what depends on the machine or on other options, and checks what takes two of them. */
function complete(values: Partial<NodeConfig>, workingDir: string): NodeConfig {
  const given = values as NodeConfig;
  if (PUBLIC_CHAIN_IDS.includes(given.chainId) && !given.allowPublicChainId) {
    throw new NodeError(
      "config_invalid",
      `--chain-id ${given.chainId} is a public network's: signatures made here would be valid there; --allow-public-chain-id accepts that.`,
    );
  }
  if (given.http === "node" && (values.fronts ?? 1) > 1) {
    throw new NodeError(
      "config_invalid",
      "--http node cannot share a port between processes; it takes --fronts 1.",
    );
  }
  const cores = availableParallelism();
  return Object.freeze({
    ...given,
    genesis: values.genesis === undefined ? undefined : resolve(workingDir, values.genesis),
    // Nobody here holds a key that could mint on a chain of others.
    noFaucet: given.noFaucet || values.genesis !== undefined,
    accounts: values.genesis === undefined ? given.accounts : 0,
    dataDir: resolve(workingDir, values.dataDir ?? `data/${given.chainId}`),
    fronts: values.fronts ?? (given.http === "node" ? 1 : clamp(Math.floor(cores / 2), 1, 8)),
    workers: values.workers ?? clamp(Math.floor(cores / 2), 1, 4),
  });
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
