/**
 * Checkpoints: complete copies of the environment that survive a power failure, so that recovery
 * replays the log from there and not from genesis.
 *
 * ```
 * ckpt/<height, 12 digits>/data.mdb    plain copy, synced
 *                         /manifest    JSON: schema, height, version, log position, bytes, sha256
 * ```
 *
 * Promises
 * - A folder without `.new` in its name was complete and durable before it got that name. One whose
 *   copy does not match its manifest is not used.
 * - The copy holds at least the blocks the manifest names; it may hold later ones, all durable in
 *   the log, since nothing enters the environment before.
 * - The two newest are kept. The log is needed from the older one's position on.
 *
 * The copy is never the engine's compacting one: what that writes reads well and kills the process
 * at its first write.
 */

import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Disk, replaceFile } from "./disk.js";
import type { Environment } from "./environment.js";
import { SCHEMA } from "./schema.js";

const KEPT = 2;
const FOLDER_NAME = /^\d{12}$/;

/** What a checkpoint says of itself. */
export interface CheckpointManifest {
  readonly schema: number;
  readonly height: number;
  readonly version: number;
  /** Log position of the oldest block that was readable when it was taken. */
  readonly oldestPosition: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Ledger facts at the time a checkpoint is begun. */
export type CheckpointFacts = Pick<CheckpointManifest, "height" | "version" | "oldestPosition">;

/**
 * Takes one. The copy runs on a thread and holds a snapshot while it does; commits go on.
 *
 * @param folder The `ckpt` folder.
 * @param dataFile The environment's data file: synced first, which also surfaces a disk that has
 *   failed to write it back.
 */
export async function takeCheckpoint(
  disk: Disk,
  environment: Environment,
  folder: string,
  dataFile: string,
  facts: CheckpointFacts,
): Promise<void> {
  const name = facts.height.toString().padStart(12, "0");
  const unfinished = join(folder, `${name}.new`);
  const finished = join(folder, name);
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  await syncFile(disk, dataFile);
  const copy = join(unfinished, "data.mdb");
  await environment.root.backup(copy, false);
  await syncFile(disk, copy);
  const manifest: CheckpointManifest = {
    schema: SCHEMA,
    ...facts,
    bytes: fs.statSync(copy).size,
    sha256: await sha256(copy),
  };
  await replaceFile(
    disk,
    join(unfinished, "manifest"),
    Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
  );
  fs.rmSync(finished, { recursive: true, force: true });
  disk.rename(unfinished, finished);
  disk.syncFolder(folder);
  for (const old of checkpointNames(folder).slice(KEPT))
    fs.rmSync(join(folder, old), { recursive: true, force: true });
}

/**
 * Puts the newest checkpoint that holds in the place of the live environment.
 *
 * @param live Folder of the live environment; must not exist.
 * @returns its manifest; `undefined` if there is none to restore, and then nothing was changed.
 */
export async function restoreCheckpoint(
  disk: Disk,
  folder: string,
  live: string,
): Promise<CheckpointManifest | undefined> {
  for (const name of checkpointNames(folder)) {
    const manifest = readManifest(join(folder, name, "manifest"));
    if (manifest === undefined) continue;
    const unfinished = `${live}.new`;
    fs.rmSync(unfinished, { recursive: true, force: true });
    fs.mkdirSync(unfinished, { mode: 0o700 });
    const copy = join(unfinished, "data.mdb");
    try {
      fs.copyFileSync(join(folder, name, "data.mdb"), copy);
      if (fs.statSync(copy).size !== manifest.bytes || (await sha256(copy)) !== manifest.sha256) continue;
    } catch {
      // Unreadable is as good as damaged: the next older one may hold.
      continue;
    }
    disk.rename(unfinished, live);
    return manifest;
  }
  return undefined;
}

/** Manifests that can be read, newest first. */
export function checkpointManifests(folder: string): CheckpointManifest[] {
  const manifests: CheckpointManifest[] = [];
  for (const name of checkpointNames(folder)) {
    const manifest = readManifest(join(folder, name, "manifest"));
    if (manifest !== undefined) manifests.push(manifest);
  }
  return manifests;
}

/** Newest first. */
function checkpointNames(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => FOLDER_NAME.test(name))
    .sort()
    .reverse();
}

function readManifest(path: string): CheckpointManifest | undefined {
  try {
    const manifest = JSON.parse(fs.readFileSync(path, "utf8")) as Partial<CheckpointManifest>;
    const isComplete =
      manifest.schema === SCHEMA &&
      typeof manifest.height === "number" &&
      typeof manifest.version === "number" &&
      typeof manifest.oldestPosition === "number" &&
      typeof manifest.bytes === "number" &&
      typeof manifest.sha256 === "string";
    return isComplete ? (manifest as CheckpointManifest) : undefined;
  } catch {
    return undefined;
  }
}

async function syncFile(disk: Disk, path: string): Promise<void> {
  const fd = disk.open(path, false);
  try {
    await disk.sync(fd);
  } finally {
    disk.close(fd);
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(fs.createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("hex");
}
