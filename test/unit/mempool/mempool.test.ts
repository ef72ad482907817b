import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, Mempool, type PooledTransaction } from "../../../src/mempool/index.js";

const BLOCK = { transactionsMax: 100, bytesMax: 1_000_000 };

let serial = 0;
function transaction(overrides: Partial<PooledTransaction> & { account?: number } = {}): PooledTransaction {
  serial++;
  const { account = 1, ...rest } = overrides;
  const id = Buffer.alloc(32);
  id.writeUInt32BE(serial);
  return {
    bytes: Buffer.alloc(100),
    hash: id,
    sender: Buffer.alloc(32, account),
    sequenceNumber: 0n,
    replayProtectionNonce: undefined,
    accountSequenceNumber: 0n,
    gasUnitPrice: 100n,
    expirationTimestampSecs: 1000n,
    replacementKey: id,
    ...rest,
  };
}

const numbers = (taken: PooledTransaction[]) => taken.map((one) => one.sequenceNumber);

describe("order within an account", () => {
  it("is by sequence number, whatever the prices", () => {
    const pool = new Mempool();
    for (const [sequenceNumber, gasUnitPrice] of [
      [2n, 900n],
      [0n, 100n],
      [1n, 500n],
    ] as const) {
      pool.admit(transaction({ sequenceNumber, gasUnitPrice }), 0);
    }
    expect(numbers(pool.take(BLOCK, 0n))).toEqual([0n, 1n, 2n]);
  });
  it("waits behind a gap until it closes", () => {
    const pool = new Mempool();
    pool.admit(transaction({ sequenceNumber: 1n }), 0);
    expect(pool.hasReady).toBe(false);
    expect(pool.parkedCount).toBe(1);
    expect(pool.take(BLOCK, 0n)).toEqual([]);
    pool.settle(() => "committed");
    pool.admit(transaction({ sequenceNumber: 0n }), 0);
    expect(pool.hasReady).toBe(true);
    expect(numbers(pool.take(BLOCK, 0n))).toEqual([0n, 1n]);
  });
  it("survives a front whose snapshot is a block behind", () => {
    const pool = new Mempool();
    pool.admit(transaction({ sequenceNumber: 0n }), 0);
    pool.take(BLOCK, 0n);
    pool.settle(() => "committed");
    pool.admit(transaction({ sequenceNumber: 1n, accountSequenceNumber: 0n }), 0);
    expect(numbers(pool.take(BLOCK, 0n))).toEqual([1n]);
  });
  it("holds when a block gives the first one back and the next one pays more", () => {
    const pool = new Mempool();
    pool.admit(transaction({ sequenceNumber: 0n, gasUnitPrice: 100n }), 0);
    pool.admit(transaction({ sequenceNumber: 1n, gasUnitPrice: 900n }), 0);
    expect(numbers(pool.take({ ...BLOCK, transactionsMax: 1 }, 0n))).toEqual([0n]);
    pool.settle(() => "not attempted");
    expect(numbers(pool.take(BLOCK, 0n))).toEqual([0n, 1n]);
  });
});

describe("a transaction that comes back as not due", () => {
  it("is dropped in the end, so that no block repeats for ever", () => {
    const pool = new Mempool();
    pool.admit(transaction({ sequenceNumber: 7n, accountSequenceNumber: 7n }), 0);
    let blocks = 0;
    while (pool.hasReady) {
      pool.take(BLOCK, 0n);
      pool.settle(() => "not due");
      expect(++blocks).toBeLessThan(100);
    }
    expect(pool.size).toBe(0);
  });
  it("stays any number of blocks when it was not attempted", () => {
    const pool = new Mempool();
    pool.admit(transaction(), 0);
    for (let block = 0; block < 100; block++) {
      expect(pool.take(BLOCK, 0n)).toHaveLength(1);
      pool.settle(() => "not attempted");
    }
  });
});

describe("order among accounts", () => {
  it("is by price, then by arrival", () => {
    const pool = new Mempool();
    const offers = [
      [1, 100n],
      [2, 300n],
      [3, 100n],
      [4, 300n],
    ] as const;
    for (const [account, gasUnitPrice] of offers) pool.admit(transaction({ account, gasUnitPrice }), 0);
    expect(pool.take(BLOCK, 0n).map((one) => one.sender[0])).toEqual([2, 4, 1, 3]);
  });
});

describe("a second transaction with the same number", () => {
  const first = () => transaction({ gasUnitPrice: 100n });
  it("is refused with another payload, even at a higher price", () => {
    const pool = new Mempool();
    pool.admit(first(), 0);
    expect(pool.admit(transaction({ gasUnitPrice: 900n }), 0)).toBe("invalid_transaction_update");
    expect(pool.size).toBe(1);
  });
  it("takes the place of its cheaper copy", () => {
    const pool = new Mempool();
    const cheap = first();
    pool.admit(cheap, 0);
    const dear = transaction({ gasUnitPrice: 101n, replacementKey: cheap.replacementKey });
    expect(pool.admit(dear, 0)).toBe("accepted");
    expect(pool.bytesByHash(cheap.hash)).toBeUndefined();
    expect(pool.take(BLOCK, 0n)).toEqual([dear]);
  });
  it("is accepted without effect when only the signature differs", () => {
    const pool = new Mempool();
    const held = first();
    pool.admit(held, 0);
    expect(pool.admit(transaction({ replacementKey: held.replacementKey }), 0)).toBe("accepted");
    expect(pool.take(BLOCK, 0n)).toEqual([held]);
    expect(pool.admit(transaction({ replacementKey: held.replacementKey }), 0)).toBe("accepted");
    pool.settle(() => "committed");
    expect(pool.size).toBe(0);
  });
  it("is refused at a lower price, and while a block executes the first", () => {
    const pool = new Mempool();
    const held = first();
    pool.admit(held, 0);
    const copy = (gasUnitPrice: bigint) => transaction({ gasUnitPrice, replacementKey: held.replacementKey });
    expect(pool.admit(copy(99n), 0)).toBe("invalid_transaction_update");
    pool.take(BLOCK, 0n);
    expect(pool.admit(copy(200n), 0)).toBe("invalid_transaction_update");
  });
});

describe("bounds", () => {
  it("a full pool refuses, unless a parked transaction can leave for a ready one", () => {
    const pool = new Mempool({ ...DEFAULT_LIMITS, transactionsMax: 2 });
    const parked = transaction({ account: 1, sequenceNumber: 5n });
    pool.admit(parked, 0);
    pool.admit(transaction({ account: 2 }), 0);
    expect(pool.admit(transaction({ account: 3, sequenceNumber: 5n }), 0)).toBe("mempool_is_full");
    expect(pool.admit(transaction({ account: 3 }), 0)).toBe("accepted");
    expect(pool.bytesByHash(parked.hash)).toBeUndefined();
    expect(pool.admit(transaction({ account: 4 }), 0)).toBe("mempool_is_full");
  });
  it("bytes count as well as heads", () => {
    const pool = new Mempool({ ...DEFAULT_LIMITS, bytesMax: 250 });
    expect(pool.admit(transaction({ account: 1 }), 0)).toBe("accepted");
    expect(pool.admit(transaction({ account: 2 }), 0)).toBe("accepted");
    expect(pool.admit(transaction({ account: 3 }), 0)).toBe("mempool_is_full");
  });
  it("one account holds 100 with sequence numbers and no more", () => {
    const pool = new Mempool();
    for (let number = 0n; number < 100n; number++) {
      expect(pool.admit(transaction({ sequenceNumber: number }), 0)).toBe("accepted");
    }
    expect(pool.admit(transaction({ sequenceNumber: 100n }), 0)).toBe("too_many_transactions");
    expect(pool.admit(transaction({ sequenceNumber: undefined, replayProtectionNonce: 1n }), 0)).toBe(
      "accepted",
    );
  });
  it("a block takes no more than its bytes", () => {
    const pool = new Mempool();
    for (let account = 1; account <= 5; account++) pool.admit(transaction({ account }), 0);
    expect(pool.take({ transactionsMax: 100, bytesMax: 250 }, 0n)).toHaveLength(2);
  });
});

describe("time", () => {
  it("drops a transaction when its own expiration comes, or its stay is over", () => {
    const pool = new Mempool({ ...DEFAULT_LIMITS, stayMsMax: 5000 });
    pool.admit(transaction({ account: 1, expirationTimestampSecs: 2n }), 0);
    pool.admit(transaction({ account: 2, expirationTimestampSecs: 100n }), 0);
    expect(pool.expire(1999)).toBe(0);
    expect(pool.expire(2000)).toBe(1);
    expect(pool.expire(5000)).toBe(1);
    expect(pool.size).toBe(0);
  });
  it("keeps an expired transaction out of a block", () => {
    const pool = new Mempool();
    pool.admit(transaction({ expirationTimestampSecs: 5n }), 0);
    expect(pool.take(BLOCK, 5n)).toEqual([]);
    expect(pool.size).toBe(0);
  });
  it("still ends what was in a block at its deadline and came back", () => {
    const pool = new Mempool();
    pool.admit(transaction({ expirationTimestampSecs: 5n }), 0);
    pool.take(BLOCK, 4n);
    expect(pool.expire(9000)).toBe(0);
    pool.settle(() => "not attempted");
    expect(pool.expire(9000)).toBe(1);
  });
});
