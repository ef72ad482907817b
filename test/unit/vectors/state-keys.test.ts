/** state-keys.json: the keys that the core, the fronts and the store make of addresses, names and types. */
import { describe, expect, it } from "vitest";
import { accountKey, isKeyOf, suffixOf } from "../../../src/front/reads/state-keys.js";
import { core } from "../../../src/native/index.js";
import { keepsFullKey, StateKeyEncoder, storageEncoding } from "../../../src/store/state-key.js";
import { genesisState, granted } from "./genesis-state.js";
import { typedHash } from "./ledger-hashes.js";
import { addressOf, bytesOf, dealCases, named, sizes } from "./vector-file.js";

const keys = dealCases("state-keys.json", {
  resources: (row) => row.kind === "resource",
  groups: (row) => row.kind === "resource_group",
  modules: (row) => row.kind === "module",
  tableItems: (row) => row.kind === "table_item",
  raw: (row) => row.kind === "raw",
});
const everyKey = Object.values(keys).flat();
const accountKeys = [...keys.resources, ...keys.groups, ...keys.modules];

it("uses all 15 cases; 12 are made by the core, groups and raw keys have no maker on this side", () => {
  expect(sizes(keys)).toEqual({ resources: 5, groups: 2, modules: 3, tableItems: 4, raw: 1 });
});

describe("the core", () => {
  const { core: machine, reader } = genesisState();

  it.each(named(keys.resources))("locates %s", (_, row) => {
    const location = granted(machine.locateResource(addressOf(row.address), row.type as string, reader));
    expect(location.key).toEqual(bytesOf(row.encoded));
    expect(location.type).toBe(row.type);
    expect(location.memberTag).toBeUndefined();
  });

  it.each(named(keys.modules))("makes the key of %s", (_, row) => {
    const key = core.moduleKey(addressOf(row.address), row.name_of_module as string);
    expect(key).toEqual(bytesOf(row.encoded));
  });

  it.each(named(keys.tableItems))("makes the key of %s", (_, row) => {
    expect(core.tableItemKey(addressOf(row.handle), bytesOf(row.key))).toEqual(bytesOf(row.encoded));
  });

  it.each([
    ["31 bytes", 31],
    ["33 bytes", 33],
    ["no bytes", 0],
  ])("takes no address of %s", (_, length) => {
    const address = Buffer.alloc(length);
    expect(() => core.moduleKey(address, "coin")).toThrow("32 bytes");
    expect(() => core.tableItemKey(address, Buffer.of(1))).toThrow("32 bytes");
  });
});

describe("a front", () => {
  it.each(named(accountKeys))("cuts and joins %s", (_, row) => {
    const encoded = bytesOf(row.encoded);
    const address = addressOf(row.address);
    expect(accountKey(address, suffixOf(encoded))).toEqual(encoded);
    expect(isKeyOf(address, encoded)).toBe(true);
    expect(isKeyOf(addressOf("0x77"), encoded)).toBe(false);
  });

  it.each(named([...keys.tableItems, ...keys.raw]))("takes %s for no item of an account", (_, row) => {
    const encoded = bytesOf(row.encoded);
    expect(isKeyOf(encoded.subarray(1, 33), encoded)).toBe(false);
  });
});

describe("the store", () => {
  const paths: Buffer[] = [];
  const directory = {
    idOf: (path: Buffer) => {
      const at = paths.findIndex((known) => known.equals(path));
      return at === -1 ? undefined : at;
    },
    pathOf: (id: number) => paths[id],
    assign: (path: Buffer) => {
      const known = directory.idOf(path);
      if (known !== undefined) return known;
      paths.push(Buffer.from(path));
      return paths.length - 1;
    },
  };
  const encoder = new StateKeyEncoder();
  const make = (encoded: Buffer) =>
    Buffer.from(encoder.make(encoded, directory as unknown as Parameters<StateKeyEncoder["make"]>[1]));
  const back = (tableKey: Buffer) =>
    storageEncoding(tableKey, directory as unknown as Parameters<typeof storageEncoding>[1]);

  it.each(named([...accountKeys, ...keys.tableItems]))("gives %s back as it was", (_, row) => {
    const encoded = bytesOf(row.encoded);
    const tableKey = make(encoded);
    expect(keepsFullKey(tableKey)).toBe(false);
    expect(back(tableKey)).toEqual(encoded);
  });

  it.each(named(keys.raw))("keeps %s beside its value", (_, row) => {
    expect(keepsFullKey(make(bytesOf(row.encoded)))).toBe(true);
  });

  it("gives keys with paths of every length back as they were", () => {
    // Paths of the vectors have lengths of one byte; type arguments make longer ones.
    const { core: machine, reader } = genesisState();
    for (const count of [1, 2, 3, 40, 400]) {
      const type = `0x1::m::S<${Array.from({ length: count }, () => "0x1::coin::Coin").join(", ")}>`;
      const { key } = granted(machine.locateResource(addressOf("0xb0b"), type, reader));
      expect(key.length).toBeGreaterThan(count * 40);
      expect(back(make(key))).toEqual(key);
    }
  });

  it("has a table key of its own for every case", () => {
    const tableKeys = new Set(everyKey.map((row) => make(bytesOf(row.encoded)).toString("hex")));
    expect(tableKeys.size).toBe(15);
  });
});

it.each(named(everyKey))("the hash of %s is that of its storage encoding", (_, row) => {
  expect(typedHash("StateKey", bytesOf(row.encoded))).toEqual(bytesOf(row.hash));
});
