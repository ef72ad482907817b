/** The built node on a disk that fills up and is cleared again. Needs the right to mount a small file system. */

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccountAddress } from "@aptos-labs/ts-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestNode, type TestNode } from "../e2e/harness.js";
import { waitUntil } from "./left-behind.js";
import { ledgerVersion, Transfers } from "./transfers.js";

const disk = mkdtempSync(join(tmpdir(), "full-disk-"));
const hasDisk = spawnSync("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", disk]).status === 0;

/** Longest wait for new accounts to use up what the store has put aside, in milliseconds. */
const FILL_MS_MAX = 150_000;

let node: TestNode | undefined;
beforeAll(async () => {
  if (!hasDisk) return;
  const flags = ["--vendor", "aptos", "--idle-block-ms", "100"];
  node = await startTestNode({ dataDir: join(disk, "data"), flags });
});
afterAll(async () => {
  await node?.stop();
  if (hasDisk) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

describe.runIf(hasDisk)("on a full disk", () => {
  it("reads go on, submits are refused, and a cleared disk is all it takes to go on", async () => {
    const running = node as TestNode;
    const transfers = new Transfers(running);
    expect(await transfers.submitNext()).toBe(202);

    const ballast = join(disk, "ballast");
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));
    // New accounts need new pages; one transfer per sender at a time keeps their numbers in order.
    await waitUntil(
      "a refusal",
      async () => {
        const round = transfers.senders.map(() => transfers.submitNext(AccountAddress.from(randomBytes(32))));
        const statuses = await Promise.all(round);
        return statuses.includes(503);
      },
      FILL_MS_MAX,
    );
    const version = await ledgerVersion(running);
    expect(await ledgerVersion(running)).toBe(version);
    expect((await fetch(`${running.api}/accounts/0x1`)).status).toBe(200);

    rmSync(ballast);
    await waitUntil("a transfer to be taken again", async () => (await transfers.submitNext()) === 202);
    await waitUntil("the ledger to move again", async () => (await ledgerVersion(running)) > version);
  });
});
