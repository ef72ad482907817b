/** Processor time of the node's processes, all threads, from /proc. */

import { readFileSync } from "node:fs";

/** Clock ticks per second of /proc/<pid>/stat; fixed on Linux. */
const TICKS_PER_SECOND = 100;

/** @returns User and system time in microseconds; 0 for a process that is gone or where /proc is not. */
export function cpuMicros(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may hold spaces; times are fields 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // Gone, or not Linux.
    }
  }
  return (ticks / TICKS_PER_SECOND) * 1e6;
}
