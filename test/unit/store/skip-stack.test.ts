import { describe, expect, it } from "vitest";
import { readU48, writeU48 } from "../../../src/store/integers.js";
import { HISTORY_ENTRY_BYTES, pushOnStack } from "../../../src/store/skip-stack.js";

/** Builds the stacks of 1 to `last`, where element n has version 10 n and position n. */
function stacksUpTo(last: number, oldestVersion = 0): Buffer[] {
  const stacks = [Buffer.from([0])];
  for (let n = 1; n <= last; n++) {
    const stack = Buffer.alloc(1 + 48 * HISTORY_ENTRY_BYTES);
    const end = pushOnStack(stack, 0, stacks[n - 1] as Buffer, 0, n, HISTORY_ENTRY_BYTES, oldestVersion);
    writeU48(stack, 1, 10 * n);
    writeU48(stack, 7, n);
    stacks.push(stack.subarray(0, end));
  }
  return stacks;
}

function elements(stack: Buffer): number[] {
  return Array.from({ length: stack[0] as number }, (_, index) =>
    readU48(stack, 1 + index * HISTORY_ENTRY_BYTES + 6),
  );
}

describe("a skip stack", () => {
  it.each([
    [1, [1]],
    [2, [2]],
    [3, [3, 2]],
    [4, [4]],
    [7, [7, 6, 4]],
    [8, [8]],
    [22, [22, 20, 16]],
    [1023, [1023, 1022, 1020, 1016, 1008, 992, 960, 896, 768, 512]],
    [1024, [1024]],
  ])("of %i names the elements left when its lowest bits are cleared", (n, expected) => {
    expect(elements(stacksUpTo(n)[n] as Buffer)).toEqual(expected);
  });

  it("leads to any element in at most log2 n steps", () => {
    const last = 4_000;
    const stacks = stacksUpTo(last);
    let most = 0;
    for (let wanted = 1; wanted <= last; wanted++) {
      let at = last + 1;
      let steps = 0;
      while (at !== wanted) {
        at = elements(stacks[at - 1] as Buffer)
          .reverse()
          .find((element) => element >= wanted) as number;
        steps++;
      }
      most = Math.max(most, steps);
    }
    expect(most).toBeLessThanOrEqual(Math.ceil(Math.log2(last)) + 1);
  });

  it("drops entries that no reader may follow, and no others", () => {
    const stack = stacksUpTo(22, 160)[22] as Buffer;
    expect(elements(stack)).toEqual([22, 20]);
    expect(elements(stacksUpTo(22, 159)[22] as Buffer)).toEqual([22, 20, 16]);
  });
});
