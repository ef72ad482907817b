/**
 * The facts of the next block that execution does not decide: its number, time, identity and author.
 *
 * Promise: a pure function of the newest block, the clock's reading and the transactions, so that
 * every process given the same three proposes the same block.
 */

import { createHash } from "node:crypto";
import type { BlockInput } from "../native/index.js";
import type { LedgerHead } from "../store/types.js";

/**
 * Zeros leave the choice to the core, which takes the first validator of the chain: the block prologue
 * moves the clock only for a member of the validator set, and a genesis file brings its own.
 */
const PROPOSER = Buffer.alloc(32);

/** What the writer puts into a block. */
export interface Proposal {
  readonly head: LedgerHead;
  /** Identity of the newest block, 32 bytes. */
  readonly parentId: Buffer;
  /** Microseconds of the wall clock. */
  readonly nowUsecs: number;
  /** In proposed order. */
  readonly transactions: readonly { readonly bytes: Uint8Array; readonly hash: Uint8Array }[];
}

/** Time of the next block: the wall clock's, but always after the newest block's. */
export function nextTimestamp(head: LedgerHead, nowUsecs: number): number {
  return Math.max(nowUsecs, head.timestampUsecs + 1);
}

/** The block after `head`. */
export function nextBlock(proposal: Proposal): BlockInput {
  const { head } = proposal;
  const height = head.height + 1;
  const timestampUsecs = nextTimestamp(head, proposal.nowUsecs);
  return {
    height,
    firstVersion: head.version + 1,
    epoch: head.epoch,
    round: head.round + 1,
    timestampUsecs,
    blockId: blockId(proposal, height, timestampUsecs),
    proposer: PROPOSER,
    transactions: proposal.transactions.map(({ bytes }) =>
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    ),
  };
}

/** Names the block by its parent and all it contains, so that equal ids mean equal histories. */
function blockId(proposal: Proposal, height: number, timestampUsecs: number): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64LE(BigInt(height), 0);
  numbers.writeBigUInt64LE(BigInt(timestampUsecs), 8);
  const hash = createHash("sha3-256").update("ledger-node::block").update(proposal.parentId).update(numbers);
  for (const transaction of proposal.transactions) hash.update(transaction.hash);
  return hash.digest();
}
