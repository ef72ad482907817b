/** Requests that two parsers could read differently, and clients that leave. Both transports. */

import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answersIn, exchange, startTestFront, type TestFront } from "../api/test-front.js";

/** Sent behind the doubtful request: answering it would mean that the rest was taken for a request. */
const SECOND = "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n";

/** Clients that leave in the middle of a request. */
const LEAVING_CLIENTS = process.env.LONG ? 10_000 : 300;
const AT_ONCE = 50;

describe.each(["uws", "node"] as const)("framing on %s", (transport) => {
  let front: TestFront;
  beforeAll(async () => {
    front = await startTestFront(transport);
  });
  afterAll(() => front.close());

  const rows: readonly (readonly [name: string, head: string, body: string])[] = [
    [
      "a second Content-Length",
      "POST /v1/view HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n",
      "{}",
    ],
    [
      "differing Content-Lengths",
      "POST /v1/view HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n",
      "{}",
    ],
    [
      "Content-Length beside Transfer-Encoding",
      "POST /v1/view HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      "0\r\n\r\n",
    ],
    [
      "a Transfer-Encoding other than chunked",
      "POST /v1/view HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
      "0\r\n\r\n",
    ],
    [
      "a Transfer-Encoding list",
      "POST /v1/view HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "0\r\n\r\n",
    ],
    ["a Content-Length with a sign", "POST /v1/view HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n", "{}"],
    ["a Content-Length list", "POST /v1/view HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\n", "{}"],
    ["a GET with a body", "GET /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "{}"],
    [
      "a GET with a chunked body",
      "GET /v1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
      "0\r\n\r\n",
    ],
  ];
  test.each(rows)("%s closes the connection without reading on", async (_name, head, body) => {
    const text = await exchange(front.port, head + body + SECOND);
    expect(text).not.toContain("200 OK");
    expect(answersIn(text)).toBeLessThanOrEqual(1);
  });

  test("a POST without a length gets 411", async () => {
    const text = await exchange(front.port, "POST /v1/view HTTP/1.1\r\nHost: a\r\n\r\n", (got) =>
      got.includes("vm_error_code"),
    );
    expect(text).toMatch(/^HTTP\/1\.1 411 /);
    expect(text).toContain('"error_code":"web_framework_error"');
  });

  test("a chunked POST gets 411", async () => {
    const text = await exchange(
      front.port,
      "POST /v1/view HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      (got) => got.includes("vm_error_code"),
    );
    expect(text).toMatch(/^HTTP\/1\.1 411 /);
  });

  test("HEAD gets 405 and no body", async () => {
    const text = await exchange(front.port, `HEAD /v1 HTTP/1.1\r\nHost: a\r\n\r\n${SECOND}`, (got) =>
      got.includes("chain_id"),
    );
    expect(text).toMatch(/^HTTP\/1\.1 405 /);
    expect(text.split("\r\n\r\n")[1]).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("a body over the limit gets 413", async () => {
    const response = await fetch(`${front.url}/v1/view`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.alloc(8 * 1024 * 1024 + 1, 0x20),
    }).catch(() => undefined);
    // The server may answer and close while the client still sends; then the client sees a broken pipe.
    if (response !== undefined) expect(response.status).toBe(413);
    expect((await fetch(`${front.url}/v1`)).status).toBe(200);
  });

  test("a body at the limit is read", async () => {
    const response = await fetch(`${front.url}/v1/tables/0x1/raw_item`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.alloc(8 * 1024 * 1024, 0x20),
    });
    expect(response.status).toBe(400);
  });

  test(`the front outlives ${LEAVING_CLIENTS} clients that leave in the middle of a request`, async () => {
    const starts = [
      "POST /v1/transactions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
      "GET /v1/accounts/0x1/resources HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /v1/view HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
      "GET /v1/estimate_gas_price HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /v1/accou",
      `GET /v1/transactions/wait_by_hash/${"ee".repeat(32)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    ];
    front.writer.pending.set("ee".repeat(32), Uint8Array.of(1));
    let left = LEAVING_CLIENTS;
    const client = async () => {
      while (left > 0) {
        left -= 1;
        await leave(front.port, starts[left % starts.length] as string);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    expect((await fetch(`${front.url}/v1`)).status).toBe(200);
  });
});

/** Connects, sends the start of something, and resets the connection. */
function leave(port: number, start: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(start, () => socket.resetAndDestroy());
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}
