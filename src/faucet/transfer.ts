/**
 * The transactions development tools make: calls of the framework with plain arguments, signed with
 * one ed25519 key. Built by hand, so that the faucet needs neither SDK nor core.
 */

import { createPrivateKey, hash, type KeyObject, sign } from "node:crypto";

/** What a sender decides about one call of an entry function of the framework. */
export interface FrameworkCall {
  /** 32 bytes. */
  readonly sender: Uint8Array;
  readonly module: string;
  readonly function: string;
  /** BCS of each argument but the signer; no type arguments. */
  readonly args: readonly Uint8Array[];
  readonly sequenceNumber: bigint;
  readonly maxGasUnits: bigint;
  readonly expirationTimestampSecs: bigint;
  readonly chainId: number;
}

/** A transfer of the native coin. */
export interface Transfer {
  /** 32 bytes each. */
  readonly sender: Uint8Array;
  readonly receiver: Uint8Array;
  readonly octas: bigint;
  readonly sequenceNumber: bigint;
  readonly maxGasUnits: bigint;
  readonly expirationTimestampSecs: bigint;
  readonly chainId: number;
}

/** A key pair that signs transfers. */
export interface TransferKey {
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

const GAS_UNIT_PRICE_OCTAS = 100n;

const FRAMEWORK_ADDRESS = Buffer.from("01".padStart(64, "0"), "hex");
/** Payload variant of a call of an entry function. */
const ENTRY_FUNCTION = 2;
/** Authenticator variant of one ed25519 key. */
const ED25519 = 0;
/** Written before every message that an account signs for this chain format. */
const SIGNING_PREFIX = hash("sha3-256", "APTOS::RawTransaction", "buffer");
/** DER of a PKCS #8 ed25519 private key, up to the key itself. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param privateKey 32 bytes. @param publicKey 32 bytes. */
export function transferKey(privateKey: Uint8Array, publicKey: Uint8Array): TransferKey {
  const der = Buffer.concat([PKCS8_PREFIX, privateKey]);
  return { privateKey: createPrivateKey({ key: der, format: "der", type: "pkcs8" }), publicKey };
}

/** @returns BCS `SignedTransaction`. */
export function signedTransfer(transfer: Transfer, key: TransferKey): Buffer {
  const { receiver, octas, ...rest } = transfer;
  const args = [receiver, u64(octas)];
  return signedCall({ ...rest, module: "aptos_account", function: "transfer", args }, key);
}

/** @returns BCS `SignedTransaction`. */
export function signedCall(call: FrameworkCall, key: TransferKey): Buffer {
  const raw = Buffer.concat([
    call.sender,
    u64(call.sequenceNumber),
    Buffer.of(ENTRY_FUNCTION),
    FRAMEWORK_ADDRESS,
    text(call.module),
    text(call.function),
    uleb(0),
    uleb(call.args.length),
    ...call.args.map(sized),
    u64(call.maxGasUnits),
    u64(GAS_UNIT_PRICE_OCTAS),
    u64(call.expirationTimestampSecs),
    Buffer.of(call.chainId),
  ]);
  const signature = sign(null, Buffer.concat([SIGNING_PREFIX, raw]), key.privateKey);
  return Buffer.concat([raw, Buffer.of(ED25519), sized(key.publicKey), sized(signature)]);
}

/** Little-endian. */
export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** A length. */
export function uleb(value: number): Buffer {
  const digits: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) digits.push((rest & 0x7f) | 0x80);
  return Buffer.from([...digits, rest]);
}

function sized(bytes: Uint8Array): Buffer {
  return Buffer.concat([uleb(bytes.length), bytes]);
}

function text(value: string): Buffer {
  return sized(Buffer.from(value, "utf8"));
}
