/**
 * The store against its definition: a map from key to value per version, kept whole in memory.
 * Windows and files are tiny, so that pruning, recycling, sealing, checkpoints and reopening happen
 * many times in a run.
 */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoreWriterOptions } from "../../src/store/commit.js";
import type { Writer } from "../../src/store/writer.js";
import {
  address,
  type BuiltTransaction,
  buildBlock,
  hashOf,
  itemKey,
  pathKey,
} from "../unit/store/block-builder.js";
import { newDataFolder, openSmallStore } from "../unit/store/data-folder.js";

const RUNS = process.env.LONG === "1" ? 200 : 12;
const WINDOW = 150;
const ACCOUNTS = 3;

const KEYS: readonly Buffer[] = [
  ...Array.from({ length: 4 }, (_, index) => pathKey(address(index % ACCOUNTS), 1, `0x1::m::R${index}`)),
  pathKey(address(0), 2, "0x1::object::ObjectGroup"),
  pathKey(address(1), 0, "module"),
  itemKey(address(9), Buffer.from([1])),
  itemKey(address(9), Buffer.alloc(600, 1)),
  Buffer.from([0xff, 1, 2]),
];

interface ModelTransaction {
  readonly writes: readonly { readonly key: number; readonly value: number | undefined }[];
  readonly sender: number | undefined;
}

type Step =
  | { readonly kind: "commit"; readonly blocks: readonly (readonly ModelTransaction[])[] }
  | { readonly kind: "checkpoint" }
  | { readonly kind: "reopen"; readonly powerLoss: boolean };

const transaction: fc.Arbitrary<ModelTransaction> = fc.record({
  writes: fc.array(
    fc.record({
      // The first keys are hot: their histories get long enough for every shape of skip stack.
      key: fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 2, arbitrary: fc.nat(KEYS.length - 1) }),
      value: fc.option(fc.nat(255), { nil: undefined, freq: 5 }),
    }),
    { maxLength: 4 },
  ),
  sender: fc.option(fc.nat(ACCOUNTS - 1), { nil: undefined, freq: 4 }),
});
const block = fc.array(transaction, { minLength: 1, maxLength: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("commit" as const),
      blocks: fc.array(block, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("checkpoint" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const), powerLoss: fc.boolean() }) },
);

/** Everything that was ever committed, by version. */
class Model {
  readonly states: ReadonlyMap<number, Buffer>[] = [];
  readonly senders = new Map<number, number[]>();
  height = -1;
  newest: ReadonlyMap<number, Buffer> = new Map();

  get version(): number {
    return this.states.length - 1;
  }

  add(transactions: readonly ModelTransaction[]): ReturnType<typeof buildBlock> {
    this.height++;
    const first = this.states.length;
    const built = transactions.map((made, index): BuiltTransaction => {
      const version = first + index;
      const state = new Map(this.newest);
      const writes = made.writes.map(({ key, value }) => {
        const bytes = value === undefined ? undefined : Buffer.alloc(1 + (value % 90), value ^ version);
        if (bytes === undefined) state.delete(key);
        else state.set(key, bytes);
        return { key: KEYS[key] as Buffer, value: bytes };
      });
      this.newest = state;
      this.states.push(state);
      if (made.sender === undefined) return { writes };
      const versions = this.senders.get(made.sender) ?? [];
      this.senders.set(made.sender, versions);
      versions.push(version);
      const sequenceNumber = versions.length - 1;
      const sender = address(made.sender);
      return { writes, sender, sequenceNumber, events: [{ account: sender, creation: 2n, sequenceNumber }] };
    });
    return buildBlock(this.height, first, built);
  }
}

function checkEverything(store: Writer, model: Model): void {
  const head = store.refresh();
  expect(head.version).toBe(model.version);
  expect(head.height).toBe(model.height);
  expect(model.version + 1 - head.oldestVersion).toBeGreaterThanOrEqual(Math.min(WINDOW, model.version + 1));
  for (let version = head.oldestVersion; version <= head.version; version++) {
    const expected = model.states[version] as ReadonlyMap<number, Buffer>;
    for (const [index, key] of KEYS.entries()) {
      const found = store.state(key, version);
      if (!(found === undefined ? expected.get(index) === undefined : expected.get(index)?.equals(found))) {
        expect.fail(`key ${index} at version ${version}: ${found?.toString("hex")}`);
      }
    }
    expect(store.versionByHash(hashOf(version))).toBe(version);
    expect(store.recordByVersion(version)?.transaction.toString()).toBe(`transaction ${version}`);
    const summary = store.blockByVersion(version);
    expect(summary !== undefined && summary.firstVersion <= version && version <= summary.lastVersion).toBe(
      true,
    );
  }
  if (head.oldestVersion > 0) {
    expect(() => store.state(KEYS[0] as Buffer, head.oldestVersion - 1)).toThrow(
      expect.objectContaining({ code: "version_pruned" }),
    );
    expect(store.versionByHash(hashOf(head.oldestVersion - 1))).toBeUndefined();
  }
  const live = new Map(
    [...store.allState()].map(([key, value]) => [key.toString("hex"), value.toString("hex")]),
  );
  const wanted = [...model.newest].map(
    ([key, value]) => [(KEYS[key] as Buffer).toString("hex"), value.toString("hex")] as const,
  );
  expect(live).toEqual(new Map(wanted));
  for (let account = 0; account < ACCOUNTS; account++) {
    const versions = model.senders.get(account) ?? [];
    expect(store.accountTransactionCount(address(account))).toBeLessThanOrEqual(versions.length);
    const kept = versions.filter((version) => version >= head.oldestVersion);
    const start = versions.length - kept.length;
    expect(store.accountVersions(address(account), start, 10_000)).toEqual(kept);
    expect(store.accountVersions(address(account), 0, 10_000)).toEqual(
      kept.slice(0, Math.max(0, 10_000 - start)),
    );
    const middle = start + Math.floor(kept.length / 2);
    expect(store.accountVersions(address(account), middle, 3)).toEqual(versions.slice(middle, middle + 3));
    const events = store.streamEvents(address(account), 2n, BigInt(middle), 3);
    expect(events.map(({ version }) => version)).toEqual(versions.slice(middle, middle + 3));
  }
}

describe("the store", () => {
  it("answers like a map of maps through commits, pruning, checkpoints, restarts and power loss", {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const folder = newDataFolder();
        const options: Partial<StoreWriterOptions> = {
          segmentBytes: 8192,
          historyVersions: WINDOW,
          tableHashes: 64,
        };
        let boot = 0;
        let store = await openSmallStore(folder.directory, { ...options, bootId: `${boot}` });
        const model = new Model();
        try {
          for (const action of steps) {
            if (action.kind === "commit") {
              await Promise.all(action.blocks.map((transactions) => store.commit([model.add(transactions)])));
            } else if (model.height < 0) {
            } else if (action.kind === "checkpoint") {
              await store.checkpoint();
            } else {
              if (action.powerLoss) boot++;
              await store.closeWriter();
              if (action.powerLoss) folder.forgetCleanClose();
              store = await openSmallStore(folder.directory, { ...options, bootId: `${boot}` });
            }
          }
          if (model.height >= 0) checkEverything(store, model);
        } finally {
          await store.closeWriter();
          folder.remove();
        }
      }),
      { numRuns: RUNS },
    );
  });
});
