/**
 * The development mode's own ports: faucet, indexer answers, readiness. A client of the node like any
 * other, in a process of its own; it holds the minter's key and nothing else does.
 */

import { minterAccount, type NodeConfig } from "../config/index.js";
import type { Logger } from "../observe/index.js";
import { wireNames } from "../wire/index.js";
import { listenFaucet } from "./fund-server.js";
import type { SmallServer } from "./http.js";
import { listenIndexer } from "./indexer-server.js";
import { Minter } from "./minter.js";
import { NodeClient } from "./node-client.js";
import { listenReady } from "./ready-server.js";
import { transferKey } from "./transfer.js";

export interface Faucet {
  readonly faucetPort: number;
  readonly indexerPort: number;
  readonly readyPort: number;
  close(): Promise<void>;
}

/** @throws NodeError `listen_failed`; ports opened before are closed again. */
export async function startFaucet(config: NodeConfig, log: Logger): Promise<Faucet> {
  const client = new NodeClient(nodeUrl(config), wireNames(config.vendor));
  const account = minterAccount(config.seed);
  const key = transferKey(account.privateKey, account.publicKey);
  const minter = new Minter({ client, key, address: account.address, chainId: config.chainId, log });
  const servers: SmallServer[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    const faucet = await listenFaucet(config.faucetHost, config.faucetPort, minter);
    servers.push(faucet);
    const indexer = await listenIndexer(config.faucetHost, config.indexerPort, client);
    servers.push(indexer);
    const ready = await listenReady(config.faucetHost, config.readyPort, client, account.address);
    servers.push(ready);
    return { faucetPort: faucet.port, indexerPort: indexer.port, readyPort: ready.port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A host that means every interface is reached over loopback. */
function nodeUrl(config: NodeConfig): string {
  if (config.host === "0.0.0.0") return `http://127.0.0.1:${config.port}`;
  if (config.host === "::") return `http://[::1]:${config.port}`;
  return config.host.includes(":")
    ? `http://[${config.host}]:${config.port}`
    : `http://${config.host}:${config.port}`;
}
