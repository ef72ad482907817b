/** A core with the state of its own genesis in memory: for calls that look up framework types. */
import {
  type BlockOutput,
  type Core,
  type CoreFailure,
  core,
  NONE,
  type StateReader,
  WriteRow,
} from "../../../src/native/index.js";

export interface GenesisState {
  readonly core: Core;
  readonly reader: StateReader;
  readonly output: BlockOutput;
  /** Storage-encoded key in hexadecimal to BCS `StateValue`. */
  readonly values: ReadonlyMap<string, Buffer>;
}

export const CHAIN_ID = 4;

/** @param funded Addresses that get an account with 100 coins. */
export function genesisState(funded: readonly Buffer[] = []): GenesisState {
  const machine = core.createCore({ chainId: CHAIN_ID });
  const output = machine.genesis({
    chainId: CHAIN_ID,
    timestampUsecs: 0,
    epochIntervalUsecs: 3_600_000_000,
    minterAuthKey: Buffer.alloc(32, 0x11),
    accounts: funded.map((address) => ({ address, octas: 10_000_000_000n })),
  });
  const values = new Map<string, Buffer>();
  const { bytes, writes } = output;
  for (let row = 0; row < writes.length; row += WriteRow.WIDTH) {
    const [key, keyEnd, value, valueEnd] = writes.subarray(row, row + WriteRow.WIDTH);
    if (value === undefined || value === NONE) continue;
    values.set(bytes.toString("hex", key, keyEnd), bytes.subarray(value, valueEnd));
  }
  const reader = { read: (key: Buffer) => values.get(key.toString("hex")) };
  return { core: machine, reader, output, values };
}

/** @throws Error with the core's message where the answer is a refusal. */
export function granted<T extends object>(answer: T | CoreFailure): T {
  if ("kind" in answer && answer.kind === "failure") throw new Error(answer.message);
  return answer as T;
}
