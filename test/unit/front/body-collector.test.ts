import { expect, test } from "vitest";
import { BodyBudget, BodyCollector } from "../../../src/front/body-collector.js";

test("a body is its chunks in order", () => {
  const collector = new BodyCollector(new BodyBudget(), 100_000);
  const chunks = Array.from({ length: 100 }, (_, index) => Buffer.alloc(1000, index));
  for (const chunk of chunks) expect(collector.add(chunk)).toBe(true);
  expect(collector.finish().equals(Buffer.concat(chunks))).toBe(true);
});

test("bodies share one bound, and what ends gives back what it held", () => {
  const budget = new BodyBudget(100_000);
  const first = new BodyCollector(budget, 60_000);
  const second = new BodyCollector(budget, 60_000);
  expect(first.add(Buffer.alloc(60_000))).toBe(true);
  expect(second.add(Buffer.alloc(60_000))).toBe(false);
  first.drop();
  first.drop();
  expect(second.add(Buffer.alloc(60_000))).toBe(true);
  second.finish();
  expect([budget.take(100_000), budget.take(1)]).toEqual([true, false]);
});

test("an announced length alone takes no memory", () => {
  const budget = new BodyBudget(10_000);
  new BodyCollector(budget, 8 * 1024 * 1024);
  expect(budget.take(10_000)).toBe(true);
});
