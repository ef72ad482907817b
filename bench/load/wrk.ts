/** Read loads by wrk, where it is installed: the generator that does not tire before the node does. */

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Measured } from "../report.js";
import type { RequestSet } from "./request-set.js";

/** Requests in the script at most. */
const REQUESTS_MAX = 20_000;

export function hasWrk(): boolean {
  try {
    execFileSync("which", ["wrk"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export async function wrkRun(
  set: RequestSet,
  connections: number,
  seconds: number,
): Promise<Omit<Measured, "cpuMicros">> {
  const folder = mkdtempSync(join(tmpdir(), "ledger-node-bench-"));
  try {
    const script = join(folder, "load.lua");
    writeFileSync(script, scriptOf(set));
    const { stdout } = await promisify(execFile)(
      "wrk",
      ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, set.origin],
      { maxBuffer: 1 << 20 },
    );
    return resultOf(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function scriptOf(set: RequestSet): string {
  const text = (value: string) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const paths = set.paths.slice(0, REQUESTS_MAX);
  const bodies = set.bodies?.slice(0, REQUESTS_MAX);
  return [
    `local paths = {${paths.map(text).join(",")}}`,
    bodies === undefined ? "" : `local bodies = {${bodies.map(text).join(",")}}`,
    "local next = 0",
    "request = function()",
    "  next = next % #paths + 1",
    bodies === undefined
      ? "  return wrk.format('GET', paths[next])"
      : "  return wrk.format('POST', paths[next], {['Content-Type'] = 'application/json'}, bodies[next])",
    "end",
    "done = function(summary, latency)",
    "  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration,",
    "    latency:percentile(50), latency:percentile(99),",
    "    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout))",
    "end",
  ].join("\n");
}

/** Times in the line are microseconds. */
function resultOf(output: string): Omit<Measured, "cpuMicros"> {
  const match = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output);
  if (match === null) throw new Error(`wrk did not report:\n${output}`);
  const [requests, micros, p50, p99, errors] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { requests, seconds: micros / 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000, errors };
}
