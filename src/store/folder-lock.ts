/**
 * Excludes a second writer from a data folder, for as long as this process lives and not a moment
 * longer.
 *
 * The lock is flock(2) on `LOCK`. Node has no call for it, but the lock belongs to the *open file*,
 * not to the process that asked for it: a short-lived child that inherits our descriptor takes the
 * lock and exits, and the lock stays until the last descriptor of that open file is closed, which
 * the kernel does when this process ends, however it ends. Node marks its descriptors close-on-exec,
 * so no later child keeps it alive.
 *
 * Why not otherwise: a pid file is stale after SIGKILL and pids come round again; a listening socket
 * in the folder has to be unlinked to be bound anew, which two starters can do to each other; an
 * abstract socket is per network namespace, so two containers on one volume would not see each
 * other. The pid in the file is there for the message alone.
 *
 * Beyond the lock, each write transaction compares the writer epoch (block-apply.ts), which catches
 * a writer on a file system that does not honour flock.
 */

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { NodeError } from "../errors/index.js";

/** Programs that can take a lock on an inherited descriptor, tried in order. */
const LOCKERS: readonly { readonly program: string; readonly arguments: readonly string[] }[] = [
  { program: "flock", arguments: ["-n", "-x", "3"] },
  {
    program: "perl",
    arguments: [
      "-e",
      'use Fcntl ":flock"; open(F, "+<&=3") or exit 2; exit(flock(F, LOCK_EX | LOCK_NB) ? 0 : 1)',
    ],
  },
];

/** Exit code of both programs when somebody else holds the lock. */
const HELD = 1;

export class FolderLock {
  readonly #fd: number;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /**
   * @throws NodeError `data_folder_in_use` if a live process holds it, `data_folder_unusable` if the
   *   folder cannot be written or this system has no way to lock.
   */
  static take(directory: string): FolderLock {
    let fd: number;
    try {
      fd = fs.openSync(join(directory, "LOCK"), fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    } catch (error) {
      throw new NodeError("data_folder_unusable", "the data folder cannot be written", {
        cause: error,
        details: { directory },
      });
    }
    try {
      lock(fd, directory);
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
    fs.ftruncateSync(fd);
    fs.writeSync(fd, `${process.pid}\n`, 0);
    return new FolderLock(fd);
  }

  release(): void {
    fs.closeSync(this.#fd);
  }
}

function lock(fd: number, directory: string): void {
  for (const { program, arguments: options } of LOCKERS) {
    const { status, error } = spawnSync(program, options, { stdio: ["ignore", "ignore", "ignore", fd] });
    if (error !== undefined) continue;
    if (status === 0) return;
    if (status !== HELD) continue;
    const holder = Number.parseInt(fs.readFileSync(fd, "latin1"), 10);
    const who = Number.isNaN(holder) ? "another process" : `process ${holder}`;
    throw new NodeError("data_folder_in_use", `the data folder is in use by ${who}`, {
      details: { directory },
    });
  }
  throw new NodeError(
    "data_folder_unusable",
    "the data folder cannot be locked: neither flock nor perl is installed",
    {
      details: { directory },
    },
  );
}
