/**
 * `GET /estimate_gas_price`: what recent full blocks would have asked of a transaction.
 *
 * A block that was not full would have taken the lowest price the chain allows; a full one asks for
 * the step above its cheapest transaction. The low, market and high estimates look at ever more
 * blocks and ever higher percentiles of them.
 */

import type { BlockSummary } from "../../store/types.js";
import type { Form } from "../negotiation.js";
import { BcsWriter } from "./bcs.js";
import type { ReadAnswer, ReadContext } from "./context.js";
import { isFailure } from "./failure.js";
import { minGasUnitPrice } from "./gas-schedule.js";

export interface GasPrices {
  readonly low: bigint;
  readonly market: bigint;
  readonly high: bigint;
}

/** User transactions that make a block full. */
const FULL_BLOCK_TRANSACTIONS = 250;
const LOW_BLOCKS = 10;
const MARKET_BLOCKS = 30;
const HIGH_BLOCKS = 120;
/** Prices are rounded up to these steps, octas per gas unit. */
const STEPS = [0n, 150n, 300n, 500n, 1000n, 3000n, 5000n, 10_000n, 100_000n, 1_000_000n];

/** Transactions of a block that users did not sign: its metadata and its checkpoint. */
const SYSTEM_TRANSACTIONS = 2;

/** Lowest price of each full block seen, by height; a block never changes. */
const cheapestByHeight = new Map<number, bigint | undefined>();

/** Prices as plain data, for the cache and for simulations. */
export function gasPrices(context: ReadContext): GasPrices {
  const { store } = context;
  const floor = minGasUnitPrice(store);
  const prices: bigint[] = [];
  // The newest block may still be one of many that a burst is being cut into.
  for (let height = store.head.height - 1; height >= 0 && prices.length < HIGH_BLOCKS; height -= 1) {
    const block = height < store.head.oldestHeight ? undefined : store.blockByHeight(height);
    if (block === undefined) break;
    prices.push(priceOf(context, block, floor));
  }
  for (const height of cheapestByHeight.keys()) {
    if (height < store.head.height - 2 * HIGH_BLOCKS) cheapestByHeight.delete(height);
  }
  if (prices.length === 0) return { low: floor, market: floor, high: stepAbove(floor) };

  const low = prices.slice(0, LOW_BLOCKS).reduce(lesser);
  const market = greater(low, percentile(prices.slice(0, MARKET_BLOCKS), 0.5));
  const high = stepAbove(greater(market, percentile(prices, 0.9)));
  return { low, market, high };
}

export function gasEstimate(context: ReadContext, args: { readonly form: Form }): ReadAnswer {
  return gasAnswer(gasPrices(context), args.form);
}

export function gasAnswer(prices: GasPrices, form: Form): ReadAnswer {
  if (form === "bcs") return { form, body: new BcsWriter().u64(prices.market).finish() };
  return {
    form,
    body:
      `{"deprioritized_gas_estimate":${prices.low},"gas_estimate":${prices.market},` +
      `"prioritized_gas_estimate":${prices.high}}`,
  };
}

function priceOf(context: ReadContext, block: BlockSummary, floor: bigint): bigint {
  if (block.lastVersion - block.firstVersion + 1 - SYSTEM_TRANSACTIONS < FULL_BLOCK_TRANSACTIONS)
    return floor;
  let cheapest = cheapestByHeight.get(block.height);
  if (cheapest === undefined && !cheapestByHeight.has(block.height)) {
    cheapest = cheapestOf(context, block);
    cheapestByHeight.set(block.height, cheapest);
  }
  return cheapest === undefined ? floor : stepAbove(cheapest);
}

/** BCS variant of a transaction that a user signed. */
const USER_TRANSACTION = 0;

function cheapestOf(context: ReadContext, block: BlockSummary): bigint | undefined {
  let cheapest: bigint | undefined;
  for (let version = block.firstVersion; version <= block.lastVersion; version += 1) {
    const transaction = context.store.recordByVersion(version)?.transaction;
    if (transaction === undefined || transaction[0] !== USER_TRANSACTION) continue;
    const summary = context.functions.inspectSigned(transaction.subarray(1));
    if (isFailure(summary)) continue;
    cheapest = cheapest === undefined ? summary.gasUnitPrice : lesser(cheapest, summary.gasUnitPrice);
  }
  return cheapest;
}

/** First step strictly above `price`; the price itself above all steps. */
function stepAbove(price: bigint): bigint {
  return STEPS.find((step) => step > price) ?? price;
}

function percentile(prices: readonly bigint[], fraction: number): bigint {
  const sorted = [...prices].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] as bigint;
}

function lesser(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function greater(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
