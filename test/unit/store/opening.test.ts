import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEnvironment } from "../../../src/store/environment.js";
import { FolderLock } from "../../../src/store/folder-lock.js";
import { ReaderWatch, readerSlots } from "../../../src/store/reader-watch.js";
import { decodeLogCursor, encodeLogCursor, MetaKey } from "../../../src/store/schema.js";
import { openStoreReader } from "../../../src/store/snapshot.js";
import type { Writer } from "../../../src/store/writer.js";
import { address, type BuiltTransaction, buildBlock, itemKey, pathKey } from "./block-builder.js";
import {
  type DataFolder,
  newDataFolder,
  openSmallStore,
  SMALL_MAP_BYTES,
  SMALL_SEGMENT_BYTES,
} from "./data-folder.js";

const KEY = pathKey(address(1), 1, "0x1::m::R");
const GONE = pathKey(address(1), 1, "0x1::m::Gone");
let folder: DataFolder;
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(() => folder.remove());

const block = (height: number, bodyBytes = 10) =>
  buildBlock(height, height, [
    { writes: [{ key: KEY, value: Buffer.from(`${height}`) }], body: Buffer.alloc(bodyBytes) },
  ]);

async function commitUpTo(store: Writer, last: number, bodyBytes?: number): Promise<void> {
  for (let height = store.isEmpty ? 0 : store.refresh().height + 1; height <= last; height++) {
    await store.commit([block(height, bodyBytes)]);
  }
}

describe("the lock of a data folder", () => {
  it.each(["flock", "perl"])(
    "excludes a second holder until it is released, taken with %s alone",
    (program) => {
      const real = (process.env.PATH ?? "")
        .split(":")
        .map((place) => path.join(place, program))
        .find(fs.existsSync);
      if (real === undefined) return;
      const bin = path.join(folder.directory, "bin");
      fs.mkdirSync(bin);
      fs.symlinkSync(real, path.join(bin, program));
      const before = process.env.PATH;
      process.env.PATH = bin;
      try {
        const lock = FolderLock.take(folder.directory);
        expect(() => FolderLock.take(folder.directory)).toThrow(
          expect.objectContaining({
            code: "data_folder_in_use",
            message: expect.stringContaining(`process ${process.pid}`),
          }),
        );
        lock.release();
        FolderLock.take(folder.directory).release();
      } finally {
        process.env.PATH = before;
      }
    },
  );

  it("is refused in a sentence where nothing can lock", () => {
    const before = process.env.PATH;
    process.env.PATH = folder.directory;
    try {
      expect(() => FolderLock.take(folder.directory)).toThrow(
        expect.objectContaining({ code: "data_folder_unusable" }),
      );
    } finally {
      process.env.PATH = before;
    }
  });
});

describe("a writer", () => {
  it("that another has replaced changes nothing more", async () => {
    const store = await openSmallStore(folder.directory);
    await commitUpTo(store, 2);
    // What a writer on a machine that does not see our lock would do.
    const other = openEnvironment({
      directory: path.join(folder.directory, "live"),
      readOnly: false,
      mapBytes: SMALL_MAP_BYTES,
    });
    other.root.transactionSync(() => {
      const cursor = decodeLogCursor(other.meta.get(MetaKey.LOG_CURSOR) as Buffer);
      other.meta.putSync(
        MetaKey.LOG_CURSOR,
        encodeLogCursor({ ...cursor, writerEpoch: cursor.writerEpoch + 1 }),
      );
    });
    await expect(store.commit([block(3)])).rejects.toMatchObject({ code: "writer_fenced" });
    expect(store.refresh().height).toBe(2);
    await expect(store.commit([block(3)])).rejects.toMatchObject({ code: "store_failed" });
    await other.root.close();
    await store.closeWriter();
  });

  it("takes no block that does not follow, and loses nothing by it", async () => {
    const store = await openSmallStore(folder.directory);
    await expect(store.commit([block(1)])).rejects.toMatchObject({ code: "bug" });
    await commitUpTo(store, 1);
    await expect(store.commit([block(3)])).rejects.toMatchObject({ code: "bug" });
    await expect(store.commit([buildBlock(2, 1, [{}])])).rejects.toMatchObject({ code: "bug" });
    await commitUpTo(store, 4);
    expect(store.state(KEY, store.refresh().version)?.toString()).toBe("4");
    await store.closeWriter();
    await expect(store.commit([block(5)])).rejects.toMatchObject({ code: "unavailable" });
  });

  it("joins calls that wait, in order", async () => {
    const store = await openSmallStore(folder.directory);
    await Promise.all(Array.from({ length: 30 }, (_, height) => store.commit([block(height)])));
    expect(store.refresh().height).toBe(29);
    for (let version = 0; version < 30; version++)
      expect(store.state(KEY, version)?.toString()).toBe(`${version}`);
    await store.closeWriter();
  });

  it("refuses a folder of a newer format, and one whose identity is damaged", async () => {
    await (await openSmallStore(folder.directory)).closeWriter();
    const file = path.join(folder.directory, "store");
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, Buffer.from(bytes).fill(9, 10, 12));
    await expect(openSmallStore(folder.directory)).rejects.toMatchObject({ code: "store_corrupt" });
    const { crc32 } = await import("node:zlib");
    bytes.writeUInt16LE(99, 4);
    bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
    fs.writeFileSync(file, bytes);
    await expect(openSmallStore(folder.directory)).rejects.toMatchObject({ code: "store_format" });
    expect(() => openStoreReader({ directory: folder.directory })).toThrow(
      expect.objectContaining({ code: "store_format" }),
    );
  });

  it("does not take a log without its beginning for an empty store", async () => {
    const store = await openSmallStore(folder.directory);
    await commitUpTo(store, 20, SMALL_SEGMENT_BYTES / 4);
    await store.closeWriter();
    folder.forgetCleanClose();
    fs.rmSync(path.join(folder.directory, "log", "0000000000.seg"));
    await expect(openSmallStore(folder.directory)).rejects.toMatchObject({ code: "store_corrupt" });
  });

  it("does not make a new identity for a log that lost its own", async () => {
    const store = await openSmallStore(folder.directory);
    await commitUpTo(store, 2);
    await store.closeWriter();
    fs.rmSync(path.join(folder.directory, "store"));
    await expect(openSmallStore(folder.directory)).rejects.toMatchObject({ code: "store_corrupt" });
  });
});

describe("a rebuild from the log alone", () => {
  it("leaves the same rows, byte for byte, as the commits did", async () => {
    const store = await openSmallStore(folder.directory);
    for (let height = 0; height < 120; height++) {
      const transactions = Array.from({ length: 1 + (height % 4) }, (_, index): BuiltTransaction => {
        const key = pathKey(address(height % 9), 1, `0x1::m::R${(height * 7 + index) % 13}`);
        const other = itemKey(address(3), Buffer.alloc(1 + ((height * 37) % 500), 5));
        const writes = [
          { key, value: height % 10 === 3 ? undefined : Buffer.alloc(height % 90, index) },
          { key, value: Buffer.from(`${height}`) },
          { key: other, value: Buffer.from("item") },
        ];
        const account = address(height % 9);
        return {
          writes,
          sender: account,
          sequenceNumber: 10 * height + index,
          events: [{ account, creation: 1n, sequenceNumber: 10 * height + index }],
        };
      });
      const first = store.isEmpty ? 0 : store.refresh().version + 1;
      await store.commit([buildBlock(height, first, transactions)]);
    }
    await store.closeWriter();
    const live = allRows(folder.directory);
    fs.rmSync(path.join(folder.directory, "live"), { recursive: true });
    folder.forgetCleanClose();
    await (await openSmallStore(folder.directory)).closeWriter();
    expect(allRows(folder.directory)).toEqual(live);
  });
});

/** Rows of every table, but for the writer epoch, which each open raises. */
function allRows(directory: string): Record<string, string[]> {
  const environment = openEnvironment({
    directory: path.join(directory, "live"),
    readOnly: true,
    mapBytes: SMALL_MAP_BYTES,
  });
  const { state, paths, pathIds, positions, blocks, hashes, meta } = environment;
  const tables = { state, paths, pathIds, positions, blocks, hash0: hashes[0], hash1: hashes[1], meta };
  const rows = Object.entries(tables).map(([name, table]) => [
    name,
    [...table.getRange({})].map(({ key, value }) => {
      const isCursor = name === "meta" && key.equals(MetaKey.LOG_CURSOR);
      const shown = isCursor ? encodeLogCursor({ ...decodeLogCursor(value), writerEpoch: 0 }) : value;
      return `${key.toString("hex")} ${shown.toString("hex")}`;
    }),
  ]);
  void environment.root.close();
  return Object.fromEntries(rows);
}

describe("pruning", () => {
  it("reuses files instead of growing, and keeps what the window promises", async () => {
    const store = await openSmallStore(folder.directory, { historyVersions: 20 });
    let most = 0;
    for (let last = 9; last < 400; last += 10) {
      await commitUpTo(store, last, 2_000);
      await store.checkpoint();
      most = Math.max(most, fs.readdirSync(path.join(folder.directory, "log")).length);
    }
    const { oldestVersion, version } = store.refresh();
    expect(version + 1 - oldestVersion).toBeGreaterThanOrEqual(20);
    // 20 versions are 3 files; one being pruned, two kept for checkpoints, one ahead, one spare.
    expect(most).toBeLessThanOrEqual(10);
    expect(store.state(KEY, oldestVersion)?.toString()).toBe(`${oldestVersion}`);
    expect(() => store.recordByVersion(oldestVersion - 1)).toThrow(
      expect.objectContaining({ code: "version_pruned" }),
    );
    expect(() => store.blockByHeight(0)).toThrow(expect.objectContaining({ code: "block_pruned" }));
    await store.closeWriter();
  });

  it("tells a reader that stayed behind so, instead of showing it other bytes", async () => {
    const store = await openSmallStore(folder.directory, { historyVersions: 20 });
    await commitUpTo(store, 29, 2_000);
    await store.commit([buildBlock(30, 30, [{ writes: [{ key: GONE, value: Buffer.from("there") }] }])]);
    await store.commit([buildBlock(31, 31, [{ writes: [{ key: GONE, value: undefined }] }])]);
    const reader = openStoreReader({ directory: folder.directory, mapBytes: SMALL_MAP_BYTES });
    reader.refresh();
    const behind = 30;
    expect(reader.state(KEY, behind)?.toString()).toBe("29");
    expect(reader.state(GONE, behind)?.toString()).toBe("there");
    for (let last = 50; last < 400; last += 20) {
      await commitUpTo(store, last, 2_000);
      await store.checkpoint();
    }
    expect(() => reader.recordByVersion(behind)).toThrow(expect.objectContaining({ code: "version_pruned" }));
    expect(() => reader.state(KEY, behind)).toThrow(expect.objectContaining({ code: "version_pruned" }));
    expect(() => reader.state(GONE, behind)).toThrow(expect.objectContaining({ code: "version_pruned" }));
    expect(reader.refresh().version).toBeGreaterThan(350);
    expect(reader.state(GONE)).toBeUndefined();
    reader.close();
    await store.closeWriter();
  });
});

describe("the reader watch", () => {
  it("ages a snapshot that is held while blocks pass, and no other", async () => {
    const environment = openEnvironment({
      directory: folder.directory,
      readOnly: false,
      mapBytes: SMALL_MAP_BYTES,
    });
    const watch = new ReaderWatch(environment);
    const pass = () =>
      environment.root.transactionSync(() => environment.meta.putSync(Buffer.from([9]), Buffer.from([1])));
    pass();
    const held = environment.root.useReadTransaction();
    expect(watch.check(0)).toMatchObject({ ageMs: 0 });
    pass();
    expect(watch.check(1_000)).toMatchObject({ ageMs: 0 });
    pass();
    expect(watch.check(4_000)).toMatchObject({ ageMs: 3_000, processId: process.pid });
    held.done();
    environment.root.resetReadTxn();
    expect(watch.check(5_000)).toMatchObject({ ageMs: 0, processId: undefined });
    await environment.root.close();
  });

  it("reads the engine's listing", () => {
    const listing = "    pid     thread     txnid\n   1234 7fab 17\n   1235 7fac -\n\t\n";
    expect(readerSlots(listing)).toEqual([{ slot: "1 1234 7fab", process: 1234, transaction: 17 }]);
    expect(readerSlots("(no active readers)\n")).toEqual([]);
  });
});
