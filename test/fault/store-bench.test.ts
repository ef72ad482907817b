/** The store's bench at a tiny size, so that it does not rot. What it measures is not looked at. */

import { expect, it } from "vitest";
import { newDataFolder } from "../unit/store/data-folder.js";
import { buildStoreChild, startStoreProcess } from "./store-process.js";

it("the store's bench runs to its end and counts five puts that find their place per transfer", async () => {
  const folder = newDataFolder();
  process.env.STORE_BENCH_FOLDER = folder.directory;
  process.env.STORE_BENCH_ACCOUNTS = "20000";
  process.env.STORE_BENCH_TRANSFERS = "200";
  const bench = startStoreProcess(process.execPath, [buildStoreChild("bench/store.ts")]);
  expect(await bench.ended, bench.stderr()).toBe(0);
  // Three values, a link of the sender's chain and a hash; accounts that meet in a block share.
  const puts = Number(bench.lines.find((line) => line.startsWith("| 100 |"))?.split("|")[4]);
  expect(puts).toBeGreaterThan(4.8);
  expect(puts).toBeLessThan(5.3);
  folder.remove();
});
