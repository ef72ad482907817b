/**
 * hashing.json, genesis.json and system-transactions.json: a second implementation of the chain's
 * hashes is held to the vectors, then the core's own genesis block to that implementation.
 */
import { describe, expect, it } from "vitest";
import { BcsWalker } from "../../../src/front/reads/bcs.js";
import { NONE, type StoredTransaction, TransactionRow, WriteRow } from "../../../src/native/index.js";
import { genesisState } from "./genesis-state.js";
import {
  type Accumulator,
  accumulatorRoot,
  accumulatorRootFromProof,
  placeholder,
  seed,
  TREE_PLACEHOLDER,
  type TreeLeaf,
  treeLeafHash,
  treeRoot,
  treeRootFromProof,
  typedHash,
} from "./ledger-hashes.js";
import { bytesOf, dealCases, named, sizes, type VectorCase } from "./vector-file.js";

const ofKind = (kind: string) => (row: VectorCase) => row.kind === kind;

const hashing = dealCases("hashing.json", {
  seeds: ofKind("seed"),
  placeholders: ofKind("placeholder"),
  accumulators: ofKind("accumulator"),
  trees: ofKind("sparse_merkle"),
  treeProofs: ofKind("sparse_merkle_proof"),
  stateValues: ofKind("state_value"),
  writeSets: ofKind("write_set"),
});
const geneses = dealCases("genesis.json", { all: () => true });
const system = dealCases("system-transactions.json", {
  transactions: (row) => /^(block_|state_checkpoint)/.test(row.kind as string),
  infos: ofKind("transaction_info"),
  statuses: ofKind("execution_status"),
  events: ofKind("contract_event"),
});

it("uses all 59, all 7 and all 18 cases; what needs the genesis files themselves is left out", () => {
  expect(sizes(hashing)).toEqual({
    seeds: 15,
    placeholders: 2,
    accumulators: 26,
    trees: 8,
    treeProofs: 1,
    stateValues: 6,
    writeSets: 1,
  });
  // Of each genesis the files do not hold the blob: `state_checkpoint_hash`, `event_root_hash` and
  // `state_change_hash` are read from the transaction info and cannot be computed here.
  expect(sizes(geneses)).toEqual({ all: 7 });
  expect(sizes(system)).toEqual({ transactions: 7, infos: 2, statuses: 7, events: 2 });
});

const all = (hexes: unknown): Buffer[] => (hexes as string[]).map(bytesOf);

interface VectorLeaf {
  readonly key: string;
  readonly value_hash: string;
}

const leafOf = (leaf: VectorLeaf): TreeLeaf => ({
  key: bytesOf(leaf.key),
  valueHash: bytesOf(leaf.value_hash),
});

describe("the second implementation", () => {
  it.each(named(hashing.seeds))("%s", (_, row) => {
    const type = (row.input as string).split("::")[1] as string;
    expect(seed(type)).toEqual(bytesOf(row.output));
  });

  it.each(named(hashing.placeholders))("%s", (_, row) => {
    expect(placeholder(row.input as string)).toEqual(bytesOf(row.output));
  });

  it.each(named(hashing.accumulators))("%s", (_, row) => {
    const kind = row.accumulator as Accumulator;
    const leaves = all(row.leaves);
    expect(accumulatorRoot(kind, leaves)).toEqual(bytesOf(row.root));
    if (row.proof_of_last === undefined) {
      expect(leaves).toHaveLength(0);
      return;
    }
    const { index, siblings } = row.proof_of_last as { index: number; siblings: string[] };
    const last = leaves[index] as Buffer;
    expect(accumulatorRootFromProof(kind, last, index, all(siblings))).toEqual(bytesOf(row.root));
  });

  it.each(named(hashing.trees))("%s", (_, row) => {
    const leaves = (row.leaves as VectorLeaf[]).map(leafOf);
    const root = bytesOf(row.root);
    expect(treeRoot(leaves)).toEqual(root);
    const inclusion = row.inclusion_of_first as { key: string; siblings: string[] } | undefined;
    if (inclusion !== undefined) {
      const leaf = leaves.find(({ key }) => key.equals(bytesOf(inclusion.key))) as TreeLeaf;
      expect(treeRootFromProof(leaf.key, treeLeafHash(leaf), all(inclusion.siblings))).toEqual(root);
    }
    const absence = row.non_inclusion as
      | { key: string; siblings: string[]; leaf: VectorLeaf | null }
      | undefined;
    if (absence !== undefined) {
      const inPlace = absence.leaf === null ? TREE_PLACEHOLDER : treeLeafHash(leafOf(absence.leaf));
      expect(treeRootFromProof(bytesOf(absence.key), inPlace, all(absence.siblings))).toEqual(root);
    }
    expect([inclusion, absence].some((proof) => proof !== undefined) || leaves.length === 2).toBe(true);
  });

  it.each(named(hashing.treeProofs))("%s", (_, row) => {
    const leaf = leafOf(row as unknown as VectorLeaf);
    expect(treeRootFromProof(leaf.key, treeLeafHash(leaf), all(row.siblings))).toEqual(bytesOf(row.root));
  });

  it.each(named(hashing.stateValues))("%s", (_, row) => {
    expect(typedHash("StateValue", bytesOf(row.bcs))).toEqual(bytesOf(row.hash));
  });

  it.each(named(hashing.writeSets))("%s", (_, row) => {
    expect(typedHash("WriteSet", bytesOf(row.bcs))).toEqual(bytesOf(row.hash));
  });

  it.each(named(geneses.all))("%s: information, keys and events of a public genesis", (_, row) => {
    const info = bytesOf(row.transaction_info_bcs);
    expect(accumulatorRoot("TransactionAccumulator", [typedHash("TransactionInfo", info)])).toEqual(
      bytesOf(row.accumulator_root_hash),
    );
    const fields = infoFields(info);
    expect(fields.transactionHash).toEqual(bytesOf(row.transaction_hash));
    expect(fields.eventRoot).toEqual(bytesOf(row.event_root_hash));
    expect(fields.stateChange).toEqual(bytesOf(row.state_change_hash));
    expect(fields.stateRoot).toEqual(bytesOf(row.state_checkpoint_hash));
    const keys = row.first_state_keys as { state_key_bcs: string; state_key_hash: string }[];
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(typedHash("StateKey", bytesOf(key.state_key_bcs))).toEqual(bytesOf(key.state_key_hash));
    }
    const events = row.first_events as { bcs: string; hash: string }[];
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      expect(typedHash("ContractEvent", bytesOf(event.bcs))).toEqual(bytesOf(event.hash));
    }
  });

  it.each(named([...system.transactions, ...system.infos, ...system.events]))("%s", (_, row) => {
    const type = row.kind === "contract_event" ? "ContractEvent" : "Transaction";
    const salted = row.kind === "transaction_info" ? "TransactionInfo" : type;
    expect(typedHash(salted, bytesOf(row.bcs))).toEqual(bytesOf(row.hash));
    if (row.accumulator_root === undefined) return;
    const leaves = [...all(row.accumulator_leaves_before), bytesOf(row.hash)];
    expect(accumulatorRoot("TransactionAccumulator", leaves)).toEqual(bytesOf(row.accumulator_root));
  });
});

interface InfoFields {
  readonly transactionHash: Buffer;
  readonly eventRoot: Buffer;
  readonly stateChange: Buffer;
  readonly stateRoot: Buffer | undefined;
}

/** Reads a BCS `TransactionInfo` whose status is success. */
function infoFields(info: Buffer): InfoFields {
  const walker = new BcsWalker(info);
  expect(walker.u8()).toBe(0);
  walker.u64();
  expect(walker.u8()).toBe(0);
  const [transactionHash, eventRoot, stateChange] = [walker.take(32), walker.take(32), walker.take(32)];
  const stateRoot = walker.u8() === 1 ? walker.take(32) : undefined;
  expect(walker.u8()).toBe(0);
  expect(walker.offset).toBe(info.length);
  return { transactionHash, eventRoot, stateChange, stateRoot };
}

describe("the core's own genesis", () => {
  const { output } = genesisState([Buffer.alloc(32, 0x21), Buffer.alloc(32, 0x22)]);
  const { bytes, transactions, writes } = output;
  const field = (index: number) => transactions[index] as number;
  const slice = (index: number) => bytes.subarray(field(index), field(index + 1));
  const hashAt = (index: number) => bytes.subarray(field(index), field(index) + 32);
  const info = infoFields(slice(TransactionRow.INFO));

  it("is one transaction", () => {
    expect(transactions).toHaveLength(TransactionRow.WIDTH);
  });

  it("has the transaction hash of its bytes", () => {
    const expected = typedHash("Transaction", slice(TransactionRow.TRANSACTION));
    expect(hashAt(TransactionRow.HASH)).toEqual(expected);
    expect(info.transactionHash).toEqual(expected);
  });

  it("has the accumulator root of its information", () => {
    const leaf = typedHash("TransactionInfo", slice(TransactionRow.INFO));
    expect(hashAt(TransactionRow.ACCUMULATOR_ROOT)).toEqual(
      accumulatorRoot("TransactionAccumulator", [leaf]),
    );
    expect(output.accumulatorPeaks).toEqual(leaf);
  });

  it("has the hash of its write set", () => {
    expect(info.stateChange).toEqual(typedHash("WriteSet", slice(TransactionRow.WRITE_SET)));
  });

  it("has the root of its events", () => {
    const walker = new BcsWalker(slice(TransactionRow.EVENTS));
    const count = walker.uleb();
    const leaves: Buffer[] = [];
    for (let index = 0; index < count; index += 1) {
      const start = walker.offset;
      if (walker.u8() === 0) walker.take(8 + 32 + 8);
      walker.skipTypeTag();
      walker.sized();
      leaves.push(typedHash("ContractEvent", walker.bytes.subarray(start, walker.offset)));
    }
    expect(walker.offset).toBe(walker.bytes.length);
    expect(info.eventRoot).toEqual(accumulatorRoot("EventAccumulator", leaves));
  });

  it("has the root of the state tree over its writes", () => {
    const leaves: TreeLeaf[] = [];
    for (let row = 0; row < writes.length; row += WriteRow.WIDTH) {
      const [key, keyEnd, value, valueEnd] = writes.subarray(row, row + WriteRow.WIDTH);
      expect(value).not.toBe(NONE);
      leaves.push({
        key: typedHash("StateKey", bytes.subarray(key, keyEnd)),
        valueHash: typedHash("StateValue", bytes.subarray(value, valueEnd)),
      });
    }
    expect(leaves.length).toBeGreaterThan(50);
    expect(output.stateRoot).toEqual(treeRoot(leaves));
    expect(info.stateRoot).toEqual(output.stateRoot);
  });
});

describe("the core shows", () => {
  const { core: machine, reader } = genesisState();
  const [plainInfo] = system.infos as [VectorCase];
  const [, checkpointInfo] = system.infos as [VectorCase, VectorCase];
  const blockMetadata = system.transactions[0] as VectorCase;

  function shown(parts: Partial<StoredTransaction>): Record<string, unknown> {
    const stored: StoredTransaction = {
      version: 7,
      hash: Buffer.alloc(32),
      accumulatorRoot: Buffer.alloc(32, 0xaa),
      transaction: bytesOf(blockMetadata.bcs),
      info: bytesOf(plainInfo.bcs),
      events: Buffer.of(0),
      writeSet: bytesOf(hashing.writeSets[0]?.bcs),
      blockTimestampUsecs: 5,
      ...parts,
    };
    return JSON.parse(machine.renderTransaction(stored, reader).toString());
  }

  const short = (hex: unknown) => (hex as string).replace(/^0x0+(?=.)/, "0x");

  it.each(named(system.transactions))("%s", (_, row) => {
    const fields = row.fields as Record<string, unknown>;
    const json = shown({ transaction: bytesOf(row.bcs) });
    switch (row.kind) {
      case "state_checkpoint":
        expect(json.type).toBe("state_checkpoint_transaction");
        return;
      case "block_epilogue":
        expect(json).toMatchObject({
          type: "block_epilogue_transaction",
          block_end_info: {
            block_gas_limit_reached: fields.block_gas_limit_reached,
            block_output_limit_reached: fields.block_output_limit_reached,
            block_effective_block_gas_units: Number(fields.block_effective_block_gas_units),
            block_approx_output_size: Number(fields.block_approx_output_size),
          },
        });
        return;
      default:
        expect(row.kind).toMatch(/^block_metadata(_ext)?$/);
        expect(json).toMatchObject({
          type: "block_metadata_transaction",
          id: `0x${fields.id}`,
          epoch: `${fields.epoch}`,
          round: `${fields.round}`,
          proposer: short(fields.proposer),
          previous_block_votes_bitvec: [...bytesOf(fields.bitvec)],
          failed_proposer_indices: fields.failed,
        });
    }
  });

  it.each(named([plainInfo, checkpointInfo]))("%s", (_, row) => {
    const fields = row.fields as Record<string, string | null>;
    const hash = (name: string) => (fields[name] === null ? null : `0x${fields[name]}`);
    expect(shown({ info: bytesOf(row.bcs) })).toMatchObject({
      hash: hash("transaction_hash"),
      event_root_hash: hash("event_root_hash"),
      state_change_hash: hash("state_change_hash"),
      state_checkpoint_hash: hash("state_checkpoint_hash"),
      gas_used: fields.gas_used,
      success: true,
    });
  });

  it.each(named(system.statuses))("%s", (_, row) => {
    const fields = row.fields as Record<string, unknown>;
    // Information with another status: 00 and the gas come before it, everything else after it.
    const plain = bytesOf(plainInfo.bcs);
    const info = Buffer.concat([plain.subarray(0, 9), bytesOf(row.bcs), plain.subarray(10)]);
    const json = shown({ info });
    expect(json.success).toBe(fields.status === "success");
    expect(json.hash).toBe(`0x${(plainInfo.fields as Record<string, string>).transaction_hash}`);
    const words: Record<string, RegExp> = {
      success: /^Executed successfully$/,
      out_of_gas: /^Out of gas$/,
      move_abort: new RegExp(`0x${Number(fields.code ?? 0).toString(16)}\\b|${fields.reason_name}`),
      execution_failure: /^Execution failed in 0x1::m::/,
      miscellaneous_error: /./,
    };
    expect(json.vm_status).toMatch(words[fields.status as string] as RegExp);
    if (fields.module !== undefined && fields.module !== null)
      expect(json.vm_status).toContain(fields.module);
  });

  it.each(named(system.events))("%s", (_, row) => {
    const fields = row.fields as Record<string, string>;
    const events = Buffer.concat([Buffer.of(1), bytesOf(row.bcs)]);
    const [event] = shown({ events }).events as Record<string, unknown>[];
    expect(event).toMatchObject({
      type: fields.type,
      sequence_number: fields.sequence_number ?? "0",
      guid: {
        creation_number: fields.creation_number ?? "0",
        account_address: fields.account ?? "0x0",
      },
    });
    if (fields.type !== "0x1::block::NewBlockEvent") return;
    const { id, round, proposer, ts } = blockMetadata.fields as Record<string, string>;
    expect(event?.data).toMatchObject({
      hash: `0x${id}`,
      round: `${round}`,
      height: fields.sequence_number,
      proposer: short(proposer),
      time_microseconds: ts,
      previous_block_votes_bitvec: "0xffff0e36",
    });
  });
});
