/** Framing of BCS and the walk over type tags, held to the shared vectors. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAddress } from "../../../src/domain/index.js";
import { BcsWalker, BcsWriter, ulebBytes } from "../../../src/front/reads/bcs.js";
import { groupMember } from "../../../src/front/reads/state.js";
import { accountKey, frameworkModule, frameworkResource } from "../../../src/front/reads/state-keys.js";
import { storageKey } from "../../../src/front/reads/state-value.js";

interface TypeTagCase {
  readonly name: string;
  readonly bcs?: string;
}

interface StateKeyCase {
  readonly kind: string;
  readonly address?: string;
  readonly type?: string;
  readonly name_of_module?: string;
  readonly bcs: string;
  readonly encoded: string;
}

function cases<T>(file: string): T[] {
  const path = new URL(`../../vectors/${file}`, import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { cases: T[] }).cases;
}

test("the walk passes every type tag of the vectors exactly", () => {
  const tags = cases<TypeTagCase>("type-tags.json").filter((row) => row.bcs !== undefined);
  expect(tags.length).toBeGreaterThan(20);
  for (const { name, bcs } of tags) {
    const bytes = Buffer.from(bcs as string, "hex");
    const walker = new BcsWalker(Buffer.concat([bytes, Buffer.of(0xee)]));
    walker.skipTypeTag();
    expect([name, walker.offset]).toEqual([name, bytes.length]);
  }
});

test("a length over 127 takes further digits", () => {
  expect([0, 127, 128, 300, 2 ** 31 - 1].map((value) => ulebBytes(value).toString("hex"))).toEqual([
    "00",
    "7f",
    "8001",
    "ac02",
    "ffffffff07",
  ]);
});

test("a walk past the end throws instead of reading what lies behind", () => {
  const pool = Buffer.from("0501020304050607");
  expect(() => new BcsWalker(pool.subarray(0, 3)).sized()).toThrow(RangeError);
});

test("keys of framework resources and modules are the vectors' storage encodings", () => {
  const rows = cases<StateKeyCase>("state-keys.json");
  const resources = rows.filter(
    ({ kind, type }) => kind === "resource" && /^0x1::\w+::\w+$/.test(type ?? ""),
  );
  expect(resources.length).toBeGreaterThan(3);
  for (const row of resources) {
    const [, module, name] = (row.type as string).split("::") as [string, string, string];
    const address = parseAddress(row.address as string) as Buffer;
    expect(accountKey(address, frameworkResource(module, name)).toString("hex")).toBe(row.encoded);
  }
  const modules = rows.filter(({ kind, address }) => kind === "module" && address === "0x1");
  expect(modules.length).toBeGreaterThan(1);
  for (const row of modules) {
    expect(frameworkModule(row.name_of_module as string).toString("hex")).toBe(row.encoded);
  }
});

test("every state key of the vectors is turned into its storage encoding, and no part of one is", () => {
  const rows = cases<StateKeyCase>("state-keys.json");
  for (const row of rows) {
    const bytes = Buffer.from(row.bcs, "hex");
    expect(storageKey(bytes)?.toString("hex")).toBe(row.encoded);
    expect(storageKey(bytes.subarray(0, bytes.length - 1))).toBeUndefined();
    expect(storageKey(Buffer.concat([bytes, Buffer.of(0)]))).toBeUndefined();
  }
  expect(storageKey(Buffer.of(3, 0))).toBeUndefined();
});

test("a group's member is found among others by its tag", () => {
  const tag = (name: string) =>
    new BcsWriter().bytes(Buffer.alloc(32, 7)).text("m").text(name).uleb(0).finish();
  const generic = new BcsWriter()
    .bytes(Buffer.alloc(32, 7))
    .text("m")
    .text("G")
    .uleb(2)
    .u8(6)
    .u8(7)
    .bytes(tag("A"))
    .u8(1)
    .finish();
  const group = new BcsWriter()
    .uleb(3)
    .bytes(tag("A"))
    .sized(Buffer.from("a"))
    .bytes(generic)
    .sized(Buffer.from("g"))
    .bytes(tag("B"))
    .sized(Buffer.from("b"))
    .finish();
  expect(groupMember(group, tag("B"))?.toString()).toBe("b");
  expect(groupMember(group, generic)?.toString()).toBe("g");
  expect(groupMember(group, tag("C"))).toBeUndefined();
});
