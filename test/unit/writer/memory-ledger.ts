/**
 * A store and a core made of plain memory, for tests of the writer. The core's "execution" turns each
 * transaction into one row, but for those whose first byte tells it to discard or to hand back.
 */

import { type BlockInput, type BlockOutput, type Core, TransactionRow } from "../../../src/native/types.js";
import type { BlockToCommit, LedgerHead, StoreWriter } from "../../../src/store/types.js";

/** First bytes of transactions the core treats specially; the discards carry their VM status. */
export const DISCARD_TOO_NEW = 4;
export const DISCARD_NO_BALANCE = 5;
export const RETRY = 200;

export class MemoryLedger {
  readonly blocks: BlockToCommit[] = [];
  readonly inputs: BlockInput[] = [];
  /** What happened, in order. */
  readonly events: string[] = [];
  failNextCommit: Error | undefined;
  failNextExecution: Error | undefined;
  /** Set to hold commits back until it is called. */
  release: (() => void) | undefined;
  #held: Promise<void> = Promise.resolve();

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  get head(): LedgerHead {
    const last = this.blocks[this.blocks.length - 1];
    if (last === undefined) throw new Error("no block yet");
    return {
      version: last.firstVersion + last.transactions.length / TransactionRow.WIDTH - 1,
      height: last.height,
      timestampUsecs: last.timestampUsecs,
      epoch: last.epoch,
      round: last.round,
      oldestVersion: 0,
      oldestHeight: 0,
      accumulatorPeaks: last.accumulatorPeaks,
    };
  }

  readonly store = new Proxy({} as StoreWriter, {
    get: (_target, name: string): unknown => {
      if (name === "head") return this.head;
      if (name === "refresh") return () => this.head;
      if (name === "isEmpty") return this.blocks.length === 0;
      if (name === "state") return () => undefined;
      if (name === "allState") return () => [];
      if (name === "blockByHeight") return (height: number) => this.blocks[height];
      if (name === "closeWriter") return async () => void this.events.push("close");
      if (name === "commit") return (blocks: BlockToCommit[]) => this.#commit(blocks);
      throw new Error(`the writer is not expected to use ${name}`);
    },
  });

  readonly core = new Proxy({} as Core, {
    get: (_target, name: string): unknown => {
      if (name === "genesis") return () => output([Buffer.alloc(1)], 1);
      if (name === "loadState") return () => void this.events.push("load");
      if (name === "executeBlock") return (block: BlockInput) => this.#execute(block);
      throw new Error(`the writer is not expected to use ${name}`);
    },
  });

  #execute(block: BlockInput): BlockOutput {
    this.inputs.push(block);
    this.events.push(`execute ${block.height}`);
    if (this.failNextExecution !== undefined) throw this.failNextExecution;
    // Metadata before and checkpoint after, as every block has.
    const rows = [
      Buffer.alloc(1),
      ...block.transactions.filter((one) => (one[0] ?? 0) === 0),
      Buffer.alloc(1),
    ];
    const discarded: { index: number; vmStatus: number }[] = [];
    const retried: number[] = [];
    block.transactions.forEach((one, index) => {
      if (one[0] === RETRY) retried.push(index);
      else if (one[0] !== 0) discarded.push({ index, vmStatus: one[0] as number });
    });
    return { ...output(rows, block.epoch), discarded, retried };
  }

  async #commit(blocks: BlockToCommit[]): Promise<void> {
    await this.#held;
    if (this.failNextCommit !== undefined) throw this.failNextCommit;
    for (const block of blocks) {
      this.blocks.push(block);
      this.events.push(`commit ${block.height}`);
    }
  }
}

function output(rows: Buffer[], epoch: number): BlockOutput {
  return {
    bytes: Buffer.concat(rows),
    transactions: new Uint32Array(rows.length * TransactionRow.WIDTH),
    writes: new Uint32Array(),
    eventLinks: new Uint32Array(),
    discarded: [],
    retried: [],
    stateRoot: Buffer.alloc(32),
    accumulatorPeaks: Buffer.alloc(32),
    epoch,
  };
}
