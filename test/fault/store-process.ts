/** Builds and starts the writer process of store-child.ts. */

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
// Inside the repository, so that packages resolve; ignored by git.
const OUTPUT = path.join(REPOSITORY, "test/.results/store-child");

/** Compiles a program of this repository and what it imports. @returns path of its entry. */
export function buildStoreChild(source = "test/fault/store-child.ts"): string {
  fs.mkdirSync(OUTPUT, { recursive: true });
  const config = path.join(OUTPUT, "tsconfig.json");
  const compilerOptions = {
    rootDir: REPOSITORY,
    outDir: path.join(OUTPUT, "out"),
    tsBuildInfoFile: path.join(OUTPUT, "out/.tsbuildinfo"),
    sourceMap: false,
  };
  const files = [path.join(REPOSITORY, source)];
  fs.writeFileSync(
    config,
    JSON.stringify({ extends: path.join(REPOSITORY, "tsconfig.json"), compilerOptions, include: [], files }),
  );
  const compiler = path.join(REPOSITORY, "node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", config], { stdio: "pipe" });
  return path.join(OUTPUT, "out", source.replace(/\.ts$/, ".js"));
}

/** A running writer process and what it has said. */
export interface StoreProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[];
  /** Resolves when `line` says what is waited for, or the process ends. */
  until(isIt: (line: string) => boolean): Promise<void>;
  /** Resolves to the signal or exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  stderr(): string;
}

export function startStoreProcess(command: string, arguments_: readonly string[]): StoreProcess {
  const child = spawn(command, [...arguments_], { stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  const waiting: { isIt: (line: string) => boolean; resolve: () => void }[] = [];
  let rest = "";
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      lines.push(line);
      for (const waiter of waiting) if (waiter.isIt(line)) waiter.resolve();
    }
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.on("close", (code, signal) => {
      for (const waiter of waiting) waiter.resolve();
      resolve(signal ?? code);
    });
  });
  return {
    child,
    lines,
    ended,
    stderr: () => errors,
    until: (isIt) =>
      new Promise((resolve) => {
        if (lines.some(isIt)) resolve();
        else waiting.push({ isIt, resolve });
      }),
  };
}
