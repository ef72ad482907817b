/**
 * Command-line arguments to texts by option name. Meaning is given to the texts elsewhere.
 *
 * Accepted: `--name value`, `--name=value`, `--switch`, `--switch=false`, `-h`, `-v`. An option given
 * twice, an unknown one, a missing value and a bare word are each refused in one sentence.
 */

import { NodeError } from "../errors/index.js";
import { COMMAND_FLAGS, OPTIONS, type Option } from "./options.js";

/** A command line, split. */
export interface Arguments {
  /** Text by option name. */
  readonly flags: ReadonlyMap<string, string>;
  /** Text by name of a {@link COMMAND_FLAGS} flag; empty for those without a value. */
  readonly commands: ReadonlyMap<string, string>;
}

const SHORT: Readonly<Record<string, string>> = { "-h": "--help", "-v": "--version" };
const COMMANDS_WITH_VALUE = new Set(["config"]);

/** @throws NodeError `config_invalid`. */
export function readArguments(args: readonly string[]): Arguments {
  const options = new Map<string, Option<unknown>>(
    Object.values(OPTIONS).map((option) => [option.name, option]),
  );
  const flags = new Map<string, string>();
  const commands = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const given = args[index] as string;
    const { name, inline } = splitFlag(SHORT[given] ?? given);
    const isCommand = Object.hasOwn(COMMAND_FLAGS, name);
    const option = options.get(name);
    if (!isCommand && option === undefined) {
      throw new NodeError("config_invalid", `Unknown option --${name}; --help lists them all.`);
    }
    const found = isCommand ? commands : flags;
    if (found.has(name)) throw new NodeError("config_invalid", `--${name} is given twice.`);
    const takesValue = isCommand ? COMMANDS_WITH_VALUE.has(name) : option?.kind.placeholder !== undefined;
    if (inline !== undefined) found.set(name, inline);
    else if (!takesValue) found.set(name, isCommand ? "" : "true");
    else found.set(name, nextValue(name, args[++index]));
  }
  return { flags, commands };
}

function splitFlag(argument: string): { name: string; inline: string | undefined } {
  if (!argument.startsWith("--") || argument.length === 2) {
    throw new NodeError(
      "config_invalid",
      `${JSON.stringify(argument)} is not an option; --help lists them all.`,
    );
  }
  const equals = argument.indexOf("=");
  if (equals === -1) return { name: argument.slice(2), inline: undefined };
  return { name: argument.slice(2, equals), inline: argument.slice(equals + 1) };
}

function nextValue(name: string, value: string | undefined): string {
  if (value === undefined || value.startsWith("--")) {
    throw new NodeError("config_invalid", `--${name} needs a value.`);
  }
  return value;
}
