import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame, FrameCutter, FrameError } from "../../../src/ipc/frames.js";
import type { AdmittedTransaction } from "../../../src/ipc/messages.js";
import {
  decodeFromWriter,
  decodeToWriter,
  encodeFromWriter,
  encodeToWriter,
} from "../../../src/ipc/wire-messages.js";

const u64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const transaction: fc.Arbitrary<AdmittedTransaction> = fc.record({
  bytes: fc.uint8Array({ maxLength: 300 }),
  hash,
  sender: hash,
  sequenceNumber: fc.option(u64, { nil: undefined }),
  replayProtectionNonce: fc.option(u64, { nil: undefined }),
  accountSequenceNumber: u64,
  gasUnitPrice: u64,
  expirationTimestampSecs: u64,
  replacementKey: hash,
});

/** Bytes of any class compare as plain arrays. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === "bigint") return `${part}n`;
      if (part instanceof Uint8Array) return [...part];
      if (typeof part === "object" && part !== null && "type" in part && part.type === "Buffer") {
        return (part as unknown as { data: unknown }).data;
      }
      return part;
    }),
  );
}

describe("frames", () => {
  it("come out as they went in, however the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.array(fc.nat(20)), (bodies, cuts) => {
        const stream = Buffer.concat(bodies.map((body) => encodeFrame(body)));
        const cutter = new FrameCutter();
        const found: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          found.push(...cutter.push(stream.subarray(at, at + cut)));
          at = Math.min(stream.length, at + cut);
        }
        found.push(...cutter.push(stream.subarray(at)));
        expect(plain(found)).toEqual(plain(bodies));
      }),
    );
  });
  it("above the bound are refused by their length alone", () => {
    expect(() => new FrameCutter(10).push(Buffer.from([11, 0, 0, 0]))).toThrow(FrameError);
    expect(new FrameCutter(10).push(Buffer.from([10, 0, 0, 0]))).toEqual([]);
    expect(() => new FrameCutter().push(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toThrow(FrameError);
  });
});

describe("messages", () => {
  it("to the writer survive the trip", () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(transaction, { maxLength: 5 }), (id, transactions) => {
        const message = { type: "submit" as const, id, transactions };
        expect(plain(decodeToWriter(encodeToWriter(message)))).toEqual(plain(message));
      }),
    );
  });
  it("from the writer survive the trip", () => {
    const messages = [
      {
        type: "committed" as const,
        announcement: { height: 1, version: 2 ** 33, timestampUsecs: 1_700_000_000_000_000 },
      },
      {
        type: "submitted" as const,
        id: 7,
        statuses: ["accepted", "too_many_transactions", "mempool_is_full"] as const,
      },
      { type: "found" as const, id: 7, bytes: Uint8Array.of(1, 2) },
      { type: "found" as const, id: 7, bytes: undefined },
      { type: "failed" as const, id: 7, code: "unavailable", message: "no" },
    ];
    for (const message of messages) {
      expect(plain(decodeFromWriter(encodeFromWriter(message)))).toEqual(plain(message));
    }
  });
  it("made of noise are refused, never misread", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        for (const decode of [decodeToWriter, decodeFromWriter]) {
          try {
            expect(decode(Buffer.from(noise))).toHaveProperty("type");
          } catch (error) {
            expect(error).toBeInstanceOf(FrameError);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
  it("with one damaged byte are refused or decode to the same shape", () => {
    const good = encodeToWriter({ type: "pending", id: 300, hash: new Uint8Array(32) });
    for (let at = 0; at < good.length; at++) {
      for (const bit of [1, 0x80]) {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] as number) ^ bit;
        try {
          expect(decodeToWriter(bad)).toMatchObject({ type: "pending" });
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }
    }
  });
});
