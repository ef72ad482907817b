/**
 * Two small files that say what a data folder is and how it was left.
 *
 * ```
 * store  u32 crc ‖ u16 schema ‖ u16 chain id ‖ 16 B store id (random) ‖ u32 segment bytes
 * boot   u32 crc ‖ u8 clean ‖ boot id of the machine, text
 * ```
 *
 * `store` is written once. `boot` is written with clean = 0 when a writer has opened the store and
 * with clean = 1 after an orderly close whose last act was to sync the environment. The environment
 * is trusted after a clean close, or on the same boot: then every page the dead writer stored is
 * still in the page cache. Otherwise the power may have failed, and it is rebuilt.
 *
 * Promise: where no boot id can be read, every unclean close counts as a power failure.
 */

import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { NodeError } from "../errors/index.js";
import { type Disk, replaceFile } from "./disk.js";
import { readU32, writeU32 } from "./integers.js";
import { SCHEMA } from "./schema.js";

/** What `store` says. */
export interface StoreIdentity {
  readonly schema: number;
  readonly chainId: number;
  readonly storeId: Buffer;
  readonly segmentBytes: number;
}

const IDENTITY_BYTES = 28;

/** @returns `undefined` if there is no such file. @throws NodeError `store_corrupt`, `store_format` */
export function readIdentity(directory: string): StoreIdentity | undefined {
  const bytes = readSealed(join(directory, "store"));
  if (bytes === undefined) return undefined;
  const schema = bytes.readUInt16LE(4);
  if (schema > SCHEMA) {
    throw new NodeError(
      "store_format",
      `the data folder has format ${schema}, this build reads up to ${SCHEMA}`,
    );
  }
  if (bytes.length !== IDENTITY_BYTES) throw new NodeError("store_corrupt", "the file `store` is damaged");
  return {
    schema,
    chainId: bytes.readUInt16LE(6),
    storeId: Buffer.from(bytes.subarray(8, 24)),
    segmentBytes: readU32(bytes, 24),
  };
}

/** Writes `store` for a new data folder. */
export async function createIdentity(
  disk: Disk,
  directory: string,
  chainId: number,
  segmentBytes: number,
): Promise<StoreIdentity> {
  const bytes = Buffer.alloc(IDENTITY_BYTES);
  const storeId = randomBytes(16);
  bytes.writeUInt16LE(SCHEMA, 4);
  bytes.writeUInt16LE(chainId, 6);
  storeId.copy(bytes, 8);
  writeU32(bytes, 24, segmentBytes);
  await replaceFile(disk, join(directory, "store"), sealed(bytes));
  return { schema: SCHEMA, chainId, storeId, segmentBytes };
}

/** How a data folder was left. */
export interface LastClose {
  /** The environment holds what the last writer put there. */
  readonly isTrusted: boolean;
  /** The last writer closed the store itself. */
  readonly isClean: boolean;
}

export function readLastClose(directory: string, bootId: string | undefined): LastClose {
  let bytes: Buffer | undefined;
  try {
    bytes = readSealed(join(directory, "boot"));
  } catch {
    // A damaged note says nothing; the environment can be rebuilt without it.
  }
  if (bytes === undefined) return { isTrusted: false, isClean: false };
  const isClean = bytes[4] === 1;
  return { isTrusted: isClean || (bootId !== undefined && bytes.toString("latin1", 5) === bootId), isClean };
}

export async function writeBoot(
  disk: Disk,
  directory: string,
  bootId: string | undefined,
  clean: boolean,
): Promise<void> {
  const bytes = Buffer.concat([
    Buffer.from([0, 0, 0, 0, clean ? 1 : 0]),
    Buffer.from(bootId ?? "", "latin1"),
  ]);
  await replaceFile(disk, join(directory, "boot"), sealed(bytes));
}

/** Names this boot of this machine; `undefined` where the system does not say. */
export function machineBootId(): string | undefined {
  try {
    return fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return undefined;
  }
}

function sealed(bytes: Buffer): Buffer {
  writeU32(bytes, 0, crc32(bytes.subarray(4)));
  return bytes;
}

function readSealed(path: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (bytes.length < 5 || readU32(bytes, 0) !== crc32(bytes.subarray(4))) {
    throw new NodeError("store_corrupt", "a small file of the data folder is damaged", { details: { path } });
  }
  return bytes;
}
