/**
 * The first block of a chain: version 0, height 0, made by the core from the built-in framework
 * or taken from a genesis file.
 *
 * Promise: nothing of it is taken from this machine but the clock; accounts and keys follow from the
 * configuration.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { developmentAccount, minterAccount, type NodeConfig } from "../config/index.js";
import { NodeError } from "../errors/index.js";
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
  return firstBlock(core.genesis(options), options.timestampUsecs);
}

/**
 * The first block of a chain that begins with a genesis file; `core` is then ready for the block after it.
 *
 * @throws NodeError `config_invalid` for a file that cannot be read, is no genesis, or is of another chain.
 */
export function genesisFileBlock(core: Core, path: string): { block: BlockToCommit; waypoint: string } {
  let file: Buffer;
  try {
    file = readFileSync(path);
  } catch (cause) {
    throw new NodeError("config_invalid", `The genesis file ${path} cannot be read.`, { cause });
  }
  const output = core.genesisFromFile(file);
  return { block: firstBlock(output, 0), waypoint: core.genesisWaypoint(file) };
}

function firstBlock(output: BlockOutput, timestampUsecs: number): BlockToCommit {
  return {
    height: 0,
    firstVersion: 0,
    timestampUsecs,
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
