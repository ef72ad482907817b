/** Process entry of a front: opens the store for reading, joins the writer, starts threads and HTTP. */

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { startFront, WorkPool } from "../src/front/index.js";
import { connectWriter } from "../src/ipc/index.js";
import { core as functions, isCoreBroken } from "../src/native/index.js";
import type { Logger } from "../src/observe/index.js";
import { openStoreReader } from "../src/store/snapshot.js";
import { type FailChild, type RunningChild, runChild } from "../src/supervisor/child-entry.js";
import type { ChildStart } from "../src/supervisor/child-protocol.js";

/** Threads of each pool when nobody chose: 1 to 4 by cores. */
function threadsOf(config: ChildStart["config"]): number {
  return config.workers ?? Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
}

async function start(
  { config, writerSocket }: ChildStart,
  log: Logger,
  fail: FailChild,
): Promise<RunningChild> {
  const { chainId, dataDir, vendor } = config;
  const threads = threadsOf(config);
  const store = openStoreReader({ directory: dataDir });
  const core = functions.createCore({ chainId });
  const writer = connectWriter({ path: writerSocket.path, token: writerSocket.token, log });
  const work = new WorkPool({
    signatureTask: taskFile("signature-task"),
    workTask: taskFile("work-task"),
    threads,
    data: { chainId, dataDir, vendor },
  });
  const front = await startFront(
    {
      listen: { host: config.host, port: config.port, isShared: true },
      transport: config.http,
      vendor,
      chainId,
      release: releaseOf(),
      historyWindow: config.historyWindow,
      disabled: config.disable ?? [],
    },
    {
      store,
      core,
      functions,
      writer,
      work,
      threads,
      log,
      clock: Date.now,
      // After a panic nothing the core still holds can be trusted.
      onFault: (error) => {
        if (isCoreBroken()) fail(error);
      },
    },
  );
  work.warmUp().catch((error) => log.error({ err: error }, "a work thread did not start"));
  return {
    async drain() {
      await front.close();
      writer.close();
      await work.close();
      store.close();
    },
  };
}

function taskFile(name: string): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}

function releaseOf(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

runChild(start);
