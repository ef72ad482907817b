/** The faucet's own transaction builder, held to a public SDK's. */

import {
  Account,
  AccountAddress,
  ChainId,
  Ed25519PrivateKey,
  EntryFunction,
  generateSigningMessageForTransaction,
  MoveVector,
  RawTransaction,
  SignedTransaction,
  SimpleTransaction,
  TransactionAuthenticatorEd25519,
  TransactionPayloadEntryFunction,
  U64,
} from "@aptos-labs/ts-sdk";
import { expect, test } from "vitest";
import { signedCall, signedTransfer, transferKey, u64, uleb } from "../../../src/faucet/transfer.js";

const account = Account.fromPrivateKey({
  privateKey: new Ed25519PrivateKey(`0x${"17".repeat(32)}`),
  legacy: true,
});
const key = transferKey(account.privateKey.toUint8Array(), account.publicKey.toUint8Array());
const sender = account.accountAddress.toUint8Array();

function bySdk(
  name: string,
  args: ConstructorParameters<typeof EntryFunction>[3],
  maxGasUnits: bigint,
): Buffer {
  const raw = new RawTransaction(
    account.accountAddress,
    77n,
    new TransactionPayloadEntryFunction(EntryFunction.build("0x1::aptos_account", name, [], args)),
    maxGasUnits,
    100n,
    1_795_200_000n,
    new ChainId(4),
  );
  const message = generateSigningMessageForTransaction(new SimpleTransaction(raw));
  const authenticator = new TransactionAuthenticatorEd25519(account.publicKey, account.sign(message));
  return Buffer.from(new SignedTransaction(raw, authenticator).bcsToBytes());
}

test("a transfer is byte for byte the SDK's", () => {
  const receiver = AccountAddress.from(`0x${"ab".repeat(32)}`);
  const ours = signedTransfer(
    {
      sender,
      receiver: receiver.toUint8Array(),
      octas: 123_456_789_012_345n,
      sequenceNumber: 77n,
      maxGasUnits: 2000n,
      expirationTimestampSecs: 1_795_200_000n,
      chainId: 4,
    },
    key,
  );
  const theirs = bySdk("transfer", [receiver, new U64(123_456_789_012_345n)], 2000n);
  expect(ours.toString("hex")).toBe(theirs.toString("hex"));
});

test("arguments longer than 127 bytes are sized as the SDK sizes them", () => {
  const receivers = Array.from({ length: 300 }, (_, index) =>
    AccountAddress.from(`0x${(index + 0x100).toString(16)}`, { maxMissingChars: 63 }),
  );
  const ours = signedCall(
    {
      sender,
      module: "aptos_account",
      function: "batch_transfer",
      args: [
        Buffer.concat([uleb(300), ...receivers.map((receiver) => receiver.toUint8Array())]),
        Buffer.concat([uleb(300), ...receivers.map(() => u64(5n))]),
      ],
      sequenceNumber: 77n,
      maxGasUnits: 2_000_000n,
      expirationTimestampSecs: 1_795_200_000n,
      chainId: 4,
    },
    key,
  );
  const theirs = bySdk(
    "batch_transfer",
    [new MoveVector(receivers), MoveVector.U64(receivers.map(() => 5n))],
    2_000_000n,
  );
  expect(ours.equals(theirs)).toBe(true);
});
