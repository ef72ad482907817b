/** A front on a free port over the fakes, and ways to talk to it. */

import { connect } from "node:net";
import { startFront } from "../../src/front/index.js";
import { silentLogger } from "../../src/observe/index.js";
import { type CoreScript, FakeStore, FakeWriter, fakeCore, inlineWork } from "./fakes.js";

export interface TestFront {
  readonly port: number;
  readonly url: string;
  readonly store: FakeStore;
  readonly writer: FakeWriter;
  readonly script: CoreScript;
  /** Names of the reads that were given to a thread. */
  readonly threadReads: string[];
  close(): Promise<void>;
}

export async function startTestFront(
  transport: "uws" | "node",
  vendor = "node",
  disabled: readonly string[] = [],
): Promise<TestFront> {
  const store = new FakeStore();
  const writer = new FakeWriter();
  const script: CoreScript = {};
  const threadReads: string[] = [];
  const { core, functions } = fakeCore(script);
  const front = await startFront(
    {
      listen: { host: "127.0.0.1", port: 0, isShared: false },
      transport,
      vendor,
      chainId: 4,
      release: "0.0.0",
      historyWindow: 100,
      disabled,
    },
    {
      store,
      core,
      functions,
      writer,
      work: inlineWork({ store, core, functions, chainId: 4 }, vendor, threadReads),
      threads: 1,
      log: silentLogger(),
      clock: () => 1_795_200_000_000,
    },
  );
  const url = `http://127.0.0.1:${front.port}`;
  return { port: front.port, url, store, writer, script, threadReads, close: () => front.close() };
}

/** Sends bytes as they are and collects the answer until the server closes or `isEnough` is satisfied. */
export function exchange(port: number, bytes: string, isEnough = (_text: string) => false): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text += chunk;
      if (isEnough(text)) socket.destroy();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => resolve(text));
  });
}

/** Number of answers in what a server sent. */
export function answersIn(text: string): number {
  return text.split(/^HTTP\/1\.1 /m).length - 1;
}
