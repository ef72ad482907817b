import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { helpText, optionTable } from "../../../src/config/help.js";
import { type NodeConfig, OPTIONS, readCommandLine } from "../../../src/config/index.js";
import { isNodeError } from "../../../src/errors/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "config-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(args: string[], environment: Record<string, string> = {}): NodeConfig {
  const line = readCommandLine({ args, environment, workingDir: folder });
  if (line.command !== "start") throw new Error(`expected start, got ${line.command}`);
  return line.config;
}

function refusal(
  args: string[],
  environment: Record<string, string> = {},
): { code: string; message: string } {
  try {
    read(args, environment);
  } catch (error) {
    if (isNodeError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was refused");
}

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("precedence", () => {
  it("defaults hold where nothing is said", () => {
    const config = read([]);
    expect(config).toMatchObject({
      port: 8080,
      host: "127.0.0.1",
      chainId: 4,
      vendor: "node",
      silent: false,
    });
    expect(config.dataDir).toBe(join(folder, "data", "4"));
    expect(Object.isFrozen(config)).toBe(true);
  });
  it("the file wins over defaults, the environment over the file, flags over all", () => {
    const path = file("three.json", { port: 1, host: "file", vendor: "file" });
    const config = read(["--config", path, "--port", "3"], {
      LEDGER_NODE_PORT: "2",
      LEDGER_NODE_HOST: "env",
    });
    expect(config).toMatchObject({ port: 3, host: "env", vendor: "file" });
  });
  it("the file can be named by the environment", () => {
    expect(read([], { LEDGER_NODE_CONFIG: file("env.json", { "chain-id": 9 }) }).chainId).toBe(9);
  });
  it("a data folder is resolved against the working folder", () => {
    expect(read(["--data-dir", "x/y"]).dataDir).toBe(join(folder, "x", "y"));
  });
});

describe("forms of a flag", () => {
  it.each([
    [["--port", "0"], { port: 0 }],
    [["--port=65535"], { port: 65535 }],
    [["--silent"], { silent: true }],
    [["--silent=false"], { silent: false }],
    [["--balance", "9007199254740993"], { balanceOctas: 9007199254740993n }],
    [["--http", "node"], { http: "node" }],
    [["--chain-id", "2", "--allow-public-chain-id"], { chainId: 2 }],
    [["--seed", "a b"], { seed: "a b" }],
  ])("%j is read", (args, expected) => {
    expect(read(args)).toMatchObject(expected);
  });
  it("help and version win over everything else that parses", () => {
    const ask = (args: string[]) => readCommandLine({ args, environment: {}, workingDir: folder }).command;
    expect([ask(["--help"]), ask(["-h", "--port", "x"]), ask(["--version"]), ask(["-v"])]).toEqual([
      "help",
      "help",
      "version",
      "version",
    ]);
  });
});

describe("refusals are one sentence that names the option", () => {
  it.each([
    [["--prot", "1"], "--prot"],
    [["8080"], "8080"],
    [["--"], "--"],
    [["--port"], "--port needs a value"],
    [["--port", "--silent"], "--port needs a value"],
    [["--port", "65536"], "--port must be"],
    [["--port", "-1"], "--port must be"],
    [["--port", "1e3"], "--port must be"],
    [["--port", "1", "--port", "2"], "twice"],
    [["--silent=maybe"], "--silent must be true or false"],
    [["--chain-id", "0"], "--chain-id must be"],
    [["--chain-id", "256"], "--chain-id must be"],
    [["--chain-id", "1"], "public network"],
    [["--vendor", "Two Words"], "--vendor must be"],
    [["--vendor", "a\r\nb"], "--vendor must be"],
    [["--http", "deno"], "one of uws, node"],
    [["--http", "node", "--fronts", "2"], "--fronts 1"],
    [["--balance", "18446744073709551615"], "--balance must be"],
    [["--config", "/does/not/exist"], "cannot be read"],
  ])("%j", (args, part) => {
    const { code, message } = refusal(args);
    expect(code).toBe("config_invalid");
    expect(message).toContain(part);
    expect(message).not.toContain("\n");
  });
  it.each([
    ["no JSON", "{", "one JSON object"],
    ["an array", [], "one JSON object"],
    ["an unknown entry", { prot: 1 }, "prot"],
    ["a nested entry", { port: {} }, "port"],
    ["a bad value", { port: "many" }, "port"],
    ["too long", `{"seed":"${"x".repeat(70_000)}"}`, "longer"],
  ])("a file with %s", (_name, content, part) => {
    expect(refusal(["--config", file("bad.json", content)]).message).toContain(part);
  });
  it("a bad variable is named as a variable", () => {
    expect(refusal([], { LEDGER_NODE_PORT: "x" }).message).toContain("LEDGER_NODE_PORT");
  });
  it("a genesis file goes without faucet and without accounts of ours", () => {
    const config = read(["--genesis", "x"]);
    expect(config).toMatchObject({ noFaucet: true, accounts: 0 });
    expect(config.genesis).toMatch(/^\/.*x$/);
  });
});

const README = new URL("../../../README.md", import.meta.url);

describe("the option table", () => {
  it.runIf(existsSync(README))("is what the README shows", () => {
    expect(readFileSync(README, "utf8")).toContain(optionTable());
  });
  it("gives every option a name of its own, a sentence, and a default of its own kind", () => {
    const names = Object.values(OPTIONS).map((option) => option.name);
    expect(new Set(names).size).toBe(names.length);
    for (const option of Object.values(OPTIONS)) {
      expect(option.help.length).toBeGreaterThan(10);
      if (option.fallback !== undefined)
        expect(option.kind.parse(String(option.fallback))).toEqual(option.fallback);
    }
  });
  it("is all of --help and of the table for readers", () => {
    for (const option of Object.values(OPTIONS)) {
      expect(helpText()).toContain(`--${option.name}`);
      expect(optionTable()).toContain(`--${option.name}`);
    }
  });
});
