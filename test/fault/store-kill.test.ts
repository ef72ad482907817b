import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStoreWriter } from "../../src/store/commit.js";
import type { ReaderAge } from "../../src/store/reader-watch.js";
import { openStoreReader } from "../../src/store/snapshot.js";
import type { StoreReader } from "../../src/store/types.js";
import { type DataFolder, newDataFolder } from "../unit/store/data-folder.js";
import { blockOfHeight, KEY_COUNT, keyOf, stateAt, TRANSACTIONS } from "./store-blocks.js";
import { buildStoreChild, startStoreProcess } from "./store-process.js";

const CYCLES = process.env.LONG === "1" ? 200 : 12;
const MAP_BYTES = 256 * 1024 * 1024;

let entry = "";
let folder: DataFolder;
beforeAll(() => {
  entry = buildStoreChild();
});
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(() => folder.remove());

const start = (...extra: string[]) =>
  startStoreProcess(process.execPath, [entry, folder.directory, ...extra]);
const open = () =>
  openStoreWriter({
    directory: folder.directory,
    chainId: 4,
    mapBytes: MAP_BYTES,
    historyVersions: 400,
    tableHashes: 300,
  });

function expectState(store: StoreReader, version: number): void {
  const expected = stateAt(version);
  for (let key = 0; key < KEY_COUNT; key++) {
    expect(store.state(keyOf(key), version)?.toString("hex")).toBe(expected.get(key)?.toString("hex"));
  }
}

describe("a writer killed without warning", () => {
  it("leaves every block it had announced, in a store that goes on", { timeout: 1_200_000 }, async () => {
    let random = 97;
    let acknowledged = -1;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      random = (random * 48_271) % 0x7fff_ffff;
      const goal = acknowledged + 1 + (random % 90);
      const process_ = start();
      await process_.until((line) => line === `committed ${goal}`);
      process_.child.kill("SIGKILL");
      expect(await process_.ended, process_.stderr()).toBe("SIGKILL");
      expect(process_.lines[0]).toBe(`opened ${acknowledged}`);
      const announced = Number(process_.lines.at(-1)?.split(" ")[1]);
      const store = await open();
      const { height, version, oldestVersion } = store.refresh();
      expect(height).toBeGreaterThanOrEqual(announced);
      expect(version).toBe(TRANSACTIONS * (height + 1) - 1);
      expectState(store, version);
      expectState(store, Math.max(oldestVersion, version - (random % 300)));
      for (let at = Math.max(oldestVersion, version - 30); at <= version; at++) {
        expect(store.recordByVersion(at)?.info.toString()).toBe(`info ${at}`);
      }
      acknowledged = height;
      await store.closeWriter();
    }
  });

  it("gives its data folder up at once, and not before", async () => {
    const first = start();
    await first.until((line) => line.startsWith("committed"));
    await expect(open()).rejects.toMatchObject({ code: "data_folder_in_use" });
    first.child.kill("SIGKILL");
    await first.ended;
    const store = await open();
    await store.closeWriter();
  });

  it("leaves readers with what they had, who see the next writer's blocks", async () => {
    const first = start();
    await first.until((line) => line === "committed 20");
    const reader = openStoreReader({ directory: folder.directory, mapBytes: MAP_BYTES });
    expect(reader.refresh().height).toBeGreaterThanOrEqual(20);
    first.child.kill("SIGKILL");
    await first.ended;
    expectState(reader, reader.head.version);
    const before = reader.refresh().height;
    const second = start("5");
    expect(await second.ended, second.stderr()).toBe(0);
    // A block may have become durable just before the kill, without having been shown.
    const opened = Number(second.lines[0]?.split(" ")[1]);
    expect(opened).toBeGreaterThanOrEqual(before);
    expect(reader.refresh().height).toBe(opened + 5);
    expectState(reader, reader.head.version);
    reader.close();
  });
});

describe("readers of a running writer", () => {
  it("never see a version whose records they cannot read", async () => {
    const writer = start("300");
    await writer.until((line) => line === "committed 3");
    const reader = openStoreReader({ directory: folder.directory, mapBytes: MAP_BYTES });
    let seen = 0;
    while (reader.refresh().height < 250) {
      const { version } = reader.head;
      expect(reader.recordByVersion(version)?.info.toString()).toBe(`info ${version}`);
      seen++;
      // The reader's own turn ends, so that the writer's output is drained.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expectState(reader, reader.head.version);
    expect(seen).toBeGreaterThan(0);
    expect(await writer.ended, writer.stderr()).toBe(0);
    reader.close();
  });
});

describe("a reader whose event loop is stuck", () => {
  it("is named with the age of its snapshot, and its slot is cleared when it is killed", async () => {
    const stuck = buildStoreChild("test/fault/store-reader-child.ts");
    const ages: ReaderAge[] = [];
    let notice: () => void = () => undefined;
    const store = await openStoreWriter({
      directory: folder.directory,
      chainId: 4,
      mapBytes: MAP_BYTES,
      onReaderAge: (age) => {
        ages.push(age);
        notice();
      },
    });
    const untilSeen = async (isSeen: (age: ReaderAge) => boolean) => {
      while (!ages.some(isSeen)) {
        await new Promise<void>((resolve) => {
          notice = resolve;
        });
      }
    };
    await store.commit([blockOfHeight(0)]);
    const reader = startStoreProcess(process.execPath, [stuck, folder.directory]);
    await reader.until((line) => line === "holds 0");
    await store.commit([blockOfHeight(1)]);
    await untilSeen(({ ageMs, processId }) => ageMs > 0 && processId === reader.child.pid);
    reader.child.kill("SIGKILL");
    await reader.ended;
    await untilSeen(({ cleared }) => cleared > 0);
    ages.length = 0;
    await untilSeen(({ ageMs }) => ageMs === 0);
    await store.closeWriter();
  });
});
