/**
 * The data folder as the supervisor knows it: that it can be written, and which chain is in it.
 *
 * `chain.json` records what genesis fixed for ever. A later start takes its accounts and epoch length
 * from there, and refuses another chain id or seed, whose keys would open nothing here.
 * Leaves the store's own files, and the lock on the folder, to the writer.
 */

import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { NodeConfig } from "../config/index.js";
import { NodeError } from "../errors/index.js";

const FILE_NAME = "chain.json";

/** What genesis fixed, in the words of the options. */
interface ChainRecord {
  readonly chain_id: number;
  readonly seed: string;
  readonly accounts: number;
  /** Octas, decimal text. */
  readonly balance: string;
  readonly epoch_interval_secs: number;
}

/**
 * Makes the folder if needed and fits the configuration to the chain in it.
 *
 * @returns the configuration to run with; its `dataDir` has no symbolic links.
 * @throws NodeError `data_folder_unusable` or `data_folder_other_chain`, in one sentence.
 */
export function openDataFolder(config: NodeConfig): NodeConfig {
  const dataDir = usableFolder(config.dataDir);
  const file = join(dataDir, FILE_NAME);
  const found = readRecord(file, config);
  if (found === undefined) {
    writeRecord(file, config);
    return Object.freeze({ ...config, dataDir });
  }
  if (found.chain_id !== config.chainId) {
    throw otherChain(config, `chain ${found.chain_id}, not ${config.chainId}`);
  }
  if (found.seed !== config.seed) throw otherChain(config, "a chain made with another --seed");
  return Object.freeze({
    ...config,
    dataDir,
    accounts: found.accounts,
    balanceOctas: BigInt(found.balance),
    epochIntervalSecs: found.epoch_interval_secs,
  });
}

function usableFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new NodeError(
      "data_folder_unusable",
      `The data folder ${path} cannot be made or written (${reason}).`,
      {
        cause,
      },
    );
  }
}

function readRecord(file: string, config: NodeConfig): ChainRecord | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new NodeError("data_folder_unusable", `The file ${file} cannot be read.`, { cause });
  }
  try {
    const record: unknown = JSON.parse(text);
    if (isChainRecord(record)) return record;
  } catch {
    // The sentence below covers both.
  }
  throw otherChain(config, `a ${FILE_NAME} that is not a chain's`);
}

function isChainRecord(value: unknown): value is ChainRecord {
  if (typeof value !== "object" || value === null) return false;
  const { chain_id, seed, accounts, balance, epoch_interval_secs } = value as Partial<ChainRecord>;
  return (
    [chain_id, accounts, epoch_interval_secs].every(Number.isSafeInteger) &&
    typeof seed === "string" &&
    typeof balance === "string" &&
    /^\d{1,20}$/.test(balance)
  );
}

function writeRecord(file: string, config: NodeConfig): void {
  const record: ChainRecord = {
    chain_id: config.chainId,
    seed: config.seed,
    accounts: config.accounts,
    balance: String(config.balanceOctas),
    epoch_interval_secs: config.epochIntervalSecs,
  };
  try {
    // Whole or not at all: a half-written record would lock its owner out.
    writeFileSync(`${file}.new`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new NodeError("data_folder_unusable", `The file ${file} cannot be written (${reason}).`, { cause });
  }
}

function otherChain(config: NodeConfig, what: string): NodeError {
  const sentence = `The data folder ${config.dataDir} holds ${what}; --data-dir chooses another.`;
  return new NodeError("data_folder_other_chain", sentence);
}
