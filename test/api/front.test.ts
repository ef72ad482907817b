/** The interface's common rules over HTTP: paths, headers, forms, errors, CORS. Both transports. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ACCOUNT, accountKey } from "../../src/front/reads/state-keys.js";
import { startTestFront, type TestFront } from "./test-front.js";

const ADDRESS = Buffer.alloc(32, 0xc4);
const KEY = Buffer.alloc(32, 0x3f);

describe.each(["uws", "node"] as const)("the interface on %s", (transport) => {
  let front: TestFront;
  beforeAll(async () => {
    front = await startTestFront(transport);
    const sequenceNumber = Buffer.alloc(8);
    sequenceNumber.writeBigUInt64LE(2n ** 63n + 5n);
    front.store.set(
      accountKey(ADDRESS, ACCOUNT),
      Buffer.concat([Buffer.of(32), KEY, sequenceNumber, Buffer.alloc(50)]),
    );
  });
  afterAll(() => front.close());
  beforeEach(() => {
    front.writer.status = "accepted";
    front.writer.isUp = true;
    for (const name of Object.keys(front.script)) delete front.script[name as keyof typeof front.script];
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${front.url}${path}`, { headers });
  const post = (
    path: string,
    type: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ) => fetch(`${front.url}${path}`, { method: "POST", headers: { ...headers, "content-type": type }, body });
  const SIGNED = "application/x.node.signed_transaction+bcs";

  test("ledger info carries every ledger header, from the same snapshot", async () => {
    const response = await get("/v1");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const names = [
      "chain-id",
      "ledger-version",
      "ledger-oldest-version",
      "ledger-timestampusec",
      "epoch",
      "block-height",
      "oldest-block-height",
    ];
    expect(names.map((name) => response.headers.get(`x-node-${name}`))).toEqual([
      "4",
      "120",
      "20",
      "1795199999000000",
      "3",
      "40",
      "7",
    ]);
    expect(await response.json()).toEqual({
      chain_id: 4,
      epoch: "3",
      ledger_version: "120",
      oldest_ledger_version: "20",
      ledger_timestamp: "1795199999000000",
      node_role: "full_node",
      oldest_block_height: "7",
      block_height: "40",
      encryption_key: null,
    });
  });

  test("ledger info in BCS has its numbers as text", async () => {
    const response = await get("/v1/", { accept: "application/x-bcs" });
    expect(response.headers.get("content-type")).toBe("application/x-bcs");
    const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
    const expected = Buffer.concat([
      Buffer.of(4),
      ...["3", "120", "20", "1795199999000000"].map(text),
      Buffer.of(1),
      ...["7", "40"].map(text),
    ]);
    expect(Buffer.from(await response.arrayBuffer()).toString("hex")).toBe(expected.toString("hex"));
  });

  test("an account shows a sequence number beyond 2^53 exactly", async () => {
    const response = await get(`/v1/accounts/0x${ADDRESS.toString("hex")}`);
    expect(await response.json()).toEqual({
      sequence_number: "9223372036854775813",
      authentication_key: `0x${KEY.toString("hex")}`,
    });
  });

  test("an account in BCS is its resource", async () => {
    const response = await get(`/v1/accounts/${ADDRESS.toString("hex")}`, { accept: "application/x-bcs" });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(1 + 32 + 8 + 50);
    expect(bytes.subarray(1, 33)).toEqual(KEY);
  });

  const failures: readonly (readonly [path: string, status: number, code: string, hasLedger: boolean])[] = [
    ["/v1/nowhere", 404, "web_framework_error", false],
    ["/v2", 404, "web_framework_error", false],
    ["/v1x", 404, "web_framework_error", false],
    ["/v1/accounts/0x1/", 404, "web_framework_error", false],
    ["/v1/accounts//resources", 404, "web_framework_error", false],
    ["/v1/accounts/x1", 400, "web_framework_error", false],
    [`/v1/accounts/0x${"1".repeat(65)}`, 400, "web_framework_error", false],
    ["/v1/accounts/%zz", 400, "web_framework_error", false],
    ["/v1/accounts/0x1", 404, "account_not_found", true],
    ["/v1/accounts/0x1?ledger_version=", 400, "web_framework_error", false],
    ["/v1/accounts/0x1?ledger_version=-1", 400, "web_framework_error", false],
    ["/v1/accounts/0x1?ledger_version=121", 404, "version_not_found", true],
    ["/v1/accounts/0x1?ledger_version=19", 410, "version_pruned", true],
    ["/v1/accounts/0x1?ledger_version=18446744073709551615", 404, "version_not_found", true],
    ["/v1/accounts/0x1?ledger_version=18446744073709551616", 400, "web_framework_error", false],
    ["/v1/accounts/0x1/resource/0x1::m::S", 404, "resource_not_found", true],
    ["/v1/accounts/0x1/resource/0x1::m::Gone", 404, "resource_not_found", true],
    ["/v1/accounts/0x1/resources?limit=0", 400, "invalid_input", false],
    ["/v1/accounts/0x1/resources?limit=65536", 400, "web_framework_error", false],
    ["/v1/accounts/0x1/resources?limit=abc", 400, "web_framework_error", false],
    ["/v1/accounts/0x1/resources?start=zz", 400, "invalid_input", false],
    [`/v1/accounts/0x1/resources?start=00${ADDRESS.toString("hex")}0000`, 400, "invalid_input", false],
    ["/v1/accounts/0x1/module/coin", 404, "module_not_found", true],
    ["/v1/accounts/0x1/module/a::b", 400, "invalid_input", true],
    ["/v1/accounts/0x1/balance/nothing", 400, "web_framework_error", true],
    ["/v1/transactions/by_version/121", 404, "transaction_not_found", true],
    ["/v1/transactions/by_version/19", 410, "version_pruned", true],
    ["/v1/transactions/by_version/x", 400, "web_framework_error", false],
    ["/v1/transactions/by_hash/0x12", 400, "web_framework_error", false],
    [`/v1/transactions/by_hash/${"0".repeat(64)}`, 404, "transaction_not_found", true],
    ["/v1/transactions?start=121", 400, "invalid_input", true],
    ["/v1/transactions?start=19", 410, "version_pruned", true],
    ["/v1/blocks/by_height/6", 410, "block_pruned", true],
    ["/v1/blocks/by_height/41", 404, "block_not_found", true],
    ["/v1/blocks/by_version/121", 404, "version_not_found", true],
    ["/v1/blocks/by_height/8?with_transactions=yes", 400, "web_framework_error", false],
    ["/v1/accounts/0x1/events/none", 400, "web_framework_error", false],
    ["/v1/-/healthy?duration_secs=0", 503, "health_check_failed", true],
    ["/v1/-/healthy?duration_secs=4000000000", 500, "internal_error", true],
    ["/v1/-/healthy?duration_secs=4294967296", 400, "web_framework_error", false],
  ];
  test.each(failures)("GET %s is %i %s", async (path, status, code, hasLedger) => {
    const response = await get(path, { accept: "application/x-bcs" });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
    const body = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(["message", "error_code", "vm_error_code"]);
    expect([body.error_code, body.vm_error_code]).toEqual([code, null]);
    expect(response.headers.has("x-node-ledger-version")).toBe(hasLedger);
  });

  test("a method a path does not take is 405", async () => {
    expect((await post("/v1/accounts/0x1", "application/json", "{}")).status).toBe(405);
    expect((await get("/v1/view")).status).toBe(405);
  });

  test("a raw resource type and a percent-encoded one are the same", async () => {
    const type = "0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>";
    front.store.set(
      Buffer.concat([Buffer.of(0), ADDRESS, Buffer.of(type.length), Buffer.from(type)]),
      Buffer.from("d2"),
    );
    const paths = [type, encodeURIComponent(type)].map(
      (text) => `/v1/accounts/${ADDRESS.toString("hex")}/resource/${text}`,
    );
    const bodies = await Promise.all(paths.map(async (path) => (await get(path)).text()));
    expect(bodies).toEqual(Array(2).fill(`{"type":"${type}","data":{"value":"7"}}`));
  });

  test("what is large is rendered on a thread, what is small is not", async () => {
    const sizes = { "0x1::m::Small": 100, "0x1::m::Large": 100_000 };
    for (const [type, size] of Object.entries(sizes)) {
      const key = Buffer.concat([Buffer.of(0), ADDRESS, Buffer.of(type.length), Buffer.from(type)]);
      front.store.set(key, Buffer.alloc(size));
      front.threadReads.length = 0;
      const response = await get(`/v1/accounts/${ADDRESS.toString("hex")}/resource/${type}`);
      expect(await response.json()).toEqual({ type, data: { value: "7" } });
      expect(front.threadReads).toEqual(size > 16_384 ? ["resource"] : []);
    }
  });

  test("a long page is compressed for a client that takes it, and only then", async () => {
    const path = `/v1/accounts/${ADDRESS.toString("hex")}/resources`;
    for (let index = 0; index < 50; index += 1) {
      front.store.set(Buffer.concat([Buffer.of(0), ADDRESS, Buffer.of(2, 0x70, index)]), Buffer.of(index));
    }
    const plain = await get(path, { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBe(null);
    const text = await plain.text();
    for (const encoding of ["gzip", "br;q=1.0, gzip;q=0.8"]) {
      const response = await get(path, { "accept-encoding": encoding });
      expect(response.headers.get("content-encoding")).toBe("gzip");
      expect(Number(response.headers.get("content-length"))).toBeLessThan(text.length);
      expect(await response.text()).toBe(text);
    }
    const refused = await get(path, { "accept-encoding": "gzip;q=0, br" });
    expect(refused.headers.get("content-encoding")).toBe(null);
  });

  test("pages of resources are chained by the cursor header until it is absent", async () => {
    const path = `/v1/accounts/${ADDRESS.toString("hex")}/resources`;
    const all = (await (await get(path)).json()) as unknown[];
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const response: Response = await get(`${path}?limit=1${cursor === null ? "" : `&start=${cursor}`}`);
      expect(response.status).toBe(200);
      seen.push(...((await response.json()) as unknown[]));
      cursor = response.headers.get("x-node-cursor");
    } while (cursor !== null);
    expect(seen).toEqual(all);
    expect(seen.length).toBeGreaterThan(1);
  });

  test("the accept header picks the form by quality, then by order, and never refuses", async () => {
    const form = async (accept: string) => (await get("/v1", { accept })).headers.get("content-type");
    expect(await form("text/html, application/x-bcs")).toBe("application/x-bcs");
    expect(await form("application/json;q=0.5, application/x-bcs;q=0.9")).toBe("application/x-bcs");
    expect(await form("application/x-bcs;q=0.5, application/json;q=0.5")).toBe("application/x-bcs");
    expect(await form("text/html")).toBe("application/json");
    expect(await form("application/*")).toBe("application/json");
  });

  test("a page of another origin may read answers and headers, and is told before it asks", async () => {
    const response = await get("/v1", { origin: "https://wallet.example:3000" });
    expect(response.headers.get("access-control-allow-origin")).toBe("https://wallet.example:3000");
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    expect(response.headers.get("access-control-expose-headers")).toContain("X-NODE-CURSOR");
    const preflight = await fetch(`${front.url}/v1/transactions`, {
      method: "OPTIONS",
      headers: {
        origin: "https://wallet.example",
        "access-control-request-headers": "content-type, x-client",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type, x-client");
  });

  test("an origin that is not one is not repeated", async () => {
    const response = await get("/v1", { origin: "https://a b" });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
  });

  test("a view answers with its gas, and failures name the VM status", async () => {
    front.script.view = (_request, isJson) => ({
      gasUnits: 3,
      body: Buffer.from(isJson ? '["1"]' : '["2"]'),
    });
    const response = await post("/v1/view", "application/json; charset=utf-8", "{}");
    expect([await response.text(), response.headers.get("x-node-gas-used")]).toEqual(['["1"]', "3"]);
    expect(await (await post("/v1/view", "application/x.node.view_function+bcs", "x")).text()).toBe('["2"]');
    front.script.view = () => ({
      kind: "failure",
      code: "invalid_input",
      message: "aborted",
      vmStatus: 4016,
    });
    const failed = await post("/v1/view", "application/json", "{}");
    expect(failed.status).toBe(400);
    expect(await failed.json()).toEqual({
      message: "aborted",
      error_code: "invalid_input",
      vm_error_code: 4016,
    });
  });

  test("a view that needs more than its first gas limit starts anew with the full one", async () => {
    const limits: number[] = [];
    front.script.view = (_request, _isJson, gasUnitsMax) => {
      limits.push(gasUnitsMax);
      if (gasUnitsMax < 2_000_000)
        return { kind: "failure", code: "invalid_input", message: "out", vmStatus: 4002 };
      return { gasUnits: 500, body: Buffer.from("[]") };
    };
    expect((await post("/v1/view", "application/json", "{}")).status).toBe(200);
    expect(limits.at(-1)).toBe(2_000_000);
    expect(limits.length).toBe(2);
  });

  test("a body of another media type is 415", async () => {
    for (const path of ["/v1/view", "/v1/transactions", "/v1/transactions/simulate", "/v1/tables/0x1/item"]) {
      const response = await post(path, "text/plain", "{}");
      expect([path, response.status]).toEqual([path, 415]);
    }
  });

  test("an accepted submission is 202 with the pending transaction, in BCS with nothing", async () => {
    const response = await post("/v1/transactions", SIGNED, Buffer.of(7, 1, 2));
    expect([response.status, await response.json()]).toMatchObject([
      202,
      { type: "pending_transaction", first: 7 },
    ]);
    expect(front.writer.received.at(-1)?.bytes).toEqual(Buffer.of(7, 1, 2));
    const bcs = await post("/v1/transactions", SIGNED, Buffer.of(8), { accept: "application/x-bcs" });
    expect([bcs.status, (await bcs.arrayBuffer()).byteLength]).toEqual([202, 0]);
    const json = await post("/v1/transactions", "application/json", '{"signed":"0909"}');
    expect([json.status, await json.json()]).toMatchObject([202, { first: 9 }]);
  });

  test("submissions that arrive together are each answered", async () => {
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => post("/v1/transactions", SIGNED, Buffer.of(index % 200, 1))),
    );
    expect(responses.every((response) => response.status === 202)).toBe(true);
  });

  const refusals: readonly (readonly [
    name: string,
    arrange: () => void,
    status: number,
    code: string,
    vm: number | null,
  ])[] = [
    ["bytes that do not decode", () => {}, 400, "invalid_input", null],
    [
      "a bad signature",
      () => {
        front.script.isSignatureGood = () => false;
      },
      400,
      "vm_error",
      1,
    ],
    [
      "a refusal of the prologue",
      () => {
        front.script.validate = () => 3;
      },
      400,
      "vm_error",
      3,
    ],
    [
      "a sequence number the mempool knows as used",
      () => {
        front.writer.status = "sequence_number_too_old";
      },
      400,
      "sequence_number_too_old",
      3,
    ],
    [
      "a conflicting pending transaction",
      () => {
        front.writer.status = "invalid_transaction_update";
      },
      400,
      "invalid_transaction_update",
      null,
    ],
    [
      "a full mempool",
      () => {
        front.writer.status = "mempool_is_full";
      },
      507,
      "mempool_is_full",
      null,
    ],
    [
      "too many of one sender",
      () => {
        front.writer.status = "too_many_transactions";
      },
      507,
      "mempool_is_full",
      null,
    ],
    [
      "a writer that is away",
      () => {
        front.writer.isUp = false;
      },
      503,
      "internal_error",
      null,
    ],
  ];
  test.each(refusals)("%s refuses a submission", async (name, arrange, status, code, vm) => {
    arrange();
    const response = await post("/v1/transactions", SIGNED, Buffer.of(name.startsWith("bytes") ? 0xff : 5));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error_code: code, vm_error_code: vm });
  });

  test("a refused submission has the message programs match", async () => {
    front.script.validate = () => 5;
    const body = (await (await post("/v1/transactions", SIGNED, Buffer.of(5))).json()) as { message: string };
    expect(body.message).toBe(
      "Invalid transaction: Type: Validation Code: INSUFFICIENT_BALANCE_FOR_TRANSACTION_FEE",
    );
  });

  test("a sequence number ahead of the account's is accepted and waits", async () => {
    front.script.validate = () => 4;
    expect((await post("/v1/transactions", SIGNED, Buffer.of(5))).status).toBe(202);
  });

  test("simulating a validly signed transaction is refused", async () => {
    const response = await post("/v1/transactions/simulate", SIGNED, Buffer.of(5));
    expect([response.status, await response.json()]).toMatchObject([400, { error_code: "invalid_input" }]);
  });

  test("encoding for signing answers JSON only", async () => {
    expect(await (await post("/v1/transactions/encode_submission", "application/json", "{}")).text()).toBe(
      '"0x00ff"',
    );
    const bcs = await post("/v1/transactions/encode_submission", "application/json", "{}", {
      accept: "application/x-bcs",
    });
    expect([bcs.status, await bcs.json()]).toMatchObject([400, { error_code: "bcs_not_supported" }]);
  });

  test("a raw table item is BCS only", async () => {
    const response = await post("/v1/tables/0x1/raw_item", "application/json", '{"key":"0x00"}');
    expect([response.status, await response.json()]).toMatchObject([403, { error_code: "api_disabled" }]);
    const missing = await post("/v1/tables/0x1/raw_item", "application/json", '{"key":"0x00"}', {
      accept: "application/x-bcs",
    });
    expect([missing.status, await missing.json()]).toMatchObject([
      404,
      { error_code: "table_item_not_found" },
    ]);
  });

  test("a JSON body that is too deep or not an object is 400", async () => {
    for (const body of ["[".repeat(100_000), "[]", "{", '"x"', `{"a":${"[".repeat(65)}${"]".repeat(65)}}`]) {
      const response = await post("/v1/tables/0x1/item", "application/json", body);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error_code: "web_framework_error" },
      ]);
    }
  });

  test("an idle chain's gas estimate is the lowest price, and one step above it", async () => {
    const response = await get("/v1/estimate_gas_price");
    expect(await response.text()).toBe(
      '{"deprioritized_gas_estimate":100,"gas_estimate":100,"prioritized_gas_estimate":150}',
    );
    const bcs = await get("/v1/estimate_gas_price", { accept: "application/x-bcs" });
    expect(Buffer.from(await bcs.arrayBuffer()).readBigUInt64LE()).toBe(100n);
  });

  test("an asset nobody holds has balance 0, a bare number", async () => {
    expect(await (await get("/v1/accounts/0x1/balance/0x5::a::B")).text()).toBe("0");
    expect(await (await get("/v1/accounts/0x1/balance/0xa?asset=x&?undefined")).text()).toBe("0");
    const bcs = await get("/v1/accounts/0x1/balance/0xa", { accept: "application/x-bcs" });
    expect((await bcs.arrayBuffer()).byteLength).toBe(8);
  });

  test("waiting for an unknown hash answers at once, for a pending one when its block is announced", async () => {
    const unknown = await get(`/v1/transactions/wait_by_hash/0x${"ab".repeat(32)}`);
    expect(unknown.status).toBe(404);

    const hash = "cd".repeat(32);
    front.writer.pending.set(hash, Uint8Array.of(1));
    const before = await get(`/v1/transactions/by_hash/${hash}`);
    expect(await before.json()).toMatchObject({ type: "pending_transaction" });

    const waiting = get(`/v1/transactions/wait_by_hash/${hash}`);
    front.store.hashes.set(hash, 100);
    front.store.records.set(100, {
      version: 100,
      height: 33,
      blockTimestampUsecs: 1,
      hash: Buffer.from(hash, "hex"),
      accumulatorRoot: Buffer.alloc(32),
      transaction: Buffer.of(0),
      info: Buffer.of(0),
      events: Buffer.of(0),
      writeSet: Buffer.of(0, 0),
    });
    front.writer.announce({ height: 33, version: 100, timestampUsecs: 1 });
    expect(await (await waiting).json()).toMatchObject({ type: "user_transaction", version: "100" });
  });

  test("a pending transaction that does not commit is answered as pending after the longest wait", async () => {
    const hash = "ef".repeat(32);
    front.writer.pending.set(hash, Uint8Array.of(1));
    const response = await get(`/v1/transactions/wait_by_hash/${hash}`);
    expect([response.status, await response.json()]).toMatchObject([200, { type: "pending_transaction" }]);
  });

  test("a throw inside the node is 500 and says nothing of it", async () => {
    front.script.view = () => {
      throw new Error("secret detail");
    };
    const response = await post("/v1/view", "application/json", "{}");
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).toContain('"error_code":"internal_error"');
    expect(text).not.toContain("secret");
  });
});

test("the maker's word stands in header names, media types and the health message", async () => {
  const front = await startTestFront("node", "aptos");
  const response = await fetch(`${front.url}/v1/-/healthy`);
  expect(await response.text()).toBe('{"message":"aptos-node:ok"}');
  expect(response.headers.get("x-aptos-chain-id")).toBe("4");
  const submit = await fetch(`${front.url}/v1/transactions`, {
    method: "POST",
    headers: { "content-type": "application/x.aptos.signed_transaction+bcs" },
    body: Buffer.of(5),
  });
  expect(submit.status).toBe(202);
  front.close();
});
