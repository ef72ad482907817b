import { afterEach, describe, expect, it, vi } from "vitest";
import { readCommandLine } from "../../../src/config/index.js";
import { NodeError } from "../../../src/errors/index.js";
import type { AdmittedTransaction, CommitAnnouncement } from "../../../src/ipc/index.js";
import { Meter, silentLogger } from "../../../src/observe/index.js";
import { Writer } from "../../../src/writer/index.js";
import { DISCARD_NO_BALANCE, DISCARD_TOO_NEW, MemoryLedger, RETRY } from "./memory-ledger.js";

const writers: Writer[] = [];
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.close();
});

async function open(
  ledger: MemoryLedger,
  args: string[] = ["--idle-block-ms", "0", "--block-delay-ms", "0"],
) {
  const line = readCommandLine({ args, environment: {}, workingDir: "/" });
  if (line.command !== "start") throw new Error("expected start");
  const announced: CommitAnnouncement[] = [];
  const onFailure = vi.fn();
  const writer = await Writer.open({
    config: line.config,
    core: ledger.core,
    store: ledger.store,
    log: silentLogger(),
    meter: new Meter(),
    announce: (announcement) => {
      announced.push(announcement);
      ledger.events.push(`announce ${announcement.height}`);
    },
    onFailure,
  });
  writers.push(writer);
  writer.begin();
  return { writer, announced, onFailure };
}

let serial = 0;
function transaction(
  overrides: { account?: number; number?: bigint; first?: number } = {},
): AdmittedTransaction {
  const id = Buffer.alloc(32);
  id.writeUInt32BE(++serial);
  return {
    bytes: Buffer.from([overrides.first ?? 0, 1, 2, 3]),
    hash: id,
    sender: Buffer.alloc(32, overrides.account ?? 1),
    sequenceNumber: overrides.number ?? 0n,
    replayProtectionNonce: undefined,
    accountSequenceNumber: 0n,
    gasUnitPrice: 100n,
    expirationTimestampSecs: BigInt(Math.floor(Date.now() / 1000) + 600),
    replacementKey: id,
  };
}

describe("a writer", () => {
  it("gives an empty store its genesis, once", async () => {
    const ledger = new MemoryLedger();
    const { writer } = await open(ledger);
    expect(ledger.events).toEqual(["commit 0"]);
    expect(writer.newest).toMatchObject({ height: 0, version: 0 });
    await open(ledger);
    expect(ledger.events).toEqual(["commit 0", "load"]);
  });

  it("executes, commits and then announces what was submitted", async () => {
    const ledger = new MemoryLedger();
    const { writer, announced } = await open(ledger);
    expect(writer.submit([transaction(), transaction({ account: 2 })])).toEqual(["accepted", "accepted"]);
    await vi.waitFor(() => expect(announced).toHaveLength(1));
    expect(ledger.events).toEqual(["commit 0", "execute 1", "commit 1", "announce 1"]);
    // Metadata, two transactions, checkpoint.
    expect(announced[0]).toMatchObject({ height: 1, version: 4 });
  });

  it("finds a transaction until its block is durable", async () => {
    const ledger = new MemoryLedger();
    const { writer, announced } = await open(ledger);
    const one = transaction();
    ledger.hold();
    writer.submit([one]);
    await vi.waitFor(() => expect(ledger.events).toContain("execute 1"));
    expect(writer.pendingByHash(one.hash)).toEqual(one.bytes);
    ledger.release?.();
    await vi.waitFor(() => expect(announced).toHaveLength(1));
    expect(writer.pendingByHash(one.hash)).toBeUndefined();
  });

  it("numbers blocks without gaps, with times that rise and ids that differ", async () => {
    const ledger = new MemoryLedger();
    const { writer, announced } = await open(ledger);
    for (let number = 0n; number < 5n; number++) {
      writer.submit([transaction({ number })]);
      await vi.waitFor(() => expect(announced).toHaveLength(Number(number) + 1));
    }
    const inputs = ledger.inputs;
    expect(inputs.map((input) => input.height)).toEqual([1, 2, 3, 4, 5]);
    expect(inputs.map((input) => input.firstVersion)).toEqual([1, 4, 7, 10, 13]);
    expect(inputs.map((input) => input.round)).toEqual([1, 2, 3, 4, 5]);
    inputs.reduce((last, input) => {
      expect(input.timestampUsecs).toBeGreaterThan(last);
      return input.timestampUsecs;
    }, ledger.blocks[0]?.timestampUsecs ?? 0);
    expect(new Set(inputs.map((input) => input.blockId.toString("hex"))).size).toBe(5);
  });

  it("takes time from the chain where the wall clock is behind it", async () => {
    const ledger = new MemoryLedger();
    await open(ledger);
    const genesis = ledger.blocks[0];
    const future = (Date.now() + 3_600_000) * 1000;
    ledger.blocks[0] = { ...(genesis as NonNullable<typeof genesis>), timestampUsecs: future };
    const { writer, announced } = await open(ledger);
    writer.submit([{ ...transaction(), expirationTimestampSecs: 10n ** 12n }]);
    await vi.waitFor(() => expect(announced).toHaveLength(1));
    expect(ledger.inputs[0]?.timestampUsecs).toBe(future + 1);
  });
});

describe("transactions execution does not keep", () => {
  it("are dropped when discarded", async () => {
    const ledger = new MemoryLedger();
    const { writer, announced } = await open(ledger);
    const poor = transaction({ first: DISCARD_NO_BALANCE });
    writer.submit([poor]);
    await vi.waitFor(() => expect(announced).toHaveLength(1));
    expect(writer.pendingByHash(poor.hash)).toBeUndefined();
    // Its number is free again.
    expect(writer.submit([transaction()])).toEqual(["accepted"]);
    await vi.waitFor(() => expect(announced).toHaveLength(2));
    expect(ledger.inputs[1]?.transactions).toHaveLength(1);
  });
  it("wait for another when an earlier one of their account was discarded", async () => {
    const ledger = new MemoryLedger();
    const { writer, announced } = await open(ledger);
    const poor = transaction({ number: 0n, first: DISCARD_NO_BALANCE });
    const later = transaction({ number: 1n, first: DISCARD_TOO_NEW });
    writer.submit([poor, later]);
    await vi.waitFor(() => expect(announced).toHaveLength(1));
    expect(writer.pendingByHash(later.hash)).toEqual(later.bytes);
    writer.submit([transaction({ number: 0n })]);
    await vi.waitFor(() => expect(ledger.inputs.length).toBeGreaterThan(1));
    expect(ledger.inputs[1]?.transactions).toHaveLength(2);
  });
  it("come again in the next block when this one ended before them", async () => {
    const ledger = new MemoryLedger();
    const { writer } = await open(ledger);
    const one = transaction({ first: RETRY });
    writer.submit([one]);
    await vi.waitFor(() => expect(ledger.inputs.length).toBeGreaterThan(3));
    expect(writer.pendingByHash(one.hash)).toEqual(one.bytes);
  });
});

describe("after a failure", () => {
  it.each([
    ["store", new NodeError("writer_fenced", "another writer took over")],
    ["core", new Error("panic")],
  ])("of the %s no block is made and submits are refused", async (part, failure) => {
    const ledger = new MemoryLedger();
    const { writer, announced, onFailure } = await open(ledger);
    if (part === "store") ledger.failNextCommit = failure;
    else ledger.failNextExecution = failure;
    writer.submit([transaction()]);
    await vi.waitFor(() => expect(onFailure).toHaveBeenCalledWith(failure));
    ledger.failNextCommit = undefined;
    ledger.failNextExecution = undefined;
    expect(() => writer.submit([transaction({ account: 2 })])).toThrow(
      expect.objectContaining({ code: "unavailable" }),
    );
    expect(announced).toEqual([]);
    expect(ledger.blocks).toHaveLength(1);
    expect(writer.newest.height).toBe(0);
  });
});

describe("while the store has no room", () => {
  const full = new NodeError("store_failed", "no space left");
  const refuses = (writer: Writer) => {
    try {
      writer.submit([]);
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: "unavailable" });
      return true;
    }
  };

  it("submits are refused, and the block under way is committed once there is", async () => {
    const ledger = new MemoryLedger();
    const { writer, announced, onFailure } = await open(ledger);
    ledger.failNextCommit = full;
    writer.submit([transaction()]);
    await vi.waitFor(() => expect(refuses(writer)).toBe(true));
    expect(announced).toEqual([]);
    ledger.failNextCommit = undefined;
    await vi.waitFor(() => expect(announced).toHaveLength(1), { timeout: 10_000 });
    expect(refuses(writer)).toBe(false);
    // Executed once: the core was not asked to repeat what it had already taken into its state.
    expect(ledger.events).toEqual(["commit 0", "execute 1", "commit 1", "announce 1"]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it("an end is not held up", async () => {
    const ledger = new MemoryLedger();
    const { writer, onFailure } = await open(ledger);
    ledger.failNextCommit = full;
    writer.submit([transaction()]);
    await vi.waitFor(() => expect(refuses(writer)).toBe(true));
    await writer.close();
    expect(ledger.events).toEqual(["commit 0", "execute 1", "close"]);
    expect(onFailure).not.toHaveBeenCalled();
  });
});
