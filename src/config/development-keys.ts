/**
 * Keys of a development chain: the funded accounts and the minter, derived from the seed option.
 *
 * Promise: the same seed gives the same keys on every machine and in every release. Anyone who knows
 * the seed has the keys, which is the point: they are worth nothing outside development.
 */

import { getPublicKey, hashes } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { sha3_256 } from "@noble/hashes/sha3.js";
import { parseAddress } from "../domain/index.js";
import { invariant } from "../errors/index.js";

hashes.sha512 = sha512;

/** An ed25519 account whose address is its first authentication key. */
export interface DevelopmentAccount {
  /** 32 bytes. */
  readonly privateKey: Buffer;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  /** 32 bytes. */
  readonly authKey: Buffer;
  /** 32 bytes; equal to `authKey` but for the minter, whose address is fixed. */
  readonly address: Buffer;
}

/** Address of the account that may mint coins on a development chain. */
const MINTER_ADDRESS = "0xa550c18";

/** Last byte of what an ed25519 authentication key is the hash of. */
const ED25519_SCHEME = 0;

/** The account with this index; index 0 is the first shown at start. */
export function developmentAccount(seed: string, index: number): DevelopmentAccount {
  return deriveAccount(`account ${index}`, seed);
}

/** The minter: lives at a fixed address, signs for the faucet. */
export function minterAccount(seed: string): DevelopmentAccount {
  const address = parseAddress(MINTER_ADDRESS);
  invariant(address !== undefined, "the minter's address parses");
  return { ...deriveAccount("minter", seed), address };
}

function deriveAccount(purpose: string, seed: string): DevelopmentAccount {
  const privateKey = sha3_256(Buffer.from(`ledger-node\0${purpose}\0${seed}`, "utf8"));
  const publicKey = getPublicKey(privateKey);
  const authKey = Buffer.from(sha3_256(Buffer.from([...publicKey, ED25519_SCHEME])));
  return {
    privateKey: Buffer.from(privateKey),
    publicKey: Buffer.from(publicKey),
    authKey,
    address: authKey,
  };
}
