/**
 * The store's central promise, seen from outside: in the system calls of a real writer process, a
 * block is written to the log, the log's fdatasync returns, LMDB is written, and only then is the
 * block announced. LMDB is opened without its write map here, since stores to memory are no calls.
 */

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DataFolder, newDataFolder } from "../unit/store/data-folder.js";
import { buildStoreChild, startStoreProcess } from "./store-process.js";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const BLOCKS = 20;

let folder: DataFolder;
beforeEach(() => {
  folder = newDataFolder();
});
afterEach(() => folder.remove());

type Call = "log write" | "log sync begins" | "log sync returns" | "lmdb write" | `announce ${number}`;

/** The calls that matter, in the order of the trace. */
function readTrace(text: string): Call[] {
  const calls: Call[] = [];
  const syncing = new Set<string>();
  for (const line of text.split("\n")) {
    const match = /^(\d+)\s+(.*)$/.exec(line);
    if (match === null) continue;
    const [, thread = "", call = ""] = match;
    if (/^p?write(64|v2?)?\(.*\/log\/\d+\.seg>/.test(call)) calls.push("log write");
    else if (/^p?write(64|v2?)?\(.*\/live\/data\.mdb>/.test(call)) calls.push("lmdb write");
    else if (/^write\(1.*committed (\d+)/.test(call)) {
      calls.push(`announce ${Number(/committed (\d+)/.exec(call)?.[1])}`);
    } else if (/^fdatasync\(.*\/log\/\d+\.seg>/.test(call)) {
      calls.push("log sync begins");
      if (/= 0$/.test(call)) calls.push("log sync returns");
      else syncing.add(thread);
    } else if (/^<\.\.\. fdatasync resumed>.*= 0$/.test(call) && syncing.delete(thread)) {
      calls.push("log sync returns");
    }
  }
  return calls;
}

describe("the writer's system calls", () => {
  it.skipIf(!hasStrace)(
    "make a block durable before LMDB has it, and LMDB has it before it is announced",
    async () => {
      const entry = buildStoreChild();
      const trace = path.join(folder.directory, "trace");
      const data = path.join(folder.directory, "data");
      const options = [
        "-f",
        "-y",
        "-s",
        "32",
        "-e",
        "trace=write,pwrite64,writev,pwritev,pwritev2,fdatasync",
        "-o",
        trace,
      ];
      const writer = startStoreProcess("strace", [
        ...options,
        process.execPath,
        entry,
        data,
        `${BLOCKS}`,
        "pwrite",
      ]);
      expect(await writer.ended, writer.stderr()).toBe(0);
      const calls = readTrace(fs.readFileSync(trace, "utf8"));
      for (let height = 1; height < BLOCKS; height++) {
        const from = calls.indexOf(`announce ${height - 1}`);
        const to = calls.indexOf(`announce ${height}`);
        expect(from).toBeGreaterThanOrEqual(0);
        const between = calls.slice(from + 1, to);
        const firstLmdb = between.indexOf("lmdb write");
        const lastLogWrite = between.lastIndexOf("log write");
        const lastSync = between.lastIndexOf("log sync returns");
        expect({
          height,
          between: between.join(", "),
          isOrdered: 0 <= lastLogWrite && lastLogWrite < lastSync && lastSync < firstLmdb,
        }).toMatchObject({
          isOrdered: true,
        });
        // One sync for one block, begun behind the last byte of it.
        expect(between.indexOf("log sync begins")).toBeGreaterThan(lastLogWrite);
      }
    },
  );
});
