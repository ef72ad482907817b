/**
 * What the supervisor and its children say over the channel they are born with.
 *
 * The supervisor opens with {@link ChildStart}; a child answers {@link ChildReady} once it serves, or
 * {@link ChildFailed} before it exits. {@link ChildDrain} asks for an orderly end. While it serves it
 * says {@link ChildAlive} every second. Losing the channel means that the supervisor is gone.
 */

import type { NodeConfig } from "../config/index.js";
import type { ErrorCode } from "../errors/index.js";

/** What a process is for. Entries: workers/<kind>.ts. */
export type ChildKind = "writer" | "front" | "faucet";

/** The writer's local socket. */
export interface WriterSocket {
  readonly path: string;
  /** Secret of this start of the node, 32 bytes: a leftover of another start cannot talk to it. */
  readonly token: Uint8Array;
}

/** First message to a child. */
export interface ChildStart {
  readonly type: "start";
  readonly kind: ChildKind;
  /** 0 to N - 1 among its kind. */
  readonly index: number;
  /** Port 0 is already replaced by the port that was found free. */
  readonly config: NodeConfig;
  readonly writerSocket: WriterSocket;
}

/** Asks for an orderly end: finish what is under way, close, exit 0. */
export interface ChildDrain {
  readonly type: "drain";
}

/** The child serves. */
export interface ChildReady {
  readonly type: "ready";
}

/** The child cannot go on; the exit code follows from `code`. */
export interface ChildFailed {
  readonly type: "failed";
  readonly code: ErrorCode;
  readonly message: string;
}

/** The child's event loop still turns. */
export interface ChildAlive {
  readonly type: "alive";
}

/** Supervisor to child. */
export type ToChild = ChildStart | ChildDrain;
/** Child to supervisor. */
export type FromChild = ChildReady | ChildFailed | ChildAlive;
