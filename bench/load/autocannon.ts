/** Read loads by autocannon: always there, but it stops near 70,000 requests/s; read CPU, not its rate. */

import { createRequire } from "node:module";
import type { Measured } from "../report.js";
import type { RequestSet } from "./request-set.js";

interface AutocannonResult {
  readonly duration: number;
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly requests: { readonly total: number };
  readonly errors: number;
  readonly non2xx: number;
}

type Autocannon = (options: object) => Promise<AutocannonResult>;

const autocannon = createRequire(import.meta.url)("autocannon") as Autocannon;

/** Requests given to it at most; it keeps all of them in memory per connection. */
const REQUESTS_MAX = 2000;

export async function autocannonRun(
  set: RequestSet,
  connections: number,
  seconds: number,
): Promise<Omit<Measured, "cpuMicros">> {
  const requests = set.paths.slice(0, REQUESTS_MAX).map((path, index) => ({
    method: set.method,
    path,
    ...(set.bodies === undefined
      ? {}
      : { body: set.bodies[index], headers: { "content-type": "application/json" } }),
  }));
  const result = await autocannon({ url: set.origin, connections, duration: seconds, requests });
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result.non2xx,
  };
}
