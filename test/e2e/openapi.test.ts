/**
 * Answers of a running node, held to the schemas that the same node publishes, by a validator written
 * elsewhere. Objects are closed for the occasion: a property that the description does not name fails.
 */

import { createPrivateKey, sign } from "node:crypto";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, startTestNode, type TestAccount, type TestNode } from "./harness.js";

type Json = ReturnType<typeof JSON.parse>;

const DOCUMENT = "https://node.test/spec";
const JSON_TYPE = "application/json";
const COIN = "0x1::aptos_coin::AptosCoin";
const ZERO_SIGNATURE = {
  type: "ed25519_signature",
  public_key: `0x${"00".repeat(32)}`,
  signature: `0x${"00".repeat(64)}`,
};

let node: TestNode;
let document: Json;
let ajv: Ajv2020;
const validators = new Map<string, ValidateFunction>();
/** Operations by id, and those that were answered with success and found as described. */
const held = new Set<string>();

beforeAll(async () => {
  node = await startTestNode();
  document = await (await fetch(`${node.api}/spec.json`)).json();
  // Formats say how wide a number is; patterns and bounds are what is checked.
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(closed(document), DOCUMENT);
});
afterAll(async () => {
  expect(await node?.stop()).toBe(0);
});

/** The same schemas, with every object that lists its properties closed to others. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isObject = copy.type === "object" && copy.properties !== undefined;
  return isObject && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

function locate(id: string): { method: string; path: string; pointer: string; operation: Json } {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Json>)) {
      if (operation.operationId !== id) continue;
      const escaped = path.replaceAll("~", "~0").replaceAll("/", "~1");
      return { method: method.toUpperCase(), path, pointer: `#/paths/${escaped}/${method}`, operation };
    }
  }
  throw new Error(`the description has no operation ${id}`);
}

interface Request {
  readonly segments?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly accept?: string;
}

/** Calls an operation as the description says, and holds status, headers and body to it. */
async function call(
  id: string,
  request: Request = {},
): Promise<{ status: number; body: Json; headers: Headers }> {
  const { method, path, pointer, operation } = locate(id);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(request.segments?.[name] ?? ""),
  );
  const query = new URLSearchParams(request.query).toString();
  const response = await fetch(
    `${node.api}${filled === "/" ? "" : filled}${query === "" ? "" : `?${query}`}`,
    {
      method,
      headers: { accept: request.accept ?? JSON_TYPE, "content-type": JSON_TYPE },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    },
  );
  const described = operation.responses[response.status];
  expect([id, response.status, described !== undefined]).toEqual([id, response.status, true]);
  for (const [name, { $ref }] of Object.entries<Json>(described.headers)) {
    const header = document.components.headers[$ref.split("/").at(-1)];
    const value = response.headers.get(name);
    if (header.required) expect([id, name, value === null]).toEqual([id, name, false]);
    if (value !== null && header.schema.type === "integer") expect(value).toMatch(/^[0-9]+$/);
  }
  const type = response.headers.get("content-type")?.split(";")[0] as string;
  expect([id, type, described.content[type] !== undefined]).toEqual([id, type, true]);
  const bytes = Buffer.from(await response.arrayBuffer());
  const body: Json = type === JSON_TYPE ? JSON.parse(bytes.toString()) : bytes;
  if (type === JSON_TYPE) {
    const name = `${pointer}/responses/${response.status}/content/application~1json/schema`;
    expect([id, faultsOf(name, body)]).toEqual([id, []]);
  }
  if (response.ok) held.add(id);
  return { status: response.status, body, headers: response.headers };
}

function faultsOf(pointer: string, body: unknown): unknown[] {
  let validate = validators.get(pointer);
  if (validate === undefined) {
    const uri = `${DOCUMENT}#${pointer.slice(1).split("/").map(encodeURIComponent).join("/")}`;
    validate = ajv.compile({ $ref: uri });
    validators.set(pointer, validate);
  }
  return validate(body)
    ? []
    : (validate.errors ?? [])
        .slice(0, 5)
        .map(({ instancePath, message, params }) => ({ instancePath, message, params }));
}

function signatureOf(account: TestAccount, message: Uint8Array) {
  const seed = Buffer.from(account.privateKey.slice(2), "hex");
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x } = key.export({ format: "jwk" }) as { x: string };
  return {
    type: "ed25519_signature",
    public_key: `0x${Buffer.from(x, "base64url").toString("hex")}`,
    signature: `0x${sign(null, message, key).toString("hex")}`,
  };
}

async function transferRequest(from: TestAccount, to: TestAccount, sequenceNumber?: string) {
  const { body } = await call("get_account", { segments: { address: from.address } });
  return {
    sender: from.address,
    sequence_number: sequenceNumber ?? body.sequence_number,
    max_gas_amount: "200000",
    gas_unit_price: "100",
    expiration_timestamp_secs: `${Math.floor(Date.now() / 1000) + 30}`,
    payload: {
      type: "entry_function_payload",
      function: "0x1::aptos_account::transfer",
      type_arguments: [],
      arguments: [to.address, "4321"],
    },
  };
}

async function signed<Request extends object>(from: TestAccount, request: Request) {
  const { body } = await call("encode_submission", { body: request });
  return { ...request, signature: signatureOf(from, Buffer.from(body.slice(2), "hex")) };
}

async function untilCommitted(hash: string): Promise<Json> {
  return eventually("the transaction commits", async () => {
    const { body } = await call("wait_transaction_by_hash", { segments: { txn_hash: hash } });
    return body.type === "pending_transaction" ? undefined : body;
  });
}

describe("answers are as described", () => {
  test("the validator refuses what the schemas do not describe", () => {
    const pointer = `${locate("get_account").pointer}/responses/200/content/application~1json/schema`;
    const account = { sequence_number: "1", authentication_key: "0x00" };
    expect(faultsOf(pointer, account)).toEqual([]);
    expect(faultsOf(pointer, { ...account, sequence_number: 1 })).toHaveLength(1);
    expect(faultsOf(pointer, { ...account, surprise: true })).toHaveLength(1);
    expect(faultsOf(pointer, { sequence_number: "1" })).toHaveLength(1);
  });

  test("of the node and its ledger", async () => {
    for (const id of ["get_ledger_info", "info", "estimate_gas_price", "spec", "spec_json", "spec_yaml"]) {
      expect([id, (await call(id)).status]).toEqual([id, 200]);
    }
    expect((await call("healthy", { query: { duration_secs: "60" } })).status).toBe(200);
  });

  test("of accounts", async () => {
    const segments = { address: "0x1" };
    for (const accept of [JSON_TYPE, "application/x-bcs"]) {
      await call("get_account", { segments, accept });
      await call("get_account_resource", {
        segments: { ...segments, resource_type: "0x1::account::Account" },
        accept,
      });
      await call("get_account_resources", { segments, accept });
      await call("get_account_module", { segments: { ...segments, module_name: "coin" }, accept });
      await call("get_account_balance", { segments: { ...segments, asset_type: COIN }, accept });
    }
    const first = await call("get_account_modules", { segments, query: { limit: "3" } });
    const cursor = first.headers.get("x-node-cursor");
    expect(cursor).not.toBeNull();
    await call("get_account_modules", { segments, query: { limit: "200", start: cursor as string } });
  });

  test("of a transfer from its encoding to its events", async () => {
    const [from, to] = node.accounts as [TestAccount, TestAccount];
    const request = await signed(from, await transferRequest(from, to));
    const simulated = await call("simulate_transaction", { body: { ...request, signature: ZERO_SIGNATURE } });
    expect(simulated.status).toBe(200);
    const pending = await call("submit_transaction", { body: request });
    expect(pending.status).toBe(202);
    const committed = await untilCommitted(pending.body.hash);
    expect(committed.success).toBe(true);

    await call("get_transaction_by_hash", { segments: { txn_hash: committed.hash } });
    await call("get_transaction_by_version", { segments: { txn_version: committed.version } });
    await call("get_account_transactions", { segments: { address: from.address } });
    const summaries = await call("get_account_transaction_summaries", {
      segments: { address: from.address },
    });
    expect(summaries.body.length).toBeGreaterThan(0);
    const query = { with_transactions: "true" };
    const block = await call("get_block_by_version", { segments: { version: committed.version }, query });
    expect(block.body.transactions.length).toBeGreaterThanOrEqual(2);
    await call("get_block_by_height", { segments: { block_height: block.body.block_height } });
    await call("get_block_by_height", { segments: { block_height: "0" }, query });
    await call("get_transactions", { query: { limit: "100" } });
    await call("get_events_by_creation_number", {
      segments: { address: "0x1", creation_number: "0" },
      query: { start: "0" },
    });
    await call("get_events_by_event_handle", {
      segments: { address: "0x1", event_handle: "0x1::account::Account", field_name: "coin_register_events" },
    });
  });

  test("of a batch, refused ones included", async () => {
    const [from, to] = node.accounts.slice(2) as [TestAccount, TestAccount];
    const good = await signed(from, await transferRequest(from, to));
    const bad = { ...(await transferRequest(to, from)), signature: ZERO_SIGNATURE };
    const mixed = await call("submit_batch_transactions", { body: [good, bad] });
    expect(mixed.status).toBe(206);
    expect(mixed.body.transaction_failures).toMatchObject([
      { transaction_index: 1, error: { error_code: "vm_error", vm_error_code: 1 } },
    ]);
    const next = `${BigInt(good.sequence_number) + 1n}`;
    const another = await signed(from, await transferRequest(from, to, next));
    const all = await call("submit_batch_transactions", { body: [another] });
    expect([all.status, all.body]).toEqual([202, { transaction_failures: [] }]);
    const many = await call("submit_batch_transactions", { body: Array.from({ length: 11 }, () => good) });
    expect([many.status, many.body.error_code]).toEqual([400, "invalid_input"]);
  });

  test("of views and state", async () => {
    const { body } = await call("view", {
      body: { function: "0x1::coin::balance", type_arguments: [COIN], arguments: ["0x1"] },
    });
    expect(body).toHaveLength(1);
    const info = await call("get_account_resource", {
      segments: { address: "0x1", resource_type: `0x1::coin::CoinInfo<${COIN}>` },
    });
    const { handle, key } = info.body.data.supply.vec[0].aggregator.vec[0];
    const supply = await call("get_table_item", {
      segments: { table_handle: handle },
      body: { key_type: "address", value_type: "u128", key },
    });
    expect(supply.body).toMatch(/^[0-9]+$/);
    const raw = await call("get_raw_table_item", {
      segments: { table_handle: handle },
      body: { key: `0x${key.slice(2).padStart(64, "0")}` },
      accept: "application/x-bcs",
    });
    expect(raw.body).toHaveLength(16);
    // BCS of a state key: a table item is variant 1, its handle, and its key with the length before it.
    const stateKey = `01${handle.slice(2).padStart(64, "0")}20${key.slice(2).padStart(64, "0")}`;
    await call("get_raw_state_value", { body: { key: `0x${stateKey}` }, accept: "application/x-bcs" });
  });

  test("where they are refusals", async () => {
    const statuses = await Promise.all([
      call("get_account", { segments: { address: "zebra" } }),
      call("get_account", { segments: { address: "0x1" }, query: { ledger_version: "99999999999" } }),
      call("get_account_resource", { segments: { address: "0x1", resource_type: "0x1::no::Such" } }),
      call("get_account_module", { segments: { address: "0x1", module_name: "no_such" } }),
      call("get_account_resources", { segments: { address: "0x1" }, query: { limit: "0" } }),
      call("get_transaction_by_hash", { segments: { txn_hash: "ab".repeat(32) } }),
      call("get_block_by_height", { segments: { block_height: "99999999" } }),
      call("view", { body: { function: "0x1::no::such", type_arguments: [], arguments: [] } }),
      call("get_raw_table_item", { segments: { table_handle: "0x1" }, body: { key: "0x00" } }),
      call("submit_transaction", { body: {} }),
      call("encode_submission", { body: {}, accept: "application/x-bcs" }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([
      400, 404, 404, 404, 400, 404, 404, 400, 403, 400, 400,
    ]);
  });

  test("and no operation was left out", () => {
    const ids = Object.values<Json>(document.paths).flatMap((methods) =>
      Object.values<Json>(methods).map(({ operationId }) => operationId as string),
    );
    expect(ids.filter((id) => !held.has(id))).toEqual([]);
  });
});
