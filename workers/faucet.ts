/** Process entry of the development mode's faucet, indexer answers and readiness port. */

import { startFaucet } from "../src/faucet/index.js";
import type { Logger } from "../src/observe/index.js";
import { type RunningChild, runChild } from "../src/supervisor/child-entry.js";
import type { ChildStart } from "../src/supervisor/child-protocol.js";

async function start({ config }: ChildStart, log: Logger): Promise<RunningChild> {
  const faucet = await startFaucet(config, log);
  return { drain: () => faucet.close() };
}

runChild(start);
