/** The built node on free ports, in a data folder of its own. Needs the build that `npm test` makes first. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NodeProcess, startNodeProcess } from "../../bench/node-process.js";

export type TestAccount = NodeProcess["accounts"][number];

export interface TestNode extends NodeProcess {
  readonly dataDir: string;
}

export interface TestNodeOptions {
  readonly flags?: readonly string[];
  /** Kept afterwards; without it the node gets a folder that goes when it stops. */
  readonly dataDir?: string;
}

export async function startTestNode(options: TestNodeOptions = {}): Promise<TestNode> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "ledger-node-test-"));
  const node = await startNodeProcess(["--data-dir", dataDir, ...(options.flags ?? [])]);
  return {
    ...node,
    dataDir,
    async stop() {
      const code = await node.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/** Asks again until `check` gives something, or fails at the deadline. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined>,
  msMax = 20_000,
): Promise<T> {
  const deadlineMs = Date.now() + msMax;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (Date.now() > deadlineMs) throw new Error(`within ${msMax} ms this did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
