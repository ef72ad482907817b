/**
 * Turns what the compiler's test runner prints into verdicts, one line a program:
 *
 *   module::program returned <bytes of each result, hex>
 *   module::program aborted <code> in <function> at <instructions>
 *   module::program failed <status>[/<sub-status>] in <function> at <instructions>
 *
 * The runner names a part of the source; the instructions are the runs that come from that part, `3-5,9-` with both ends in them.
 */

import { testName } from "./programs.mjs";

/** Statuses that the runner spells in words. */
const ARITHMETIC_ERROR = 4017;
const VECTOR_OPERATION_ERROR = 4018;

/**
 * The verdict of every program.
 *
 * @param programs As `programsOf` finds them.
 * @param output What the runner printed, without colours.
 * @param sources Text by file name; @param maps Functions by module name, as `readSourceMap` gives them.
 * @throws Error where the runner said nothing of a program, or something that is none of the three.
 */
export function readVerdicts(programs, output, sources, maps) {
  const reports = new Map(
    [...output.matchAll(/^┌── (\w+) ─+\n([\s\S]*?)^└─/gm)].map(([, name, text]) => [name, text]),
  );
  return programs.map((program) => {
    const report = reports.get(testName(program));
    if (report === undefined) throw new Error(`the runner did not report ${testName(program)}`);
    return `${program.module}::${program.name} ${verdict(report, sources, maps)}`;
  });
}

function verdict(report, sources, maps) {
  const module = /originating in the module [0-9a-f]+::(\w+)/.exec(report)?.[1];
  if (module === "recorder") return ["returned", ...results(report)].join(" ");
  const place = () => `in ${placeOf(report, module, sources, maps)}`;
  const abort = /it aborted with code (\d+)/.exec(report);
  if (abort !== null) return `aborted ${abort[1]} ${place()}`;
  if (report.includes("it gave an arithmetic error")) return `failed ${ARITHMETIC_ERROR} ${place()}`;
  const vector = /it gave a vector operation error with sub-status (\d+)/.exec(report);
  if (vector !== null) return `failed ${VECTOR_OPERATION_ERROR}/${vector[1]} ${place()}`;
  const other = /it gave a \w+ \(code (\d+)\) error/.exec(report);
  if (other !== null) return `failed ${other[1]} ${place()}`;
  throw new Error(`not a verdict:\n${report}`);
}

/** Bytes of the results, from the storage the test left; an empty byte list is written `-`. */
function results(report) {
  const list = /recorder::Outcome \{\n│ \s+results: (\[\]|\[\n[\s\S]*?\n│ \s+\],?)\n/.exec(report)?.[1];
  if (list === undefined) throw new Error(`no results in:\n${report}`);
  return [...list.matchAll(/^│\s+([0-9a-f]*),$/gm)].map(([, hex]) => (hex === "" ? "-" : hex));
}

/** `module::function at 3-4,9-`: runs of instructions, the last of which may be open. */
function placeOf(report, module, sources, maps) {
  const [, file, line, column] = /┌─ \.\/sources\/(\S+):(\d+):(\d+)/.exec(report) ?? [];
  const source = sources.get(file);
  const lines = source.split("\n");
  const start =
    lines.slice(0, Number(line) - 1).reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
  const found = maps.get(module).flatMap(({ name, code }) => {
    const offsets = code.filter((entry) => entry.start === start);
    return offsets.length > 0 ? [{ name: source.slice(name.start, name.end), offsets }] : [];
  });
  if (found.length !== 1) throw new Error(`${found.length} functions hold ${file}:${line}:${column}`);
  const [{ name, offsets }] = found;
  // The marks under the line tell parts apart that start together, where the part is in one line.
  const length = /[^^](\^+)[^^]/.exec(report)?.[1].length;
  const exact = offsets.filter((entry) => entry.end - entry.start === length);
  const chosen = exact.length > 0 ? exact : offsets;
  const runs = chosen.map(({ first, last }) => `${first}-${last === Infinity ? "" : last}`);
  return `${module}::${name} at ${runs.join(",")}`;
}
