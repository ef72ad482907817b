/** Rude clients against the built node: every front is still the same process afterwards, and serves. */

import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestNode, type TestNode } from "../e2e/harness.js";

const CLIENTS = process.env.LONG ? 10_000 : 1000;
const AT_ONCE = 100;

let node: TestNode;
beforeAll(async () => {
  node = await startTestNode({ flags: ["--fronts", "2"] });
});
afterAll(async () => {
  expect(await node?.stop()).toBe(0);
});

test(`${CLIENTS} clients that leave in the middle of a request leave every front alive`, async () => {
  const address = node.accounts[0]?.address ?? "";
  const body = `{"function":"0x1::coin::balance","type_arguments":["0x1::aptos_coin::AptosCoin"],"arguments":["${address}"]}`;
  const post = (path: string, type: string, length: number, sent: string) =>
    `POST /v1${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${sent}`;
  const get = (path: string) => `GET /v1${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const starts = [
    get("/accounts/0x1/resources"),
    get("/accounts/0x1/modules"),
    get("/estimate_gas_price"),
    get(`/accounts/${address}`) + get(`/accounts/${address}`),
    get(`/transactions/wait_by_hash/${"0".repeat(64)}`),
    get("/transactions?limit=100"),
    get("/blocks/by_height/0?with_transactions=true"),
    "GET /v1/accou",
    post("/view", "application/json", body.length, body),
    post("/view", "application/json", 5000, body),
    post("/transactions", "application/x.node.signed_transaction+bcs", 300, "half"),
    post("/transactions", "application/x.node.signed_transaction+bcs", 4, "what"),
    post("/transactions/simulate", "application/json", 2, "{}"),
    post("/transactions/encode_submission", "application/json", 2, "{}"),
    post("/nowhere", "application/json", 100_000, "{"),
  ];
  let left = CLIENTS;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await leave(starts[left % starts.length] as string, left % 3 === 0);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));

  for (let request = 0; request < 50; request += 1) {
    // A new connection each time, so that both fronts are asked.
    const response = await fetch(`${node.api}/accounts/${address}`, { headers: { connection: "close" } });
    expect(response.status).toBe(200);
  }
  const fronts = node.pids.filter(({ name }) => name.startsWith("front"));
  expect(fronts.length).toBe(2);
  for (const { pid } of fronts) expect(() => process.kill(pid, 0)).not.toThrow();
});

/** Connects, sends the start of something, and resets the connection: at once, or after the first answer. */
function leave(start: string, waits: boolean): Promise<void> {
  const { hostname, port } = new URL(node.api);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(start, () => {
        if (!waits) socket.resetAndDestroy();
      });
    });
    // Some of these requests are never complete, so that waiting for an answer needs an end of its own.
    socket.setTimeout(50, () => socket.resetAndDestroy());
    socket.on("data", () => socket.resetAndDestroy());
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}
