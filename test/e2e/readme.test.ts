/** What the README tells a newcomer to type does what it says, and its option table is the real one. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { optionTable } from "../../src/config/help.js";
import { startTestNode, type TestNode } from "./harness.js";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");

let node: TestNode;

beforeAll(async () => {
  node = await startTestNode({ flags: ["--vendor", "aptos"] });
});
afterAll(async () => {
  expect(await node?.stop()).toBe(0);
});

/** Blocks fenced as `language` that contain `mark`. */
function blocks(language: string, mark: string): string[] {
  const fenced = README.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"));
  return [...fenced].map((match) => match[1] as string).filter((text) => text.includes(mark));
}

/** The same text with the ports of this test's node in the place of the default ones. */
function withTestPorts(text: string): string {
  return text
    .replaceAll("http://127.0.0.1:8080/v1", node.api)
    .replaceAll("http://127.0.0.1:8081", node.faucet as string)
    .replaceAll("http://127.0.0.1:8090", node.indexer as string);
}

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("close", (code) => resolve({ code, output }));
  });
}

test("the curl lines answer", async () => {
  const [text] = blocks("sh", "curl ");
  const lines = withTestPorts(text as string)
    .split("\n")
    .filter((line) => line.startsWith("curl "));
  expect(lines).toHaveLength(4);
  const answers: string[] = [];
  for (const line of lines) {
    const { code, output } = await run("sh", ["-c", line.replace("curl ", "curl -sS --fail-with-body ")]);
    expect(`${code} ${line}`, output).toBe(`0 ${line}`);
    answers.push(output);
  }
  expect(JSON.parse(answers[0] as string).chain_id).toBe(4);
  expect(JSON.parse(answers[1] as string)).toEqual({ type: "0x1::chain_id::ChainId", data: { id: 4 } });
  expect(JSON.parse(answers[2] as string).txn_hashes).toHaveLength(1);
  expect(JSON.parse(answers[3] as string)).toBe(100_000_000);
});

test("the SDK snippet moves coins", async () => {
  const snippets = blocks("ts", "@aptos-labs/ts-sdk");
  expect(snippets).toHaveLength(1);
  // Beside the packages, so that the import resolves as it does for a reader.
  mkdirSync(join(ROOT, "test/.results"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, "test/.results/readme-"));
  try {
    const file = join(folder, "snippet.mjs");
    writeFileSync(file, withTestPorts(snippets[0] as string));
    const { code, output } = await run(process.execPath, [file]);
    expect(code, output).toBe(0);
    expect(output).toContain("Executed successfully 1000");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the option table is the table of options", () => {
  const shown = /<!-- options -->\n([\s\S]*?)\n<!-- \/options -->/.exec(README)?.[1];
  expect(shown?.trim()).toBe(optionTable());
});
