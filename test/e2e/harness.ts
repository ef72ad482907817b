/**
 * Starts the built node the way an operator does, on free ports and in a folder of its own, and ends it.
 * Needs the build that `npm test` makes first.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..", "..");

/** Longest wait for a node to serve, and to end, milliseconds. */
const START_MS_MAX = 90_000;
const STOP_MS_MAX = 20_000;

export interface TestAccount {
  /** With `0x`. */
  readonly address: string;
  readonly privateKey: string;
}

export interface TestNode {
  /** Ends in `/v1`. */
  readonly api: string;
  readonly faucet: string;
  readonly indexer: string;
  readonly ready: string;
  readonly accounts: readonly TestAccount[];
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** Asks for an orderly end. @returns The exit code. The data folder goes unless it was handed in. */
  stop(): Promise<number | null>;
}

export interface TestNodeOptions {
  readonly flags?: readonly string[];
  /** Kept afterwards. */
  readonly dataDir?: string;
}

export async function startTestNode(options: TestNodeOptions = {}): Promise<TestNode> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "ledger-node-test-"));
  const ports = ["--port", "--faucet-port", "--indexer-port", "--ready-port"].flatMap((flag) => [flag, "0"]);
  const child = spawn(
    process.execPath,
    [join(ROOT, "src", "cli", "start.mjs"), "--data-dir", dataDir, ...ports, ...(options.flags ?? [])],
    { cwd: ROOT, env: { ...process.env, LEDGER_NODE_PREPARED: "1" }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await untilReady(child, () => text);
  const line = (name: string) => new RegExp(`^${name} +(\\S+)$`, "m").exec(text)?.[1] ?? "";
  const accounts = [...text.matchAll(/address (0x[0-9a-f]+)\s+private key (0x[0-9a-f]+)/g)].map(
    ([, address, privateKey]) => ({ address: address as string, privateKey: privateKey as string }),
  );
  return {
    api: line("REST"),
    faucet: line("Faucet"),
    indexer: line("Indexer"),
    ready: line("Readiness"),
    accounts,
    dataDir,
    process: child,
    output: () => text,
    async stop() {
      const code = await ended(child);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/** Asks again until `check` gives something, or fails at the deadline with what it gave last. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined>,
  msMax = 20_000,
): Promise<T> {
  const deadlineMs = Date.now() + msMax;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (Date.now() > deadlineMs) throw new Error(`within ${msMax} ms this did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function untilReady(child: ChildProcess, text: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`the node ${why}:\n${text()}`));
    };
    const timer = setTimeout(() => fail("did not become ready"), START_MS_MAX);
    child.once("exit", (code) => fail(`ended with code ${code}`));
    child.stdout?.on("data", () => {
      if (!/^ready in \d+ ms$/m.test(text())) return;
      clearTimeout(timer);
      child.removeAllListeners("exit");
      resolve();
    });
  });
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error("the node did not end in time"));
    }, STOP_MS_MAX);
    child.once("exit", (code) => {
      clearTimeout(timer);
      resolve(code);
    });
    child.kill("SIGTERM");
  });
}
