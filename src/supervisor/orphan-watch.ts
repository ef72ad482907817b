/**
 * Ends this process when its parent is gone, even if its event loop is stuck in a long computation
 * and cannot notice the lost channel.
 *
 * A thread of its own asks the kernel for the parent's id; an orphan has another one. The thread
 * does nothing else, so nothing can keep it from asking.
 */

import { Worker } from "node:worker_threads";

/** How often the thread asks, in milliseconds. */
const ASK_EVERY_MS = 100;

/** JavaScript of the thread: it is loaded before, and independently of, everything else. */
const THREAD = `
  const { workerData } = require("node:worker_threads");
  const asking = setInterval(() => {
    if (process.ppid === workerData.parentPid) return;
    clearInterval(asking);
    setTimeout(() => process.kill(process.pid, "SIGKILL"), workerData.graceMs);
  }, workerData.askEveryMs);
`;

/**
 * Starts the watch.
 *
 * @param graceMs What an orphan that still listens may take to end in order, in milliseconds.
 */
export function watchParent(graceMs: number): void {
  const thread = new Worker(THREAD, {
    eval: true,
    workerData: { parentPid: process.ppid, graceMs, askEveryMs: ASK_EVERY_MS },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  thread.unref();
}
