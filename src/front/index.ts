/** Fronts: the REST interface. */

export { type Front, type FrontOptions, type FrontParts, startFront } from "./front.js";
export { type PackedBatch, pack, transferables, unpack } from "./packed-batch.js";
export type { ReadContext } from "./reads/context.js";
export type { WorkTask } from "./work.js";
export { WorkPool, type WorkPoolOptions, type WorkThreadData } from "./work-pool.js";
export { runWork } from "./work-runner.js";
