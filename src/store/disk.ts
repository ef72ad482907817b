/**
 * The file system calls the store makes when it promises something, behind one small face, so that
 * tests can make any of them fail the way disks do.
 *
 * Promise: what `sync` has returned from is on the disk, as far as the disk is honest. No call is
 * ever repeated after a failure: after a failed fdatasync the kernel may have dropped the pages, and
 * a second one would report success for data that is gone.
 */

import fs from "node:fs";
import { dirname } from "node:path";

/** Bytes of zeros written per call when a file is filled. */
const ZEROS = Buffer.alloc(1024 * 1024);

export interface Disk {
  /** Opens for reading and writing; creates an empty file when `create` is set. */
  open(path: string, create: boolean): number;
  close(fd: number): void;
  /** Writes all of `bytes`, or throws. */
  write(fd: number, bytes: Uint8Array, offset: number): void;
  /** fdatasync, off the event loop. */
  sync(fd: number): Promise<void>;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): void;
}

export const realDisk: Disk = {
  open(path, create) {
    const flags = fs.constants.O_RDWR | (create ? fs.constants.O_CREAT | fs.constants.O_TRUNC : 0);
    return fs.openSync(path, flags, 0o600);
  },
  close(fd) {
    fs.closeSync(fd);
  },
  write(fd, bytes, offset) {
    let written = 0;
    while (written < bytes.length) {
      const count = fs.writeSync(fd, bytes, written, bytes.length - written, offset + written);
      // A regular file takes nothing only when something is badly wrong with it.
      if (count === 0) throw new Error(`write at offset ${offset + written} took no bytes`);
      written += count;
    }
  },
  sync(fd) {
    return new Promise((resolve, reject) => {
      fs.fdatasync(fd, (error) => (error === null ? resolve() : reject(error)));
    });
  },
  rename(from, to) {
    fs.renameSync(from, to);
  },
  unlink(path) {
    fs.rmSync(path, { force: true });
  },
  syncFolder(path) {
    const fd = fs.openSync(path, fs.constants.O_RDONLY);
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
};

/** Fills `[from, to)` with written zeros. What follows there needs no new disk blocks. */
export function writeZeros(disk: Disk, fd: number, from: number, to: number): void {
  for (let at = from; at < to; at += ZEROS.length) {
    disk.write(fd, at + ZEROS.length <= to ? ZEROS : ZEROS.subarray(0, to - at), at);
  }
}

/** As {@link writeZeros}, yielding to the event loop between megabytes. */
export async function fillWithZeros(disk: Disk, fd: number, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += ZEROS.length) {
    writeZeros(disk, fd, at, Math.min(to, at + ZEROS.length));
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Replaces a small file so that after a crash either the old or the new content is there, whole. */
export async function replaceFile(disk: Disk, path: string, content: Uint8Array): Promise<void> {
  const temporary = `${path}.new`;
  const fd = disk.open(temporary, true);
  try {
    disk.write(fd, content, 0);
    await disk.sync(fd);
  } finally {
    disk.close(fd);
  }
  disk.rename(temporary, path);
  disk.syncFolder(dirname(path));
}
