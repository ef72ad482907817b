/**
 * Opens a data folder for writing: takes it over, recovers it, and hands out the one handle that
 * changes anything (writer.ts).
 *
 * ```
 * lock ─ identity ─ environment trusted? ─ no: newest checkpoint, or empty ─┐
 *                                  └─ yes ──────────────────────────────────┴─ boot note ─ replay log ─ raise epoch
 * ```
 *
 * Promises: one writer per data folder. Every block that was ever visible is there afterwards, or the
 * folder is refused with what is wrong. Nothing of another chain, another build's newer format or
 * a live writer is touched.
 */

import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { NodeError } from "../errors/index.js";
import { restoreCheckpoint } from "./checkpoint.js";
import { type Disk, realDisk } from "./disk.js";
import { type Environment, openEnvironment } from "./environment.js";
import { FolderLock } from "./folder-lock.js";
import { STORE_TAG_BYTES } from "./frame.js";
import { LogReader, segmentName, segmentNumber } from "./log-reader.js";
import { PathRegistry } from "./path-directory.js";
import type { ReaderAge } from "./reader-watch.js";
import { type EnvironmentEnd, readEnvironmentEnd, recover } from "./recovery.js";
import { encodeLogCursor, type LogCursor, MetaKey, SCHEMA } from "./schema.js";
import { SegmentLog } from "./segment-log.js";
import { CHECKPOINT_FOLDER, LIVE_FOLDER, LOG_FOLDER } from "./snapshot.js";
import {
  createIdentity,
  machineBootId,
  readIdentity,
  readLastClose,
  type StoreIdentity,
  writeBoot,
} from "./store-file.js";
import { Writer } from "./writer.js";

export interface StoreWriterOptions {
  /** The data folder; made if it does not exist. */
  readonly directory: string;
  /** Of a new store; an existing one must have the same. */
  readonly chainId: number;
  /** Versions that stay readable, rounded up to whole log files; default: all. */
  readonly historyVersions?: number;
  /** Versions between two checkpoints; default 1,000,000. Small stores take one every minute. */
  readonly checkpointVersions?: number;
  /** Called every second with the oldest snapshot a reader holds. */
  readonly onReaderAge?: (age: ReaderAge) => void;

  /** Size of a log file of a new store; default 64 MiB. */
  readonly segmentBytes?: number;
  /** Address space of the environment; readers must use the same. Default 64 GiB. */
  readonly mapBytes?: number;
  /** False: LMDB writes with pwrite instead of through its map; dearer, and no stray store can reach it. */
  readonly writeMap?: boolean;
  /** Hashes in a recent table before it is sealed. */
  readonly tableHashes?: number;
  /** Names this boot of the machine, if not what the system says. */
  readonly bootId?: string | undefined;
  /** File system calls. */
  readonly disk?: Disk;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;

/**
 * @throws NodeError `data_folder_unusable`, `data_folder_in_use`, `data_folder_other_chain`,
 *   `store_format`, `store_corrupt`, `store_failed`.
 */
export async function openStoreWriter(options: StoreWriterOptions): Promise<Writer> {
  const { directory } = options;
  const disk = options.disk ?? realDisk;
  const bootId = "bootId" in options ? options.bootId : machineBootId();
  const logFolder = join(directory, LOG_FOLDER);
  try {
    fs.mkdirSync(logFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new NodeError("data_folder_unusable", "the data folder cannot be made", {
      cause: error,
      details: { directory },
    });
  }
  const lock = FolderLock.take(directory);
  let environment: Environment | undefined;
  try {
    const identity = await identify(disk, options);
    const lastClose = readLastClose(directory, bootId);
    environment = await openLive(disk, options, bootId, identity.schema === SCHEMA && lastClose.isTrusted);
    const reader = new LogReader(logFolder, identity.segmentBytes);
    const segments = new SegmentLog(disk, logFolder, identity.segmentBytes);
    const before = readEnvironmentEnd(environment);
    if (before.head === undefined) refuseHeadlessLog(logFolder);
    const paths = new PathRegistry(environment, before.cursor?.nextPathId ?? 0);
    const storeTag = identity.storeId.subarray(0, STORE_TAG_BYTES);
    if (!lastClose.isClean) await segments.syncFrom(before.cursor?.nextPosition ?? 0);
    const recovered = recover(environment, reader, paths, storeTag, !lastClose.isClean);
    const position = recovered.end.cursor?.nextPosition ?? 0;
    if (recovered.tornBytes > 0) await segments.erase(position, position + recovered.tornBytes);
    const cursor = raiseWriterEpoch(environment, recovered.end, recovered.writerEpoch, paths.next);
    return new Writer(options, {
      environment,
      reader,
      segments,
      paths,
      lock,
      cursor,
      storeTag,
      identity,
      disk,
      bootId,
    });
  } catch (error) {
    await environment?.root.close();
    lock.release();
    throw error;
  }
}

async function identify(disk: Disk, options: StoreWriterOptions): Promise<StoreIdentity> {
  const { directory, chainId } = options;
  const identity = readIdentity(directory);
  if (identity === undefined) {
    if (fs.readdirSync(join(directory, LOG_FOLDER)).length > 0) {
      throw new NodeError("store_corrupt", "the data folder holds a block log, but not the file `store`", {
        details: { directory },
      });
    }
    // The folder's own name must survive, too.
    disk.syncFolder(dirname(resolve(directory)));
    return createIdentity(disk, directory, chainId, options.segmentBytes ?? SEGMENT_BYTES);
  }
  if (identity.chainId !== chainId) {
    throw new NodeError(
      "data_folder_other_chain",
      `the data folder belongs to chain ${identity.chainId}, this node runs chain ${chainId}`,
      { details: { directory } },
    );
  }
  return identity;
}

/** The environment as the last writer left it, or as the newest checkpoint has it, or empty. */
async function openLive(
  disk: Disk,
  options: StoreWriterOptions,
  bootId: string | undefined,
  isTrusted: boolean,
): Promise<Environment> {
  const { directory } = options;
  const live = join(directory, LIVE_FOLDER);
  if (!isTrusted) {
    fs.rmSync(live, { recursive: true, force: true });
    await restoreCheckpoint(disk, join(directory, CHECKPOINT_FOLDER), live);
  }
  const environment = openEnvironment({
    directory: live,
    readOnly: false,
    writeMap: options.writeMap !== false,
    ...(options.mapBytes === undefined ? {} : { mapBytes: options.mapBytes }),
  });
  // From here on the environment changes, so only this boot may trust it.
  await writeBoot(disk, directory, bootId, false);
  return environment;
}

/** An empty environment can be rebuilt from the log only while the log still has its first file. */
function refuseHeadlessLog(folder: string): void {
  const names = fs.readdirSync(folder);
  if (names.includes(segmentName(0)) || !names.some((name) => segmentNumber(name) !== undefined)) return;
  throw new NodeError(
    "store_corrupt",
    "the block log has been pruned and no checkpoint holds what came before it",
  );
}

/** Takes the store over: any older writer fails its next transaction. */
function raiseWriterEpoch(
  environment: Environment,
  end: EnvironmentEnd,
  epoch: number,
  nextPathId: number,
): LogCursor {
  const cursor: LogCursor = {
    schema: SCHEMA,
    lastFramePosition: end.cursor?.lastFramePosition ?? 0,
    nextPosition: end.cursor?.nextPosition ?? 0,
    lastFrameCrc: end.cursor?.lastFrameCrc ?? 0,
    nextPathId,
    writerEpoch: epoch + 1,
  };
  environment.root.transactionSync(() => {
    environment.meta.putSync(MetaKey.LOG_CURSOR, encodeLogCursor(cursor));
  });
  return cursor;
}
