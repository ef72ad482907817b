/**
 * A long run of transfers under a history window: nothing may keep growing. Sizes only; what it costs
 * is measured by bench/store.ts.
 */

import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { openStoreWriter } from "../../src/store/commit.js";
import { openStoreReader } from "../../src/store/snapshot.js";
import { address, type BuiltTransaction, buildBlock, hashOf, pathKey } from "../unit/store/block-builder.js";
import { newDataFolder } from "../unit/store/data-folder.js";

const IS_LONG = process.env.LONG === "1";
const TRANSFERS = IS_LONG ? 1_000_000 : 40_000;
const WINDOW = IS_LONG ? 100_000 : 4_000;
const SEGMENT_BYTES = IS_LONG ? 16 * 1024 * 1024 : 1024 * 1024;
const TABLE_HASHES = IS_LONG ? 65_536 : 3_000;
const PER_BLOCK = 200;
const ACCOUNTS = 5_000;
const BODY = Buffer.alloc(900, 1);
const MAP_BYTES = 2 ** 32;

it("a store under a history window reaches a size and stays there", { timeout: 1_800_000 }, async () => {
  const folder = newDataFolder();
  const store = await openStoreWriter({
    directory: folder.directory,
    chainId: 4,
    historyVersions: WINDOW,
    segmentBytes: SEGMENT_BYTES,
    tableHashes: TABLE_HASHES,
    mapBytes: MAP_BYTES,
  });
  const reader = openStoreReader({ directory: folder.directory, mapBytes: MAP_BYTES });
  const sequenceNumbers = new Map<number, number>();
  let random = 7;
  const account = () => {
    random = (random * 48_271) % 0x7fff_ffff;
    return random % ACCOUNTS;
  };
  const coin = (owner: number) => pathKey(address(owner), 1, "0x1::coin::CoinStore");
  /** Sizes at the end of each tenth, in bytes on disk. */
  const sizes: { readonly log: number; readonly live: number; readonly runs: number }[] = [];
  let height = 0;
  for (let version = 0; version < TRANSFERS; version += PER_BLOCK) {
    const transactions = Array.from({ length: PER_BLOCK }, (_, index): BuiltTransaction => {
      const sender = account();
      const sequenceNumber = sequenceNumbers.get(sender) ?? 0;
      sequenceNumbers.set(sender, sequenceNumber + 1);
      const value = Buffer.alloc(100, version + index);
      const writes = [
        { key: coin(sender), value },
        { key: coin(account()), value },
        { key: pathKey(address(sender), 1, "0x1::account::Account"), value },
        // Comes and goes: its tombstones must go too.
        { key: pathKey(address(ACCOUNTS + (version + index)), 1, "0x1::m::Once"), value: undefined },
      ];
      return { writes, sender: address(sender), sequenceNumber, body: BODY };
    });
    await store.commit([buildBlock(height, version, transactions)]);
    height++;
    const { version: newest, oldestVersion } = reader.refresh();
    if (height % 20 === 0) {
      expect(reader.versionByHash(hashOf(oldestVersion))).toBe(oldestVersion);
      expect(reader.recordByVersion(newest)?.version).toBe(newest);
      await store.checkpoint();
    }
    if ((version + PER_BLOCK) % (TRANSFERS / 10) === 0) {
      const log = path.join(folder.directory, "log");
      sizes.push({
        log: fs.readdirSync(log).length * SEGMENT_BYTES,
        live: fs.statSync(path.join(folder.directory, "live", "data.mdb")).blocks * 512,
        runs: fs.readdirSync(path.join(folder.directory, "hash")).length,
      });
    }
  }
  const half = sizes[4] as (typeof sizes)[number];
  const end = sizes[9] as (typeof sizes)[number];
  const story = JSON.stringify(sizes);
  expect(end.log, story).toBeLessThanOrEqual(half.log + 2 * SEGMENT_BYTES);
  expect(end.live, story).toBeLessThanOrEqual(half.live * 1.2);
  expect(end.runs, story).toBeLessThanOrEqual(half.runs + 1);
  const { oldestVersion, version } = store.refresh();
  expect(version + 1 - oldestVersion).toBeGreaterThanOrEqual(WINDOW);
  expect(version + 1 - oldestVersion).toBeLessThan(WINDOW + (3 * SEGMENT_BYTES) / 1_000);
  reader.close();
  await store.closeWriter();
  folder.remove();
});
