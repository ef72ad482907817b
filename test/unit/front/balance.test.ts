/** Balances: addresses held to the shared vectors, amounts put together from coin and stores. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pairedMetadata, primaryStore } from "../../../src/front/reads/asset-addresses.js";
import { balance } from "../../../src/front/reads/balance.js";
import { BcsWriter } from "../../../src/front/reads/bcs.js";
import type { ReadContext } from "../../../src/front/reads/context.js";
import { FUNGIBLE_ASSET_MODULE } from "../../../src/front/reads/state-keys.js";
import { wireNames } from "../../../src/wire/index.js";
import { FakeStore, fakeCore } from "../../api/fakes.js";

interface DerivedAddress {
  readonly kind: string;
  readonly address: string;
  readonly coin_type?: string;
  readonly source?: string;
  readonly derive_from?: string;
}

const vectors = (
  JSON.parse(readFileSync(new URL("../../vectors/derived-addresses.json", import.meta.url), "utf8")) as {
    cases: DerivedAddress[];
  }
).cases;
const bytes = (text: string) => Buffer.from(text.slice(2), "hex");

test("metadata paired with a coin is where the vectors have it", () => {
  const rows = vectors.filter(({ kind }) => kind === "paired_fa_metadata");
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows)
    expect(`0x${pairedMetadata(row.coin_type ?? "").toString("hex")}`).toBe(row.address);
});

test("a primary store is the object derived from owner and metadata", () => {
  const rows = vectors.filter(({ kind }) => kind === "user_derived_object");
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) {
    const address = primaryStore(bytes(row.source ?? ""), bytes(row.derive_from ?? ""));
    expect(`0x${address.toString("hex")}`).toBe(row.address);
  }
});

const OWNER = Buffer.alloc(32, 0x11);
const COIN = "0x1::aptos_coin::AptosCoin";

/** @param members Members of the primary store's group, by name. */
function contextOf(coins: bigint, members: Record<string, Buffer>, hasModule = true): ReadContext {
  const store = new FakeStore();
  const { core, functions } = fakeCore({});
  const state = new BcsWriter();
  const type = `0x1::coin::CoinStore<${COIN}>`;
  store.set(keyOf(core, OWNER, type), new BcsWriter().u64(coins).bytes(Buffer.alloc(60)).finish());
  if (hasModule) store.set(FUNGIBLE_ASSET_MODULE, Buffer.of(1));
  state.uleb(Object.keys(members).length);
  for (const [name, data] of Object.entries(members)) state.bytes(tag(name)).sized(data);
  const group = (address: Buffer) => Buffer.concat([Buffer.of(0), address, Buffer.from("group")]);
  store.set(group(primaryStore(OWNER, pairedMetadata(COIN))), state.finish());
  const locateResource: typeof core.locateResource = (address, text, reader) =>
    text.startsWith("0x1::fungible_asset::")
      ? { key: group(address), type: text, memberTag: tag(text.split("::")[2] as string) }
      : core.locateResource(address, text, reader);
  return {
    store,
    core: { ...core, locateResource },
    functions,
    wire: wireNames("node"),
    chainId: 4,
    renderBytesMax: Number.POSITIVE_INFINITY,
  };
}

function keyOf(core: ReturnType<typeof fakeCore>["core"], address: Buffer, type: string): Buffer {
  const place = core.locateResource(address, type, { read: () => undefined });
  if ("kind" in place) throw new Error(place.message);
  return place.key;
}

function tag(name: string): Buffer {
  const framework = Buffer.from("01".padStart(64, "0"), "hex");
  return new BcsWriter().bytes(framework).text("fungible_asset").text(name).uleb(0).finish();
}

const storeOf = (amount: bigint) => new BcsWriter().bytes(Buffer.alloc(32, 0xa)).u64(amount).u8(0).finish();
const concurrent = (amount: bigint) =>
  new BcsWriter()
    .u64(amount)
    .u64(2n ** 64n - 1n)
    .finish();

const rows: readonly (readonly [name: string, context: ReadContext, asset: string, octas: string])[] = [
  ["coins alone", contextOf(5n, {}, false), COIN, "5"],
  ["coins and store together", contextOf(5n, { FungibleStore: storeOf(7n) }), COIN, "12"],
  ["the store alone by its metadata", contextOf(5n, { FungibleStore: storeOf(7n) }), "0xa", "7"],
  [
    "a store updated in parallel",
    contextOf(5n, { ConcurrentFungibleBalance: concurrent(9n), FungibleStore: storeOf(0n) }),
    "0xa",
    "9",
  ],
  ["an emptied store", contextOf(0n, { FungibleStore: storeOf(0n) }), COIN, "0"],
  ["another asset", contextOf(5n, { FungibleStore: storeOf(7n) }), "0xb", "0"],
];

test.each(rows)("%s", (_name, context, asset, octas) => {
  const args = { address: OWNER, asset, version: undefined };
  expect(balance(context, { ...args, form: "json" }).body).toBe(octas);
  const bcs = balance(context, { ...args, form: "bcs" }).body as Buffer;
  expect(bcs.readBigUInt64LE().toString()).toBe(octas);
});
