/**
 * A writer process for tests that kill or trace it. Opens the data folder of its first argument and
 * commits blocks whose content follows from their height, until it is told to stop by its input
 * ending or has committed the number of its second argument. Says `opened H` and `committed H`.
 *
 * A third argument `pwrite` keeps LMDB from writing through its map, so that its writes show in a
 * trace of system calls.
 */

import fs from "node:fs";
import { openStoreWriter } from "../../src/store/commit.js";
import { blockOfHeight } from "./store-blocks.js";

const [directory = "", count = "0", io] = process.argv.slice(2);

const store = await openStoreWriter({
  directory,
  chainId: 4,
  segmentBytes: 256 * 1024,
  mapBytes: 256 * 1024 * 1024,
  historyVersions: 400,
  tableHashes: 300,
  writeMap: io !== "pwrite",
});
say(`opened ${store.isEmpty ? -1 : store.refresh().height}`);
let height = store.isEmpty ? -1 : store.head.height;
const last = count === "0" ? Number.POSITIVE_INFINITY : height + Number(count);
let isStopped = false;
process.stdin.on("end", () => {
  isStopped = true;
});
process.stdin.resume();
while (!isStopped && height < last) {
  height++;
  await store.commit([blockOfHeight(height)]);
  say(`committed ${height}`);
  if (height % 50 === 49) void store.checkpoint();
  // Lets the end of the input be seen.
  await new Promise((resolve) => setImmediate(resolve));
}
await store.closeWriter();
process.stdin.destroy();

/** Written at once: what was said before a SIGKILL has been said. */
function say(line: string): void {
  fs.writeSync(1, `${line}\n`);
}
