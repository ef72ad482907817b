/**
 * Watches the slots in which readers announce the snapshot they use.
 *
 * A snapshot that stays in use keeps every page freed since from being used again: the file grows by
 * megabytes per block, and the free list it leaves behind makes each later commit up to ten times
 * dearer. So slots of dead processes are cleared every second, and the age of the oldest snapshot in
 * use is reported, for whoever can stop its owner.
 *
 * Leaves to others: stopping it. This only knows process ids.
 */

import type { Environment } from "./environment.js";

/** The oldest snapshot in use that is not the newest. */
export interface ReaderAge {
  /** 0 when every reader is on the newest snapshot or on none. */
  readonly ageMs: number;
  readonly processId: number | undefined;
  /** Slots of dead processes cleared in this round. */
  readonly cleared: number;
}

export class ReaderWatch {
  readonly #environment: Environment;
  /** Slot and snapshot → when it was first seen to be behind. */
  #behindSince = new Map<string, number>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Looks once. Call every second. @param nowMs Any clock that does not go back. */
  check(nowMs: number): ReaderAge {
    const { root } = this.#environment;
    const cleared = root.readerCheck();
    const { lastTxnId } = root.getStats() as { readonly lastTxnId: number };
    const behind = new Map<string, number>();
    let ageMs = 0;
    let processId: number | undefined;
    for (const { slot, process, transaction } of readerSlots(root.readerList())) {
      if (transaction >= lastTxnId) continue;
      const name = `${slot} ${transaction}`;
      const since = this.#behindSince.get(name) ?? nowMs;
      behind.set(name, since);
      if (nowMs - since >= ageMs) {
        ageMs = nowMs - since;
        processId = process;
      }
    }
    this.#behindSince = behind;
    return { ageMs, processId, cleared };
  }
}

/** Slots in use in the engine's listing: `pid thread txnid`, a dash where no snapshot is held. */
export function readerSlots(
  listing: string,
): { readonly slot: string; readonly process: number; readonly transaction: number }[] {
  const slots: { slot: string; process: number; transaction: number }[] = [];
  for (const [index, line] of listing.split("\n").entries()) {
    const fields = /^\s*(\d+)\s+([0-9a-f]+)\s+(\d+)\s*$/.exec(line);
    if (fields === null) continue;
    slots.push({
      slot: `${index} ${fields[1]} ${fields[2]}`,
      process: Number(fields[1]),
      transaction: Number(fields[3]),
    });
  }
  return slots;
}
