/**
 * `npm run bench`: starts the built node, fills it with accounts, and loads it from this process.
 *
 * Everything runs on one machine: the generator takes part of the cores, so requests/s are what is
 * left over; CPU µs per request (all processes of the node together) is the figure to compare.
 */

import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressesOf, createAccounts, keyedSender, type Sender } from "./accounts.js";
import { autocannonRun } from "./load/autocannon.js";
import type { RequestSet } from "./load/request-set.js";
import { hasWrk, wrkRun } from "./load/wrk.js";
import { machineLines } from "./machine.js";
import { type NodeProcess, startNodeProcess } from "./node-process.js";
import { type Parameters, readParameters } from "./parameters.js";
import { cpuMicros } from "./process-cpu.js";
import { headingLines, type Measured, resultLine } from "./report.js";
import { readSets } from "./scenarios/reads.js";
import { commitLatencies, runTransfers, signTransfers } from "./scenarios/transfers.js";

const CHAIN_ID = 4;
/** Octas of each development account: enough to make every account of a large bench. */
const FUNDER_OCTAS = 10_000_000_000_000n;
const FUNDERS = 10;
/** Transfers sent one by one for the commit latency. */
const SINGLE_TRANSFERS = 30;
/** Length of the warm-up of each load, seconds. */
const WARM_UP_SECS = 1;

/** @param args Without program and script. Standard output carries the figures, standard error progress. */
export async function main(args: readonly string[]): Promise<void> {
  let parameters: Parameters;
  try {
    parameters = readParameters(args);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), "ledger-node-bench-"));
  const node = await startNodeProcess([
    "--data-dir",
    dataDir,
    "--balance",
    `${FUNDER_OCTAS}`,
    "--accounts",
    `${FUNDERS}`,
    ...parameters.nodeFlags,
  ]);
  try {
    await measure(node, parameters);
  } finally {
    await node.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(node: NodeProcess, parameters: Parameters): Promise<void> {
  const print = (...lines: string[]) => console.log(lines.join("\n"));
  print(...machineLines());
  print(
    `node     ${node.pids.map(({ name }) => name).join(", ")}; ${parameters.nodeFlags.join(" ") || "default flags"}`,
  );
  print(
    `load     ${parameters.accounts} accounts, ${parameters.connections} connections, ${parameters.seconds} s × ${parameters.runs} runs after ${WARM_UP_SECS} s of warm-up; every commit is durable`,
  );

  const senders = Array.from({ length: parameters.senders }, (_, index) =>
    keyedSender(hash("sha256", `sender ${index}`, "buffer")),
  );
  const addresses = addressesOf(parameters.accounts, senders);
  await fill(node, addresses, print);

  print("", "figures: least / middle / most of the runs", ...headingLines());
  const wrk = hasWrk();
  for (const set of readSets(node.api, addresses)) {
    print(resultLine(set.name, "autocannon", await readRuns(node, set, parameters, autocannonRun)));
    if (wrk) print(resultLine(set.name, "wrk", await readRuns(node, set, parameters, wrkRun)));
  }
  await transferRuns(node, senders, addresses, parameters, print);
  if (!wrk) print("", "wrk is not installed: its rows are missing.");
}

async function fill(
  node: NodeProcess,
  addresses: readonly Buffer[],
  print: (line: string) => void,
): Promise<void> {
  const funders = node.accounts.map(({ privateKey }) => keyedSender(Buffer.from(privateKey.slice(2), "hex")));
  const startMs = performance.now();
  let shownMs = startMs;
  await createAccounts(node.api, CHAIN_ID, funders, addresses, (made) => {
    if (performance.now() - shownMs < 3000) return;
    shownMs = performance.now();
    console.error(`${made} of ${addresses.length} accounts made`);
  });
  const seconds = (performance.now() - startMs) / 1000;
  print(`fill     ${seconds.toFixed(1)} s, ${Math.round(addresses.length / seconds)} accounts/s`);
}

type Generator = (
  set: RequestSet,
  connections: number,
  seconds: number,
) => Promise<Omit<Measured, "cpuMicros">>;

async function readRuns(
  node: NodeProcess,
  set: RequestSet,
  parameters: Parameters,
  generator: Generator,
): Promise<Measured[]> {
  await generator(set, parameters.connections, WARM_UP_SECS);
  const runs: Measured[] = [];
  for (let run = 0; run < parameters.runs; run += 1) {
    runs.push(await withCpu(node, () => generator(set, parameters.connections, parameters.seconds)));
  }
  return runs;
}

async function transferRuns(
  node: NodeProcess,
  senders: readonly Sender[],
  addresses: readonly Buffer[],
  parameters: Parameters,
  print: (...lines: string[]) => void,
): Promise<void> {
  const runs: Awaited<ReturnType<typeof oneRun>>[] = [];
  const oneRun = () => {
    const signed = signTransfers(senders, addresses, parameters.transfers, CHAIN_ID);
    return withCpu(node, () => runTransfers(node.api, signed, parameters.connections));
  };
  for (let run = 0; run < parameters.runs; run += 1) runs.push(await oneRun());
  print(resultLine("transfer (submit)", "own", runs));
  const committed = runs.map((run) => Math.round(run.committedPerSecond)).sort((left, right) => left - right);
  print(
    "",
    `transfers committed/s: ${committed[0]} / ${committed[committed.length >> 1]} / ${committed.at(-1)}`,
  );
  print(cpuByProcess(node, runs));
  const single = await commitLatencies(
    node.api,
    signTransfers(senders, addresses, SINGLE_TRANSFERS, CHAIN_ID),
  );
  print(
    `submit to commit, one at a time: p50 ${single[single.length >> 1]?.toFixed(1)} ms, most ${single.at(-1)?.toFixed(1)} ms`,
  );
}

/** Where the processor time of all runs went, per transfer. */
function cpuByProcess(node: NodeProcess, runs: readonly (Measured & WithCpu)[]): string {
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  const shares = node.pids.map(({ name }, index) => {
    const micros = runs.reduce((sum, run) => sum + (run.cpuMicrosByProcess[index] ?? 0), 0);
    return `${name} ${(micros / requests).toFixed(1)}`;
  });
  return `CPU µs per transfer by process: ${shares.join(", ")}`;
}

interface WithCpu {
  readonly cpuMicros: number;
  /** In the order of the node's processes. */
  readonly cpuMicrosByProcess: readonly number[];
}

async function withCpu<Run>(node: NodeProcess, run: () => Promise<Run>): Promise<Run & WithCpu> {
  const read = () => node.pids.map(({ pid }) => cpuMicros([pid]));
  const before = read();
  const result = await run();
  const cpuMicrosByProcess = read().map((after, index) => after - (before[index] ?? 0));
  return {
    ...result,
    cpuMicros: cpuMicrosByProcess.reduce((sum, micros) => sum + micros, 0),
    cpuMicrosByProcess,
  };
}
