/** Starts, watches and ends the processes of a node. */

export type { ChildKind, ChildStart, WriterSocket } from "./child-protocol.js";
export {
  type ChildView,
  type NodeUrls,
  type RunningNode,
  type StartOptions,
  startNode,
} from "./supervisor.js";
