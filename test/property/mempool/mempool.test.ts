import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, type Fate, Mempool, type PooledTransaction } from "../../../src/mempool/index.js";
import { MempoolModel } from "./mempool-model.js";

const LONG = process.env.LONG === "1";
const NUM_RUNS = LONG ? 20_000 : 1000;
const STAY_MS_MAX = 50_000;

interface Draft {
  readonly sender: number;
  readonly number: number;
  readonly isOrderless: boolean;
  readonly price: number;
  readonly payload: number;
  readonly expirationSecs: number;
  /** How far the front's snapshot is behind the chain. */
  readonly lag: number;
}

type Step =
  | { readonly kind: "admit"; readonly draft: Draft }
  | { readonly kind: "block"; readonly max: number; readonly fates: readonly Fate[]; readonly late: Draft[] }
  | { readonly kind: "pass"; readonly secs: number };

const draft: fc.Arbitrary<Draft> = fc.record({
  sender: fc.nat(2),
  number: fc.nat(5),
  isOrderless: fc.boolean(),
  price: fc.nat(2),
  payload: fc.nat(1),
  expirationSecs: fc.integer({ min: 1, max: 90 }),
  lag: fc.nat(2),
});

const fate = fc.constantFrom<Fate>("committed", "committed", "committed", "discarded", "not attempted");

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("admit" as const), draft }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("block" as const),
      max: fc.integer({ min: 1, max: 8 }),
      fates: fc.array(fate, { minLength: 8, maxLength: 8 }),
      late: fc.array(draft, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass" as const), secs: fc.nat(20) }) },
);

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** @param next The account's sequence number on chain. */
function transaction(one: Draft, next: bigint): PooledTransaction {
  const { sender, number, isOrderless, price, payload, expirationSecs } = one;
  const seen = next - BigInt(one.lag);
  const identity = `${sender} ${number} ${isOrderless} ${payload} ${expirationSecs}`;
  return {
    bytes: Buffer.alloc(10 + payload),
    hash: digest(`${identity} ${price}`),
    sender: Buffer.alloc(32, sender + 1),
    sequenceNumber: isOrderless ? undefined : BigInt(number),
    replayProtectionNonce: isOrderless ? BigInt(number) : undefined,
    accountSequenceNumber: seen < 0n ? 0n : seen,
    gasUnitPrice: BigInt(100 + price),
    expirationTimestampSecs: BigInt(expirationSecs),
    replacementKey: digest(identity),
  };
}

const hashes = (transactions: PooledTransaction[]) =>
  transactions.map((one) => Buffer.from(one.hash).toString("hex"));

describe("the mempool", () => {
  it("does what the plain rules say, step by step", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pool = new Mempool({ ...DEFAULT_LIMITS, stayMsMax: STAY_MS_MAX });
        const model = new MempoolModel();
        let nowSecs = 0;
        const admit = (one: Draft) => {
          const made = transaction(one, model.nextOf(Buffer.alloc(32, one.sender + 1)));
          expect(pool.admit(made, nowSecs * 1000)).toBe(model.admit(made, nowSecs * 1000, STAY_MS_MAX));
        };
        for (const one of steps) {
          if (one.kind === "admit") admit(one.draft);
          else if (one.kind === "pass") {
            nowSecs += one.secs;
            pool.expire(nowSecs * 1000);
            model.expire(nowSecs * 1000);
          } else {
            const taken = pool.take({ transactionsMax: one.max, bytesMax: 1_000_000 }, BigInt(nowSecs));
            expect(hashes(taken)).toEqual(hashes(model.take(one.max, BigInt(nowSecs))));
            const fates = fatesOf(taken, one.fates);
            pool.settle((made) => fates.get(made) as Fate);
            for (const [made, end] of fates) {
              if (end === "committed") model.commit(made);
              if (end === "discarded") model.discard(made);
            }
            for (const late of one.late) admit(late);
          }
          expect(pool.size).toBe(model.held.length);
          expect(pool.bytes).toBe(model.held.reduce((sum, held) => sum + held.transaction.bytes.length, 0));
          for (const { transaction: held } of model.held)
            expect(pool.bytesByHash(held.hash)).toBe(held.bytes);
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it("never exceeds a bound, and a refusal changes nothing", () => {
    const limits = {
      ...DEFAULT_LIMITS,
      transactionsMax: 8,
      bytesMax: 85,
      perAccountMax: 4,
      orderlessPerAccountMax: 2,
    };
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 60 }), (drafts) => {
        const pool = new Mempool(limits);
        for (const one of drafts) {
          const before = [pool.size, pool.bytes, pool.parkedCount];
          const made = transaction({ ...one, expirationSecs: 1000 + one.expirationSecs }, 0n);
          const answer = pool.admit(made, 0);
          expect(pool.size).toBeLessThanOrEqual(limits.transactionsMax);
          expect(pool.bytes).toBeLessThanOrEqual(limits.bytesMax);
          if (answer === "accepted") expect(pool.size).toBeGreaterThan(0);
          else expect([pool.size, pool.bytes, pool.parkedCount]).toEqual(before);
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });
});

/** After a discard, later numbers of the account are not due; everything else follows the list. */
function fatesOf(taken: PooledTransaction[], wanted: readonly Fate[]): Map<PooledTransaction, Fate> {
  const broken = new Set<number | undefined>();
  const fates = new Map<PooledTransaction, Fate>();
  taken.forEach((one, index) => {
    const isBroken = one.sequenceNumber !== undefined && broken.has(one.sender[0]);
    const end = isBroken ? "not attempted" : (wanted[index % wanted.length] as Fate);
    if (end !== "committed" && one.sequenceNumber !== undefined) broken.add(one.sender[0]);
    fates.set(one, end);
  });
  return fates;
}
