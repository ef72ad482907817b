import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as nativeRows from "../../../src/native/types.js";
import * as storeRows from "../../../src/store/rows.js";
import { openStoreReader } from "../../../src/store/snapshot.js";
import {
  address,
  type BuiltTransaction,
  buildBlock,
  digest,
  hashOf,
  itemKey,
  pathKey,
} from "./block-builder.js";
import { newDataFolder, openSmallStore, SMALL_MAP_BYTES } from "./data-folder.js";

let folder: ReturnType<typeof newDataFolder>;
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(() => folder.remove());

const open = () => openSmallStore(folder.directory);
const openReader = () => openStoreReader({ directory: folder.directory, mapBytes: SMALL_MAP_BYTES });
const write = (key: Buffer, value: string | undefined): BuiltTransaction => ({
  writes: [{ key, value: value === undefined ? undefined : Buffer.from(value) }],
});

describe("the layouts shared with the executor", () => {
  it("are the same on both sides", () => {
    expect(storeRows.TransactionRow).toEqual(nativeRows.TransactionRow);
    expect(storeRows.WriteRow).toEqual(nativeRows.WriteRow);
    expect(storeRows.EventLinkRow).toEqual(nativeRows.EventLinkRow);
    expect(storeRows.NONE).toBe(nativeRows.NONE);
  });
});

describe("a new store", () => {
  it("is empty and says so to whoever wants its head", async () => {
    const store = await open();
    expect(store.isEmpty).toBe(true);
    expect(store.chainId).toBe(4);
    expect(() => store.refresh()).toThrow(expect.objectContaining({ code: "unavailable" }));
    await store.closeWriter();
  });

  it("cannot be read before a writer has made it", () => {
    expect(openReader).toThrow(expect.objectContaining({ code: "unavailable" }));
  });
});

describe("after blocks", () => {
  const account = address(7);
  const resource = pathKey(account, 1, "0x1::coin::CoinStore");

  it("a reader sees them when it refreshes and not before", async () => {
    const store = await open();
    await store.commit([buildBlock(0, 0, [write(resource, "genesis")])]);
    const reader = openReader();
    expect(reader.refresh()).toMatchObject({ version: 0, height: 0, round: 0, epoch: 1, oldestVersion: 0 });
    await store.commit([buildBlock(1, 1, [write(resource, "one"), write(resource, "two")])]);
    expect(reader.state(resource)?.toString()).toBe("genesis");
    expect(reader.head.version).toBe(0);
    expect(reader.recordByVersion(1)).toBeUndefined();
    expect(reader.versionByHash(hashOf(1))).toBeUndefined();
    expect(reader.blockByHeight(1)).toBeUndefined();
    expect(reader.refresh()).toMatchObject({ version: 2, height: 1, accumulatorPeaks: digest("peaks 1") });
    expect(reader.state(resource)?.toString()).toBe("two");
    expect(reader.state(resource, 1)?.toString()).toBe("one");
    expect(reader.state(resource, 0)?.toString()).toBe("genesis");
    expect(() => reader.state(resource, 3)).toThrow(expect.objectContaining({ code: "version_not_found" }));
    reader.close();
    await store.closeWriter();
  });

  it("records, hashes and blocks are found", async () => {
    const store = await open();
    await store.commit([
      buildBlock(0, 0, [{}]),
      buildBlock(1, 1, [{}, { body: Buffer.alloc(40_000, 7) }, {}]),
    ]);
    store.refresh();
    for (let version = 0; version < 4; version++) {
      const record = store.recordByVersion(version);
      expect(record).toMatchObject({
        version,
        height: version === 0 ? 0 : 1,
        hash: hashOf(version),
        accumulatorRoot: digest(`root ${version}`),
        transaction: version === 2 ? Buffer.alloc(40_000, 7) : Buffer.from(`transaction ${version}`),
        info: Buffer.from(`info ${version}`),
        events: Buffer.from(`events ${version}`),
        writeSet: Buffer.from(`write set ${version}`),
        blockTimestampUsecs: version === 0 ? 1_000_000 : 1_000_001,
      });
      expect(store.versionByHash(hashOf(version))).toBe(version);
      expect(store.blockByVersion(version)).toEqual(store.blockByHeight(version === 0 ? 0 : 1));
    }
    expect(store.blockByHeight(1)).toEqual({
      height: 1,
      firstVersion: 1,
      lastVersion: 3,
      timestampUsecs: 1_000_001,
      blockId: digest("block 1"),
    });
    expect(store.versionByHash(digest("never"))).toBeUndefined();
    await store.closeWriter();
  });

  it("two hashes with the same first eight bytes are told apart", async () => {
    const store = await open();
    const twin = Buffer.from(hashOf(0));
    twin[31] = (twin[31] as number) ^ 1;
    await store.commit([buildBlock(0, 0, [{}, { hash: twin }])]);
    await store.commit([buildBlock(1, 2, [{}])]);
    store.refresh();
    expect(store.versionByHash(hashOf(0))).toBe(0);
    expect(store.versionByHash(twin)).toBe(1);
    await store.closeWriter();
  });

  it("every form of state key is kept apart and comes back as it was", async () => {
    const store = await open();
    const long = Buffer.alloc(500, 3);
    const keys = [
      resource,
      pathKey(account, 0, "coin"),
      pathKey(account, 2, "0x1::object::ObjectGroup"),
      pathKey(account, 1, "x".repeat(300)),
      itemKey(account, Buffer.alloc(0)),
      itemKey(account, Buffer.from([2])),
      itemKey(account, long.subarray(0, 400)),
      itemKey(account, long.subarray(0, 401)),
      itemKey(account, long),
      Buffer.concat([Buffer.from([0xff]), Buffer.from("raw")]),
      Buffer.from([0xff]),
      // Not access paths: a length that is not the rest, a length in too many bytes, an unknown path kind.
      Buffer.concat([Buffer.from([0]), account, Buffer.from([9, 1, 2])]),
      Buffer.concat([Buffer.from([0]), account, Buffer.from([0x82, 0, 1, 2])]),
      Buffer.concat([Buffer.from([0]), account, Buffer.from([2, 3, 2])]),
      Buffer.concat([Buffer.from([0]), account]),
    ];
    const writes = keys.map((key, index) => ({ key, value: Buffer.from(`value ${index}`) }));
    await store.commit([buildBlock(0, 0, [{ writes }])]);
    store.refresh();
    for (const [index, key] of keys.entries()) expect(store.state(key)?.toString()).toBe(`value ${index}`);
    const all = [...store.allState()].map(([key, value]) => `${key.toString("hex")} ${value.toString()}`);
    expect(all.sort()).toEqual(keys.map((key, index) => `${key.toString("hex")} value ${index}`).sort());
    await store.closeWriter();
  });

  it("a deleted key reads as absent from its version on, and again as present when rewritten", async () => {
    const store = await open();
    await store.commit([
      buildBlock(0, 0, [write(resource, "a"), write(resource, undefined), write(resource, "b")]),
    ]);
    await store.commit([buildBlock(1, 3, [write(resource, undefined)])]);
    store.refresh();
    expect([0, 1, 2, 3].map((version) => store.state(resource, version)?.toString())).toEqual([
      "a",
      undefined,
      "b",
      undefined,
    ]);
    expect([...store.allState()]).toEqual([]);
    await store.closeWriter();
  });

  it("large values survive, one as long as a segment included", async () => {
    const store = await open();
    const big = Buffer.alloc(100_000, 1);
    const bigger = Buffer.alloc(70_000, 2);
    await store.commit([buildBlock(0, 0, [{ writes: [{ key: resource, value: big }] }])]);
    await store.commit([buildBlock(1, 1, [{ writes: [{ key: resource, value: bigger }] }])]);
    store.refresh();
    expect(store.state(resource)).toEqual(bigger);
    expect(store.state(resource, 0)).toEqual(big);
    await store.closeWriter();
  });

  it("an account's items come in pages that leave nothing out", async () => {
    const store = await open();
    const names = Array.from({ length: 25 }, (_, index) => `0x1::m::R${(index * 7) % 25}`);
    const transactions = names.map((name) => write(pathKey(account, 1, name), name));
    const others = [
      write(pathKey(address(8), 1, "other"), "o"),
      write(pathKey(account, 0, "module"), "code"),
    ];
    await store.commit([
      buildBlock(0, 0, [...transactions, ...others, write(pathKey(account, 2, "g"), "group")]),
    ]);
    await store.commit([buildBlock(1, 28, [write(pathKey(account, 1, "0x1::m::R3"), undefined)])]);
    store.refresh();
    const found: string[] = [];
    let cursor: Buffer | undefined;
    do {
      const page = store.accountItems(account, "resource", 10, cursor);
      const order = page.items.map(({ key }) => key.toString("hex"));
      expect(order).toEqual([...order].sort());
      found.push(...page.items.map(({ value }) => value.toString()));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(found.sort()).toEqual([...names.filter((name) => name !== "0x1::m::R3"), "group"].sort());
    const earlier = store.accountItems(account, "resource", 100, undefined, 27);
    expect(earlier.items.length).toBe(26);
    expect(store.accountItems(account, "module", 100).items.map(({ value }) => value.toString())).toEqual([
      "code",
    ]);
    expect(() => store.accountItems(account, "resource", 10, pathKey(address(8), 1, "other"))).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
    await store.closeWriter();
  });

  it("transactions of an account and events of a handle are found by sequence number", async () => {
    const store = await open();
    const other = address(9);
    let version = 0;
    const versions: number[] = [];
    for (let height = 0; height < 40; height++) {
      const transactions: BuiltTransaction[] = [];
      for (let index = 0; index < 3; index++) {
        const sequenceNumber = versions.length;
        const events = [0, 1].map((event) => ({
          account,
          creation: 3n,
          sequenceNumber: 2 * sequenceNumber + event,
        }));
        transactions.push({ sender: account, sequenceNumber, events });
        transactions.push({ sender: other, sequenceNumber });
        versions.push(version + 2 * index);
      }
      await store.commit([buildBlock(height, version, transactions)]);
      version += 6;
    }
    store.refresh();
    expect(store.accountTransactionCount(account)).toBe(120);
    expect(store.accountTransactionCount(address(1))).toBe(0);
    expect(store.accountVersions(account, 0, 1000)).toEqual(versions);
    for (const start of [0, 1, 31, 32, 33, 63, 64, 100, 119]) {
      expect(store.accountVersions(account, start, 5)).toEqual(versions.slice(start, start + 5));
    }
    expect(store.accountVersions(account, 120, 5)).toEqual([]);
    const events = store.streamEvents(account, 3n, 100n, 4);
    expect(events.map(({ version: at, eventIndex }) => [at, eventIndex])).toEqual([
      [versions[50], 0],
      [versions[50], 1],
      [versions[51], 0],
      [versions[51], 1],
    ]);
    expect(store.streamEvents(account, 3n, undefined, 2).map(({ version: at }) => at)).toEqual([
      versions[119],
      versions[119],
    ]);
    expect(store.streamEvents(account, 4n, 0n, 10)).toEqual([]);
    await store.closeWriter();
  });
});

describe("opening again", () => {
  it("continues where a clean close left off, and refuses another chain or a second writer", async () => {
    const key = pathKey(address(1), 1, "counter");
    for (let height = 0; height < 5; height++) {
      const store = await open();
      expect(store.isEmpty).toBe(height === 0);
      await expect(open()).rejects.toMatchObject({ code: "data_folder_in_use" });
      await store.commit([buildBlock(height, height, [write(key, `${height}`)])]);
      store.refresh();
      for (let version = 0; version <= height; version++) {
        expect(store.state(key, version)?.toString()).toBe(`${version}`);
      }
      await store.closeWriter();
    }
    await expect(openSmallStore(folder.directory, { chainId: 5 })).rejects.toMatchObject({
      code: "data_folder_other_chain",
    });
  });

  it("rebuilds everything from the log when the machine may have lost power", async () => {
    const key = pathKey(address(1), 1, "counter");
    const first = await openSmallStore(folder.directory, { bootId: undefined });
    for (let height = 0; height < 50; height++) {
      await first.commit([
        buildBlock(height, height, [
          { ...write(key, `${height}`), sender: address(1), sequenceNumber: height },
        ]),
      ]);
    }
    // The writer lives on; a copy of what it has made durable is what a restart would find.
    const copy = newDataFolder();
    fs.cpSync(folder.directory, copy.directory, {
      recursive: true,
      filter: (path) => !path.endsWith("/live"),
    });
    const second = await openSmallStore(copy.directory, { bootId: "another boot" });
    second.refresh();
    expect(second.head).toMatchObject({ version: 49, height: 49 });
    for (let version = 0; version < 50; version++)
      expect(second.state(key, version)?.toString()).toBe(`${version}`);
    expect(second.accountVersions(address(1), 10, 3)).toEqual([10, 11, 12]);
    await second.commit([buildBlock(50, 50, [write(key, "50")])]);
    expect(second.refresh().version).toBe(50);
    await second.closeWriter();
    copy.remove();
    await first.closeWriter();
  });
});
