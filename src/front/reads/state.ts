/** State values: which version may be read, and what is inside the envelope. */

import { NodeError } from "../../errors/index.js";
import type { StoreReader } from "../../store/types.js";
import { BcsWalker } from "./bcs.js";

/**
 * Holds a requested version against the window of history.
 *
 * @throws NodeError `version_not_found` above the newest version, `version_pruned` below the oldest.
 */
export function checkVersion(store: StoreReader, version: number | undefined): void {
  if (version === undefined) return;
  const { head } = store;
  if (version > head.version) {
    throw new NodeError(
      "version_not_found",
      `ledger version ${version} is not there yet; the newest is ${head.version}`,
    );
  }
  if (version < head.oldestVersion) {
    throw new NodeError(
      "version_pruned",
      `ledger version ${version} has been pruned; the oldest is ${head.oldestVersion}`,
    );
  }
}

/** The version a message should name. */
export function shownVersion(store: StoreReader, version: number | undefined): number {
  return version ?? store.head.version;
}

/**
 * @param envelope BCS `StateValue`. Both forms begin with the variant and the sized data.
 * @returns A view of the data, as short-lived as `envelope`.
 */
export function dataOf(envelope: Buffer): Buffer {
  return new BcsWalker(envelope, 1).sized();
}

/** @returns The data of one state key, valid until the next read; `undefined` if absent. */
export function readData(store: StoreReader, key: Buffer, version: number | undefined): Buffer | undefined {
  const envelope = store.state(key, version);
  return envelope === undefined ? undefined : dataOf(envelope);
}

/**
 * Finds one member of a resource group.
 *
 * @param group BCS map from `StructTag` to bytes.
 * @param memberTag BCS `StructTag`.
 */
export function groupMember(group: Buffer, memberTag: Buffer): Buffer | undefined {
  const walker = new BcsWalker(group);
  for (let left = walker.uleb(); left > 0; left -= 1) {
    const start = walker.offset;
    walker.skipStructTag();
    const isWanted = group.subarray(start, walker.offset).equals(memberTag);
    const member = walker.sized();
    if (isWanted) return member;
  }
  return undefined;
}
