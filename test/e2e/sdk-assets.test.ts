/** A public SDK, unmodified, on what the framework keeps besides coins: digital assets, pairs of coins, nonces, multisig accounts. */

import {
  Account,
  AccountAddress,
  Aptos,
  AptosConfig,
  type InputGenerateTransactionPayloadData,
  Network,
  type UserTransactionResponse,
} from "@aptos-labs/ts-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestNode, type TestNode } from "./harness.js";

const FUNDED = 1_000_000_000;
const COIN = "0x1::aptos_coin::AptosCoin";
const METADATA = "0x1::fungible_asset::Metadata";
const NATIVE_PAIR = "0xa";

let node: TestNode;
let sdk: Aptos;
const alice = Account.generate();
const bob = Account.generate();

beforeAll(async () => {
  node = await startTestNode({ flags: ["--vendor", "aptos"] });
  sdk = new Aptos(
    new AptosConfig({
      network: Network.LOCAL,
      fullnode: node.api,
      faucet: node.faucet,
      indexer: `${node.indexer}/v1/graphql`,
    }),
  );
  for (const account of [alice, bob])
    await sdk.fundAccount({ accountAddress: account.accountAddress, amount: FUNDED });
});
afterAll(async () => {
  expect(await node?.stop()).toBe(0);
});

type Transaction = Awaited<ReturnType<typeof sdk.transaction.build.simple>>;

async function send(signer: Account, transaction: Transaction): Promise<UserTransactionResponse> {
  const pending = await sdk.signAndSubmitTransaction({ signer, transaction });
  return (await sdk.waitForTransaction({ transactionHash: pending.hash })) as UserTransactionResponse;
}

async function call(
  sender: Account,
  data: InputGenerateTransactionPayloadData,
  replayProtectionNonce?: bigint,
): Promise<UserTransactionResponse> {
  const options = replayProtectionNonce === undefined ? {} : { replayProtectionNonce };
  return send(sender, await sdk.transaction.build.simple({ sender: sender.accountAddress, data, options }));
}

test("a digital asset is minted, given away and described by its views", async () => {
  const collection = "Birds";
  await send(
    alice,
    await sdk.createCollectionTransaction({
      creator: alice,
      description: "about birds",
      name: collection,
      uri: "https://birds.example",
    }),
  );
  const minted = await send(
    alice,
    await sdk.mintDigitalAssetTransaction({
      creator: alice,
      collection,
      description: "a bird",
      name: "Wren",
      uri: "https://birds.example/1",
      propertyKeys: ["wings"],
      propertyTypes: ["U64"],
      propertyValues: [2],
    }),
  );
  const event = minted.events.find(({ type }) => type === "0x4::collection::Mint");
  expect(event?.data.index).toEqual({ value: "1" });
  const token = event?.data.token as string;

  const view = async (name: string) => {
    const [value] = await sdk.view({
      payload: {
        function: `0x4::token::${name}`,
        typeArguments: ["0x4::token::Token"],
        functionArguments: [token],
      },
    });
    return value;
  };
  expect(await view("name")).toBe("Wren");
  expect(await view("index")).toBe("1");

  await send(
    alice,
    await sdk.transferDigitalAssetTransaction({
      sender: alice,
      digitalAssetAddress: token,
      recipient: bob.accountAddress,
    }),
  );
  const core = await sdk.getAccountResource<{ owner: string }>({
    accountAddress: token,
    resourceType: "0x1::object::ObjectCore",
  });
  expect(AccountAddress.from(core.owner).equals(bob.accountAddress)).toBe(true);
});

test("the native coin's pair moves as a fungible asset, and both are one balance", async () => {
  const carol = Account.generate().accountAddress;
  await call(alice, {
    function: "0x1::aptos_account::fungible_transfer_only",
    functionArguments: [carol, 300],
  });
  await call(alice, {
    function: "0x1::coin::migrate_to_fungible_store",
    typeArguments: [COIN],
    functionArguments: [],
  });
  await send(
    alice,
    await sdk.transferFungibleAsset({
      sender: alice,
      fungibleAssetMetadataAddress: AccountAddress.from(NATIVE_PAIR),
      recipient: carol,
      amount: 200,
    }),
  );
  const [asset] = await sdk.view({
    payload: {
      function: "0x1::primary_fungible_store::balance",
      typeArguments: [METADATA],
      functionArguments: [carol, NATIVE_PAIR],
    },
  });
  expect(asset).toBe("500");
  expect(await sdk.getBalance({ accountAddress: carol, asset: COIN })).toBe(500);
  expect(await sdk.getBalance({ accountAddress: carol, asset: NATIVE_PAIR })).toBe(500);
});

test("a nonce takes the place of the sequence number, once", async () => {
  const before = await sdk.getAccountInfo({ accountAddress: bob.accountAddress });
  const transfer: InputGenerateTransactionPayloadData = {
    function: "0x1::aptos_account::transfer",
    functionArguments: [alice.accountAddress, 1],
  };
  const done = await call(bob, transfer, 12345n);
  expect(done.success).toBe(true);
  const after = await sdk.getAccountInfo({ accountAddress: bob.accountAddress });
  expect(after.sequence_number).toBe(before.sequence_number);
  await expect(call(bob, transfer, 12345n)).rejects.toThrow(/NONCE/i);
});
