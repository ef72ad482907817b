/** The readiness port: 200 once the chain answers and the faucet's account is there, 503 before. */

import { jsonAnswer, listenSmall, type SmallServer } from "./http.js";
import type { NodeClient } from "./node-client.js";

export function listenReady(
  host: string,
  port: number,
  client: NodeClient,
  minterAddress: Uint8Array,
): Promise<SmallServer> {
  return listenSmall(host, port, async () => {
    const checks: readonly (readonly [name: string, check: () => Promise<unknown>])[] = [
      ["node", () => client.ledgerTip()],
      ["faucet", () => client.sequenceNumber(minterAddress)],
    ];
    const ready: string[] = [];
    const waiting: string[] = [];
    for (const [name, check] of checks) {
      await check().then(
        () => ready.push(name),
        () => waiting.push(name),
      );
    }
    return jsonAnswer(waiting.length === 0 ? 200 : 503, { ready, not_ready: waiting });
  });
}
