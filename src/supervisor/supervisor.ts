/**
 * Starts a node, keeps it running, ends it.
 *
 * ```
 *   check ports, data folder, socket folder
 *     └─ writer ── serves ─┬─ front 0 … F-1 ─┐
 *                          └─ faucet ────────┴─ a front answers: ready
 * ```
 *
 * Promises: what the operator can fix is found before any process starts, as far as it can be; when
 * {@link startNode} throws, nothing is left running; {@link RunningNode.stop} leaves no process, port
 * or socket behind. Knows kinds of process, not their work.
 */

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NodeConfig } from "../config/index.js";
import { invariant, NodeError } from "../errors/index.js";
import { prepareSocketPath, removeEmptySocketFolder, removeSocketPath } from "../ipc/index.js";
import { type Logger, openLogger } from "../observe/index.js";
import type { ChildKind } from "./child-protocol.js";
import { openDataFolder } from "./data-folder.js";
import { ManagedChild } from "./managed-child.js";
import { checkPorts } from "./ports.js";
import { answersWithin } from "./readiness.js";

/** Longest wait for the first front to answer, in milliseconds. */
const READY_MS_MAX = 60_000;

/**
 * Longest a serving child may be silent, in milliseconds. Far above the longest block or page, so
 * that a machine under load kills nobody.
 */
const SILENCE_MS_MAX = 30_000;

/** Where a node can be reached. */
export interface NodeUrls {
  /** Root of the REST interface, ends in `/v1`. */
  readonly api: string;
  /** Absent without a faucet. */
  readonly faucet: string | undefined;
  readonly indexer: string | undefined;
  readonly ready: string | undefined;
}

/** One child as others may see it. */
export interface ChildView {
  readonly name: string;
  readonly pid: number | undefined;
  readonly isServing: boolean;
  /** Times it was started again. */
  readonly restarts: number;
}

/** A node that serves. */
export interface RunningNode {
  /** As it runs: ports found, values of the data folder's chain. */
  readonly config: NodeConfig;
  readonly urls: NodeUrls;
  /** Milliseconds from the start of the first check to the first answer of a front. */
  readonly readyMs: number;
  readonly children: readonly ChildView[];
  /** Resolves when a child is given up; the node should be stopped then. */
  readonly failed: Promise<NodeError>;
  /** Ends everything in order. May be called again. */
  stop(): Promise<void>;
  /** Ends everything now. */
  kill(): void;
}

/** What embedders and tests may change. */
export interface StartOptions {
  /** Folder with the process entries, `<kind>.js`; the compiled ones if not given. */
  readonly entryDir?: string;
  /** Longest a serving child may be silent before it is replaced, in milliseconds; 30 s if not given. */
  readonly silenceMsMax?: number;
  /** Ends a start that is under way; {@link startNode} then throws. */
  readonly stop?: AbortSignal;
}

/**
 * Starts a node and resolves once a front answers.
 *
 * @throws NodeError with one sentence for the operator; nothing is left running then.
 */
export async function startNode(asked: NodeConfig, options: StartOptions = {}): Promise<RunningNode> {
  const startedMs = performance.now();
  const config = openDataFolder(await withPorts(asked));
  const log = openLogger({
    process: "supervisor",
    level: config.logLevel,
    file: join(config.dataDir, "node.log"),
  });
  const family = new Family(config, options, log);
  options.stop?.addEventListener("abort", () => void family.stop(), { once: true });
  try {
    await family.begin();
    const urls = nodeUrls(config);
    if (!(await answersWithin(`${urls.api}/-/healthy`, READY_MS_MAX, options.stop))) {
      throw new NodeError("child_failed", `No front answered within ${READY_MS_MAX / 1000} s.`);
    }
    const readyMs = Math.round(performance.now() - startedMs);
    log.info({ readyMs }, "ready");
    return {
      config,
      urls,
      readyMs,
      failed: family.failed,
      get children() {
        return family.children;
      },
      stop: () => family.stop(),
      kill: () => family.kill(),
    };
  } catch (error) {
    log.error({ err: error }, "did not start");
    await family.stop();
    throw error;
  }
}

/** All children of one node. */
class Family {
  readonly failed: Promise<NodeError>;
  readonly #log: Logger;
  readonly #socketPath: string;
  readonly #writer: ManagedChild;
  readonly #others: ManagedChild[];
  #ownsSocket = false;
  #stopping: Promise<void> | undefined;

  constructor(config: NodeConfig, options: StartOptions, log: Logger) {
    const { entryDir = compiledEntries(), silenceMsMax = SILENCE_MS_MAX } = options;
    this.#log = log;
    this.#socketPath = prepareSocketPath(config.dataDir);
    const writerSocket = { path: this.#socketPath, token: randomBytes(32) };
    let giveUp: (error: NodeError) => void = () => {};
    this.failed = new Promise((resolve) => {
      giveUp = resolve;
    });
    const child = (kind: ChildKind, index: number, name: string) =>
      new ManagedChild({
        name,
        entry: join(entryDir, `${kind}.js`),
        start: { type: "start", kind, index, config, writerSocket },
        log,
        silenceMsMax,
        onGivenUp: giveUp,
      });
    // All processes load their code while the writer opens the store.
    this.#writer = child("writer", 0, "writer");
    this.#others = Array.from({ length: config.fronts }, (_, index) =>
      child("front", index, `front-${index}`),
    );
    if (!config.noFaucet) this.#others.push(child("faucet", 0, "faucet"));
  }

  get children(): ManagedChild[] {
    return [this.#writer, ...this.#others];
  }

  /** @throws NodeError of the first child that cannot start. */
  async begin(): Promise<void> {
    await this.#writer.begin();
    // Before that, the socket in the folder may be another node's.
    this.#ownsSocket = true;
    await Promise.all(this.#others.map((child) => child.begin()));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  kill(): void {
    for (const child of this.children) child.kill();
    this.#removeSocket();
  }

  async #stop(): Promise<void> {
    this.#log.info("stopping");
    // Fronts first: what they admitted still reaches the writer.
    await Promise.all(this.#others.map((child) => child.drain()));
    await this.#writer.drain();
    this.#removeSocket();
    this.#log.info("stopped");
  }

  #removeSocket(): void {
    if (this.#ownsSocket) removeSocketPath(this.#socketPath);
    else removeEmptySocketFolder(this.#socketPath);
  }
}

/** Checks every port and fills in those that were asked for as 0. */
async function withPorts(config: NodeConfig): Promise<NodeConfig> {
  const { host, faucetHost } = config;
  const api = { host, port: config.port, flag: "--port" };
  if (config.noFaucet) {
    const [port] = await checkPorts([api]);
    return { ...config, port: port ?? config.port };
  }
  const [port, faucetPort, indexerPort, readyPort] = await checkPorts([
    api,
    { host: faucetHost, port: config.faucetPort, flag: "--faucet-port" },
    { host: faucetHost, port: config.indexerPort, flag: "--indexer-port" },
    { host: faucetHost, port: config.readyPort, flag: "--ready-port" },
  ]);
  return {
    ...config,
    port: port ?? config.port,
    faucetPort: faucetPort ?? config.faucetPort,
    indexerPort: indexerPort ?? config.indexerPort,
    readyPort: readyPort ?? config.readyPort,
  };
}

function nodeUrls(config: NodeConfig): NodeUrls {
  const helper = (port: number) =>
    config.noFaucet ? undefined : `http://${reachable(config.faucetHost)}:${port}`;
  return {
    api: `http://${reachable(config.host)}:${config.port}/v1`,
    faucet: helper(config.faucetPort),
    indexer: helper(config.indexerPort),
    ready: helper(config.readyPort),
  };
}

/** A host to connect to, given one to listen on. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** dist/workers below the package root, whether this runs compiled or from source. */
function compiledEntries(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package-lock.json"))) {
    const parent = dirname(folder);
    invariant(parent !== folder, "this file lies below the package root");
    folder = parent;
  }
  return join(folder, "dist", "workers");
}
