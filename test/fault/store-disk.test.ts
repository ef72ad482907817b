/** Disks that are full, fail, or lie about what they hold: a named error, never a wrong answer. */

import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Disk, realDisk } from "../../src/store/disk.js";
import { openStoreReader } from "../../src/store/snapshot.js";
import type { Writer } from "../../src/store/writer.js";
import { address, buildBlock, hashOf, pathKey } from "../unit/store/block-builder.js";
import {
  type DataFolder,
  newDataFolder,
  openSmallStore,
  SMALL_MAP_BYTES,
} from "../unit/store/data-folder.js";

const KEY = pathKey(address(1), 1, "0x1::m::R");
let folder: DataFolder;
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(() => folder.remove());

const blockOf = (height: number, bodyBytes = 1_000) =>
  buildBlock(height, height, [
    {
      writes: [{ key: KEY, value: Buffer.from(`${height}`) }],
      body: Buffer.alloc(bodyBytes, height),
      sender: address(1),
      sequenceNumber: height,
    },
  ]);

async function commitUpTo(store: Writer, last: number): Promise<void> {
  const first = store.isEmpty ? 0 : store.refresh().height + 1;
  for (let height = first; height <= last; height++) await store.commit([blockOf(height)]);
}

function expectBlocks(store: Writer, last: number): void {
  expect(store.refresh()).toMatchObject({ height: last, version: last });
  for (let version = 0; version <= last; version++)
    expect(store.state(KEY, version)?.toString()).toBe(`${version}`);
}

/** A disk with one call replaced. */
const diskWith = (changes: Partial<Disk>): Disk => ({ ...realDisk, ...changes });
const noSpace = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

describe("a full disk", () => {
  it("refuses the block that finds no room, keeps reads, and takes it when there is room again", async () => {
    let isFull = false;
    const write: Disk["write"] = (fd, bytes, offset) => {
      if (isFull) throw noSpace();
      realDisk.write(fd, bytes, offset);
    };
    const store = await openSmallStore(folder.directory, { disk: diskWith({ write }) });
    await commitUpTo(store, 5);
    isFull = true;
    // Larger than what is left of the segments made so far.
    await expect(store.commit([blockOf(6, 100_000)])).rejects.toMatchObject({ code: "store_failed" });
    expectBlocks(store, 5);
    isFull = false;
    await store.commit([blockOf(6, 100_000)]);
    expectBlocks(store, 6);
    await store.closeWriter();
  });

  it("shows before a hole of the memory map is written to", async () => {
    let dataFile = -1;
    let isFull = false;
    const disk = diskWith({
      open: (name, create) => {
        const fd = realDisk.open(name, create);
        if (name.endsWith("data.mdb")) dataFile = fd;
        return fd;
      },
      write: (fd, bytes, offset) => {
        if (isFull && fd === dataFile) throw noSpace();
        realDisk.write(fd, bytes, offset);
      },
    });
    const store = await openSmallStore(folder.directory, { disk });
    await commitUpTo(store, 2);
    isFull = true;
    const value = Buffer.alloc(20_000_000, 1);
    const block = buildBlock(3, 3, [{ writes: [{ key: KEY, value }] }]);
    await expect(store.commit([block])).rejects.toMatchObject({ code: "store_failed" });
    expectBlocks(store, 2);
    isFull = false;
    await store.closeWriter();
  });
});

describe("a disk that fails", () => {
  it.each(["write", "sync"] as const)(
    "in %s ends committing for good, and a restart has every acknowledged block",
    async (call) => {
      let isBroken = false;
      let calls = 0;
      const eio = () => Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
      const disk = diskWith({
        write: (fd, bytes, offset) => {
          if (!isBroken || call !== "write") return realDisk.write(fd, bytes, offset);
          calls++;
          // Half of it gets there.
          realDisk.write(fd, bytes.subarray(0, bytes.length >> 1), offset);
          throw eio();
        },
        sync: (fd) => {
          if (!isBroken || call !== "sync") return realDisk.sync(fd);
          calls++;
          return Promise.reject(eio());
        },
      });
      const store = await openSmallStore(folder.directory, { disk });
      await commitUpTo(store, 4);
      isBroken = true;
      await expect(store.commit([blockOf(5)])).rejects.toMatchObject({ code: "store_failed" });
      const after = calls;
      isBroken = false;
      await expect(store.commit([blockOf(5)])).rejects.toMatchObject({ code: "store_failed" });
      expect(calls).toBe(after);
      expectBlocks(store, 4);
      await store.closeWriter();
      const again = await openSmallStore(folder.directory);
      // A block whose sync failed may have reached the disk; it was not acknowledged, and may be there or not.
      const { height } = again.refresh();
      expect([4, 5]).toContain(height);
      expectBlocks(again, height);
      await commitUpTo(again, 10);
      expectBlocks(again, 10);
      await again.closeWriter();
    },
  );
});

describe("a block that was written and not synced", () => {
  it("is synced by the next writer before anybody can see it", async () => {
    let isBroken = false;
    const sync = (fd: number) => (isBroken ? Promise.reject(new Error("killed here")) : realDisk.sync(fd));
    const store = await openSmallStore(folder.directory, { disk: diskWith({ sync }) });
    await commitUpTo(store, 4);
    isBroken = true;
    await expect(store.commit([blockOf(5)])).rejects.toMatchObject({ code: "store_failed" });
    await store.closeWriter();
    const visibleHeight = () => {
      const reader = openStoreReader({ directory: folder.directory, mapBytes: SMALL_MAP_BYTES });
      const { height } = reader.refresh();
      reader.close();
      return height;
    };
    const names = new Map<number, string>();
    const heightsAtSync: number[] = [];
    const disk = diskWith({
      open: (name, create) => {
        const fd = realDisk.open(name, create);
        names.set(fd, name);
        return fd;
      },
      sync: async (fd) => {
        if (names.get(fd)?.endsWith(".seg")) heightsAtSync.push(visibleHeight());
        await realDisk.sync(fd);
      },
    });
    const again = await openSmallStore(folder.directory, { disk });
    expect(heightsAtSync[0]).toBe(4);
    expect(visibleHeight()).toBe(5);
    await again.closeWriter();
  });
});

describe("bytes that changed", () => {
  /** Position of the frame of a block: the segment file and the offset in it. */
  function flip(needle: Buffer): void {
    const log = path.join(folder.directory, "log");
    for (const name of fs.readdirSync(log)) {
      const file = path.join(log, name);
      const bytes = fs.readFileSync(file);
      const at = bytes.indexOf(needle);
      if (at < 0) continue;
      bytes[at + needle.length - 1] = (bytes[at + needle.length - 1] as number) ^ 0x10;
      fs.writeFileSync(file, bytes);
      return;
    }
    throw new Error("nothing to flip");
  }

  it("in a record are found when it is read", async () => {
    const store = await openSmallStore(folder.directory);
    await commitUpTo(store, 9);
    await store.closeWriter();
    flip(Buffer.from("info 3"));
    const again = await openSmallStore(folder.directory);
    again.refresh();
    expect(() => again.recordByVersion(3)).toThrow(expect.objectContaining({ code: "store_corrupt" }));
    expect(() => again.versionByHash(hashOf(3))).toThrow(expect.objectContaining({ code: "store_corrupt" }));
    expect(again.recordByVersion(4)?.info.toString()).toBe("info 4");
    await again.closeWriter();
  });

  it("in an old value are found when it is read", async () => {
    const store = await openSmallStore(folder.directory);
    const secret = Buffer.from("an old value that is in one undo only");
    await store.commit([buildBlock(0, 0, [{ writes: [{ key: KEY, value: secret }] }])]);
    await store.commit([buildBlock(1, 1, [{ writes: [{ key: KEY, value: Buffer.from("new") }] }])]);
    await store.closeWriter();
    const log = path.join(folder.directory, "log", "0000000000.seg");
    const bytes = fs.readFileSync(log);
    const at = bytes.lastIndexOf(secret);
    bytes[at] = (bytes[at] as number) ^ 1;
    fs.writeFileSync(log, bytes);
    // The damaged frame is the newest, and it had been committed: the store does not open without it.
    await expect(openSmallStore(folder.directory)).rejects.toMatchObject({ code: "store_corrupt" });
  });

  it("in a frame that a later one calls durable stop the rebuild, not the history", async () => {
    const store = await openSmallStore(folder.directory);
    await commitUpTo(store, 9);
    await store.closeWriter();
    flip(Buffer.from("write set 6"));
    folder.forgetCleanClose();
    await expect(openSmallStore(folder.directory)).rejects.toMatchObject({
      code: "store_corrupt",
      message: expect.stringContaining("block 6"),
    });
  });

  it("in a checkpoint make it unused", async () => {
    const store = await openSmallStore(folder.directory);
    await commitUpTo(store, 9);
    await store.checkpoint();
    await commitUpTo(store, 19);
    await store.checkpoint();
    await store.closeWriter();
    const file = path.join(folder.directory, "ckpt", "000000000019", "data.mdb");
    const bytes = fs.readFileSync(file);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] as number) ^ 1;
    fs.writeFileSync(file, bytes);
    folder.forgetCleanClose();
    const again = await openSmallStore(folder.directory);
    expectBlocks(again, 19);
    await again.closeWriter();
  });

  it("in a hash run are an error, not a hash that is unknown", async () => {
    const store = await openSmallStore(folder.directory, { tableHashes: 16 });
    await commitUpTo(store, 70);
    await store.closeWriter();
    const runs = fs.readdirSync(path.join(folder.directory, "hash"));
    expect(runs.length).toBeGreaterThan(0);
    const file = path.join(folder.directory, "hash", runs[0] as string);
    const bytes = fs.readFileSync(file);
    bytes[20] = (bytes[20] as number) ^ 1;
    fs.writeFileSync(file, bytes);
    const again = await openSmallStore(folder.directory, { tableHashes: 16 });
    again.refresh();
    expect(() => again.versionByHash(Buffer.alloc(32, 9))).toThrow(
      expect.objectContaining({ code: "store_corrupt" }),
    );
    await again.closeWriter();
  });

  it("in a lost end that LMDB had seen are refused", async () => {
    const store = await openSmallStore(folder.directory);
    await commitUpTo(store, 9);
    await store.closeWriter();
    const log = path.join(folder.directory, "log", "0000000000.seg");
    const bytes = fs.readFileSync(log);
    bytes.fill(0, bytes.indexOf(Buffer.from("info 9")) - 1_000);
    fs.writeFileSync(log, bytes);
    await expect(openSmallStore(folder.directory)).rejects.toMatchObject({ code: "store_corrupt" });
  });
});

describe("power that fails", () => {
  const CYCLES = process.env.LONG === "1" ? 200 : 15;

  it("costs no acknowledged block, whatever was left of what came after", { timeout: 600_000 }, async () => {
    let random = 12_345;
    const next = (limit: number) => {
      random = (random * 48_271) % 0x7fff_ffff;
      return random % limit;
    };
    let acknowledged = -1;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const syncedLog = new Map<string, Buffer>();
      const names = new Map<number, string>();
      const disk = diskWith({
        open: (name, create) => {
          const fd = realDisk.open(name, create);
          names.set(fd, name);
          return fd;
        },
        sync: async (fd) => {
          await realDisk.sync(fd);
          const name = names.get(fd);
          if (name?.endsWith(".seg")) syncedLog.set(name, fs.readFileSync(name));
        },
      });
      const store = await openSmallStore(folder.directory, { disk, bootId: `boot ${cycle}` });
      if (!store.isEmpty) {
        expectBlocks(store, store.refresh().height);
        expect(store.head.height).toBeGreaterThanOrEqual(acknowledged);
        acknowledged = store.head.height;
      }
      const last = acknowledged + 1 + next(12);
      for (let height = acknowledged + 1; height <= last; height++) {
        await store.commit([blockOf(height, next(3_000))]);
        acknowledged = height;
      }
      if (next(4) === 0) await store.checkpoint();
      // The disk as of the last sync, then a block of which any part arrived.
      const image = new Map(syncedLog);
      expect(image.size).toBeGreaterThan(0);
      await store.commit([blockOf(acknowledged + 1, next(3_000))]);
      await store.closeWriter();
      for (const [name, durable] of image) {
        const whole = fs.readFileSync(name);
        for (let at = 0; at < whole.length; at += 512) {
          if (whole.subarray(at, at + 512).equals(durable.subarray(at, at + 512))) continue;
          const fate = next(4);
          if (fate === 0) durable.copy(whole, at, at, at + 512);
          else if (fate === 1) whole.fill(next(256), at, Math.min(whole.length, at + 512));
        }
        // Nothing durable may have changed.
        fs.writeFileSync(name, mergeDurable(whole, durable));
      }
      fs.writeFileSync(path.join(folder.directory, "live", "data.mdb"), Buffer.alloc(100_000, next(256)));
      folder.forgetCleanClose();
    }
  });
});

/** Keeps every byte that was durable and not zero; the rest is as the failure left it. */
function mergeDurable(left: Buffer, durable: Buffer): Buffer {
  let end = durable.length;
  while (end > 0 && durable[end - 1] === 0) end--;
  durable.copy(left, 0, 0, end);
  return left;
}
