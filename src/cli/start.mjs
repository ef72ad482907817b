/**
 * What `npm start` runs: prepares the checkout, then becomes the node in this same process, so that
 * signals sent to npm or typed at the terminal reach the supervisor directly.
 *
 * Usage: node src/cli/start.mjs [flags of the node], or --run-bench [flags of the bench].
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PrepareError, prepare, ROOT, say } from "./prepare.mjs";
import { releaseSignals } from "./steps.mjs";

const BENCH_FLAG = "--run-bench";

async function run() {
  const args = process.argv.slice(2);
  await prepare();
  releaseSignals();
  const isBench = args[0] === BENCH_FLAG;
  const entry = isBench ? join("bench", "main.js") : join("src", "cli", "main.js");
  const { main } = await import(pathToFileURL(join(ROOT, "dist", entry)).href);
  await main(isBench ? args.slice(1) : args);
}

try {
  await run();
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  say(error.message);
  process.exitCode = 2;
}
