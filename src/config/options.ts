/**
 * Every option of the node, once. `--help`, the environment names, the keys of the configuration
 * file and the table in the README all come from here.
 */

import { U64_MAX } from "../domain/index.js";
import { choice, flagSwitch, type Kind, names, octas, path, port, wholeNumber, word } from "./kinds.js";

/** One option. Its flag is `--name`, its variable LEDGER_NODE_NAME, its file key `name`. */
export interface Option<T> {
  readonly name: string;
  readonly kind: Kind<T>;
  /** `undefined` where the value depends on the machine or on other options; `help` says how. */
  readonly fallback: T | undefined;
  readonly help: string;
}

function option<T>(name: string, kind: Kind<T>, fallback: NoInfer<T> | undefined, help: string): Option<T> {
  return { name, kind, fallback, help };
}

const host = word(/^[0-9A-Za-z.:_-]{1,253}$/, "a host name or an address", "HOST");

/** Options by the field of NodeConfig they fill. */
export const OPTIONS = {
  host: option("host", host, "127.0.0.1", "address the REST interface listens on"),
  port: option("port", port, 8080, "port of the REST interface; 0 takes a free one"),
  http: option("http", choice(["uws", "node"]), "uws", "HTTP transport: native, or plain Node.js"),
  vendor: option(
    "vendor",
    word(/^[a-z][a-z0-9-]{0,31}$/, "a lower-case word", "WORD"),
    "node",
    "word in header names and media types where a maker's name stands",
  ),
  chainId: option(
    "chain-id",
    wholeNumber(1, 255, "ID"),
    4,
    "id of the chain; transactions are signed for it",
  ),
  allowPublicChainId: option(
    "allow-public-chain-id",
    flagSwitch,
    false,
    "accept chain ids 1 and 2, where signatures made here are valid on public networks",
  ),
  genesis: option(
    "genesis",
    path("FILE"),
    undefined,
    "a public network's genesis file to begin with; --chain-id must be its own, and there is no faucet",
  ),
  dataDir: option(
    "data-dir",
    path("FOLDER"),
    undefined,
    "folder of the chain; ./data/<chain id> if not given",
  ),
  historyWindow: option(
    "history-window",
    wholeNumber(1, Number.MAX_SAFE_INTEGER, "VERSIONS"),
    1_000_000,
    "versions whose state can be read; older ones are pruned",
  ),
  disable: option(
    "disable",
    names("NAMES"),
    undefined,
    "operations answered with 403, by their names in the API description; also json_output, bcs_output",
  ),
  fronts: option(
    "fronts",
    wholeNumber(1, 64),
    undefined,
    "HTTP processes; half the cores if not given, 1 to 8",
  ),
  workers: option(
    "workers",
    wholeNumber(1, 64),
    undefined,
    "threads per front; 1 to 4 by cores if not given",
  ),
  blockDelayMs: option(
    "block-delay-ms",
    wholeNumber(0, 60_000, "MS"),
    20,
    "wait after the first waiting transaction before a block is cut",
  ),
  idleBlockMs: option(
    "idle-block-ms",
    wholeNumber(0, 3_600_000, "MS"),
    1000,
    "an idle chain makes a block this often; 0 never",
  ),
  epochIntervalSecs: option(
    "epoch-interval-secs",
    wholeNumber(1, 31_536_000, "SECS"),
    7200,
    "length of an epoch; fixed at genesis",
  ),
  accounts: option("accounts", wholeNumber(0, 1000), 10, "development accounts funded at genesis"),
  balanceOctas: option(
    "balance",
    octas(U64_MAX / 2000n),
    100_000_000_000n,
    "octas each development account has at genesis",
  ),
  seed: option(
    "seed",
    word(/^[\x20-\x7e]{1,128}$/, "1 to 128 printable characters", "TEXT"),
    "ledger-node development",
    "development keys are derived from this text",
  ),
  noFaucet: option("no-faucet", flagSwitch, false, "run without faucet, indexer answers and readiness port"),
  faucetHost: option("faucet-host", host, "127.0.0.1", "address the three ports below listen on"),
  faucetPort: option("faucet-port", port, 8081, "port of the faucet"),
  indexerPort: option("indexer-port", port, 8090, "port of the two indexer answers SDKs wait for"),
  readyPort: option("ready-port", port, 8070, "port that answers once the chain is up"),
  logLevel: option(
    "log-level",
    choice(["trace", "debug", "info", "warn", "error", "silent"]),
    "info",
    "least grave level that is logged, to node.log in the data folder",
  ),
  silent: option("silent", flagSwitch, false, "print no banner"),
} as const;

/** Flags that ask for something else than a running node, or name where options stand. */
export const COMMAND_FLAGS = {
  help: "print this and end",
  version: "print the version and end",
  config: "JSON file of options, by the names above without dashes in front",
} as const;
