/** The built node under SIGKILL while coins move: what was ever seen stays, and others go on. */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestNode, type TestNode } from "../e2e/harness.js";
import { isAlive, waitUntil } from "./left-behind.js";
import { childrenOf, listenersOn } from "./process-tree.js";
import { holdings, ledgerVersion, Transfers } from "./transfers.js";

const LONG = process.env.LONG === "1";
const FRONT_KILLS = LONG ? 20 : 5;
const WRITER_KILLS = LONG ? 20 : 3;
const NODE_KILLS = LONG ? 20 : 3;
const BALANCE = 100_000_000_000n;

let dataDir: string;
let node: TestNode | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "killed-"));
});
afterEach(async () => {
  await node?.stop();
  node = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(flags: string[] = []): Promise<TestNode> {
  node = await startTestNode({ dataDir, flags: ["--vendor", "aptos", ...flags] });
  return node;
}

/** Blocks the data file occupies, in bytes. */
function dataFileBytes(): number {
  return statSync(join(dataDir, "live", "data.mdb")).blocks * 512;
}

describe.runIf(process.platform === "linux")("while coins move", () => {
  it(`${FRONT_KILLS} killed fronts stop neither the others nor the chain, and pin no pages`, async () => {
    const running = await start(["--fronts", "2"]);
    const transfers = new Transfers(running);
    const port = Number(new URL(running.api).port);
    const blocks = async (count: number) => {
      const from = await ledgerVersion(running);
      while ((await ledgerVersion(running)) < from + count) await transfers.submitNext();
    };
    // Long enough for the file to reach the size where pages are used again.
    await blocks(120);
    const before = dataFileBytes();

    expect(listenersOn(port)).toBe(2);
    let refused = 0;
    let accepted = 0;
    for (let kill = 0; kill < FRONT_KILLS; kill++) {
      const fronts = childrenOf(running.process.pid as number).filter(({ kind }) => kind === "front");
      const victim = fronts[kill % fronts.length]?.pid as number;
      process.kill(victim, "SIGKILL");
      // Submits go on while one front is away; the kernel stops handing it connections at once.
      for (let count = 0; count < 10; count++) {
        if ((await transfers.submitNext()) === 202) accepted++;
        else refused++;
      }
      await waitUntil("two fronts again", () => !isAlive(victim) && listenersOn(port) === 2);
    }
    expect(accepted).toBeGreaterThan(refused);
    await blocks(60);
    // Each block rewrites pages; if a dead reader's snapshot kept them, the file would grow by all of
    // them, tens of kilobytes a block.
    expect(dataFileBytes() - before).toBeLessThan(2 * 1024 * 1024);
    expect((await fetch(running.api)).status).toBe(200);
  });

  it(`a writer killed ${WRITER_KILLS} times stops no read, and submits say so until it is back`, async () => {
    const running = await start();
    const transfers = new Transfers(running);
    let newest = 0;
    const read = async () => {
      const version = await ledgerVersion(running);
      expect(version).toBeGreaterThanOrEqual(newest);
      newest = version;
    };
    for (let kill = 0; kill < WRITER_KILLS; kill++) {
      await waitUntil("a transfer to be taken", async () => (await transfers.submitNext()) === 202);
      const writer = childrenOf(running.process.pid as number).find(({ kind }) => kind === "writer");
      process.kill(writer?.pid as number, "SIGKILL");
      const before = newest;
      const statuses = new Set<number>();
      await waitUntil("the ledger to move again", async () => {
        await read();
        // What was waiting is lost with the writer, and its sequence numbers are free again.
        await transfers.moveTo(running);
        statuses.add(await transfers.submitNext());
        return newest > before;
      });
      statuses.delete(202);
      // A copy still waiting may be met by another transfer with its number.
      statuses.delete(400);
      expect([...statuses].filter((status) => status !== 503)).toEqual([]);
    }
    const { held, burned } = await holdings(running, transfers.senders);
    expect(held + burned).toBe(BALANCE * BigInt(transfers.senders.length));
  });

  it("SIGKILL of every process loses no version anyone saw, and no coin", async () => {
    const seen = new Map<number, string>();
    let running = await start();
    const transfers = new Transfers(running);
    for (let kill = 0; kill < NODE_KILLS; kill++) {
      for (let count = 0; count < 20 + 7 * kill; count++) {
        await transfers.submitNext();
        const version = await ledgerVersion(running);
        if (!seen.has(version)) seen.set(version, await transactionText(running, version));
      }
      const supervisor = running.process.pid as number;
      const pids = [supervisor, ...childrenOf(supervisor).map(({ pid }) => pid)];
      for (const pid of pids) process.kill(pid, "SIGKILL");
      await waitUntil("every process to end", () => !pids.some(isAlive));
      running = await start();
      await transfers.moveTo(running);
      for (const [version, text] of seen) expect(await transactionText(running, version)).toBe(text);
    }
    const { held, burned } = await holdings(running, transfers.senders);
    expect(burned).toBeGreaterThan(0n);
    expect(held + burned).toBe(BALANCE * BigInt(transfers.senders.length));
  });
});

async function transactionText(from: TestNode, version: number): Promise<string> {
  const answer = await fetch(`${from.api}/transactions/by_version/${version}`);
  expect(answer.status).toBe(200);
  return answer.text();
}
