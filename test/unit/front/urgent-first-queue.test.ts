/** Order of tasks in a real pool of one thread that is kept busy. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Piscina } from "piscina";
import { afterAll, expect, test } from "vitest";
import { UrgentFirstQueue, urgent } from "../../../src/front/urgent-first-queue.js";

const folder = mkdtempSync(join(tmpdir(), "ledger-node-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Waits at its gate, if it has one, then answers its name. */
const TASK = `
export default ({ name, gate }) => {
  if (gate !== undefined) Atomics.wait(gate, 0, 0);
  return name;
};
`;

test("urgent tasks overtake the others, each line keeps its order, and everything runs", async () => {
  const filename = join(folder, "task.mjs");
  writeFileSync(filename, TASK);
  const pool = new Piscina({
    filename,
    minThreads: 1,
    maxThreads: 1,
    taskQueue: new UrgentFirstQueue(),
    stricterFIFO: true,
  });
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const order: string[] = [];
  const run = async (task: { name: string; gate?: Int32Array }) => {
    order.push((await pool.run(task)) as string);
  };
  // The thread is up and idle now, so that the next task occupies it and all others wait in line.
  await run({ name: "first" });
  const tasks = [run({ name: "busy", gate })];
  for (const name of ["view 1", "view 2", "view 3"]) tasks.push(run({ name }));
  for (const name of ["admission 1", "admission 2"]) tasks.push(run(urgent({ name })));
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await Promise.all(tasks);
  await pool.destroy();
  expect(order).toEqual(["first", "busy", "admission 1", "admission 2", "view 1", "view 2", "view 3"]);
});
