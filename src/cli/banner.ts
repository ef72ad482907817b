/** What an operator sees once the node serves. Standard output; the last line is the ready line. */

import { developmentAccount, type NodeConfig } from "../config/index.js";
import { formatAddressLong, formatHex, OCTAS_PER_COIN } from "../domain/index.js";
import type { RunningNode } from "../supervisor/index.js";

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/** The banner, without the ready line. @param version Of the package. */
export function bannerText(node: RunningNode, version: string): string {
  const { config, urls } = node;
  const processes = [
    `supervisor ${process.pid}`,
    ...node.children.map(({ name, pid }) => `${name} ${pid ?? "starting"}`),
  ].join(", ");
  const rows: [string, string | undefined][] = [
    [
      "Ledger Node",
      `${version}, Node.js ${process.versions.node}, HTTP by ${config.http}, names say "${config.vendor}"`,
    ],
    ["REST", urls.api],
    ["Faucet", urls.faucet],
    ["Indexer", urls.indexer],
    ["Readiness", urls.ready],
    ["Chain id", String(config.chainId)],
    ["Data folder", config.dataDir],
    ["Processes", processes],
  ];
  const lines = rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(13)}${value}`]));
  return [...lines, ...accountLines(config), ...warnings(config)].join("\n");
}

/** The line that says the node serves. */
export function readyLine(node: RunningNode): string {
  return `ready in ${node.readyMs} ms`;
}

function accountLines(config: NodeConfig): string[] {
  if (config.accounts === 0) return [];
  const lines = [
    "",
    `Development accounts, ${formatCoins(config.balanceOctas)} coins each at genesis. Their keys follow from the seed: never use them elsewhere.`,
  ];
  for (let index = 0; index < config.accounts; index++) {
    const { address, privateKey } = developmentAccount(config.seed, index);
    lines.push(
      `(${index}) address ${formatAddressLong(address)}`,
      `    private key ${formatHex(privateKey)}`,
    );
  }
  return [...lines, ""];
}

function warnings(config: NodeConfig): string[] {
  if (config.accounts === 0 || LOOPBACK.includes(config.host)) return [];
  return [
    `Warning: ${config.host} can be reached by others, and the keys of the accounts above are public.`,
    "",
  ];
}

function formatCoins(octas: bigint): string {
  const fraction = (octas % OCTAS_PER_COIN).toString().padStart(8, "0").replace(/0+$/, "");
  const whole = (octas / OCTAS_PER_COIN).toString();
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
