/**
 * The one transaction the faucet makes: a transfer of the native coin, which creates the receiver's
 * account if there is none. Built by hand, so that the faucet needs neither SDK nor core.
 */

import { createPrivateKey, hash, type KeyObject, sign } from "node:crypto";

/** What the faucet decides about one transfer. */
export interface Transfer {
  /** 32 bytes each. */
  readonly sender: Uint8Array;
  readonly receiver: Uint8Array;
  readonly octas: bigint;
  readonly sequenceNumber: bigint;
  readonly expirationTimestampSecs: bigint;
  readonly chainId: number;
}

/** A key pair that signs transfers. */
export interface TransferKey {
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

const MAX_GAS_UNITS = 200_000n;
const GAS_UNIT_PRICE_OCTAS = 100n;

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
  const raw = Buffer.concat([
    transfer.sender,
    u64(transfer.sequenceNumber),
    Buffer.of(ENTRY_FUNCTION),
    framework(),
    text("aptos_account"),
    text("transfer"),
    Buffer.of(0),
    Buffer.of(2),
    sized(transfer.receiver),
    sized(u64(transfer.octas)),
    u64(MAX_GAS_UNITS),
    u64(GAS_UNIT_PRICE_OCTAS),
    u64(transfer.expirationTimestampSecs),
    Buffer.of(transfer.chainId),
  ]);
  const signature = sign(null, Buffer.concat([SIGNING_PREFIX, raw]), key.privateKey);
  return Buffer.concat([raw, Buffer.of(ED25519), sized(key.publicKey), sized(signature)]);
}

function framework(): Buffer {
  const address = Buffer.alloc(32);
  address[31] = 1;
  return address;
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** @param bytes At most 127, so that the length is one digit. */
function sized(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

function text(value: string): Buffer {
  return sized(Buffer.from(value, "utf8"));
}
