/** The estimate's arithmetic, on made-up blocks. */

import { expect, test } from "vitest";
import type { ReadContext } from "../../../src/front/reads/context.js";
import { gasPrices } from "../../../src/front/reads/gas-estimate.js";

/** @param prices Cheapest price of each block from height 0 up; undefined for one that was not full. */
function contextOf(prices: readonly (bigint | undefined)[], base: number): ReadContext {
  const span = 1000;
  const block = (height: number) => {
    const price = prices[height - base];
    const count = price === undefined ? 10 : 252;
    return height < base || height >= base + prices.length
      ? undefined
      : {
          height,
          firstVersion: height * span,
          lastVersion: height * span + count - 1,
          timestampUsecs: 0,
          blockId: Buffer.alloc(32),
        };
  };
  const priceBytes = (version: number) => {
    const transaction = Buffer.alloc(9);
    transaction.writeBigUInt64LE(prices[Math.floor(version / span) - base] ?? 0n, 1);
    return transaction;
  };
  return {
    store: {
      head: { height: base + prices.length, oldestHeight: base },
      state: () => undefined,
      blockByHeight: block,
      recordByVersion: (version: number) => ({ transaction: priceBytes(version) }),
    },
    functions: { inspectSigned: (signed: Buffer) => ({ gasUnitPrice: signed.readBigUInt64LE() + 100n }) },
  } as unknown as ReadContext;
}

const rows: readonly (readonly [
  name: string,
  prices: (bigint | undefined)[],
  low: bigint,
  market: bigint,
  high: bigint,
])[] = [
  ["no complete block", [], 100n, 100n, 150n],
  ["blocks that were not full", Array(40).fill(undefined), 100n, 100n, 150n],
  ["every block full at 100", Array(40).fill(0n), 150n, 150n, 300n],
  [
    "the newest ten full at 400, older ones empty",
    [...Array(110).fill(undefined), ...Array(10).fill(300n)],
    500n,
    500n,
    1000n,
  ],
  [
    "twenty of the newest thirty full",
    [...Array(10).fill(undefined), ...Array(20).fill(100n), ...Array(0)],
    300n,
    300n,
    500n,
  ],
  ["one empty among the newest ten", [...Array(29).fill(100n), undefined], 100n, 300n, 500n],
];

test.each(rows)("%s", (name, prices, low, market, high) => {
  // Heights of different rows differ, because full blocks are remembered by height.
  const base = 1_000_000 * (1 + rows.findIndex(([row]) => row === name));
  expect(gasPrices(contextOf(prices, base))).toEqual({ low, market, high });
});
