/**
 * The built node through its two commands: how it starts, how every way of ending it ends, and what
 * is left afterwards, which is nothing but the data folder.
 */

import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive, isListening, waitUntil } from "../fault/left-behind.js";

const ROOT = resolve(import.meta.dirname, "..", "..");
const FREE_PORTS = ["--port", "0", "--faucet-port", "0", "--indexer-port", "0", "--ready-port", "0"];

let folder: string;
const started: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "start-stop-"));
  mkdirSync(join(folder, "run"));
});
afterEach(() => {
  for (const child of started.splice(0)) if (child.pid !== undefined) killGroup(child.pid);
  rmSync(folder, { recursive: true, force: true });
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Ended already, as it should have.
  }
}

interface Started {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Runs a command in a process group of its own, as a terminal would. */
function launch(command: string, args: string[]): Started {
  const child = spawn(command, args, {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LEDGER_NODE_PREPARED: "1", XDG_RUNTIME_DIR: join(folder, "run") },
  });
  started.push(child);
  const text = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    text.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    text.err += chunk.toString();
  });
  const ended = new Promise<number | NodeJS.Signals>((settle) => {
    child.on("close", (code, signal) => settle(code ?? signal ?? "SIGKILL"));
  });
  return { process: child, stdout: () => text.out, stderr: () => text.err, ended };
}

const startArgs = (args: string[]) => ["--data-dir", join(folder, "data"), ...FREE_PORTS, ...args];
const launchNode = (args: string[] = []) =>
  launch(process.execPath, [join(ROOT, "src", "cli", "start.mjs"), ...startArgs(args)]);
const launchNpm = (args: string[] = []) => launch("npm", ["start", "--", ...startArgs(args)]);

interface Banner {
  readonly readyMs: number;
  readonly urls: string[];
  /** Of every process, the supervisor first. */
  readonly pids: number[];
  readonly text: string;
}

async function ready(node: Started): Promise<Banner> {
  let isOver = false;
  void node.ended.then(() => {
    isOver = true;
  });
  await waitUntil("the ready line", () => {
    if (isOver) throw new Error(`the node ended instead:\n${node.stderr()}`);
    return /^ready in \d+ ms$/m.test(node.stdout());
  });
  const text = node.stdout();
  const processes = /^Processes +(.+)$/m.exec(text)?.[1] ?? "";
  return {
    text,
    readyMs: Number(/^ready in (\d+) ms$/m.exec(text)?.[1]),
    urls: [...text.matchAll(/^(?:REST|Faucet|Indexer|Readiness) +(\S+)$/gm)].map(([, url]) => url as string),
    pids: [...processes.matchAll(/ (\d+)/g)].map(([, pid]) => Number(pid)),
  };
}

async function nothingLeft(banner: Banner): Promise<void> {
  await waitUntil("every process to end", () => !banner.pids.some(isAlive));
  for (const url of banner.urls) await waitUntil(`${url} to be free`, async () => !(await isListening(url)));
  const sockets = readdirSync(join(folder, "run")).flatMap((name) => readdirSync(join(folder, "run", name)));
  expect(sockets).toEqual([]);
}

async function ledgerVersion(banner: Banner): Promise<bigint> {
  const answer = await fetch(banner.urls[0] as string);
  const body = (await answer.json()) as { ledger_version: string };
  return BigInt(body.ledger_version);
}

describe("a start", () => {
  it("shows where everything is, ten accounts with keys, and answers at once", async () => {
    const node = launchNode();
    const banner = await ready(node);
    expect(banner.urls).toHaveLength(4);
    expect(banner.pids.length).toBeGreaterThanOrEqual(4);
    expect(banner.text).toMatch(/^Chain id +4$/m);
    expect(banner.text).toContain(join(folder, "data"));
    expect([...banner.text.matchAll(/address 0x[0-9a-f]{64}/g)]).toHaveLength(10);
    expect([...banner.text.matchAll(/private key 0x[0-9a-f]{64}/g)]).toHaveLength(10);
    const answer = await fetch(banner.urls[0] as string);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ chain_id: 4 });
    node.process.kill("SIGTERM");
    expect(await node.ended).toBe(0);
    await nothingLeft(banner);
  });

  it("keeps private keys out of the log", async () => {
    const node = launchNode();
    const banner = await ready(node);
    node.process.kill("SIGTERM");
    await node.ended;
    const log = readFileSync(join(folder, "data", "node.log"), "utf8");
    expect(log.length).toBeGreaterThan(0);
    for (const [, key] of banner.text.matchAll(/private key 0x([0-9a-f]{64})/g))
      expect(log).not.toContain(key);
  });

  it("with --silent prints the ready line alone", async () => {
    const node = launchNode(["--silent"]);
    await ready(node);
    expect(node.stdout()).toMatch(/^ready in \d+ ms\n$/);
    node.process.kill("SIGTERM");
    expect(await node.ended).toBe(0);
  });

  it("a second time goes on from the first, quickly", async () => {
    const first = launchNode();
    const version = await ledgerVersion(await ready(first));
    first.process.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    const second = launchNode();
    const banner = await ready(second);
    expect(await ledgerVersion(banner)).toBeGreaterThanOrEqual(version);
    // Under a second on an idle machine; tests share theirs.
    expect(banner.readyMs).toBeLessThan(10_000);
    second.process.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });
});

describe("an end", () => {
  it.each([
    ["SIGTERM to the node", (node: Started) => node.process.kill("SIGTERM")],
    ["SIGINT to the node", (node: Started) => node.process.kill("SIGINT")],
    ["SIGHUP to the node", (node: Started) => node.process.kill("SIGHUP")],
    [
      "Ctrl-C, which reaches every process",
      (node: Started) => process.kill(-(node.process.pid as number), "SIGINT"),
    ],
  ])("by %s leaves nothing and exits 0", async (_name, signal) => {
    const node = launchNode();
    const banner = await ready(node);
    signal(node);
    expect(await node.ended).toBe(0);
    await nothingLeft(banner);
  });

  it.each([
    ["SIGTERM to npm", (node: Started) => node.process.kill("SIGTERM")],
    ["Ctrl-C at npm", (node: Started) => process.kill(-(node.process.pid as number), "SIGINT")],
  ])("by %s leaves nothing", async (_name, signal) => {
    const node = launchNpm();
    const banner = await ready(node);
    signal(node);
    await node.ended;
    await nothingLeft(banner);
  });

  it("by SIGKILL of the supervisor leaves nothing, and the next start goes on", async () => {
    const node = launchNode();
    const banner = await ready(node);
    const version = await ledgerVersion(banner);
    node.process.kill("SIGKILL");
    await nothingLeft(banner);
    const next = launchNode();
    expect(await ledgerVersion(await ready(next))).toBeGreaterThanOrEqual(version);
    next.process.kill("SIGTERM");
    expect(await next.ended).toBe(0);
  });

  it("by a signal during the start leaves nothing", async () => {
    const node = launchNode();
    await waitUntil("the start to begin", () => existsSync(join(folder, "data", "node.log")));
    node.process.kill("SIGTERM");
    expect(await node.ended).toBe(0);
    expect(readdirSync(join(folder, "run"))).toEqual([]);
  });
});

describe("a start is refused in one sentence with exit code 2", () => {
  async function refused(node: Started, part: string): Promise<void> {
    expect(await node.ended).toBe(2);
    expect(node.stdout()).toBe("");
    expect(node.stderr().trimEnd()).not.toContain("\n");
    expect(node.stderr()).toContain(part);
  }

  it("beside another node on the same folder, which goes on", async () => {
    const first = launchNode();
    const banner = await ready(first);
    await refused(launchNode(), "in use");
    expect(banner.pids.every(isAlive)).toBe(true);
    expect((await fetch(banner.urls[0] as string)).status).toBe(200);
  });

  it("beside another node on the same port", async () => {
    const first = launchNode();
    const banner = await ready(first);
    const { port } = new URL(banner.urls[0] as string);
    const args = ["--data-dir", join(folder, "other"), ...FREE_PORTS];
    args[args.indexOf("--port") + 1] = port;
    await refused(launch(process.execPath, [join(ROOT, "src", "cli", "start.mjs"), ...args]), `Port ${port}`);
  });

  it("on the folder of another chain", async () => {
    const first = launchNode();
    await ready(first);
    first.process.kill("SIGTERM");
    await first.ended;
    await refused(launchNode(["--chain-id", "7"]), "chain 4");
  });

  it("on a folder that cannot be written", async () => {
    writeFileSync(join(folder, "data"), "a file is in the way");
    await refused(launchNode(), "data folder");
  });
});
