import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NodeError } from "../../../src/errors/index.js";
import { encodeFrame } from "../../../src/ipc/frames.js";
import {
  type AdmittedTransaction,
  connectWriter,
  prepareSocketPath,
  removeSocketPath,
  type WriterLink,
  WriterServer,
  type WriterService,
} from "../../../src/ipc/index.js";
import { encodeToWriter, PROTOCOL_VERSION } from "../../../src/ipc/wire-messages.js";
import { silentLogger } from "../../../src/observe/index.js";

const log = silentLogger();
const token = Buffer.alloc(32, 7);
const newest = { height: 3, version: 9, timestampUsecs: 5 };

let folder: string;
let path: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ipc-"));
  path = prepareSocketPath("/some/data", { XDG_RUNTIME_DIR: folder });
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(service: Partial<WriterService> = {}): Promise<WriterServer> {
  const whole = { submit: () => [], pendingByHash: () => undefined, newest, ...service };
  const server = await WriterServer.listen(whole, { path, token, log });
  closers.push(() => server.close());
  return server;
}

function link(withToken = token): WriterLink {
  const found = connectWriter({ path, token: withToken, log });
  closers.push(() => found.close());
  return found;
}

async function up(found: WriterLink): Promise<WriterLink> {
  await vi.waitFor(() => expect(found.isUp).toBe(true), { timeout: 5000 });
  return found;
}

function transaction(fill: number, length = 10): AdmittedTransaction {
  return {
    bytes: Buffer.alloc(length, fill),
    hash: Buffer.alloc(32, fill),
    sender: Buffer.alloc(32, fill),
    sequenceNumber: BigInt(fill),
    replayProtectionNonce: undefined,
    accountSequenceNumber: 0n,
    gasUnitPrice: 100n,
    expirationTimestampSecs: 1n,
    replacementKey: Buffer.alloc(32, fill),
  };
}

describe("the line to the writer", () => {
  it("carries submits and gives each its own answer, in order", async () => {
    await serve({
      submit: (transactions) =>
        transactions.map((one) => (one.bytes[0] === 1 ? "accepted" : "sequence_number_too_old")),
    });
    const line = await up(link());
    const answers = await Promise.all([
      line.submit([transaction(1), transaction(2)]),
      line.submit([transaction(2)]),
      line.submit([]),
    ]);
    expect(answers).toEqual([["accepted", "sequence_number_too_old"], ["sequence_number_too_old"], []]);
  });
  it("cuts a submit larger than a frame may be", async () => {
    const seen: number[] = [];
    await serve({
      submit: (transactions) => {
        seen.push(transactions.length);
        return transactions.map(() => "accepted");
      },
    });
    const line = await up(link());
    const answers = await line.submit(Array.from({ length: 40 }, () => transaction(1, 1024 * 1024)));
    expect(answers).toHaveLength(40);
    expect(seen.length).toBeGreaterThan(5);
  });
  it("finds pending transactions, and says when there is none", async () => {
    await serve({ pendingByHash: (hash) => (hash[0] === 1 ? Buffer.from([5]) : undefined) });
    const line = await up(link());
    expect(await line.pendingByHash(Buffer.alloc(32, 1))).toEqual(Buffer.from([5]));
    expect(await line.pendingByHash(Buffer.alloc(32, 2))).toBeUndefined();
  });
  it("hears of the newest block at once and of every later one", async () => {
    const server = await serve();
    const heights: number[] = [];
    const line = link();
    line.onCommit((announcement) => heights.push(announcement.height));
    await up(line);
    server.announce({ ...newest, height: 4 });
    server.announce({ ...newest, height: 5 });
    await vi.waitFor(() => expect(heights).toEqual([3, 4, 5]));
  });
  it("passes a refusal on with its code", async () => {
    await serve({
      submit: () => {
        throw new NodeError("unavailable", "the store is full");
      },
    });
    const line = await up(link());
    await expect(line.submit([transaction(1)])).rejects.toMatchObject({
      code: "unavailable",
      message: "the store is full",
    });
  });
});

describe("when the writer is away", () => {
  it("a submit rejects at once", async () => {
    const line = link();
    expect(line.isUp).toBe(false);
    await expect(line.submit([transaction(1)])).rejects.toMatchObject({ code: "unavailable" });
  });
  it("requests under way reject, and the line comes back with the writer", async () => {
    const first = await serve({
      submit: () => {
        void first.close();
        throw new NodeError("unavailable", "never sent");
      },
    });
    const line = await up(link());
    await expect(line.submit([transaction(1)])).rejects.toMatchObject({ code: "unavailable" });
    await vi.waitFor(() => expect(line.isUp).toBe(false));
    await serve({ submit: () => ["accepted"] });
    await up(line);
    expect(await line.submit([transaction(1)])).toEqual(["accepted"]);
  });
});

describe("strangers", () => {
  it("with another token are not heard", async () => {
    const submit = vi.fn(() => []);
    await serve({ submit });
    const stranger = link(Buffer.alloc(32, 8));
    const friend = await up(link());
    await friend.submit([transaction(1)]).catch(() => {});
    expect(stranger.isUp).toBe(false);
  });
  it.each([
    ["noise", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["a request before HELLO", encodeFrame(encodeToWriter({ type: "pending", id: 1, hash: token }))],
    [
      "another protocol",
      encodeFrame(encodeToWriter({ type: "hello", protocol: PROTOCOL_VERSION + 1, token })),
    ],
    [
      "a short token",
      encodeFrame(encodeToWriter({ type: "hello", protocol: PROTOCOL_VERSION, token: token.subarray(1) })),
    ],
    ["an endless frame", Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ])("that send %s are cut off", async (_name, bytes) => {
    await serve();
    const socket = connect(path);
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write(bytes);
    await closed;
    await up(link());
  });
});

describe("the socket folder", () => {
  it("is for this user alone, and the same for the same data folder", () => {
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(prepareSocketPath("/some/data", { XDG_RUNTIME_DIR: folder })).toBe(path);
    expect(prepareSocketPath("/other/data", { XDG_RUNTIME_DIR: folder })).not.toBe(path);
  });
  it("is gone after a close and a removal", async () => {
    const server = await serve();
    await server.close();
    removeSocketPath(path);
    expect(() => statSync(dirname(path))).toThrow();
  });
  it("is refused where its path would be cut", () => {
    expect(() => prepareSocketPath("/d", { XDG_RUNTIME_DIR: join(folder, "x".repeat(90)) })).toThrow(
      expect.objectContaining({ code: "listen_failed" }),
    );
  });
  it("a socket left by a killed writer does not stop the next", async () => {
    await serve();
    // The same path again without closing: the file is there, as after a kill.
    await serve();
    await up(link());
  });
});
