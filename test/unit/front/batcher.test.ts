import { expect, test } from "vitest";
import { Batcher } from "../../../src/front/batcher.js";

test("items of one turn leave together, later ones with everything that gathered, in order", async () => {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const batcher = new Batcher<number, number>(
    { itemsMax: 4, inFlightMax: 1, waitingMax: 100 },
    async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => releases.push(resolve));
      return items.map((item) => 10 * item);
    },
  );
  const results = [1, 2].map((item) => batcher.push(item));
  await new Promise((resolve) => setImmediate(resolve));
  results.push(...[3, 4, 5, 6, 7].map((item) => batcher.push(item)));
  expect(batches).toEqual([[1, 2]]);
  const drain = async () => {
    for (let round = 0; round < 10; round += 1) {
      releases.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await drain();
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(batches).toEqual([[1, 2], [3, 4, 5, 6], [7]]);
});

test("a full queue refuses at once and goes on afterwards", async () => {
  const batcher = new Batcher<number, number>(
    { itemsMax: 1, inFlightMax: 1, waitingMax: 2 },
    async (items) => items,
  );
  const results = [1, 2, 3].map((item) => batcher.push(item));
  await expect(results[2]).rejects.toMatchObject({ code: "unavailable" });
  expect(await Promise.all(results.slice(0, 2))).toEqual([1, 2]);
  expect(await batcher.push(4)).toBe(4);
});

test("a batch that fails fails its items only, and one that comes back short fails the rest", async () => {
  let call = 0;
  const batcher = new Batcher<number, number>(
    { itemsMax: 2, inFlightMax: 1, waitingMax: 10 },
    async (items) => {
      call += 1;
      if (call === 1) throw new Error("broken");
      return items.slice(0, 1);
    },
  );
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.push(item)));
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected", "fulfilled", "rejected"]);
});
