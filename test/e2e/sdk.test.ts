/** A public SDK, unmodified, moves coins on a node that names things as it expects. */

import {
  Account,
  type AccountAddress,
  Aptos,
  AptosConfig,
  Ed25519PrivateKey,
  Network,
  type UserTransactionResponse,
} from "@aptos-labs/ts-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestNode, type TestNode } from "./harness.js";

const COIN = "0x1::aptos_coin::AptosCoin";
const FUNDED = 100_000_000;

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
  await Promise.all(
    [alice, bob].map((account) =>
      sdk.fundAccount({ accountAddress: account.accountAddress, amount: FUNDED }),
    ),
  );
});
afterAll(async () => {
  expect(await node?.stop()).toBe(0);
});

async function transfer(from: Account, to: AccountAddress, octas: number): Promise<UserTransactionResponse> {
  const transaction = await sdk.transferCoinTransaction({
    sender: from.accountAddress,
    recipient: to,
    amount: octas,
  });
  const pending = await sdk.signAndSubmitTransaction({ signer: from, transaction });
  const settled = await sdk.waitForTransaction({
    transactionHash: pending.hash,
    options: { checkSuccess: false },
  });
  return settled as UserTransactionResponse;
}

const balanceOf = (account: Account) =>
  sdk.getBalance({ accountAddress: account.accountAddress, asset: COIN });

test("funded accounts hold what was asked for, by the node and by the indexer", async () => {
  for (const account of [alice, bob]) {
    expect(await balanceOf(account)).toBe(FUNDED);
    expect(await sdk.getAccountAPTAmount({ accountAddress: account.accountAddress })).toBe(FUNDED);
  }
});

test("a transfer moves its amount and its fee, and numbers the sender's transactions", async () => {
  const before = await sdk.getAccountInfo({ accountAddress: alice.accountAddress });
  const [fromBefore, toBefore] = [await balanceOf(alice), await balanceOf(bob)];
  const committed = await transfer(alice, bob.accountAddress, 1234);
  expect([committed.success, committed.vm_status]).toEqual([true, "Executed successfully"]);
  const fee = Number(committed.gas_used) * Number(committed.gas_unit_price);
  expect(fee).toBeGreaterThan(0);
  expect(await balanceOf(bob)).toBe(toBefore + 1234);
  expect(await balanceOf(alice)).toBe(fromBefore - 1234 - fee);
  const after = await sdk.getAccountInfo({ accountAddress: alice.accountAddress });
  expect(BigInt(after.sequence_number)).toBe(BigInt(before.sequence_number) + 1n);
  // The node leaves out leading zeros.
  expect(BigInt(committed.sender)).toBe(BigInt(alice.accountAddress.toString()));
});

test("a transfer to nobody creates the account", async () => {
  const carol = Account.generate();
  expect((await transfer(alice, carol.accountAddress, 5000)).success).toBe(true);
  expect(await balanceOf(carol)).toBe(5000);
});

test("a transfer of more than there is fails on the chain, charges its fee and says why", async () => {
  const before = await balanceOf(bob);
  const failed = await transfer(bob, alice.accountAddress, 10 * FUNDED);
  expect(failed.success).toBe(false);
  expect(failed.vm_status).toMatch(/^Move abort in 0x1::coin: EINSUFFICIENT_BALANCE\(0x10006\): /);
  expect(await balanceOf(bob)).toBe(before - Number(failed.gas_used) * Number(failed.gas_unit_price));
});

test("resources are read one by one and all together", async () => {
  const store = await sdk.getAccountResource<{ coin: { value: string }; frozen: boolean }>({
    accountAddress: bob.accountAddress,
    resourceType: `0x1::coin::CoinStore<${COIN}>`,
  });
  expect(Number(store.coin.value)).toBe(await balanceOf(bob));
  const all = await sdk.getAccountResources({ accountAddress: bob.accountAddress });
  expect(all.map((resource) => resource.type).sort()).toEqual([
    "0x1::account::Account",
    `0x1::coin::CoinStore<${COIN}>`,
  ]);
});

test("a module shows the declarations that calls are built from", async () => {
  const module = await sdk.getAccountModule({ accountAddress: "0x1", moduleName: "aptos_account" });
  const declared = module.abi?.exposed_functions.find((candidate) => candidate.name === "transfer");
  expect(declared).toMatchObject({
    visibility: "public",
    is_entry: true,
    is_view: false,
    generic_type_params: [],
    params: ["&signer", "address", "u64"],
    return: [],
  });
  expect((await sdk.getAccountModules({ accountAddress: "0x1" })).length).toBeGreaterThan(20);
});

test("a view function answers in both request forms", async () => {
  const payload = {
    function: "0x1::coin::balance" as const,
    typeArguments: [COIN],
    functionArguments: [bob.accountAddress.toString()],
  };
  const [value] = await sdk.view<[string]>({ payload });
  expect(Number(value)).toBe(await balanceOf(bob));
  expect(await sdk.viewJson<[string]>({ payload: { ...payload, typeArguments: [COIN] } })).toEqual([value]);
});

test("a simulation predicts the gas of the transaction and changes nothing", async () => {
  const transaction = await sdk.transferCoinTransaction({
    sender: alice.accountAddress,
    recipient: bob.accountAddress,
    amount: 777,
  });
  const before = await balanceOf(alice);
  const [simulated] = await sdk.transaction.simulate.simple({
    signerPublicKey: alice.publicKey,
    transaction,
  });
  expect([simulated?.success, simulated?.vm_status]).toEqual([true, "Executed successfully"]);
  expect(await balanceOf(alice)).toBe(before);
  const committed = await transfer(alice, bob.accountAddress, 777);
  expect(simulated?.gas_used).toBe(committed.gas_used);
});

test("a development account of the banner can sign", async () => {
  const given = node.accounts[0];
  expect(node.accounts.length).toBe(10);
  const account = Account.fromPrivateKey({ privateKey: new Ed25519PrivateKey(given?.privateKey ?? "") });
  expect(account.accountAddress.toStringLong()).toBe(given?.address);
  expect((await transfer(account, bob.accountAddress, 1)).success).toBe(true);
});

test("a used sequence number is refused with its code", async () => {
  const transaction = await sdk.transaction.build.simple({
    sender: alice.accountAddress,
    data: { function: "0x1::aptos_account::transfer", functionArguments: [bob.accountAddress, 1] },
    options: { accountSequenceNumber: 0 },
  });
  await expect(sdk.signAndSubmitTransaction({ signer: alice, transaction })).rejects.toMatchObject({
    status: 400,
    data: { error_code: "vm_error", vm_error_code: 3 },
  });
});

test("the account's transactions are listed in the order of their numbers", async () => {
  const list = (await sdk.getAccountTransactions({
    accountAddress: alice.accountAddress,
  })) as UserTransactionResponse[];
  expect(list.map((transaction) => transaction.sequence_number)).toEqual(list.map((_, index) => `${index}`));
  expect(list.length).toBeGreaterThan(1);
});

test("ledger, blocks and transactions agree with each other", async () => {
  const committed = await transfer(alice, bob.accountAddress, 9);
  const block = await sdk.getBlockByVersion({
    ledgerVersion: Number(committed.version),
    options: { withTransactions: true },
  });
  const hashes = block.transactions?.map((transaction) => transaction.hash);
  expect(hashes).toContain(committed.hash);
  expect(block.transactions?.map((transaction) => transaction.type).at(0)).toBe("block_metadata_transaction");
  expect(block.transactions?.map((transaction) => transaction.type).at(-1)).toBe(
    "state_checkpoint_transaction",
  );
  const byVersion = await sdk.getTransactionByVersion({ ledgerVersion: Number(committed.version) });
  expect(byVersion).toEqual(await sdk.getTransactionByHash({ transactionHash: committed.hash }));
  const ledger = await sdk.getLedgerInfo();
  expect(ledger.chain_id).toBe(4);
  expect(BigInt(ledger.ledger_version)).toBeGreaterThanOrEqual(BigInt(committed.version));
});

test("the gas price of an idle chain is what programs assume", async () => {
  expect(await sdk.getGasPriceEstimation()).toMatchObject({ gas_estimate: 100 });
});
