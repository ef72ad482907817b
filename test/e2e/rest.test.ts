/** The built node over plain HTTP, with the default word in its names. */

import { createPrivateKey, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, startTestNode, type TestAccount, type TestNode } from "./harness.js";

const COIN_STORE = "0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>";
const BCS = "application/x-bcs";

let node: TestNode;
beforeAll(async () => {
  node = await startTestNode();
});
afterAll(async () => {
  expect(await node?.stop()).toBe(0);
});

const get = (path: string, accept = "application/json") =>
  fetch(`${node.api}${path}`, { headers: { accept } });
const post = (path: string, body: unknown, accept = "application/json") =>
  fetch(`${node.api}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify(body),
  });
const json = async (response: Response): Promise<ReturnType<typeof JSON.parse>> => response.json();

interface Committed {
  version: string;
  hash: string;
  success: boolean;
  vm_status: string;
  gas_used: string;
}

/** A transfer through the JSON doors: encode, sign here, submit. */
async function transfer(
  from: TestAccount,
  to: string,
  octas: number,
  changes: object = {},
): Promise<Response> {
  const { sequence_number } = await json(await get(`/accounts/${from.address}`));
  const request = {
    sender: from.address,
    sequence_number,
    max_gas_amount: "200000",
    gas_unit_price: "100",
    expiration_timestamp_secs: `${Math.floor(Date.now() / 1000) + 30}`,
    payload: {
      type: "entry_function_payload",
      function: "0x1::aptos_account::transfer",
      type_arguments: [],
      arguments: [to, `${octas}`],
    },
    ...changes,
  };
  const message = await json(await post("/transactions/encode_submission", request));
  return post("/transactions", {
    ...request,
    signature: signature(from, Buffer.from(message.slice(2), "hex")),
  });
}

function signature(account: TestAccount, message: Uint8Array) {
  const seed = Buffer.from(account.privateKey.slice(2), "hex");
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const jwk = key.export({ format: "jwk" }) as { x: string };
  return {
    type: "ed25519_signature",
    public_key: `0x${Buffer.from(jwk.x, "base64url").toString("hex")}`,
    signature: `0x${sign(null, message, key).toString("hex")}`,
  };
}

async function committed(response: Response): Promise<Committed> {
  expect(response.status).toBe(202);
  const pending = await json(response);
  expect(pending.type).toBe("pending_transaction");
  expect(pending).not.toHaveProperty("success");
  return eventually("the transaction commits", async () => {
    const answer = await json(await get(`/transactions/wait_by_hash/${pending.hash}`));
    return answer.success === undefined ? undefined : (answer as Committed);
  });
}

test("every ledger header is there, and the ledger moves while idle", async () => {
  const first = await get("");
  const info = await json(first);
  expect(first.headers.get("x-node-chain-id")).toBe("4");
  expect(first.headers.get("x-node-ledger-version")).toBe(info.ledger_version);
  expect(first.headers.get("x-node-block-height")).toBe(info.block_height);
  expect(first.headers.get("x-node-ledger-timestampusec")).toBe(info.ledger_timestamp);
  expect(first.headers.get("x-node-epoch")).toBe(info.epoch);
  await eventually("a block is made", async () => {
    const next = await json(await get(""));
    return BigInt(next.ledger_version) > BigInt(info.ledger_version) ? next : undefined;
  });
  expect(await json(await get("/-/healthy?duration_secs=20"))).toEqual({ message: "node:ok" });
});

test("a transfer by the JSON doors commits, and its reads agree in JSON and BCS", async () => {
  const [from, to] = node.accounts as [TestAccount, TestAccount];
  const before = await json(await get(`/accounts/${to.address}/balance/0x1::aptos_coin::AptosCoin`));
  const transaction = await committed(await transfer(from, to.address, 4321));
  expect([transaction.success, transaction.vm_status]).toEqual([true, "Executed successfully"]);
  const after = await json(await get(`/accounts/${to.address}/balance/0x1::aptos_coin::AptosCoin`));
  expect(after - before).toBe(4321);

  const bcs = await get(`/transactions/by_version/${transaction.version}`, BCS);
  const bytes = Buffer.from(await bcs.arrayBuffer());
  expect([bytes[0], bytes.readBigUInt64LE(1), bytes[9]]).toEqual([0, BigInt(transaction.version), 0]);
  // The hash covers the variant and the signed transaction: it can be recomputed from what was served.
  const byHash = Buffer.from(
    await (await get(`/transactions/by_hash/${transaction.hash}`, BCS)).arrayBuffer(),
  );
  expect(byHash.equals(bytes)).toBe(true);
});

test("state at a version stays what it was", async () => {
  const [from, to] = node.accounts as [TestAccount, TestAccount];
  const first = await committed(await transfer(from, to.address, 1));
  const path = `/accounts/${to.address}/resource/${encodeURIComponent(COIN_STORE)}?ledger_version=${first.version}`;
  const then = await (await get(path)).text();
  await committed(await transfer(from, to.address, 2));
  expect(await (await get(path)).text()).toBe(then);
  const now = await json(await get(`/accounts/${to.address}/resource/${COIN_STORE}`));
  expect(BigInt(now.data.coin.value) - BigInt(JSON.parse(then).data.coin.value)).toBe(2n);
});

test("resource, account and module in BCS are their stored bytes", async () => {
  const [account] = node.accounts as [TestAccount];
  const data = Buffer.from(await (await get(`/accounts/${account.address}`, BCS)).arrayBuffer());
  const shown = await json(await get(`/accounts/${account.address}`));
  expect(data.readBigUInt64LE(33).toString()).toBe(shown.sequence_number);
  expect(`0x${data.toString("hex", 1, 33)}`).toBe(shown.authentication_key);
  const store = Buffer.from(
    await (await get(`/accounts/${account.address}/resource/${COIN_STORE}`, BCS)).arrayBuffer(),
  );
  const balance = await json(await get(`/accounts/${account.address}/balance/0x1::aptos_coin::AptosCoin`));
  expect(Number(store.readBigUInt64LE())).toBe(balance);
  const code = Buffer.from(await (await get("/accounts/0x1/module/coin", BCS)).arrayBuffer());
  const module = await json(await get("/accounts/0x1/module/coin"));
  expect(module.bytecode).toBe(`0x${code.toString("hex")}`);
  expect(module.abi.name).toBe("coin");
});

test("pages of modules are chained by the cursor", async () => {
  const names: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const response: Response = await get(
      `/accounts/0x1/modules?limit=10${cursor === "" ? "" : `&start=${cursor}`}`,
    );
    expect(response.status).toBe(200);
    names.push(...(await json(response)).map((module: { abi: { name: string } }) => module.abi.name));
    cursor = response.headers.get("x-node-cursor");
  }
  const all = (await json(await get("/accounts/0x1/modules"))).map(
    (module: { abi: { name: string } }) => module.abi.name,
  );
  expect(names).toEqual(all);
});

test("a view answers JSON and BCS, and names the abort it ran into", async () => {
  const [account] = node.accounts as [TestAccount];
  const request = {
    function: "0x1::coin::balance",
    type_arguments: ["0x1::aptos_coin::AptosCoin"],
    arguments: [account.address],
  };
  const answer = await post("/view", request);
  const [value] = await json(answer);
  expect(Number(answer.headers.get("x-node-gas-used"))).toBeGreaterThan(0);
  const bcs = Buffer.from(await (await post("/view", request, BCS)).arrayBuffer());
  expect([bcs[0], bcs.readBigUInt64LE(1).toString()]).toEqual([1, value]);
  const failed = await post("/view", {
    function: "0x1::account::get_sequence_number",
    type_arguments: [],
    arguments: ["0xdead"],
  });
  expect([failed.status, (await json(failed)).error_code]).toEqual([400, "invalid_input"]);
});

test("deposits are events of the receiver's stream, by number and by field", async () => {
  const [from, to] = node.accounts as [TestAccount, TestAccount];
  const transaction = await committed(await transfer(from, to.address, 31));
  const list = await json(await get(`/accounts/${to.address}/events/2?limit=1`));
  expect(list).toEqual([
    {
      version: transaction.version,
      guid: { creation_number: "2", account_address: to.address },
      sequence_number: list[0].sequence_number,
      type: "0x1::coin::DepositEvent",
      data: { amount: "31" },
    },
  ]);
  const field = await json(await get(`/accounts/${to.address}/events/${COIN_STORE}/deposit_events?limit=1`));
  expect(field).toEqual(list);
  const first = await json(await get(`/accounts/${to.address}/events/2?start=0&limit=1`));
  expect(first[0].sequence_number).toBe("0");
  const bcs = Buffer.from(await (await get(`/accounts/${to.address}/events/2?limit=1`, BCS)).arrayBuffer());
  expect([bcs[0], bcs.readBigUInt64LE(1).toString(), bcs[9]]).toEqual([1, transaction.version, 0]);
  expect(bcs.readBigUInt64LE(bcs.length - 8)).toBe(31n);
});

test("the coin's supply is read through its table, and fees burn it", async () => {
  const [from, to] = node.accounts as [TestAccount, TestAccount];
  const info = await json(
    await get("/accounts/0x1/resource/0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>"),
  );
  const { handle, key } = info.data.supply.vec[0].aggregator.vec[0];
  const supply = async () => {
    const item = { key_type: "address", value_type: "u128", key };
    return BigInt(await json(await post(`/tables/${handle}/item`, item)));
  };
  const before = await supply();
  const transaction = await committed(await transfer(from, to.address, 1));
  expect(before - (await supply())).toBe(100n * BigInt(transaction.gas_used));
  const raw = await post(`/tables/${handle}/raw_item`, { key: `0x${key.slice(2).padStart(64, "0")}` }, BCS);
  const bytes = Buffer.from(await raw.arrayBuffer());
  expect(bytes.readBigUInt64LE()).toBe(await supply());
  const missing = await post(`/tables/${handle}/item`, {
    key_type: "address",
    value_type: "u128",
    key: "0x1",
  });
  expect([missing.status, (await json(missing)).error_code]).toEqual([404, "table_item_not_found"]);
});

test("a raw state value is the resource in its envelope", async () => {
  const [account] = node.accounts as [TestAccount];
  const path = Buffer.concat([
    Buffer.of(1),
    Buffer.from(`${"01".padStart(64, "0")}07${Buffer.from("account").toString("hex")}`, "hex"),
    Buffer.from(`07${Buffer.from("Account").toString("hex")}00`, "hex"),
  ]);
  const key = `0x00${account.address.slice(2)}${Buffer.of(path.length).toString("hex")}${path.toString("hex")}`;
  const value = Buffer.from(await (await post("/experimental/state_values/raw", { key }, BCS)).arrayBuffer());
  const data = Buffer.from(await (await get(`/accounts/${account.address}`, BCS)).arrayBuffer());
  expect([value[0] === 0 || value[0] === 1, value.includes(data)]).toEqual([true, true]);
  const missing = await post("/experimental/state_values/raw", { key: "0x020101" }, BCS);
  expect([missing.status, (await json(missing)).error_code]).toEqual([404, "state_value_not_found"]);
  expect((await post("/experimental/state_values/raw", { key })).status).toBe(403);
});

test("the first transaction made the chain", async () => {
  const genesis = await json(await get("/transactions/by_version/0"));
  expect([genesis.type, genesis.success, genesis.payload.type]).toEqual([
    "genesis_transaction",
    true,
    "write_set_payload",
  ]);
  const block = await json(await get("/blocks/by_height/0"));
  expect([block.first_version, block.last_version, block.transactions]).toEqual(["0", "0", null]);
});

test("summaries list an account's transactions by version", async () => {
  const [from, to] = node.accounts.slice(4) as [TestAccount, TestAccount];
  const made: Committed[] = [];
  for (let octas = 1; octas <= 5; octas += 1)
    made.push(await committed(await transfer(from, to.address, octas)));
  const rows = made.map(({ version, hash }, index) => ({
    sender: from.address,
    version,
    transaction_hash: hash,
    replay_protector: { type: "sequence_number", value: `${index}` },
  }));
  const list = async (query: string) =>
    json(await get(`/accounts/${from.address}/transaction_summaries${query}`));
  const [first, second, third, fourth] = made.map(({ version }) => Number(version)) as [
    number,
    number,
    number,
    number,
  ];
  expect(await list("")).toEqual(rows);
  expect(await list("?limit=2")).toEqual(rows.slice(3));
  expect(await list(`?start_version=${second}&limit=2`)).toEqual(rows.slice(1, 3));
  expect(await list(`?start_version=${second + 1}`)).toEqual(rows.slice(2));
  expect(await list(`?end_version=${third}`)).toEqual(rows.slice(0, 3));
  expect(await list(`?end_version=${fourth - 1}&limit=1`)).toEqual(rows.slice(2, 3));
  expect(await list(`?start_version=${second}&end_version=${third}`)).toEqual(rows.slice(1, 3));
  expect(await list(`?start_version=${third}&end_version=${first}`)).toEqual([]);
  expect(await json(await get("/accounts/0x9999/transaction_summaries"))).toEqual([]);
  const bcs = Buffer.from(
    await (await get(`/accounts/${from.address}/transaction_summaries?limit=1`, BCS)).arrayBuffer(),
  );
  const hash = made[4]?.hash.slice(2);
  expect(bcs.toString("hex")).toContain(`20${hash}010400000000000000`);
  expect(bcs.length).toBe(1 + 1 + 32 + 8 + 33 + 1 + 8);
});

describe("refusals", () => {
  const refused = async (changes: object, from?: TestAccount) => {
    const account = from ?? (node.accounts[2] as TestAccount);
    const response = await transfer(account, "0x42", 1, changes);
    const body = await json(response);
    return [response.status, body.error_code, body.vm_error_code];
  };

  test("a used sequence number", async () => {
    await committed(await transfer(node.accounts[2] as TestAccount, "0x42", 1));
    expect(await refused({ sequence_number: "0" })).toEqual([400, "vm_error", 3]);
  });
  test("a fee the account cannot pay", async () => {
    expect(await refused({ gas_unit_price: "1000000" })).toEqual([400, "vm_error", 5]);
  });
  test("an expired transaction", async () => {
    expect(await refused({ expiration_timestamp_secs: "1" })).toEqual([400, "vm_error", 6]);
  });
  test("more gas than the chain allows, and less than the transaction needs", async () => {
    expect(await refused({ max_gas_amount: "2000001" })).toEqual([400, "vm_error", 13]);
    expect(await refused({ max_gas_amount: "1" })).toEqual([400, "vm_error", 14]);
  });
  test("a price below the lowest", async () => {
    expect(await refused({ gas_unit_price: "99" })).toEqual([400, "vm_error", 15]);
  });
  test("the key of another account", async () => {
    const [first, second] = node.accounts as [TestAccount, TestAccount];
    expect(await refused({}, { address: first.address, privateKey: second.privateKey })).toEqual([
      400,
      "vm_error",
      2,
    ]);
  });
  test("an account that does not exist", async () => {
    const stranger = {
      address: `0x${"5".repeat(64)}`,
      privateKey: (node.accounts[0] as TestAccount).privateKey,
    };
    const response = await get(`/accounts/${stranger.address}`);
    expect([response.status, (await json(response)).error_code]).toEqual([404, "account_not_found"]);
  });
  test("a signature over something else", async () => {
    const account = node.accounts[3] as TestAccount;
    const request = {
      sender: account.address,
      sequence_number: "0",
      max_gas_amount: "2000",
      gas_unit_price: "100",
      expiration_timestamp_secs: `${Math.floor(Date.now() / 1000) + 30}`,
      payload: {
        type: "entry_function_payload",
        function: "0x1::aptos_account::transfer",
        type_arguments: [],
        arguments: ["0x42", "1"],
      },
      signature: signature(account, Buffer.from("something else")),
    };
    const response = await post("/transactions", request);
    expect([response.status, await json(response)]).toMatchObject([
      400,
      { error_code: "vm_error", vm_error_code: 1 },
    ]);
  });
  test("scripts, which this node does not run", async () => {
    const response = await post("/transactions/encode_submission", {
      sender: "0x1",
      sequence_number: "0",
      max_gas_amount: "2000",
      gas_unit_price: "100",
      expiration_timestamp_secs: "1",
      payload: {
        type: "script_payload",
        code: { bytecode: "0xa11ceb0b" },
        type_arguments: [],
        arguments: [],
      },
    });
    expect([response.status, (await json(response)).error_code]).toEqual([400, "invalid_input"]);
  });
});

test("the faucet funds by both calls, and many at once", async () => {
  expect(await (await fetch(node.faucet)).text()).toBe("tap:ok");
  const mint = await fetch(`${node.faucet}/mint?address=0x777&amount=55`, { method: "POST" });
  expect([mint.status, (await json(mint)).length]).toEqual([200, 1]);
  expect(await json(await get("/accounts/0x777/balance/0x1::aptos_coin::AptosCoin"))).toBe(55);
  const addresses = Array.from({ length: 80 }, (_, index) => `0x${(0x1000 + index).toString(16)}`);
  const hashes = await Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(`${node.faucet}/fund`, {
        method: "POST",
        body: JSON.stringify({ address, amount: 7 }),
      });
      expect(response.status).toBe(200);
      return (await json(response)).txn_hashes[0];
    }),
  );
  expect(new Set(hashes).size).toBe(80);
  for (const address of addresses) {
    expect(await json(await get(`/accounts/${address}/balance/0x1::aptos_coin::AptosCoin`))).toBe(7);
  }
  const bad = await fetch(`${node.faucet}/fund`, { method: "POST", body: "{}" });
  expect([bad.status, (await json(bad)).error_code]).toEqual([400, "InvalidRequest"]);
});

test("the readiness port is ready, and the indexer refuses what it does not know", async () => {
  expect((await fetch(node.ready)).status).toBe(200);
  const refused = await fetch(`${node.indexer}/v1/graphql`, {
    method: "POST",
    body: JSON.stringify({ query: "query { user_transactions { version } }" }),
  });
  expect((await json(refused)).errors).toHaveLength(1);
});
