/**
 * Nanoseconds per state read as the core sees it: key out through the binding, value from the store's
 * snapshot, value in. `node dist/bench/state-reads.js [ACCOUNTS]` (100,000 by default).
 *
 * The figures are the best of several rounds over keys in a random order: *cold* is the first round
 * after the store was filled and opened again, *hot* the best of the later ones, *crossing* reads one
 * answer that JavaScript has at hand.
 */

import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { core as functions, type StateReader } from "../src/native/index.js";
import { openStoreWriter } from "../src/store/commit.js";
import type { BlockToCommit } from "../src/store/types.js";

const CHAIN_ID = 4;
const HOT_ROUNDS = 5;
const SAMPLE = 20_000;
/** An account resource with empty capabilities, as a state value without metadata. */
const VALUE_BYTES = 149;

/** Keys of account resources at addresses that follow from their number. */
function accountKey(index: number): Buffer {
  const address = createHash("sha3-256").update(`account ${index}`).digest();
  const tag = Buffer.concat([
    Buffer.alloc(31),
    Buffer.from([1, 7]),
    Buffer.from("account"),
    Buffer.from([7]),
    Buffer.from("Account"),
    Buffer.from([0]),
  ]);
  return Buffer.concat([Buffer.from([0]), address, Buffer.from([tag.length + 1, 1]), tag]);
}

/** One block with a transaction that writes all of `keys`. */
function block(keys: readonly Buffer[]): BlockToCommit {
  const value = Buffer.concat([
    Buffer.from([0, (VALUE_BYTES & 0x7f) | 0x80, VALUE_BYTES >> 7]),
    randomBytes(VALUE_BYTES),
  ]);
  const fixed = Buffer.concat([randomBytes(64), Buffer.from([1, 2, 3, 4])]);
  const bytes = Buffer.concat([fixed, value, ...keys]);
  const writes = new Uint32Array(keys.length * 4);
  let offset = fixed.length + value.length;
  keys.forEach((key, index) => {
    writes.set([offset, offset + key.length, fixed.length, fixed.length + value.length], index * 4);
    offset += key.length;
  });
  const none = 0xffffffff;
  return {
    height: 0,
    firstVersion: 0,
    timestampUsecs: 0,
    epoch: 1,
    round: 0,
    blockId: Buffer.alloc(32),
    accumulatorPeaks: Buffer.alloc(32),
    bytes,
    transactions: Uint32Array.from([
      0,
      32,
      64,
      65,
      65,
      66,
      66,
      67,
      67,
      68,
      0,
      keys.length,
      0,
      0,
      none,
      0,
      0,
      0,
    ]),
    writes,
    eventLinks: new Uint32Array(0),
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  const order = items.map((item, index) => ({
    item,
    at: createHash("md5").update(`${index}`).digest("hex"),
  }));
  return order.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ item }) => item);
}

const accounts = Number(process.argv[2] ?? 100_000);
const directory = mkdtempSync(join(tmpdir(), "ledger-reads-"));
try {
  const keys = Array.from({ length: accounts }, (_, index) => accountKey(index));
  const filler = await openStoreWriter({ directory, chainId: CHAIN_ID });
  await filler.commit([block(keys)]);
  await filler.closeWriter();

  const store = await openStoreWriter({ directory, chainId: CHAIN_ID });
  const machine = functions.createCore({ chainId: CHAIN_ID });
  const sample = shuffled(keys).slice(0, SAMPLE);
  const measure = (reader: StateReader) => {
    const start = process.hrtime.bigint();
    const existing = machine.countExisting(sample, reader);
    if (existing !== sample.length) throw new Error(`${existing} of ${sample.length} keys exist`);
    return Number(process.hrtime.bigint() - start) / sample.length;
  };
  const best = (reader: StateReader) =>
    Math.min(...Array.from({ length: HOT_ROUNDS }, () => measure(reader)));
  const fromStore: StateReader = { read: (key) => store.state(key) };
  const answer = Buffer.from(store.state(keys[0] as Buffer) as Buffer);
  const cold = measure(fromStore);
  console.log(`${accounts} accounts, ${sample.length} of them in random order, ${answer.length}-byte values`);
  console.log(`cold     ${cold.toFixed(0)} ns a read`);
  console.log(`hot      ${best(fromStore).toFixed(0)} ns a read`);
  console.log(`crossing ${best({ read: () => answer }).toFixed(0)} ns a read`);
  await store.closeWriter();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
