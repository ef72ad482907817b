/** A node started as an operator starts it, and what its banner says of it. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A node that serves. */
export interface NodeProcess {
  /** Root of the REST interface, ends in `/v1`. */
  readonly api: string;
  readonly faucet: string;
  readonly indexer: string;
  readonly ready: string;
  /** Development accounts of the banner, hexadecimal with `0x`. */
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  /** Every process of the node. */
  readonly pids: readonly { readonly name: string; readonly pid: number }[];
  readonly process: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** Asks for an orderly end. @returns The exit code. */
  stop(): Promise<number | null>;
}

/** Longest wait for a node to serve, and to end, milliseconds. */
const START_MS_MAX = 120_000;
const STOP_MS_MAX = 30_000;

/** @param flags Of the node; ports are free ones unless given. The build must have been made. */
export async function startNodeProcess(flags: readonly string[]): Promise<NodeProcess> {
  const root = packageRoot();
  const child = spawn(
    process.execPath,
    [
      join(root, "src", "cli", "start.mjs"),
      ...["--port", "--faucet-port", "--indexer-port", "--ready-port"].flatMap((flag) =>
        flags.includes(flag) ? [] : [flag, "0"],
      ),
      ...flags,
    ],
    { cwd: root, env: { ...process.env, LEDGER_NODE_PREPARED: "1" }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  await untilReady(child, () => text);
  const line = (name: string) => new RegExp(`^${name} +(.+)$`, "m").exec(text)?.[1] ?? "";
  return {
    api: line("REST"),
    faucet: line("Faucet"),
    indexer: line("Indexer"),
    ready: line("Readiness"),
    accounts: [...text.matchAll(/address (0x[0-9a-f]+)\s+private key (0x[0-9a-f]+)/g)].map(
      ([, address, privateKey]) => ({ address: address as string, privateKey: privateKey as string }),
    ),
    pids: [...line("Processes").matchAll(/([a-z]+(?:-\d+)?) (\d+)/g)].map(([, name, pid]) => ({
      name: name as string,
      pid: Number(pid),
    })),
    process: child,
    output: () => text,
    stop: () => ended(child),
  };
}

/** The folder of package.json, from the sources and from the build alike. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

function untilReady(child: ChildProcess, text: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`the node ${why}:\n${text()}`));
    };
    const timer = setTimeout(() => fail("did not become ready"), START_MS_MAX);
    const ended = (code: number | null) => fail(`ended with code ${code}`);
    child.once("exit", ended);
    child.stdout?.on("data", () => {
      if (!/^ready in \d+ ms$/m.test(text())) return;
      clearTimeout(timer);
      child.off("exit", ended);
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
