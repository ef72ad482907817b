/** What a node might leave behind, and waiting for conditions with a deadline. */

import { readFileSync } from "node:fs";
import { connect } from "node:net";

/** Longest wait where a test asks for none, in milliseconds; generous, since tests share cores. */
const WAIT_MS_MAX = 30_000;

/**
 * Polls until `isTrue` says so.
 *
 * @throws Error naming `what` after `msMax` milliseconds.
 */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  msMax = WAIT_MS_MAX,
): Promise<void> {
  const endMs = performance.now() + msMax;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`waited ${msMax} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** True while the process exists and is no zombie waiting for its parent. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
  } catch {
    try {
      process.kill(pid, 0);
      return process.platform !== "linux";
    } catch {
      return false;
    }
  }
}

/** True if something accepts connections at the URL's host and port. */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
