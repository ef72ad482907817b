/** A stream of signed transfers between the development accounts of a node, and what came of it. */

import {
  Account,
  type AccountAddress,
  Aptos,
  AptosConfig,
  Ed25519PrivateKey,
  generateSignedTransaction,
  Network,
  type SimpleTransaction,
} from "@aptos-labs/ts-sdk";
import type { TestNode } from "../e2e/harness.js";

/** Media type of a signed transaction, for the vendor word the SDK expects. */
const SIGNED_TRANSACTION = "application/x.aptos.signed_transaction+bcs";

export interface Sender {
  readonly account: Account;
  sequenceNumber: bigint;
}

/** Sends transfers to a node, wherever it listens at the time. */
export class Transfers {
  readonly senders: readonly Sender[];
  #node: TestNode;
  #turn = 0;

  constructor(node: TestNode) {
    this.#node = node;
    this.senders = node.accounts.map(({ privateKey }) => ({
      account: Account.fromPrivateKey({ privateKey: new Ed25519PrivateKey(privateKey, false) }),
      sequenceNumber: 0n,
    }));
  }

  /** Points at the node of another start, and asks it how far each sender has come. */
  async moveTo(node: TestNode): Promise<void> {
    this.#node = node;
    for (const sender of this.senders) {
      const answer = await fetch(`${node.api}/accounts/${sender.account.accountAddress.toString()}`);
      const { sequence_number } = (await answer.json()) as { sequence_number: string };
      sender.sequenceNumber = BigInt(sequence_number);
    }
  }

  /**
   * Signs and submits the next transfer, sender after sender.
   *
   * @param to Who receives it; the sender whose turn is next if not given.
   * @returns the HTTP status; 0 if the connection broke. Only a 202 uses the sequence number up.
   */
  async submitNext(to?: AccountAddress): Promise<number> {
    const sender = this.senders[this.#turn++ % this.senders.length] as Sender;
    const next = this.senders[this.#turn % this.senders.length] as Sender;
    const body = await this.#sign(sender, to ?? next.account.accountAddress);
    try {
      const answer = await fetch(`${this.#node.api}/transactions`, {
        method: "POST",
        headers: { "content-type": SIGNED_TRANSACTION },
        body: new Uint8Array(body),
      });
      await answer.arrayBuffer();
      if (answer.status === 202) sender.sequenceNumber++;
      return answer.status;
    } catch {
      return 0;
    }
  }

  async #sign(sender: Sender, recipient: AccountAddress): Promise<Uint8Array> {
    const sdk = new Aptos(new AptosConfig({ network: Network.LOCAL, fullnode: this.#node.api }));
    const transaction: SimpleTransaction = await sdk.transaction.build.simple({
      sender: sender.account.accountAddress,
      data: { function: "0x1::aptos_account::transfer", functionArguments: [recipient, 1000] },
      options: {
        accountSequenceNumber: sender.sequenceNumber,
        gasUnitPrice: 100,
        maxGasAmount: 10_000,
        expireTimestamp: Math.floor(Date.now() / 1000) + 120,
      },
    });
    return generateSignedTransaction({
      transaction,
      senderAuthenticator: sender.account.signTransactionWithAuthenticator(transaction),
    });
  }
}

/** JSON of one committed transaction, as far as these tests read it. */
interface CommittedTransaction {
  readonly type: string;
  readonly gas_used: string;
  readonly gas_unit_price: string;
}

/** Octas the senders have now, and octas burned as fees since genesis. */
export async function holdings(
  node: TestNode,
  senders: readonly Sender[],
): Promise<{ held: bigint; burned: bigint }> {
  let held = 0n;
  for (const { account } of senders) {
    const address = account.accountAddress.toString();
    const answer = await fetch(`${node.api}/accounts/${address}/balance/0x1::aptos_coin::AptosCoin`);
    held += BigInt(await answer.text());
  }
  let burned = 0n;
  const head = await ledgerVersion(node);
  for (let start = 0; start <= head; start += 100) {
    const answer = await fetch(`${node.api}/transactions?start=${start}&limit=100`);
    for (const one of (await answer.json()) as CommittedTransaction[]) {
      if (one.type === "user_transaction") burned += BigInt(one.gas_used) * BigInt(one.gas_unit_price);
    }
  }
  return { held, burned };
}

/** Newest version of a node. */
export async function ledgerVersion(node: TestNode): Promise<number> {
  const answer = await fetch(node.api);
  return Number(((await answer.json()) as { ledger_version: string }).ledger_version);
}
