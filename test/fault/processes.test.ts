/** The supervisor over stand-in children: what it refuses, what it restarts, what it leaves behind. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCommandLine } from "../../src/config/index.js";
import { isNodeError } from "../../src/errors/index.js";
import { type RunningNode, type StartOptions, startNode } from "../../src/supervisor/index.js";
import { isAlive, isListening, waitUntil } from "./left-behind.js";

const CHILDREN = fileURLToPath(new URL("./children/", import.meta.url));
const FREE_PORTS = ["--port", "0", "--faucet-port", "0", "--indexer-port", "0", "--ready-port", "0"];

let folder: string;
let dataDir: string;
let runtimeDir: string | undefined;
const running: RunningNode[] = [];
const processes: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "processes-"));
  dataDir = join(folder, "data");
  mkdirSync(join(folder, "run"));
  runtimeDir = process.env.XDG_RUNTIME_DIR;
  process.env.XDG_RUNTIME_DIR = join(folder, "run");
});
afterEach(async () => {
  for (const node of running.splice(0)) await node.stop();
  for (const child of processes.splice(0)) child.kill("SIGKILL");
  if (runtimeDir === undefined) delete process.env.XDG_RUNTIME_DIR;
  else process.env.XDG_RUNTIME_DIR = runtimeDir;
  rmSync(folder, { recursive: true, force: true });
});

async function start(args: string[] = [], options: StartOptions = {}): Promise<RunningNode> {
  const all = ["--data-dir", dataDir, ...FREE_PORTS, ...args];
  const line = readCommandLine({ args: all, environment: {}, workingDir: folder });
  if (line.command !== "start") throw new Error("expected start");
  const node = await startNode(line.config, { entryDir: CHILDREN, ...options });
  running.push(node);
  return node;
}

async function refusal(starting: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await starting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isNodeError(error)) throw new Error(`expected a refusal, got ${String(error)}`);
  expect(error.message).not.toContain("\n");
  return { code: error.code, message: error.message };
}

const pidsOf = (node: RunningNode) => node.children.map(({ pid }) => pid as number);
const urlsOf = (node: RunningNode) => Object.values(node.urls) as string[];
const socketFolders = () => readdirSync(join(folder, "run"));

async function nothingLeft(pids: number[], urls: string[]): Promise<void> {
  await waitUntil("every process to end", () => !pids.some(isAlive));
  await portsFree(urls);
  expect(socketFolders()).toEqual([]);
}

/** A process counts as ended a moment before the kernel has closed all its sockets. */
async function portsFree(urls: string[]): Promise<void> {
  for (const url of urls) await waitUntil(`${url} to be free`, async () => !(await isListening(url)));
}

describe("a node", () => {
  it("serves on all its ports and leaves nothing when stopped", async () => {
    const node = await start(["--fronts", "1"]);
    const [pids, urls] = [pidsOf(node), urlsOf(node)];
    expect(node.children.map(({ name }) => name)).toEqual(["writer", "front-0", "faucet"]);
    expect(urls).toHaveLength(4);
    for (const url of urls) expect(await isListening(url)).toBe(true);
    expect(pids.every(isAlive)).toBe(true);
    expect(socketFolders()).toHaveLength(1);
    await node.stop();
    await nothingLeft(pids, urls);
  });

  it("runs without a faucet when told so", async () => {
    const node = await start(["--no-faucet"]);
    expect(node.children.map(({ name }) => name)).not.toContain("faucet");
    expect(node.urls.faucet).toBeUndefined();
  });

  /** A supervisor in a process of its own. */
  async function startApart(): Promise<{
    supervisor: ChildProcess;
    urls: Record<string, string>;
    pids: number[];
  }> {
    const supervisor = spawn(
      process.execPath,
      [join(CHILDREN, "run-node.js"), "--data-dir", dataDir, ...FREE_PORTS],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    processes.push(supervisor);
    const line = await new Promise<string>((resolve) =>
      supervisor.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())),
    );
    return { supervisor, ...(JSON.parse(line) as { urls: Record<string, string>; pids: number[] }) };
  }

  it("leaves nothing when its supervisor is killed", async () => {
    const { supervisor, urls, pids } = await startApart();
    expect(pids).toHaveLength(3);
    supervisor.kill("SIGKILL");
    const killedMs = performance.now();
    await waitUntil("every child to end", () => !pids.some(isAlive));
    // The promise is one second; the rest is what a busy machine may take to notice.
    expect(performance.now() - killedMs).toBeLessThan(5000);
    await portsFree(Object.values(urls));
    // The writer takes its socket along; the empty folder is accepted and removed by the next start.
    expect(socketFolders().flatMap((name) => readdirSync(join(folder, "run", name)))).toEqual([]);
    const next = await start();
    await next.stop();
    expect(socketFolders()).toEqual([]);
  });

  it("leaves no child behind that is too busy to notice", async () => {
    const { supervisor, urls, pids } = await startApart();
    const api = urls.api as string;
    const hanging = fetch(new URL("/hang", api)).catch(() => {});
    await waitUntil("the front to hang", () =>
      fetch(api, { signal: AbortSignal.timeout(300) }).then(
        () => false,
        () => true,
      ),
    );
    supervisor.kill("SIGKILL");
    await waitUntil("every child to end", () => !pids.some(isAlive));
    await hanging;
  });

  it("can be stopped while it starts", async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, "writer-never-serves"), "");
    const stop = new AbortController();
    const starting = refusal(start([], { stop: stop.signal }));
    await waitUntil("the socket of the writer", () =>
      socketFolders().some((name) => existsSync(join(folder, "run", name, "writer.sock"))),
    );
    stop.abort();
    await starting;
  });

  it("ends a child that does not end by itself", async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, "writer-never-ends"), "");
    const node = await start();
    const [pids, urls] = [pidsOf(node), urlsOf(node)];
    await node.stop();
    await nothingLeft(pids, urls);
  });
});

describe("a child that dies", () => {
  it.each(["writer", "front-0", "faucet"])("is replaced: %s", async (name) => {
    const node = await start();
    const find = () => node.children.find((child) => child.name === name);
    const before = find()?.pid as number;
    const others = pidsOf(node).filter((pid) => pid !== before);
    process.kill(before, "SIGKILL");
    await waitUntil(`${name} to serve again`, () => find()?.isServing === true && find()?.pid !== before);
    expect(find()?.restarts).toBe(1);
    // The rest were not disturbed.
    expect(pidsOf(node)).toEqual(expect.arrayContaining(others));
    for (const url of urlsOf(node)) expect(await isListening(url)).toBe(true);
  });

  it("in all but name, its event loop stuck, is replaced as well", async () => {
    const node = await start([], { silenceMsMax: 3000 });
    const find = () => node.children.find((child) => child.name === "front-0");
    const before = find()?.pid as number;
    await fetch(new URL("/hang", node.urls.api)).catch(() => {});
    await waitUntil("another front to serve", () => find()?.isServing === true && find()?.pid !== before);
    expect(isAlive(before)).toBe(false);
  });

  it("again and again is given up with its own sentence, after growing waits", async () => {
    const node = await start();
    writeFileSync(join(dataDir, "front-fails"), "");
    const front = node.children.find(({ name }) => name === "front-0");
    process.kill(front?.pid as number, "SIGKILL");
    const failure = await node.failed;
    expect(failure.message).toBe("told to fail");
    const [pids, urls] = [pidsOf(node), urlsOf(node)];
    await node.stop();
    await nothingLeft(pids, urls);
  });

  it("before it ever served ends the start with its own sentence", async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, "front-fails"), "");
    expect((await refusal(start())).message).toBe("told to fail");
    expect(socketFolders()).toEqual([]);
  });
});

describe("a start is refused in one sentence", () => {
  it("on a folder another node holds, which goes on", async () => {
    const first = await start();
    expect(await refusal(start())).toMatchObject({ code: "data_folder_in_use" });
    expect(first.children.every(({ isServing, restarts }) => isServing && restarts === 0)).toBe(true);
    expect(socketFolders()).toHaveLength(1);
  });

  it.each(["--port", "--faucet-port", "--indexer-port", "--ready-port"])(
    "on a %s somebody holds",
    async (flag) => {
      const holder = createServer();
      await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
      const port = String((holder.address() as { port: number }).port);
      const args = [...FREE_PORTS];
      args[args.indexOf(flag) + 1] = port;
      const line = readCommandLine({
        args: ["--data-dir", dataDir, ...args],
        environment: {},
        workingDir: folder,
      });
      if (line.command !== "start") throw new Error("expected start");
      const { code, message } = await refusal(startNode(line.config, { entryDir: CHILDREN }));
      expect(code).toBe("port_in_use");
      expect(message).toContain(port);
      expect(message).toContain(flag);
      expect(existsSync(dataDir)).toBe(false);
      await new Promise((resolve) => holder.close(resolve));
    },
  );

  it("on two flags with one port", async () => {
    const node = await start();
    const free = new URL(node.urls.api).port;
    await node.stop();
    const args = ["--data-dir", dataDir, "--port", free, "--faucet-port", free];
    const line = readCommandLine({ args, environment: {}, workingDir: folder });
    if (line.command !== "start") throw new Error("expected start");
    const { code } = await refusal(startNode(line.config, { entryDir: CHILDREN }));
    expect(code).toBe("config_invalid");
  });

  it("on a host that is not this machine's", async () => {
    const args = ["--data-dir", dataDir, ...FREE_PORTS, "--host", "192.0.2.1"];
    const line = readCommandLine({ args, environment: {}, workingDir: folder });
    if (line.command !== "start") throw new Error("expected start");
    expect(await refusal(startNode(line.config, { entryDir: CHILDREN }))).toMatchObject({
      code: "listen_failed",
    });
  });

  it("on a folder that cannot be made", async () => {
    writeFileSync(dataDir, "a file is in the way");
    dataDir = join(dataDir, "below");
    expect(await refusal(start())).toMatchObject({ code: "data_folder_unusable" });
  });

  it.each([
    ["chain", ["--chain-id", "5"], "chain 4"],
    ["seed", ["--seed", "other"], "--seed"],
  ])("on a folder of another %s", async (_what, args, part) => {
    const node = await start();
    await node.stop();
    const { code, message } = await refusal(start(args));
    expect(code).toBe("data_folder_other_chain");
    expect(message).toContain(part);
  });

  it("on a folder whose record is no record", async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, "chain.json"), '{"chain_id":4}');
    expect(await refusal(start())).toMatchObject({ code: "data_folder_other_chain" });
  });
});

describe("a second start", () => {
  it("keeps what genesis fixed, whatever its flags say", async () => {
    const first = await start(["--accounts", "3", "--balance", "77"]);
    await first.stop();
    const second = await start(["--accounts", "5", "--balance", "78"]);
    expect(second.config).toMatchObject({ accounts: 3, balanceOctas: 77n });
  });
});
