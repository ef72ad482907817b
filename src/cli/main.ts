/**
 * The command line: arguments to configuration to a running node, and signals to its end.
 *
 * Standard output carries what was asked for; everything else goes to standard error. Exit codes: 0
 * after an orderly end, those of src/errors otherwise, 130 after a second interrupt.
 */

import { readFileSync } from "node:fs";
import { helpText, type NodeConfig, readCommandLine } from "../config/index.js";
import { exitCode, isNodeError } from "../errors/index.js";
import { type RunningNode, startNode } from "../supervisor/index.js";
import { bannerText, readyLine } from "./banner.js";
import { INSPECT_HELP, inspect, isInspection } from "./inspect.js";

/**
 * A second signal within this many milliseconds is the same one: npm passes on what the terminal has
 * already sent to everyone.
 */
const SAME_SIGNAL_MS = 500;

const FORCED_EXIT = 130;

/** How often a start that takes long says so, in milliseconds. */
const HEARTBEAT_MS = 4000;

/** Runs the command line and sets the exit code. @param args Without program and script. */
export async function main(args: readonly string[]): Promise<void> {
  // Whoever read the banner may be gone (`npm start | head`); the node is none the worse for it.
  process.stdout.on("error", () => {});
  try {
    if (isInspection(args)) {
      process.stdout.write(inspect(args, process.cwd()));
      return;
    }
    const line = readCommandLine({ args, environment: process.env, workingDir: process.cwd() });
    if (line.command === "help") console.log(`${helpText()}\n\nOther commands:\n${INSPECT_HELP}`);
    else if (line.command === "version") console.log(packageVersion());
    else await run(line.config);
  } catch (error) {
    // The operator's own mistakes are one sentence; ours come with their place.
    console.error(isNodeError(error) && error.code !== "bug" ? error.message : error);
    process.exitCode = exitCode(error);
  }
}

async function run(config: NodeConfig): Promise<void> {
  const stop = new AbortController();
  let node: RunningNode | undefined;
  const asked = firstSignal(() => {
    // Orphans end by themselves within a second; those we know of need not be waited for.
    node?.kill();
    process.exit(FORCED_EXIT);
  });
  void asked.then(() => stop.abort());
  const startedMs = performance.now();
  // A large ledger takes its time to load; silence would look like a hang.
  const heartbeat = setInterval(() => {
    console.error(`… still starting (${Math.round((performance.now() - startedMs) / 1000)} s)`);
  }, HEARTBEAT_MS);
  try {
    node = await startNode(config, { stop: stop.signal });
  } catch (error) {
    if (stop.signal.aborted) return;
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
  if (!config.silent) console.log(bannerText(node, packageVersion()));
  console.log(readyLine(node));
  const failure = await Promise.race([asked, node.failed]);
  await node.stop();
  if (failure !== undefined) throw failure;
}

/**
 * Resolves at the first signal that asks for an end.
 *
 * @param force Called at a later one.
 */
function firstSignal(force: () => void): Promise<undefined> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (firstMs === undefined) {
          firstMs = performance.now();
          resolve(undefined);
        } else if (performance.now() - firstMs > SAME_SIGNAL_MS) {
          force();
        }
      });
    }
  });
}

function packageVersion(): string {
  // Three folders up from dist/src/cli.
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
