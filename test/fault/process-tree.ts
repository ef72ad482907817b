/** The processes of a node as the kernel knows them. Linux. */

import { readdirSync, readFileSync } from "node:fs";

/** One child of a node. */
export interface ChildProcessView {
  readonly pid: number;
  /** `writer`, `front` or `faucet`. */
  readonly kind: string;
}

/** Living children of the process, by their entry files. */
export function childrenOf(pid: number): ChildProcessView[] {
  const found: ChildProcessView[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(parent) !== pid || state === "Z") continue;
      const kind = /workers\/(\w+)\.js/.exec(readFileSync(`/proc/${name}/cmdline`, "latin1"))?.[1];
      if (kind !== undefined) found.push({ pid: Number(name), kind });
    } catch {
      // Ended between the listing and the look.
    }
  }
  return found;
}

/** Sockets that listen on an IPv4 port; processes that share a port have one each. */
export function listenersOn(port: number): number {
  const LISTENING = "0A";
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(local) && state === LISTENING).length;
}
