/** The explorer page in a real browser that can reach this node and nothing else. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestNode, type TestNode } from "./harness.js";

const RESULTS = join(import.meta.dirname, "..", ".results");
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser to use: CHROMIUM, or the first on the path. */
function chromiumPath(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named !== undefined && named !== "") return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = folders.flatMap((folder) =>
    ["chromium", "chromium-browser"].map((name) => join(folder, name)),
  );
  return paths.find((path) => existsSync(path) && spawnSync(path, ["--version"]).status === 0);
}

const executablePath = chromiumPath();

describe.skipIf(executablePath === undefined)("the explorer page in Chromium", () => {
  let node: TestNode;
  let profile: string;
  let browser: BrowserContext;
  let page: Page;
  let complaints: string[];
  let foreign: string[];

  beforeAll(async () => {
    node = await startTestNode();
    profile = mkdtempSync(join(tmpdir(), "ledger-node-browser-"));
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: executablePath as string,
      args: FLAGS,
      viewport: { width: 1280, height: 900 },
    });
    mkdirSync(RESULTS, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    if (profile !== undefined) rmSync(profile, { recursive: true, force: true });
    expect(await node?.stop()).toBe(0);
  });

  beforeEach(async () => {
    complaints = [];
    foreign = [];
    page = await browser.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== "data:" && origin !== new URL(node.api).origin) foreign.push(request.url());
    });
    await page.goto(`${node.api}/spec`);
    await page.getByRole("heading", { level: 2, name: "Get ledger info" }).waitFor();
  });
  afterEach(() => page?.close());

  /** Opens an operation by its name in the list. */
  const open = async (name: string) => {
    await page.locator("#operations").getByText(name, { exact: true }).click();
    await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
  };
  /** Sends the form and gives the status line and the body that are shown. */
  const send = async () => {
    await page.getByRole("button", { name: "Send" }).click();
    const body = await page.locator("#answer-body").textContent();
    return { status: await page.locator("#answer .status").textContent(), body: body as string };
  };

  test("lists every operation of the description, without a complaint or a foreign request", async () => {
    const document = (await (await fetch(`${node.api}/spec.json`)).json()) as { paths: object };
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
    expect(await page.locator("#operations a").count()).toBe(operations.length);
    await page.getByRole("searchbox").fill("post view");
    expect(await page.locator("#operations a").allInnerTexts()).toHaveLength(1);
    expect([complaints, foreign]).toEqual([[], []]);
  });

  test("tries a read and shows what the node answers", async () => {
    await open("Get account resource");
    const { status, body } = await send();
    expect(status).toContain("200");
    const path = "/accounts/0x1/resource/0x1::account::Account";
    expect(JSON.parse(body)).toEqual(await (await fetch(`${node.api}${path}`)).json());
    await page.screenshot({ path: join(RESULTS, "explorer-read.png"), fullPage: true });

    await page.getByLabel("Answer as").selectOption("application/x-bcs");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("#answer-body", { hasText: /^000000 / }).waitFor();
    expect([complaints, foreign]).toEqual([[], []]);
  });

  test("tries a view with a body of its own and shows refusals as such", async () => {
    await open("Execute view function");
    const answered = await send();
    expect(answered.status).toContain("200");
    expect(JSON.parse(answered.body)).toEqual(["0"]);
    await page.screenshot({ path: join(RESULTS, "explorer-view.png"), fullPage: true });

    // The browser itself notes a refused request; that is the only complaint there may be.
    await page.getByLabel("Request body").fill("{}");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("#answer .status", { hasText: "400" }).waitFor();
    expect(await page.locator("#answer-body").textContent()).toContain("error_code");
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
    expect(foreign).toEqual([]);
  });

  test("opens the operation that its address names", async () => {
    await page.goto(`${node.api}/spec#submit_transaction`);
    await page.getByRole("heading", { level: 2, name: "Submit transaction" }).waitFor();
    const current = page.locator('#operations a[aria-current="true"]');
    expect(await current.textContent()).toContain("Submit transaction");
    expect(complaints).toEqual([]);
  });

  test("fits a narrow screen in the dark", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 800 });
    await open("Get account resource");
    await send();
    const width = await page.locator("body").evaluate((body) => body.scrollWidth);
    await page.screenshot({ path: join(RESULTS, "explorer-narrow.png"), fullPage: true });
    expect(width).toBeLessThanOrEqual(390);
    expect([complaints, foreign]).toEqual([[], []]);
  });
});
