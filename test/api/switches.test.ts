/** What an operator switched off is refused, and nothing else is. */

import { expect, test } from "vitest";
import { startTestFront } from "./test-front.js";

const BCS = "application/x-bcs";

/** Status and error code of a request. */
async function asked(url: string, accept = "application/json") {
  const answer = await fetch(url, { headers: { accept } });
  const type = answer.headers.get("content-type");
  const body = type === "application/json" ? ((await answer.json()) as { error_code?: string }) : {};
  return [answer.status, body.error_code];
}

test("an operation that is switched off is refused whatever the request holds, and others are served", async () => {
  const front = await startTestFront("node", "node", ["get_account", "submit_transaction"]);
  const url = `${front.url}/v1`;
  expect(await asked(`${url}/accounts/0x1`)).toEqual([403, "api_disabled"]);
  expect(await asked(`${url}/accounts/zebra`)).toEqual([403, "api_disabled"]);
  expect(await asked(`${url}/accounts/0x1/resources`)).toEqual([200, undefined]);
  // Same path, other operation; the store of this test has no transactions.
  expect(await asked(`${url}/transactions`)).toEqual([404, "transaction_not_found"]);
  const refused = await fetch(`${url}/transactions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect([refused.status, refused.headers.has("x-node-ledger-version")]).toEqual([403, false]);
  await front.close();
});

test.each([
  ["json_output", "application/json", BCS],
  ["bcs_output", BCS, "application/json"],
])("with %s off that form alone is refused", async (name, off, on) => {
  const front = await startTestFront("node", "node", [name]);
  const url = `${front.url}/v1`;
  expect(await asked(url, off)).toEqual([403, "api_disabled"]);
  expect(await asked(url, on)).toEqual([200, undefined]);
  // These have one form only, and clients could not learn of the interface without them.
  expect(await asked(`${url}/info`, off)).toEqual([200, undefined]);
  expect(await asked(`${url}/spec.json`, off)).toEqual([200, undefined]);
  await front.close();
});

test("a name that switches nothing is refused at start", async () => {
  await expect(startTestFront("node", "node", ["get_acount"])).rejects.toMatchObject({
    code: "config_invalid",
  });
});
