/**
 * keys.json, signatures.json, derived-addresses.json and rotation-proofs.json, as far as the node has
 * to do with keys outside Move code: whose authentication key a proof is, which signatures hold, and
 * where the keys and addresses are that our own TypeScript derives.
 */
import { hash, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { developmentAccount, minterAccount } from "../../../src/config/development-keys.js";
import { listenFaucet } from "../../../src/faucet/fund-server.js";
import type { Minter } from "../../../src/faucet/minter.js";
import { transferKey } from "../../../src/faucet/transfer.js";
import { balance } from "../../../src/front/reads/balance.js";
import { BcsWriter } from "../../../src/front/reads/bcs.js";
import type { ReadContext } from "../../../src/front/reads/context.js";
import { core } from "../../../src/native/index.js";
import { genesisState, granted } from "./genesis-state.js";
import { sha3 } from "./ledger-hashes.js";
import { callOf, rawTransaction } from "./transaction-bytes.js";
import { addressOf, bytesOf, dealCases, named, readCases, sizes, type VectorCase } from "./vector-file.js";

const ofKind = (kind: string) => (row: VectorCase) => row.kind === kind;

const keys = dealCases("keys.json", {
  ed25519: ofKind("ed25519"),
  multiEd25519: ofKind("multi_ed25519"),
  single: (row) => (row.kind as string).startsWith("single_key/"),
  multi: ofKind("multi_key"),
});
const everyKey = Object.values(keys).flat();
const signatures = dealCases("signatures.json", {
  ed25519: (row) => row.scheme === "ed25519",
  secp256k1: (row) => row.scheme === "secp256k1_ecdsa",
});
const derived = dealCases("derived-addresses.json", {
  userObjects: ofKind("user_derived_object"),
  pairedMetadata: ofKind("paired_fa_metadata"),
  derivedInMoveOnly: (row) => !/^(user_derived_object|paired_fa_metadata)$/.test(row.kind as string),
});
const rotations = dealCases("rotation-proofs.json", { all: () => true });

it("uses all 28 keys, all 20 signatures, 6 of 24 derived addresses and both rotations", () => {
  expect(sizes(keys)).toEqual({ ed25519: 6, multiEd25519: 4, single: 13, multi: 5 });
  expect(sizes(signatures)).toEqual({ ed25519: 12, secp256k1: 8 });
  // Named objects, tokens, objects by guid, resource accounts, multisig accounts and derivable
  // abstraction are for Move code to derive; nothing on this side does.
  expect(sizes(derived)).toEqual({ userObjects: 3, pairedMetadata: 3, derivedInMoveOnly: 18 });
  expect(sizes(rotations)).toEqual({ all: 2 });
});

/** Authenticator variants of transactions and of accounts. */
const ED25519 = 0;
const MULTI_ED25519 = 1;
const SINGLE_SENDER = 4;
const SINGLE_KEY = 2;
const MULTI_KEY = 3;

/** A signature of any scheme, by the variant of its key, over nothing. */
function blankSignature(keyVariant: number): Buffer {
  const writer = new BcsWriter().u8(keyVariant);
  const isPasskey = keyVariant === 2;
  if (isPasskey) writer.u8(0);
  writer.sized(Buffer.alloc(64));
  if (isPasskey) writer.sized(Buffer.alloc(0)).sized(Buffer.alloc(0));
  return writer.finish();
}

/** The first `count` bits of `bytes` bytes, leftmost first. */
function leadingBits(count: number, bytes: number): Buffer {
  const bits = Buffer.alloc(bytes);
  for (let index = 0; index < count; index += 1) {
    bits[index >> 3] = (bits[index >> 3] as number) | (0x80 >> (index & 7));
  }
  return bits;
}

/** The proof that holders of this key would give, with blank signatures. */
function proofBy(row: VectorCase): Buffer {
  const writer = new BcsWriter();
  if (row.kind === "ed25519") {
    return writer.u8(ED25519).bytes(bytesOf(row.public_key_bcs)).sized(Buffer.alloc(64)).finish();
  }
  if (row.kind === "multi_ed25519") {
    const threshold = row.threshold as number;
    const signed = Buffer.concat([Buffer.alloc(64 * threshold), leadingBits(threshold, 4)]);
    return writer.u8(MULTI_ED25519).bytes(bytesOf(row.public_key_bcs)).sized(signed).finish();
  }
  writer.u8(SINGLE_SENDER);
  if (row.kind !== "multi_key") {
    const key = bytesOf(row.any_public_key_bcs);
    return writer
      .u8(SINGLE_KEY)
      .bytes(key)
      .bytes(blankSignature(key[0] as number))
      .finish();
  }
  const required = row.signatures_required as number;
  const publicKeys = row.public_keys as string[];
  writer.u8(MULTI_KEY).bytes(bytesOf(row.public_key_bcs)).uleb(required);
  for (const key of publicKeys.slice(0, required)) writer.bytes(blankSignature(bytesOf(key)[0] as number));
  return writer.sized(leadingBits(required, Math.ceil(publicKeys.length / 8))).finish();
}

const NOW_SECS = 1_700_000_000;
const INVALID_AUTH_KEY = 2;
const payload = callOf({ args: [addressOf("0xb0b"), bytesOf("e803000000000000")] });

describe("an authentication key", () => {
  const stranger = Buffer.alloc(32, 0x5a);
  const { core: machine, reader } = genesisState([
    stranger,
    ...everyKey.map((row) => addressOf(row.address)),
  ]);

  it.each(named(everyKey))("%s: is that of the account it opens", (_, row) => {
    const proof = proofBy(row);
    const send = (sender: Buffer) => Buffer.concat([rawTransaction({ payload, sender }), proof]);
    expect(machine.validate(send(addressOf(row.address)), reader, NOW_SECS)).toBe(0);
    expect(machine.validate(send(stranger), reader, NOW_SECS)).toBe(INVALID_AUTH_KEY);
    expect([...core.verifySigned([send(addressOf(row.address))])]).toEqual([0]);
  });

  it.each(named(everyKey))("%s: is the hash of the key and its scheme", (_, row) => {
    const key = row.any_public_key_bcs ?? row.public_key ?? row.public_key_bcs;
    expect(sha3(bytesOf(key), Buffer.of(row.scheme as number))).toEqual(bytesOf(row.auth_key));
    expect(addressOf(row.address)).toEqual(bytesOf(row.auth_key));
  });

  it("of a development account is made by the same rule", () => {
    const accounts = [minterAccount("seed"), ...[0, 1, 2].map((index) => developmentAccount("seed", index))];
    for (const account of accounts) {
      expect(sha3(account.publicKey, Buffer.of(0))).toEqual(account.authKey);
      // What the private key signs, the public key opens.
      const { privateKey } = transferKey(account.privateKey, account.publicKey);
      const sender = account.authKey;
      const raw = rawTransaction({ payload, sender });
      const salted = Buffer.concat([sha3(Buffer.from("APTOS::RawTransaction")), raw]);
      const proof = new BcsWriter()
        .u8(ED25519)
        .sized(account.publicKey)
        .sized(sign(null, salted, privateKey));
      expect([...core.verifySigned([Buffer.concat([raw, proof.finish()])])]).toEqual([1]);
    }
  });

  it.each(named(keys.ed25519))("%s: is funded by the faucet when asked by public key", async (_, row) => {
    const receivers: Buffer[] = [];
    const minter = {
      fund: async (receiver: Buffer) => {
        receivers.push(receiver);
        return "00";
      },
    };
    const server = await listenFaucet("127.0.0.1", 0, minter as unknown as Minter);
    try {
      const field = (name: string, value: unknown) =>
        fetch(`http://127.0.0.1:${server.port}/fund`, {
          method: "POST",
          body: JSON.stringify({ [name]: value, amount: 1 }),
        });
      const answers = [
        await field("pub_key", row.public_key),
        await field("auth_key", row.auth_key),
        await field("address", row.address),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    } finally {
      await server.close();
    }
    expect(receivers).toEqual([1, 2, 3].map(() => addressOf(row.address)));
  });
});

describe("a signature", () => {
  const raw = rawTransaction({ payload });
  const plain = (row: VectorCase) =>
    new BcsWriter().u8(ED25519).sized(bytesOf(row.public_key)).sized(bytesOf(row.signature)).finish();
  const wrapped = (variant: number) => (row: VectorCase) =>
    new BcsWriter()
      .u8(SINGLE_SENDER)
      .u8(SINGLE_KEY)
      .u8(variant)
      .sized(bytesOf(row.public_key))
      .u8(variant)
      .sized(bytesOf(row.signature))
      .finish();

  // The one with the small-order key and R holds for every message where points are not looked at.
  it.each(named(signatures.ed25519))("%s: proves nothing about a transaction", (_, row) => {
    const batch = [plain, wrapped(0)].map((proof) => Buffer.concat([raw, proof(row)]));
    expect([...core.verifySigned(batch)]).toEqual([0, 0]);
  });

  it.each(named(signatures.secp256k1))("%s: proves nothing about a transaction", (_, row) => {
    const signed = Buffer.concat([raw, wrapped(1)(row)]);
    expect(core.inspectSigned(signed)).not.toHaveProperty("kind");
    expect([...core.verifySigned([signed])]).toEqual([0]);
  });

  it.each(named(signatures.ed25519.filter((row) => row.valid === true)))(
    "%s: is what the faucet's key would sign",
    (_, row) => {
      const owner = keys.ed25519.find((key) => key.public_key === row.public_key) as VectorCase;
      const key = transferKey(bytesOf(owner.private_key), bytesOf(owner.public_key));
      expect(sign(null, bytesOf(row.message), key.privateKey)).toEqual(bytesOf(row.signature));
    },
  );

  const signed = readCases("signed-transactions.json").filter((row) => row.signature_valid === true);

  it.each(named(signed.filter((row) => row.kind === "ed25519")))("%s: s has one form", (_, row) => {
    expect(heldWith(bytesOf(row.bcs), (s) => s + ED25519_ORDER, "little")).toEqual([1, 0]);
  });

  it.each(named(signed.filter((row) => row.name.startsWith("single-key secp256k1"))))(
    "%s: s is in the lower half",
    (_, row) => {
      expect(heldWith(bytesOf(row.bcs), (s) => SECP256K1_ORDER - s, "big")).toEqual([1, 0]);
    },
  );
});

const ED25519_ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
const SECP256K1_ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;

/** Verdicts of a transaction as it is and with the second half of its last signature changed. */
function heldWith(signed: Buffer, change: (s: bigint) => bigint, order: "little" | "big"): number[] {
  const turned = (bytes: Buffer) => (order === "little" ? Buffer.from(bytes).reverse() : bytes);
  const s = BigInt(`0x${turned(signed.subarray(-32)).toString("hex")}`);
  const other = turned(Buffer.from(change(s).toString(16).padStart(64, "0"), "hex"));
  return [...core.verifySigned([signed, Buffer.concat([signed.subarray(0, -32), other])])];
}

describe("a derived address", () => {
  const { core: machine } = genesisState();

  /** Accounts in which the read of a balance looks. */
  function lookedInto(address: Buffer, asset: string): string[] {
    const framework = addressOf("0x1");
    const module = core.moduleKey(framework, "fungible_asset");
    const asked = new Set<string>();
    const read = (key: Buffer) => {
      const owner = key.subarray(1, 33);
      if (!owner.equals(framework)) asked.add(owner.toString("hex"));
      // The module is there, so that stores are looked for; what is in it does not matter.
      return key.equals(module) ? Buffer.of(0, 0) : undefined;
    };
    const context = { store: { state: read }, core: machine, functions: core } as unknown as ReadContext;
    balance(context, { address, asset, version: undefined, form: "json" });
    return [...asked];
  }

  const inStoreOf = (owner: Buffer, metadata: Buffer) =>
    sha3(owner, metadata, Buffer.of(0xfc)).toString("hex");

  it.each(named(derived.userObjects))("%s: is where a balance is looked for", (_, row) => {
    const looked = lookedInto(addressOf(row.source), row.derive_from as string);
    expect(looked).toEqual([bytesOf(row.address).toString("hex")]);
  });

  it.each(named(derived.pairedMetadata))("%s: is what a coin's store is derived from", (_, row) => {
    const owner = Buffer.alloc(32, 0x31);
    const looked = lookedInto(owner, row.coin_type as string);
    expect(looked).toEqual([owner.toString("hex"), inStoreOf(owner, addressOf(row.address))]);
  });
});

describe("a rotation proof", () => {
  const { core: machine, reader } = genesisState();

  it.each(named(rotations.all))("%s: is the framework's challenge, signed by both keys", (_, row) => {
    const typeName = "0x1::account::RotationProofChallenge";
    const challenge = {
      sequence_number: `${row.sequence_number}`,
      originator: row.originator,
      current_auth_key: row.current_auth_key,
      new_public_key: `0x${row.new_public_key}`,
    };
    const fields = granted(machine.encodeValue(typeName, Buffer.from(JSON.stringify(challenge)), reader));
    const named = new BcsWriter().bytes(addressOf("0x1")).text("account").text("RotationProofChallenge");
    const message = named.bytes(fields).finish();
    expect(message).toEqual(bytesOf(row.bcs));
    const signedBy = (owner: VectorCase | undefined) => {
      const key = transferKey(bytesOf(owner?.private_key), bytesOf(owner?.public_key));
      return sign(null, message, key.privateKey).toString("hex");
    };
    const current = keys.ed25519.find((key) => key.address === row.originator);
    const next = keys.ed25519.find((key) => key.public_key === row.new_public_key);
    expect(signedBy(current)).toBe(row.current_key_signature);
    expect(signedBy(next)).toBe(row.new_key_signature);
    expect(hash("sha3-256", message, "buffer")).toEqual(sha3(message));
  });
});
