/**
 * Where the local socket lives: a folder only this user can enter, with a name short enough for a
 * socket path, the same for every start on one data folder.
 *
 * The kernel cuts socket paths at 107 bytes and says nothing, so length is checked here. The name
 * hashes the data folder, so that a start finds and clears what a killed one left behind.
 */

import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, rmdirSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NodeError } from "../errors/index.js";

/** Bytes of a socket path the kernel keeps. */
const SOCKET_PATH_BYTES_MAX = 107;

/**
 * Makes the folder, or accepts it if it is ours alone.
 *
 * @param dataDir Absolute path of the data folder, symbolic links resolved.
 * @returns the path of the socket in it; nothing is listening there yet.
 * @throws NodeError `listen_failed` if the folder belongs to another or the path is too long.
 */
export function prepareSocketPath(dataDir: string, environment = process.env): string {
  const parent = environment.XDG_RUNTIME_DIR || tmpdir();
  const name = createHash("sha256")
    .update(`${process.getuid?.() ?? ""}\0${dataDir}`)
    .digest("hex")
    .slice(0, 16);
  const folder = join(parent, `ledger-node-${name}`);
  const path = join(folder, "writer.sock");
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    throw new NodeError(
      "listen_failed",
      `The socket path ${path} is longer than ${SOCKET_PATH_BYTES_MAX} bytes.`,
    );
  }
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw new NodeError("listen_failed", `The socket folder ${folder} cannot be made.`, { cause: error });
    }
  }
  const found = lstatSync(folder);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new NodeError("listen_failed", `The socket folder ${folder} is not this user's alone.`);
  }
  return path;
}

/** Removes the socket and its folder, as far as they are there. For who knows that nobody listens. */
export function removeSocketPath(path: string): void {
  attempt(() => unlinkSync(path));
  removeEmptySocketFolder(path);
}

/** Removes the folder of the socket unless there is a socket in it, another node's for one. */
export function removeEmptySocketFolder(path: string): void {
  attempt(() => rmdirSync(dirname(path)));
}

function attempt(remove: () => void): void {
  try {
    remove();
  } catch {
    // Gone already, or in use by another; either way not ours to remove.
  }
}
