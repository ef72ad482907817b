/**
 * The transfer load: every connection sends a transfer, waits for its 202, sends the next. Transactions
 * are signed before the clock starts; the clock stops when the last of them is committed.
 */

import { signedTransfer } from "../../src/faucet/transfer.js";
import { type Sender, untilSucceeded } from "../accounts.js";
import { connections, post } from "../http-client.js";
import type { Measured } from "../report.js";

export interface TransferRun extends Omit<Measured, "cpuMicros"> {
  /** Transfers committed per second, from the first submit to the last commit. */
  readonly committedPerSecond: number;
}

/** Time a transaction may take, seconds: the run is over long before. */
const EXPIRY_SECS = 600;
const MAX_GAS_UNITS = 2000n;
/** A full mempool is answered with a short pause, milliseconds. */
const FULL_PAUSE_MS = 5;

/** Signs transfers in rounds, so that each sender's are numbered in the order they are sent. */
export function signTransfers(
  senders: readonly Sender[],
  receivers: readonly Buffer[],
  count: number,
  chainId: number,
): Buffer[] {
  const expirationTimestampSecs = BigInt(Math.floor(Date.now() / 1000) + EXPIRY_SECS);
  return Array.from({ length: count }, (_, index) => {
    const sender = senders[index % senders.length] as Sender;
    const receiver = receivers[(index * 7919 + 13) % receivers.length] as Buffer;
    const { address, key, sequenceNumber } = sender;
    sender.sequenceNumber += 1n;
    return signedTransfer(
      {
        sender: address,
        receiver,
        octas: 1n,
        sequenceNumber,
        maxGasUnits: MAX_GAS_UNITS,
        expirationTimestampSecs,
        chainId,
      },
      key,
    );
  });
}

export async function runTransfers(
  api: string,
  signed: readonly Buffer[],
  connectionCount: number,
): Promise<TransferRun> {
  const agent = connections(connectionCount);
  const url = `${api}/transactions`;
  const latencies: number[] = [];
  const lastHashes: string[] = [];
  let next = 0;
  let errors = 0;
  const startMs = performance.now();
  const client = async (index: number) => {
    while (next < signed.length) {
      const body = signed[next] as Buffer;
      next += 1;
      for (;;) {
        const sentMs = performance.now();
        const answer = await post(url, "application/x.node.signed_transaction+bcs", body, agent);
        latencies.push(performance.now() - sentMs);
        if (answer.status === 202) {
          lastHashes[index] = (JSON.parse(answer.body) as { hash: string }).hash;
          break;
        }
        if (answer.status !== 507) {
          errors += 1;
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, FULL_PAUSE_MS));
      }
    }
  };
  await Promise.all(Array.from({ length: connectionCount }, (_, index) => client(index)));
  const submittedMs = performance.now();
  for (const hash of lastHashes) if (hash !== undefined) await untilSucceeded(api, hash);
  const committedMs = performance.now();
  agent.destroy();
  latencies.sort((left, right) => left - right);
  return {
    requests: signed.length,
    seconds: (submittedMs - startMs) / 1000,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    errors,
    committedPerSecond: ((signed.length - errors) * 1000) / (committedMs - startMs),
  };
}

/** One transfer at a time: from submit until its commit is seen. @returns Milliseconds, sorted. */
export async function commitLatencies(api: string, signed: readonly Buffer[]): Promise<number[]> {
  const latencies: number[] = [];
  for (const body of signed) {
    const startMs = performance.now();
    const answer = await post(`${api}/transactions`, "application/x.node.signed_transaction+bcs", body);
    if (answer.status !== 202) throw new Error(`a transfer was refused: ${answer.body}`);
    await untilSucceeded(api, (JSON.parse(answer.body) as { hash: string }).hash);
    latencies.push(performance.now() - startMs);
  }
  return latencies.sort((left, right) => left - right);
}
