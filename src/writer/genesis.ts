/**
 * The first block of a chain: version 0, height 0, made by the core from the built-in framework.
 *
 * Promise: nothing of it is taken from this machine but the clock; accounts and keys follow from the
 * configuration.
 */

import { createHash } from "node:crypto";
import { developmentAccount, minterAccount, type NodeConfig } from "../config/index.js";
import type { BlockOutput, Core, GenesisOptions } from "../native/index.js";
import type { BlockToCommit } from "../store/types.js";

/** What a chain of this configuration begins with. @param nowUsecs Microseconds of the wall clock. */
export function genesisOptions(config: NodeConfig, nowUsecs: number): GenesisOptions {
  return {
    chainId: config.chainId,
    timestampUsecs: nowUsecs,
    epochIntervalUsecs: config.epochIntervalSecs * 1_000_000,
    minterAuthKey: minterAccount(config.seed).authKey,
    accounts: Array.from({ length: config.accounts }, (_, index) => ({
      address: developmentAccount(config.seed, index).address,
      octas: config.balanceOctas,
    })),
  };
}

/** Runs genesis in `core`, which is then ready for the block after it. */
export function genesisBlock(core: Core, options: GenesisOptions): BlockToCommit {
  const output = core.genesis(options);
  return {
    height: 0,
    firstVersion: 0,
    timestampUsecs: options.timestampUsecs,
    epoch: output.epoch,
    round: 0,
    blockId: genesisId(output),
    accumulatorPeaks: output.accumulatorPeaks,
    bytes: output.bytes,
    transactions: output.transactions,
    writes: output.writes,
    eventLinks: output.eventLinks,
  };
}

/** Two chains with the same genesis have the same first id, and no others do. */
function genesisId(output: BlockOutput): Buffer {
  return createHash("sha3-256").update("ledger-node::genesis").update(output.accumulatorPeaks).digest();
}
