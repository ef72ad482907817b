/**
 * The life of a child process, the same for every kind: wait for the start message, run, drain, exit.
 *
 * Promises: SIGINT is ignored, since a terminal sends it to the whole group and the supervisor
 * decides; SIGTERM and the drain message mean the same; a lost channel ends the process within
 * {@link ORPHAN_MS_MAX}, or is killed soon after if its event loop is stuck; a bug is logged, reported and ends it.
 */

import { join } from "node:path";
import { exitCode, isNodeError, NodeError } from "../errors/index.js";
import { type Logger, openLogger } from "../observe/index.js";
import type { ChildStart, FromChild, ToChild } from "./child-protocol.js";
import { watchParent } from "./orphan-watch.js";

/** Longest a child lives after its supervisor is gone, in milliseconds. */
export const ORPHAN_MS_MAX = 800;

/** Longest an orderly end may take before the child ends anyway, in milliseconds. */
export const DRAIN_MS_MAX = 5000;

/** How often a serving child says that it is alive, in milliseconds. */
const ALIVE_EVERY_MS = 1000;

/** What a started child can still be asked. */
export interface RunningChild {
  /** Finishes what is under way and releases everything; the process exits 0 afterwards. */
  drain(): Promise<void>;
}

/** Tells the supervisor about a failure that ends this child, and ends it. */
export type FailChild = (error: unknown) => never;

/** Builds the child's parts and resolves once it serves. */
export type StartChild = (start: ChildStart, log: Logger, fail: FailChild) => Promise<RunningChild>;

/** Runs this process as a child. Call once, from a process entry. */
export function runChild(startChild: StartChild): void {
  let log: Logger | undefined;
  let running: RunningChild | undefined;
  let isStarted = false;
  let isEnding = false;

  const fail: FailChild = (error) => {
    log?.fatal({ err: error }, "this process cannot go on");
    const code = isNodeError(error) ? error.code : "bug";
    const message = error instanceof Error ? error.message : String(error);
    tell({ type: "failed", code, message });
    process.exit(exitCode(error));
  };

  const end = (msMax: number) => {
    if (isEnding) return;
    isEnding = true;
    // Before it serves, a child owes nobody anything.
    if (running === undefined) process.exit(0);
    setTimeout(() => process.exit(msMax === DRAIN_MS_MAX ? 1 : 0), msMax);
    running.drain().then(
      () => process.exit(0),
      (error) => {
        log?.error({ err: error }, "did not end in order");
        process.exit(1);
      },
    );
  };

  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => end(DRAIN_MS_MAX));
  process.on("disconnect", () => {
    log?.warn("the supervisor is gone");
    end(ORPHAN_MS_MAX);
  });
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  process.on("message", (message: ToChild) => {
    if (message.type === "drain") return end(DRAIN_MS_MAX);
    if (isStarted) return fail(new NodeError("bug", "started twice"));
    isStarted = true;
    log = openLogger({
      process: message.kind === "front" ? `front-${message.index}` : message.kind,
      level: message.config.logLevel,
      file: join(message.config.dataDir, "node.log"),
    });
    startChild(message, log, fail).then((child) => {
      running = child;
      tell({ type: "ready" });
      setInterval(() => tell({ type: "alive" }), ALIVE_EVERY_MS);
    }, fail);
  });
  if (process.connected) watchParent(ORPHAN_MS_MAX);
  // Born without a channel: started by hand, which nothing here supports.
  else fail(new NodeError("bug", "this is a part of the node; npm start starts all of it"));
}

function tell(message: FromChild): void {
  // A lost channel is handled where it is noticed, not here.
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}
