/** The minter's numbering, against a node that refuses, stumbles and loses things. */

import { afterEach, expect, test } from "vitest";
import { jsonAnswer, listenSmall, type SmallHandler, type SmallServer } from "../../../src/faucet/http.js";
import { Minter } from "../../../src/faucet/minter.js";
import { NodeClient } from "../../../src/faucet/node-client.js";
import { transferKey } from "../../../src/faucet/transfer.js";
import { silentLogger } from "../../../src/observe/index.js";
import { wireNames } from "../../../src/wire/index.js";

const servers: SmallServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A node that commits what it takes; `submit` may answer instead. */
async function minterOn(
  state: { next: bigint },
  submit: (number: bigint) => { status: number; code: string } | undefined,
) {
  const taken: bigint[] = [];
  const handler: SmallHandler = async (request) => {
    if (request.path.startsWith("/v1/accounts/")) {
      return jsonAnswer(200, { sequence_number: `${state.next}`, authentication_key: "0x00" });
    }
    if (request.path === "/v1/transactions") {
      const number = request.body.readBigUInt64LE(32);
      const refusal = submit(number);
      if (refusal !== undefined) {
        return jsonAnswer(refusal.status, { message: "no", error_code: refusal.code, vm_error_code: null });
      }
      taken.push(number);
      state.next = number + 1n > state.next ? number + 1n : state.next;
      return jsonAnswer(202, { hash: `0x${number.toString(16).padStart(64, "0")}` });
    }
    return jsonAnswer(200, { success: true, vm_status: "Executed successfully" });
  };
  const server = await listenSmall("127.0.0.1", 0, handler);
  servers.push(server);
  const minter = new Minter({
    client: new NodeClient(`http://127.0.0.1:${server.port}`, wireNames("node")),
    key: transferKey(Buffer.alloc(32, 1), Buffer.alloc(32, 2)),
    address: Buffer.alloc(32, 3),
    chainId: 4,
    log: silentLogger(),
  });
  return { minter, taken };
}

const RECEIVER = Buffer.alloc(32, 9);

test("many requests at once get consecutive numbers, each once", async () => {
  const { minter, taken } = await minterOn({ next: 10n }, () => undefined);
  const hashes = await Promise.all(Array.from({ length: 200 }, () => minter.fund(RECEIVER, 1n)));
  expect(taken.sort((left, right) => Number(left - right))).toEqual(
    Array.from({ length: 200 }, (_, index) => BigInt(10 + index)),
  );
  expect(new Set(hashes).size).toBe(200);
});

test("a busy node is asked again with the same number", async () => {
  let refusals = 3;
  const asked: bigint[] = [];
  const { minter } = await minterOn({ next: 0n }, (number) => {
    asked.push(number);
    refusals -= 1;
    return refusals >= 0 ? { status: 503, code: "internal_error" } : undefined;
  });
  await minter.fund(RECEIVER, 1n);
  expect(asked).toEqual([0n, 0n, 0n, 0n]);
});

test("a number somebody else used is read anew", async () => {
  const state = { next: 5n };
  const { minter, taken } = await minterOn(state, (number) =>
    number < state.next ? { status: 400, code: "vm_error" } : undefined,
  );
  await minter.fund(RECEIVER, 1n);
  state.next = 20n;
  await Promise.all([minter.fund(RECEIVER, 1n), minter.fund(RECEIVER, 1n), minter.fund(RECEIVER, 1n)]);
  expect(taken.sort((left, right) => Number(left - right))).toEqual([5n, 20n, 21n, 22n]);
});

test("a node that always refuses makes the request fail", async () => {
  const { minter } = await minterOn({ next: 0n }, () => ({ status: 400, code: "vm_error" }));
  await expect(minter.fund(RECEIVER, 1n)).rejects.toMatchObject({ code: "unavailable" });
});
