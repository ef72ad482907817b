/** Pool task: everything of a front that takes long. One store reader and one core per thread. */

import { workerData } from "node:worker_threads";
import type { ReadContext } from "../src/front/reads/context.js";
import type { WorkTask } from "../src/front/work.js";
import type { WorkThreadData } from "../src/front/work-pool.js";
import { runWork } from "../src/front/work-runner.js";
import { core as functions, isCoreBroken } from "../src/native/index.js";
import { openStoreReader } from "../src/store/snapshot.js";
import { wireNames } from "../src/wire/index.js";

let context: ReadContext | undefined;

/** Built at the first task: a thread that is never needed opens nothing. */
function threadContext(): ReadContext {
  if (context === undefined) {
    // The pool keeps a place of its own before what the front passed.
    const { chainId, dataDir, vendor } = (
      Array.isArray(workerData) ? workerData.at(-1) : workerData
    ) as WorkThreadData;
    context = {
      store: openStoreReader({ directory: dataDir }),
      core: functions.createCore({ chainId }),
      functions,
      wire: wireNames(vendor),
      chainId,
      renderBytesMax: Number.POSITIVE_INFINITY,
    };
  }
  return context;
}

/** @throws what is the node's own fault; refusals are part of the result. */
export default function work(task: WorkTask): unknown {
  try {
    return runWork(threadContext(), task);
  } catch (error) {
    // After a panic nothing the core still holds can be trusted: the pool starts another thread.
    if (isCoreBroken()) setImmediate(() => process.exit(1));
    throw error;
  }
}
