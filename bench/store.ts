/**
 * What a transfer costs the store: LMDB puts, log bytes and CPU, without executor or network.
 *
 * Loads accounts with two resources each, then commits blocks of transfers between uniformly random
 * accounts. A transfer writes three values of about 100 B and carries bodies of the sizes of a real
 * one. Only `commit` is measured; blocks are made outside of it.
 *
 * Run after a build: node dist/bench/store.js
 *
 * Environment: STORE_BENCH_ACCOUNTS (default 100,000), STORE_BENCH_TRANSFERS (per block size,
 * default 50,000), STORE_BENCH_FOLDER (default: the system's temporary folder).
 */

import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openStoreWriter } from "../src/store/commit.js";
import { NONE, TransactionRow, WriteRow } from "../src/store/rows.js";
import type { BlockToCommit, StoreWriter } from "../src/store/types.js";

const ACCOUNTS = count("STORE_BENCH_ACCOUNTS", 100_000);
const TRANSFERS = count("STORE_BENCH_TRANSFERS", 50_000);
const BLOCK_SIZES = [1, 100, 1_000, 5_000];
const REPEATS = 3;
const LOAD_PER_BLOCK = 2_000;
/** Bytes of the bodies of a coin transfer: transaction, info, events, write set. */
const BODY_BYTES = [310, 180, 390, 620];

/** A put with `append` costs a fraction of one that finds its place. */
interface PutCounts {
  random: number;
  appended: number;
}

let height = -1;
let version = -1;
let seed = 42;

async function main(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(process.env.STORE_BENCH_FOLDER ?? os.tmpdir(), "ledger-bench-"));
  try {
    const store = await openStoreWriter({ directory: folder, chainId: 4 });
    const loaded = performance.now();
    await load(store);
    const seconds = (performance.now() - loaded) / 1000;
    console.log(
      `machine: ${os.cpus()[0]?.model ?? "?"} × ${os.cpus().length}, Node ${process.version}, ${os.release()}`,
    );
    console.log(`${ACCOUNTS} accounts loaded in ${seconds.toFixed(1)} s; seed 42; fdatasync per commit`);
    const counts = countPuts(store);
    console.log(
      "\n| transfers per block | CPU µs per transfer (min / median / max) | wall µs | random puts | appended puts |",
    );
    console.log("|---|---|---|---|---|");
    for (const size of BLOCK_SIZES) console.log(await measure(store, size, counts));
    await measureReads(store);
    await store.closeWriter();
    const log = fs.readdirSync(path.join(folder, "log")).length;
    const live = fs.statSync(path.join(folder, "live", "data.mdb"));
    console.log(
      `\nlog files: ${log}; data.mdb: ${(live.blocks / 2048).toFixed(0)} MiB on disk; digest of the head: version ${version}`,
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function load(store: StoreWriter): Promise<void> {
  for (let first = 0; first < ACCOUNTS; first += LOAD_PER_BLOCK) {
    const builder = new BlockBuilder();
    for (let index = first; index < Math.min(ACCOUNTS, first + LOAD_PER_BLOCK); index++) {
      builder.write(resourceKey(index, ACCOUNT_PATH));
      builder.write(resourceKey(index, COIN_PATH));
    }
    builder.transaction(undefined);
    await store.commit([builder.finish()]);
  }
}

async function measure(store: StoreWriter, size: number, counts: PutCounts): Promise<string> {
  const cpu: number[] = [];
  const wall: number[] = [];
  const transfers = size === 1 ? Math.min(TRANSFERS, 2_000) : TRANSFERS;
  let total = 0;
  counts.random = 0;
  counts.appended = 0;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    let usecs = 0;
    let wallMs = 0;
    let done = 0;
    while (done < transfers) {
      const block = transferBlock(size);
      const before = process.cpuUsage();
      const started = performance.now();
      await store.commit([block]);
      wallMs += performance.now() - started;
      const used = process.cpuUsage(before);
      usecs += used.user + used.system;
      done += size;
    }
    cpu.push(usecs / done);
    wall.push((wallMs * 1000) / done);
    total += done;
  }
  cpu.sort((a, b) => a - b);
  wall.sort((a, b) => a - b);
  const text = (values: number[]) => values.map((value) => value.toFixed(1)).join(" / ");
  const per = (puts: number) => (puts / total).toFixed(2);
  return `| ${size} | ${text(cpu)} | ${wall[1]?.toFixed(1)} | ${per(counts.random)} | ${per(counts.appended)} |`;
}

async function measureReads(store: StoreWriter): Promise<void> {
  store.refresh();
  const { version: newest } = store.head;
  const reads = 4 * TRANSFERS;
  const keys = Array.from({ length: 10_000 }, () => resourceKey(random(ACCOUNTS), COIN_PATH));
  const run = (name: string, read: (index: number) => unknown) => {
    for (let index = 0; index < reads / 20; index++) read(index);
    const before = process.cpuUsage();
    for (let index = 0; index < reads; index++) read(index);
    const used = process.cpuUsage(before);
    console.log(`| ${name} | ${((used.user + used.system) / reads).toFixed(2)} |`);
  };
  console.log("\n| read | CPU µs |\n|---|---|");
  run("latest value of a random key", (index) => store.state(keys[index % keys.length] as Buffer));
  run("random key at a random version", (index) =>
    store.state(keys[index % keys.length] as Buffer, random(newest)),
  );
  run("record by version", () => store.recordByVersion(random(newest)));
}

function transferBlock(size: number): BlockToCommit {
  const builder = new BlockBuilder();
  for (let index = 0; index < size; index++) {
    const sender = random(ACCOUNTS);
    builder.write(resourceKey(sender, ACCOUNT_PATH));
    builder.write(resourceKey(sender, COIN_PATH));
    builder.write(resourceKey(random(ACCOUNTS), COIN_PATH));
    builder.transaction(sender);
  }
  return builder.finish();
}

/** Lays executed blocks out as the executor does. */
class BlockBuilder {
  readonly #parts: Buffer[] = [];
  readonly #rows: number[] = [];
  readonly #writes: number[] = [];
  #length = 0;
  #firstWrite = 0;
  #transactions = 0;

  write(key: Buffer): void {
    const keyAt = this.#put(key);
    const value = Buffer.alloc(100, this.#length);
    value[0] = 0;
    const valueAt = this.#put(value);
    this.#writes.push(keyAt, keyAt + key.length, valueAt, valueAt + value.length);
  }

  transaction(sender: number | undefined): void {
    const row = new Array<number>(TransactionRow.WIDTH).fill(0);
    const at = version + 1 + this.#transactions++;
    row[TransactionRow.HASH] = this.#put(createHash("sha256").update(`${at}`).digest());
    row[TransactionRow.ACCUMULATOR_ROOT] = this.#put(Buffer.alloc(32, at));
    for (const [part, bytes] of BODY_BYTES.entries()) {
      row[TransactionRow.TRANSACTION + 2 * part] = this.#put(Buffer.alloc(bytes, at));
      row[TransactionRow.TRANSACTION_END + 2 * part] = this.#length;
    }
    row[TransactionRow.FIRST_WRITE] = this.#firstWrite;
    this.#firstWrite = this.#writes.length / WriteRow.WIDTH;
    row[TransactionRow.WRITES_END] = this.#firstWrite;
    row[TransactionRow.SENDER] = sender === undefined ? NONE : this.#put(address(sender));
    row[TransactionRow.SEQUENCE_NUMBER_LOW] = at;
    this.#rows.push(...row);
  }

  finish(): BlockToCommit {
    height++;
    const block: BlockToCommit = {
      height,
      firstVersion: version + 1,
      timestampUsecs: height,
      epoch: 1,
      round: height,
      blockId: Buffer.alloc(32),
      accumulatorPeaks: Buffer.alloc(32 * 20),
      bytes: Buffer.concat(this.#parts),
      transactions: Uint32Array.from(this.#rows),
      writes: Uint32Array.from(this.#writes),
      eventLinks: new Uint32Array(0),
    };
    version += this.#transactions;
    return block;
  }

  #put(bytes: Buffer): number {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this.#length - bytes.length;
  }
}

const ACCOUNT_PATH = Buffer.from("\x01resource path of an account, as long as a real one is");
const COIN_PATH = Buffer.from(
  "\x01resource path of a coin store, whose type has a type argument, so it is longer",
);

function resourceKey(account: number, resource: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0]), address(account), Buffer.from([resource.length]), resource]);
}

function address(account: number): Buffer {
  return createHash("sha256").update(`account ${account}`).digest();
}

/** Park-Miller: the same transfers in every run. */
function random(limit: number): number {
  seed = (seed * 48_271) % 0x7fff_ffff;
  return seed % limit;
}

/** Counts puts by looking over the writer's shoulder; the tables are not part of its face. */
function countPuts(store: StoreWriter): PutCounts {
  const counts: PutCounts = { random: 0, appended: 0 };
  const { environment } = store as unknown as { readonly environment: Record<string, unknown> };
  for (const table of Object.values(environment).flat() as { putSync(...args: unknown[]): unknown }[]) {
    const put = table.putSync;
    table.putSync = function counted(key, value, options) {
      if ((options as { append?: boolean } | undefined)?.append === true) counts.appended++;
      else counts.random++;
      return put.call(this, key, value, options);
    };
  }
  return counts;
}

function count(name: string, otherwise: number): number {
  const text = process.env[name];
  return text === undefined ? otherwise : Number.parseInt(text, 10);
}

await main();
