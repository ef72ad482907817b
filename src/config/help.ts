/** The option table as a reader sees it: `--help`, and the table of the README. */

import { COMMAND_FLAGS, OPTIONS, type Option } from "./options.js";

/** Text of `--help`. */
export function helpText(): string {
  const rows: [string, string][] = Object.values(OPTIONS).map((option: Option<unknown>) => [
    flagText(option),
    `${option.help}${fallbackNote(option)}`,
  ]);
  const commandRows: [string, string][] = Object.entries(COMMAND_FLAGS).map(([name, help]) => [
    `--${name}${name === "config" ? " FILE" : ""}`,
    help,
  ]);
  const width = Math.max(...[...rows, ...commandRows].map(([flag]) => flag.length)) + 2;
  const lines = (table: [string, string][]) => table.map(([flag, help]) => `  ${flag.padEnd(width)}${help}`);
  return [
    "Usage: npm start -- [options]",
    "",
    "Starts a ledger node: a chain of its own on this machine, served over HTTP.",
    "",
    ...lines(rows),
    "",
    ...lines(commandRows),
    "",
    "Flags win over the environment (LEDGER_NODE_PORT for --port), which wins over the file of --config.",
  ].join("\n");
}

/** The rows of the README's option table, Markdown. */
export function optionTable(): string {
  const rows = Object.values(OPTIONS).map((option: Option<unknown>) => {
    const fallback = option.fallback === undefined ? "" : `\`${String(option.fallback)}\``;
    return `| \`${flagText(option).replaceAll("|", "\\|")}\` | ${fallback} | ${option.help} |`;
  });
  return ["| option | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function flagText(option: Option<unknown>): string {
  return option.kind.placeholder === undefined
    ? `--${option.name}`
    : `--${option.name} ${option.kind.placeholder}`;
}

function fallbackNote(option: Option<unknown>): string {
  if (option.fallback === undefined || option.kind.placeholder === undefined) return "";
  return ` (${String(option.fallback)})`;
}
