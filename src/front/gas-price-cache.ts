/** The gas estimate, computed on a work thread at most twice a second and shared by all who ask. */

import { parseU64 } from "../domain/index.js";
import { NodeError } from "../errors/index.js";
import type { GasPrices } from "./reads/gas-estimate.js";
import type { Work } from "./work.js";
import { fromWorkFailure } from "./work.js";

/** How long an estimate is good, milliseconds. */
const GOOD_MS = 500;

export class GasPriceCache {
  readonly #work: Work;
  readonly #clock: () => number;
  #prices: Promise<GasPrices> | undefined;
  #goodUntilMs = 0;

  /** @param clock Milliseconds. */
  constructor(work: Work, clock: () => number) {
    this.#work = work;
    this.#clock = clock;
  }

  /** @throws NodeError as the thread's read does; the next caller tries anew. */
  current(): Promise<GasPrices> {
    const nowMs = this.#clock();
    if (this.#prices !== undefined && nowMs < this.#goodUntilMs) return this.#prices;
    this.#goodUntilMs = nowMs + GOOD_MS;
    const prices = this.#compute();
    this.#prices = prices;
    prices.catch(() => {
      if (this.#prices === prices) this.#prices = undefined;
    });
    return prices;
  }

  async #compute(): Promise<GasPrices> {
    const { answer, failure } = await this.#work.read("gasEstimate", { form: "json" });
    if (answer === undefined) throw failure === undefined ? unexpected() : fromWorkFailure(failure);
    const body = JSON.parse(answer.body.toString()) as Record<string, number>;
    return {
      low: price(body.deprioritized_gas_estimate),
      market: price(body.gas_estimate),
      high: price(body.prioritized_gas_estimate),
    };
  }
}

function price(value: number | undefined): bigint {
  const parsed = parseU64(`${value}`);
  if (parsed === undefined) throw unexpected();
  return parsed;
}

function unexpected(): NodeError {
  return new NodeError("internal_error", "no gas estimate could be made");
}
