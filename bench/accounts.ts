/** The accounts of a bench: addresses from their index, keys for those that sign. */

import { createPrivateKey, createPublicKey, hash } from "node:crypto";
import { type FrameworkCall, signedCall, type TransferKey, u64, uleb } from "../src/faucet/transfer.js";
import { post } from "./http-client.js";

export interface Sender {
  /** 32 bytes. */
  readonly address: Buffer;
  readonly key: TransferKey;
  /** Of the next transaction. */
  sequenceNumber: bigint;
}

/** Octas each account starts with: fees of thousands of transfers. */
const START_OCTAS = 20_000_000n;
/** Accounts created by one transaction: below the most gas and bytes one may have. */
const RECIPIENTS_PER_TRANSACTION = 400;
const MAX_GAS_UNITS = 2_000_000n;
/** Transactions of one funder that wait at the same time. */
const PENDING_MAX = 20;

const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** A sender with a key that follows from `seed`, whose address follows from the key. */
export function keyedSender(seed: Uint8Array): Sender {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: "der",
    type: "pkcs8",
  });
  const jwk = createPublicKey(privateKey).export({ format: "jwk" }) as { x: string };
  const publicKey = Buffer.from(jwk.x, "base64url");
  const address = hash("sha3-256", Buffer.concat([publicKey, Buffer.of(0)]), "buffer");
  return { address, key: { privateKey, publicKey }, sequenceNumber: 0n };
}

/** Addresses of all accounts; the first `senders.length` are the senders'. */
export function addressesOf(count: number, senders: readonly Sender[]): Buffer[] {
  return Array.from(
    { length: count },
    (_, index) => senders[index]?.address ?? hash("sha256", `account ${index}`, "buffer"),
  );
}

/** Creates and funds accounts, from several funders side by side. */
export async function createAccounts(
  api: string,
  chainId: number,
  funders: readonly Sender[],
  addresses: readonly Buffer[],
  onProgress: (made: number) => void,
): Promise<void> {
  const groups: Buffer[][] = [];
  for (let start = 0; start < addresses.length; start += RECIPIENTS_PER_TRANSACTION) {
    groups.push(addresses.slice(start, start + RECIPIENTS_PER_TRANSACTION));
  }
  let made = 0;
  await Promise.all(
    funders.map(async (funder) => {
      const pending: { hash: string; accounts: number }[] = [];
      const settle = async () => {
        const oldest = pending.shift();
        if (oldest === undefined) return;
        await untilSucceeded(api, oldest.hash);
        made += oldest.accounts;
        onProgress(made);
      };
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        const signed = signedCall(batchTransfer(funder, chainId, group), funder.key);
        funder.sequenceNumber += 1n;
        pending.push({ hash: await submit(api, signed), accounts: group.length });
        if (pending.length >= PENDING_MAX) await settle();
      }
      while (pending.length > 0) await settle();
    }),
  );
}

function batchTransfer(funder: Sender, chainId: number, receivers: readonly Buffer[]): FrameworkCall {
  const count = uleb(receivers.length);
  const amounts = Buffer.concat([count, ...receivers.map(() => u64(START_OCTAS))]);
  return {
    sender: funder.address,
    module: "aptos_account",
    function: "batch_transfer",
    args: [Buffer.concat([count, ...receivers]), amounts],
    sequenceNumber: funder.sequenceNumber,
    maxGasUnits: MAX_GAS_UNITS,
    expirationTimestampSecs: BigInt(Math.floor(Date.now() / 1000) + 600),
    chainId,
  };
}

async function submit(api: string, signed: Buffer): Promise<string> {
  const { status, body } = await post(
    `${api}/transactions`,
    "application/x.node.signed_transaction+bcs",
    signed,
  );
  if (status !== 202) throw new Error(`a funding transaction was refused: ${body}`);
  return (JSON.parse(body) as { hash: string }).hash;
}

/** @throws Error if the transaction failed. */
export async function untilSucceeded(api: string, transactionHash: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${api}/transactions/wait_by_hash/${transactionHash}`);
    const answer = (await response.json()) as { success?: boolean; vm_status?: string; message?: string };
    if (answer.success === true) return;
    if (answer.success === false || !response.ok)
      throw new Error(`a transaction failed: ${JSON.stringify(answer).slice(0, 500)}`);
  }
}
