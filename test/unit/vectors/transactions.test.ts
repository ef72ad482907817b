/**
 * signed-transactions.json, raw-transactions.json and payloads.json: what the core tells of signed
 * bytes, the two roads between JSON and bytes, and the faucet's own builder.
 */
import { describe, expect, it } from "vitest";
import { signedTransfer, transferKey } from "../../../src/faucet/transfer.js";
import { type CoreFailure, core, type SignedSummary } from "../../../src/native/index.js";
import { CHAIN_ID, genesisState, granted } from "./genesis-state.js";
import { seed, sha3, typedHash } from "./ledger-hashes.js";
import { rawTransaction } from "./transaction-bytes.js";
import { addressOf, bytesOf, dealCases, named, readCases, sizes, type VectorCase } from "./vector-file.js";

const ORDERLESS = 18_446_744_073_709_551_615n;
/** Bytes of a raw transaction behind its payload: gas, price, expiration, chain. */
const TAIL_BYTES = 25;
/** Bytes of a raw transaction before its payload: sender, sequence number. */
const HEAD_BYTES = 40;
/** Authenticator: single sender, no account authenticator. */
const NO_PROOF = Buffer.of(4, 4);

interface Fields {
  readonly sender: string;
  readonly sequence_number: string;
  readonly max_gas_amount: string;
  readonly gas_unit_price: string;
  readonly expiration_timestamp_secs: string;
  readonly chain_id: number;
}

const isScript = (row: VectorCase) => row.name.includes("script");
const isMultisig = (row: VectorCase) => row.name.includes("multisig");
const isCall = (row: VectorCase) => !isScript(row) && !isMultisig(row);

const signed = dealCases("signed-transactions.json", {
  calls: isCall,
  scripts: isScript,
  multisig: isMultisig,
});
const raw = dealCases("raw-transactions.json", {
  calls: (row) => row.kind === "raw_transaction" && isCall(row),
  scripts: (row) => row.kind === "raw_transaction" && isScript(row),
  multisig: (row) => row.kind === "raw_transaction" && isMultisig(row),
  withData: (row) => row.kind === "raw_transaction_with_data",
});
const isView = (row: VectorCase) => row.name.startsWith("view");
const payloads = dealCases("payloads.json", {
  calls: (row) => isCall(row) && !isView(row),
  scripts: isScript,
  multisig: isMultisig,
  views: isView,
});
const everySigned = [...signed.calls, ...signed.scripts, ...signed.multisig];
const everyRaw = [...raw.calls, ...raw.scripts, ...raw.multisig];

it("uses all 57, all 26 and all 20 cases", () => {
  expect(sizes(signed)).toEqual({ calls: 48, scripts: 5, multisig: 4 });
  expect(sizes(raw)).toEqual({ calls: 11, scripts: 5, multisig: 4, withData: 6 });
  expect(sizes(payloads)).toEqual({ calls: 8, scripts: 5, multisig: 4, views: 3 });
});

/** The nonce ends the payload of an orderless transaction. */
function nonceOf(rawBytes: Buffer): bigint | undefined {
  const isOrderless = rawBytes.readBigUInt64LE(32) === ORDERLESS && rawBytes[HEAD_BYTES] === 4;
  return isOrderless ? rawBytes.readBigUInt64LE(rawBytes.length - TAIL_BYTES - 8) : undefined;
}

function expectSummary(summary: SignedSummary, fields: Fields, rawBytes: Buffer, signedBytes: Buffer): void {
  const nonce = nonceOf(rawBytes);
  const priceless = Buffer.from(rawBytes);
  priceless.writeBigUInt64LE(0n, rawBytes.length - 17);
  expect(summary).toEqual({
    hash: typedHash("Transaction", Buffer.concat([Buffer.of(0), signedBytes])),
    sender: addressOf(fields.sender),
    ...(nonce === undefined ? { sequenceNumber: BigInt(fields.sequence_number) } : {}),
    ...(nonce === undefined ? {} : { replayProtectionNonce: nonce }),
    maxGasAmount: BigInt(fields.max_gas_amount),
    gasUnitPrice: BigInt(fields.gas_unit_price),
    expirationTimestampSecs: BigInt(fields.expiration_timestamp_secs),
    chainId: fields.chain_id,
    replacementKey: sha3(priceless),
  });
}

/** A door is open or shut for all cases alike: code of scripts, and multisig accounts. */
function isShut(rows: readonly VectorCase[]): boolean {
  const answers = rows.map((row) => core.inspectSigned(bytesOf(row.bcs)));
  const refusals = answers.filter((answer): answer is CoreFailure => "kind" in answer);
  expect([0, rows.length]).toContain(refusals.length);
  for (const refusal of refusals) {
    expect(refusal.code).toBe("invalid_input");
    expect(refusal.message).toContain("not implemented");
  }
  return refusals.length > 0;
}

const scriptsShut = isShut(signed.scripts);
const multisigShut = isShut(signed.multisig);
const isBehindShutDoor = (row: VectorCase) =>
  (isScript(row) && scriptsShut) || (isMultisig(row) && multisigShut);

describe("a signed transaction", () => {
  it.each(named(everySigned))("%s: is summed up by what is in it, or refused for its door", (_, row) => {
    const bytes = bytesOf(row.bcs);
    const answer = core.inspectSigned(bytes);
    if (isBehindShutDoor(row)) {
      expect(answer).toMatchObject({ kind: "failure", code: "invalid_input" });
      return;
    }
    const summary = granted(answer);
    expect(summary.hash).toEqual(bytesOf(row.hash));
    expectSummary(summary, row.fields as Fields, bytesOf(row.raw_transaction_bcs), bytes);
  });

  it.each(named(everySigned))("%s: is refused with a byte more, and cut at any byte", (_, row) => {
    const bytes = bytesOf(row.bcs);
    const refusal = { kind: "failure", code: "invalid_input" };
    expect(core.inspectSigned(Buffer.concat([bytes, Buffer.of(0)]))).toMatchObject(refusal);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(core.inspectSigned(bytes.subarray(0, length))).toMatchObject(refusal);
    }
  });
});

describe("signatures", () => {
  // Whether an account's own function agrees is for that function to say; it has no verdict here.
  const verdict = (row: VectorCase) => (row.abstraction === undefined && row.signature_valid ? 1 : 0);
  const expected = everySigned.map((row) => [row.name, verdict(row)]);

  it("have the verdicts of the vectors, in one batch", () => {
    const verdicts = core.verifySigned(everySigned.map((row) => bytesOf(row.bcs)));
    expect(everySigned.map((row, index) => [row.name, verdicts[index]])).toEqual(expected);
    expect(verdicts.filter((one) => one === 0)).toHaveLength(7);
  });

  it("have the same verdicts in batches of one and in another order", () => {
    const singly = everySigned.map((row) => core.verifySigned([bytesOf(row.bcs)])[0]);
    expect(everySigned.map((row, index) => [row.name, singly[index]])).toEqual(expected);
    const backwards = [...core.verifySigned(everySigned.map((row) => bytesOf(row.bcs)).reverse())];
    expect(backwards.reverse()).toEqual(singly);
  });

  it("of no transactions have no verdicts, and bytes that are no transaction a bad one", () => {
    expect(core.verifySigned([])).toHaveLength(0);
    const good = bytesOf(everySigned[0]?.bcs);
    const batch = [Buffer.alloc(0), good, good.subarray(1), good];
    expect([...core.verifySigned(batch)]).toEqual([0, 1, 0, 1]);
  });

  it.each(named(everySigned.filter((row) => verdict(row) === 1)))(
    "%s: hold for these fields only",
    (_, row) => {
      const bytes = bytesOf(row.bcs);
      const rawLength = bytesOf(row.raw_transaction_bcs).length;
      const changed = [0, 32, HEAD_BYTES + 1, rawLength - 25, rawLength - 17, rawLength - 9, rawLength - 1];
      const batch = changed.map((at) => {
        const copy = Buffer.from(bytes);
        copy.writeUInt8((copy[at] as number) ^ 1, at);
        return copy;
      });
      expect([...core.verifySigned(batch)]).toEqual(changed.map(() => 0));
    },
  );
});

const { core: machine, reader } = genesisState();

/** Calls of functions that the framework has, so that their arguments have types. */
const isKnownCall = (row: VectorCase) =>
  isCall(row) && !/without arguments|every argument type|long argument/.test(row.name);

describe("a signed transaction as JSON", () => {
  /** Forms that JSON cannot tell apart from another, or does not take. */
  const oneWay: Record<string, RegExp | "another form"> = {
    // The plain and the inner payload of a call without configuration look alike.
    "ed25519: inner payload entry function, no config": "another form",
    "account abstraction V1": /not implemented/,
    "multi-key mixed: 2-of-3 signed by 0,1,2": /expected 2 signatures/,
    "multi-key mixed too few: 2-of-3 signed by 1": /expected 2 signatures/,
    "multi-agent: no secondary": /at least one secondary signer/,
  };
  const known = signed.calls.filter(isKnownCall);

  it("is made of all cases whose function the framework has", () => {
    expect(known).toHaveLength(45);
    expect(known.map((row) => row.name)).toEqual(expect.arrayContaining(Object.keys(oneWay)));
  });

  it.each(named(everySigned))("%s: shows its fields and its hash", (_, row) => {
    const fields = row.fields as Fields;
    const json = JSON.parse(granted(machine.renderPending(bytesOf(row.bcs), reader)).toString());
    const nonce = nonceOf(bytesOf(row.raw_transaction_bcs));
    expect(json).toMatchObject({
      type: "pending_transaction",
      hash: row.hash,
      sequence_number: fields.sequence_number,
      max_gas_amount: fields.max_gas_amount,
      gas_unit_price: fields.gas_unit_price,
      expiration_timestamp_secs: fields.expiration_timestamp_secs,
    });
    expect(core.parseAddress(json.sender)).toEqual(addressOf(fields.sender));
    expect(json.replay_protection_nonce ?? undefined).toBe(nonce === undefined ? undefined : `${nonce}`);
  });

  it.each(named(known))("%s: comes back from JSON byte for byte, or is one of the named five", (_, row) => {
    const json = granted(machine.renderPending(bytesOf(row.bcs), reader));
    const answer = machine.signedFromJson(json, CHAIN_ID, reader);
    const exception = oneWay[row.name];
    if (exception === undefined) expect(answer).toEqual(bytesOf(row.bcs));
    else if (exception === "another form") expect(granted(answer)).not.toEqual(bytesOf(row.bcs));
    else expect(answer).toMatchObject({ code: "invalid_input", message: expect.stringMatching(exception) });
  });
});

describe("a raw transaction", () => {
  it.each(named(everyRaw))("%s: is its fields around its payload", (_, row) => {
    const bytes = bytesOf(row.bcs);
    const message = Buffer.concat([seed("RawTransaction"), bytes]);
    expect(message).toEqual(bytesOf(row.signing_message));
    expect(bytes.subarray(HEAD_BYTES, -TAIL_BYTES)).toEqual(bytesOf(row.payload_bcs));
    if (isBehindShutDoor(row)) return;
    const unproven = Buffer.concat([bytes, NO_PROOF]);
    expectSummary(granted(core.inspectSigned(unproven)), row.fields as Fields, bytes, unproven);
  });

  it.each(named(raw.withData))("%s: is salted as one with data", (_, row) => {
    const message = Buffer.concat([seed("RawTransactionWithData"), bytesOf(row.bcs)]);
    expect(message).toEqual(bytesOf(row.signing_message));
  });

  const encodable = raw.calls
    .filter(isKnownCall)
    .filter((row) => !/(zero|max) fields|no config/.test(row.name));

  // The interface's request names secondary signers and no fee payer.
  const multiAgent = raw.withData.filter((row) => row.fee_payer_address === null);

  it("has its signing message asked for in JSON for 5 plain ones and 3 with data", () => {
    expect(encodable).toHaveLength(5);
    expect(multiAgent).toHaveLength(3);
  });

  it.each(named([...encodable, ...multiAgent]))("%s: the core encodes its JSON for signing", (_, row) => {
    const rawBytes = bytesOf(row.raw_transaction_bcs ?? row.bcs);
    const chainId = (row.fields as Fields).chain_id;
    const shown = granted(machine.renderPending(Buffer.concat([rawBytes, NO_PROOF]), reader));
    const { signature: _signature, hash: _hash, type: _type, ...request } = JSON.parse(shown.toString());
    if (row.kind === "raw_transaction_with_data") request.secondary_signers = row.secondary_signer_addresses;
    const asked = Buffer.from(JSON.stringify(request));
    const { core: chain, reader: state } =
      chainId === CHAIN_ID ? { core: machine, reader } : onChain(chainId);
    expect(granted(chain.encodeSubmission(asked, chainId, state))).toEqual(bytesOf(row.signing_message));
  });
});

function onChain(chainId: number) {
  return { core: core.createCore({ chainId }), reader };
}

describe("a payload", () => {
  it.each(named([...payloads.calls, ...payloads.scripts, ...payloads.multisig]))(
    "%s: is read inside a transaction, or refused for its door",
    (_, row) => {
      const isNumbered = !row.name.includes("nonce");
      const sequenceNumber = isNumbered ? 3n : ORDERLESS;
      const whole = rawTransaction({ payload: bytesOf(row.bcs), sequenceNumber });
      const answer = core.inspectSigned(Buffer.concat([whole, NO_PROOF]));
      if (isBehindShutDoor(row)) {
        expect(answer).toMatchObject({ message: expect.stringContaining("not implemented") });
        return;
      }
      const summary = granted(answer);
      expect(summary.sequenceNumber).toBe(isNumbered ? 3n : undefined);
      expect(summary.replayProtectionNonce).toBe(nonceOf(whole));
    },
  );

  it.each(named(payloads.views))("%s: is understood as a view request", (_, row) => {
    const { view_function: call } = row.payload as { view_function: { module: string; function: string } };
    const answer = machine.view(bytesOf(row.bcs), false, true, 1_000_000, reader);
    // None of the three is a view function; the refusal names what was asked for.
    expect(answer).toMatchObject({ kind: "failure", code: "invalid_input" });
    const isKnown = call.module.startsWith("0x1::");
    const about = isKnown
      ? `${call.module}::${call.function} is not marked as a view`
      : `${call.module} does not exist`;
    expect((answer as CoreFailure).message).toContain(about);
    const cut = machine.view(bytesOf(row.bcs).subarray(0, -1), false, true, 1_000_000, reader);
    expect((cut as CoreFailure).message).not.toContain(about);
  });
});

describe("the faucet's builder", () => {
  const keys = readCases("keys.json").filter((row) => row.kind === "ed25519");
  const transfers = signed.calls.filter((row) => /aptos_account::transfer$|: key \d$/.test(row.name));
  const own = transfers.filter((row) => row.kind === "ed25519");

  it("is held to the four transfers signed with one plain key", () => {
    expect(own.map((row) => row.name)).toHaveLength(4);
  });

  it.each(named(own))("%s: makes the same bytes, signature included", (_, row) => {
    const fields = row.fields as Fields;
    const key = keys.find(({ address }) => address === fields.sender) as VectorCase;
    const made = signedTransfer(
      {
        sender: addressOf(fields.sender),
        receiver: addressOf("0xb0b"),
        octas: 1000n,
        sequenceNumber: BigInt(fields.sequence_number),
        maxGasUnits: BigInt(fields.max_gas_amount),
        expirationTimestampSecs: BigInt(fields.expiration_timestamp_secs),
        chainId: fields.chain_id,
      },
      transferKey(bytesOf(key.private_key), bytesOf(key.public_key)),
    );
    expect(made).toEqual(bytesOf(row.bcs));
  });
});
