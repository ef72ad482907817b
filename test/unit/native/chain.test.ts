/** The whole face of the core on a small chain: genesis, blocks, views, simulation, rendering. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type BlockOutput,
  type Core,
  core as functions,
  NONE,
  type StateReader,
  type StoredTransaction,
  TransactionRow,
  WriteRow,
} from "../../../src/native/index.js";

const CHAIN_ID = 4;
const START_OCTAS = 100_000_000_000n;
const START_USECS = 1_700_000_000_000_000;

/** State and transactions in memory, fed from the rows of block outputs. */
class MemoryChain {
  readonly core: Core = functions.createCore({ chainId: CHAIN_ID });
  readonly state = new Map<string, Buffer>();
  readonly stored: StoredTransaction[] = [];
  readonly reader: StateReader = { read: (key) => this.state.get(key.toString("hex")) };
  epoch = 0;
  round = 0;
  timestampUsecs = START_USECS;
  peaks = Buffer.alloc(0);

  take(output: BlockOutput, timestampUsecs: number): BlockOutput {
    const { bytes, transactions, writes } = output;
    for (let row = 0; row < writes.length; row += WriteRow.WIDTH) {
      const [key, keyEnd, value, valueEnd] = writes.subarray(row, row + 4) as unknown as number[];
      const name = bytes.subarray(key, keyEnd).toString("hex");
      if (value === NONE) this.state.delete(name);
      else this.state.set(name, Buffer.from(bytes.subarray(value, valueEnd)));
    }
    for (let row = 0; row < transactions.length; row += TransactionRow.WIDTH) {
      const field = (index: number) => transactions[row + index] as number;
      const slice = (index: number) => Buffer.from(bytes.subarray(field(index), field(index + 1)));
      this.stored.push({
        version: this.stored.length,
        hash: Buffer.from(bytes.subarray(field(TransactionRow.HASH), field(TransactionRow.HASH) + 32)),
        accumulatorRoot: Buffer.from(
          bytes.subarray(field(TransactionRow.ACCUMULATOR_ROOT), field(TransactionRow.ACCUMULATOR_ROOT) + 32),
        ),
        transaction: slice(TransactionRow.TRANSACTION),
        info: slice(TransactionRow.INFO),
        events: slice(TransactionRow.EVENTS),
        writeSet: slice(TransactionRow.WRITE_SET),
        blockTimestampUsecs: timestampUsecs,
      });
    }
    this.epoch = output.epoch;
    this.peaks = output.accumulatorPeaks as Buffer<ArrayBuffer>;
    return output;
  }

  genesis(): BlockOutput {
    return this.take(
      this.core.genesis({
        chainId: CHAIN_ID,
        timestampUsecs: START_USECS,
        epochIntervalUsecs: 3_600_000_000,
        minterAuthKey: account(200).address,
        accounts: [0, 1].map((n) => ({ address: account(n).address, octas: START_OCTAS })),
      }),
      0,
    );
  }

  block(transactions: Buffer[], on: Core = this.core): BlockOutput {
    this.round += 1;
    this.timestampUsecs += 1_000_000;
    const block = {
      height: this.round,
      firstVersion: this.stored.length,
      epoch: this.epoch,
      round: this.round,
      timestampUsecs: this.timestampUsecs,
      blockId: createHash("sha3-256").update(`${this.round}`).digest(),
      proposer: Buffer.alloc(32),
      transactions,
    };
    return this.take(on.executeBlock(block, this.reader), this.timestampUsecs);
  }

  rendered(version: number): Record<string, unknown> {
    const stored = this.stored[version];
    if (stored === undefined) throw new Error(`no version ${version}`);
    return JSON.parse(this.core.renderTransaction(stored, this.reader).toString());
  }
}

/** An account whose signatures nobody checks: its key is the hash of its number. */
function account(n: number): { publicKey: Buffer; address: Buffer } {
  const publicKey = createHash("sha3-256")
    .update(Buffer.from([n]))
    .digest();
  const address = createHash("sha3-256")
    .update(publicKey)
    .update(Buffer.from([0]))
    .digest();
  return { publicKey, address };
}

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`;

/** Address as JSON shows it: without leading zeros. */
const short = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex").replace(/^0+/, "")}`;

function request(chain: MemoryChain, sequenceNumber: number, octas: string, to = account(1).address): Buffer {
  return Buffer.from(
    JSON.stringify({
      sender: hex(account(0).address),
      sequence_number: `${sequenceNumber}`,
      max_gas_amount: "200000",
      gas_unit_price: "100",
      expiration_timestamp_secs: `${Math.floor(chain.timestampUsecs / 1e6) + 600}`,
      payload: {
        type: "entry_function_payload",
        function: "0x1::aptos_account::transfer",
        type_arguments: [],
        arguments: [hex(to), octas],
      },
      signature: {
        type: "ed25519_signature",
        public_key: hex(account(0).publicKey),
        signature: `0x${"00".repeat(64)}`,
      },
    }),
  );
}

function transfer(chain: MemoryChain, sequenceNumber: number, octas: string): Buffer {
  const signed = chain.core.signedFromJson(request(chain, sequenceNumber, octas), CHAIN_ID, chain.reader);
  if ("kind" in signed) throw new Error(signed.message);
  return signed;
}

const SIMULATE = {
  json: true,
  estimateGasUnitPrice: false,
  estimateMaxGasAmount: false,
  gasUnitPriceEstimate: 100n,
  version: 3,
  timestampUsecs: START_USECS,
};

let chain: MemoryChain;
let firstTransfer: Buffer;

beforeAll(() => {
  chain = new MemoryChain();
  chain.genesis();
  chain.block([]);
  firstTransfer = transfer(chain, 0, "1000000");
  chain.block([firstTransfer]);
  chain.block([transfer(chain, 1, "900000000000")]);
});

describe("blocks", () => {
  it("become versions without gaps: genesis, one that ends its epoch, two of three", () => {
    expect(chain.stored.map((one) => chain.rendered(one.version).type)).toEqual([
      "genesis_transaction",
      "block_metadata_transaction",
      ...["block_metadata_transaction", "user_transaction", "state_checkpoint_transaction"],
      ...["block_metadata_transaction", "user_transaction", "state_checkpoint_transaction"],
    ]);
    expect(chain.epoch).toBe(2);
  });

  it("report what they drop by position and status", () => {
    const output = chain.block([transfer(chain, 0, "1"), Buffer.from("junk")]);
    expect(output.discarded).toEqual([
      { index: 0, vmStatus: 3 },
      { index: 1, vmStatus: 3001 },
    ]);
  });

  it("go on from a stored ledger with the same hashes", () => {
    const entries = () => [...chain.state].map(([key, value]) => [Buffer.from(key, "hex"), value] as const);
    const restarted = functions.createCore({ chainId: CHAIN_ID });
    restarted.loadState(entries(), chain.peaks, chain.stored.length);
    const block = {
      height: 99,
      firstVersion: chain.stored.length,
      epoch: chain.epoch,
      round: 99,
      timestampUsecs: chain.timestampUsecs + 5,
      blockId: Buffer.alloc(32, 9),
      proposer: Buffer.alloc(32),
      transactions: [transfer(chain, 2, "5")],
    };
    const after = restarted.executeBlock(block, chain.reader);
    const twin = chain.core.executeBlock(block, chain.reader);
    expect(after.stateRoot.toString("hex")).toBe(twin.stateRoot.toString("hex"));
    expect(after.accumulatorPeaks.toString("hex")).toBe(twin.accumulatorPeaks.toString("hex"));
    // The twin has moved on without its block being stored: hand its ledger over again.
    chain.core.loadState(entries(), chain.peaks, chain.stored.length);
  });

  it("that do not continue the ledger are refused", () => {
    const block = {
      height: 1,
      firstVersion: 1,
      epoch: 2,
      round: 1,
      timestampUsecs: START_USECS,
      blockId: Buffer.alloc(32),
      proposer: Buffer.alloc(32),
      transactions: [],
    };
    expect(() => chain.core.executeBlock(block, chain.reader)).toThrow("begins at version 1");
  });
});

describe("a committed transfer", () => {
  it("is shown with its request, changes and events", () => {
    const shown = chain.rendered(3);
    expect(shown).toMatchObject({
      type: "user_transaction",
      version: "3",
      success: true,
      vm_status: "Executed successfully",
      sender: short(account(0).address),
      sequence_number: "0",
      replay_protection_nonce: null,
      payload: {
        type: "entry_function_payload",
        function: "0x1::aptos_account::transfer",
        type_arguments: [],
        arguments: [short(account(1).address), "1000000"],
      },
      signature: { type: "ed25519_signature", public_key: hex(account(0).publicKey) },
      state_checkpoint_hash: null,
    });
    const types = (shown.events as { type: string }[]).map((event) => event.type);
    expect(types).toContain("0x1::coin::DepositEvent");
    expect(types.at(-1)).toBe("0x1::transaction_fee::FeeStatement");
    const changes = shown.changes as { type: string; data?: { type?: string; data?: unknown } }[];
    const stores = changes.filter((change) => change.data?.type?.startsWith("0x1::coin::CoinStore"));
    expect(stores).toHaveLength(2);
    expect(JSON.stringify(stores)).toContain(`"value":"${START_OCTAS + 1_000_000n}"`);
  });

  it("that failed says why", () => {
    expect(chain.rendered(6)).toMatchObject({
      success: false,
      vm_status: expect.stringMatching(/^Move abort in 0x1::coin: EINSUFFICIENT_BALANCE\(0x10006\): ./),
    });
  });

  it("has the hash that was known before it ran", () => {
    const summary = functions.inspectSigned(firstTransfer);
    if ("kind" in summary) throw new Error(summary.message);
    expect(chain.rendered(3).hash).toBe(hex(summary.hash));
    expect(chain.stored[3]?.hash).toEqual(summary.hash);
  });
});

describe("a view", () => {
  const view = (body: object, json = true) =>
    chain.core.view(Buffer.from(JSON.stringify(body)), true, json, 2_000_000, chain.reader);
  const balance = {
    function: "0x1::coin::balance",
    type_arguments: ["0x1::aptos_coin::AptosCoin"],
    arguments: [hex(account(1).address)],
  };

  it("answers in JSON and in BCS", () => {
    const json = view(balance);
    if ("kind" in json) throw new Error(json.message);
    expect(JSON.parse(json.body.toString())).toEqual([`${START_OCTAS + 1_000_000n}`]);
    expect(json.gasUnits).toBeGreaterThan(0);
    const bcs = view(balance, false);
    if ("kind" in bcs) throw new Error(bcs.message);
    expect(bcs.body[0]).toBe(1);
    expect(bcs.body.readBigUInt64LE(1)).toBe(START_OCTAS + 1_000_000n);
  });

  it.each([
    ["an unknown function", { ...balance, function: "0x1::coin::nothing" }],
    ["an unknown module", { ...balance, function: "0x1::nowhere::balance" }],
    ["a missing argument", { ...balance, arguments: [] }],
    ["an argument of another kind", { ...balance, arguments: [7] }],
    ["a missing type argument", { ...balance, type_arguments: [] }],
    ["a function that is no view", { ...balance, function: "0x1::coin::transfer" }],
  ])("with %s is refused", (_, body) => {
    expect(view(body)).toMatchObject({ kind: "failure", code: "invalid_input" });
  });

  it("stops at its gas limit", () => {
    const refused = chain.core.view(Buffer.from(JSON.stringify(balance)), true, true, 0, chain.reader);
    expect(refused).toMatchObject({ kind: "failure", code: "invalid_input", vmStatus: 4002 });
  });
});

describe("a simulation", () => {
  it("shows what would happen and changes nothing", () => {
    const before = chain.state.size;
    const answer = chain.core.simulate(transfer(chain, 2, "5"), SIMULATE, chain.reader);
    if ("kind" in answer) throw new Error(answer.message);
    const [shown] = JSON.parse(answer.body.toString());
    expect(shown).toMatchObject({ success: true, vm_status: "Executed successfully", version: "3" });
    expect(Number(shown.gas_used)).toBe(answer.gasUnits);
    expect(chain.state.size).toBe(before);
  });

  it("of a transaction that would be discarded names its status", () => {
    const answer = chain.core.simulate(transfer(chain, 0, "5"), SIMULATE, chain.reader);
    if ("kind" in answer) throw new Error(answer.message);
    expect(JSON.parse(answer.body.toString())[0]).toMatchObject({
      success: false,
      vm_status: "SEQUENCE_NUMBER_TOO_OLD",
    });
  });

  it("raises gas to what the sender can pay when asked", () => {
    const options = { ...SIMULATE, estimateMaxGasAmount: true, estimateGasUnitPrice: true };
    const answer = chain.core.simulate(transfer(chain, 2, "5"), options, chain.reader);
    if ("kind" in answer) throw new Error(answer.message);
    expect(JSON.parse(answer.body.toString())[0].max_gas_amount).toBe("2000000");
  });
});

describe("validation", () => {
  const nowSecs = () => Math.floor(chain.timestampUsecs / 1e6);
  it.each([
    ["in order", 2, 0, 0],
    ["used", 0, 0, 3],
    ["ahead", 7, 0, 4],
    ["expired by the wall clock", 2, 1000, 6],
  ])("of a number %s", (_, sequenceNumber, laterSecs, expected) => {
    const signed = transfer(chain, sequenceNumber, "5");
    expect(chain.core.validate(signed, chain.reader, nowSecs() + laterSecs)).toBe(expected);
  });
});

describe("doors", () => {
  const withPayload = (payload: object) => {
    const body = JSON.parse(request(chain, 2, "5").toString());
    return Buffer.from(JSON.stringify({ ...body, payload }));
  };
  const script = { type: "script_payload", code: { bytecode: "0x00" }, type_arguments: [], arguments: [] };
  const multisig = { type: "multisig_payload", multisig_address: "0x1", transaction_payload: script };
  const publish = {
    type: "entry_function_payload",
    function: "0x1::code::publish_package_txn",
    type_arguments: [],
    arguments: ["0x00", ["0x00"]],
  };

  it("are shut for multisig payloads at submit and encode", () => {
    const refusal = {
      kind: "failure",
      code: "invalid_input",
      message: expect.stringMatching("not implemented"),
    };
    expect(chain.core.signedFromJson(withPayload(multisig), CHAIN_ID, chain.reader)).toMatchObject(refusal);
    expect(chain.core.encodeSubmission(withPayload(multisig), CHAIN_ID, chain.reader)).toMatchObject(refusal);
  });

  it("let no script in that cannot be read", () => {
    const refusal = { kind: "failure", code: "invalid_input", message: expect.stringMatching("BAD_MAGIC") };
    expect(chain.core.signedFromJson(withPayload(script), CHAIN_ID, chain.reader)).toMatchObject(refusal);
    expect(chain.core.encodeSubmission(withPayload(script), CHAIN_ID, chain.reader)).toMatchObject(refusal);
  });

  it("are open for publishing", () => {
    expect(chain.core.encodeSubmission(withPayload(publish), CHAIN_ID, chain.reader)).not.toHaveProperty(
      "kind",
    );
  });
});

describe("rendering", () => {
  it("finds a resource and shows it", () => {
    const type = "0x1::account::Account";
    const location = chain.core.locateResource(account(0).address, type, chain.reader);
    if ("kind" in location) throw new Error(location.message);
    const value = chain.state.get(location.key.toString("hex")) as Buffer;
    const answer = chain.core.renderResources([{ key: location.key, value }], chain.reader);
    if ("kind" in answer) throw new Error(answer.message);
    const [shown] = JSON.parse(answer.toString());
    expect(shown).toMatchObject({
      type,
      data: { sequence_number: "2", authentication_key: hex(account(0).address) },
    });
  });

  it("shows a module with its ABI", () => {
    const key = functions.moduleKey(functions.parseAddress("0x1") as Buffer, "coin").toString("hex");
    const value = chain.state.get(key) as Buffer;
    // StateValue without metadata: 00, ULEB length, bytes.
    const code = value.subarray(value.indexOf("a11ceb0b", 0, "hex"));
    const shown = JSON.parse(chain.core.renderModule(code, chain.reader).toString());
    expect(shown.abi).toMatchObject({ address: "0x1", name: "coin" });
    const names = shown.abi.exposed_functions.map((one: { name: string }) => one.name);
    expect(names).toContain("transfer");
  });

  it("converts values of any type both ways", () => {
    const encoded = chain.core.encodeValue("vector<u64>", Buffer.from('["1","2"]'), chain.reader);
    expect(encoded).toEqual(Buffer.from("0201000000000000000200000000000000", "hex"));
    const shown = chain.core.renderValue("vector<u64>", encoded as Buffer, chain.reader);
    expect(shown.toString()).toBe('["1","2"]');
    const unknown = chain.core.renderValue("0x1::no::Thing", Buffer.alloc(1), chain.reader);
    expect(unknown).toMatchObject({ kind: "failure", code: "invalid_input" });
  });

  it("shows a pending transaction without success or version", () => {
    const shown = JSON.parse(chain.core.renderPending(transfer(chain, 2, "5"), chain.reader).toString());
    expect(shown).toMatchObject({ type: "pending_transaction", sequence_number: "2" });
    expect(shown).not.toHaveProperty("success");
    expect(shown).not.toHaveProperty("version");
  });
});
