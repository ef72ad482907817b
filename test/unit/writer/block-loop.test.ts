import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BlockLoop } from "../../../src/writer/block-loop.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The fake clock counts an immediate set while a timer fires as a millisecond. */
const within = (dueMs: number) => (ms: number) => ms >= dueMs && ms <= dueMs + 3;

/** A loop on a fake clock, with the times of its blocks. */
function setUp(options: { blockDelayMs?: number; idleBlockMs?: number; takesMs?: number } = {}) {
  const { blockDelayMs = 20, idleBlockMs = 1000, takesMs = 0 } = options;
  const startedMs = Date.now();
  const times: number[] = [];
  const state = { ready: 0, perBlock: Number.POSITIVE_INFINITY, failure: undefined as Error | undefined };
  const onFailure = vi.fn();
  const loop = new BlockLoop({
    blockDelayMs,
    idleBlockMs,
    nowMs: () => Date.now(),
    hasReady: () => state.ready > 0,
    onFailure,
    produce: async () => {
      times.push(Date.now() - startedMs);
      state.ready -= Math.min(state.ready, state.perBlock);
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
      if (state.failure !== undefined) throw state.failure;
    },
  });
  const submit = () => {
    state.ready++;
    loop.note();
  };
  return { loop, times, state, submit, onFailure };
}

describe("an idle chain", () => {
  it("makes a block at once and then one per beat", async () => {
    const { loop, times } = setUp();
    loop.start();
    await vi.advanceTimersByTimeAsync(3500);
    expect(times).toEqual([0, 1000, 2000, 3000]);
  });
  it("makes none when told so", async () => {
    const { loop, times } = setUp({ idleBlockMs: 0 });
    loop.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times).toEqual([]);
  });
});

describe("a waiting transaction", () => {
  it("is cut after the delay, with all that joined it meanwhile", async () => {
    const { loop, times, submit } = setUp({ idleBlockMs: 0 });
    loop.start();
    await vi.advanceTimersByTimeAsync(100);
    submit();
    await vi.advanceTimersByTimeAsync(15);
    submit();
    await vi.advanceTimersByTimeAsync(100);
    expect(times).toEqual([120]);
  });
  it("that is parked does not hasten a block", async () => {
    const { loop, times } = setUp({ idleBlockMs: 0 });
    loop.start();
    loop.note();
    await vi.advanceTimersByTimeAsync(100);
    expect(times).toEqual([]);
  });
  it("that comes while a block is made counts its delay from its own arrival", async () => {
    const { loop, times, submit } = setUp({ idleBlockMs: 0, takesMs: 50 });
    loop.start();
    submit();
    await vi.advanceTimersByTimeAsync(30);
    submit();
    await vi.advanceTimersByTimeAsync(200);
    // The first is cut at 20 and made until 70, when the second has waited its 20 ms already.
    expect(times[0]).toBe(20);
    expect(times[1]).toSatisfy(within(70));
  });
  it("left over from a full block goes into the next without a wait", async () => {
    const { loop, times, submit, state } = setUp({ idleBlockMs: 0 });
    state.perBlock = 1;
    loop.start();
    for (let count = 0; count < 3; count++) submit();
    await vi.advanceTimersByTimeAsync(100);
    expect(times).toHaveLength(3);
    for (const time of times) expect(time).toSatisfy(within(20));
  });
});

describe("the end", () => {
  it("waits for the block under way and none follows", async () => {
    const { loop, times } = setUp({ takesMs: 50 });
    loop.start();
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(isStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await stopped;
    await vi.advanceTimersByTimeAsync(5000);
    expect(times).toEqual([0]);
  });
  it("comes with a failure, which is reported once", async () => {
    const { loop, times, state, submit, onFailure } = setUp();
    state.failure = new Error("disk full");
    loop.start();
    await vi.advanceTimersByTimeAsync(10);
    submit();
    await vi.advanceTimersByTimeAsync(5000);
    expect(times).toEqual([0]);
    expect(onFailure.mock.calls).toEqual([[state.failure]]);
  });
});
