/** A data folder of a test's own, and a store in it small enough to cross file borders quickly. */

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openStoreWriter, type StoreWriterOptions } from "../../../src/store/commit.js";

/** Small enough that a few blocks fill a segment. */
export const SMALL_SEGMENT_BYTES = 16 * 1024;
export const SMALL_MAP_BYTES = 256 * 1024 * 1024;

export interface DataFolder {
  readonly directory: string;
  remove(): void;
  /** As if the power had failed instead: nothing vouches for the environment any more. */
  forgetCleanClose(): void;
}

export function newDataFolder(): DataFolder {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "ledger-store-"));
  return {
    directory,
    remove: () => fs.rmSync(directory, { recursive: true, force: true }),
    forgetCleanClose: () => fs.rmSync(path.join(directory, "boot"), { force: true }),
  };
}

export function openSmallStore(directory: string, options: Partial<StoreWriterOptions> = {}) {
  return openStoreWriter({
    directory,
    chainId: 4,
    segmentBytes: SMALL_SEGMENT_BYTES,
    mapBytes: SMALL_MAP_BYTES,
    ...options,
  });
}
