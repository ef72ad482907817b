/** The public face of the package: start a node from a program of your own. */

export type { NodeConfig } from "./config/index.js";
export { NodeError } from "./errors/index.js";
export { type NodeUrls, type RunningNode, startNode } from "./supervisor/index.js";
