/**
 * Short numbers for the path bytes of access paths (module names, resource types), both ways.
 *
 * Promises: a number once committed never changes; the writer hands them out in the order in which
 * its blocks name new paths, so a rebuild from the log hands out the same. What is kept in memory is
 * bounded; the tables `paths` and `pathid` are the whole. Absence is never remembered: a reader that
 * did not find a path asks again next time.
 */

import { createHash } from "node:crypto";
import { type Environment, getFast } from "./environment.js";
import { readU32, writeU32 } from "./integers.js";
import { pathKey } from "./schema.js";

/** Paths kept in memory; beyond that the memory starts over empty. */
const REMEMBERED_MAX = 65_536;

/** The directory as a reader sees it. */
export class PathDirectory {
  protected readonly environment: Environment;
  readonly #ids = new Map<string, number>();
  readonly #paths = new Map<number, Buffer>();

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** @returns the number of the path, `undefined` if no committed key has it. */
  idOf(path: Buffer): number | undefined {
    const name = path.toString("latin1", 0, path.length);
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const candidates = this.candidates(pathPrefix(path));
    for (const id of candidates) {
      const stored = getFast(this.environment.paths, pathKey(id));
      if (stored !== undefined && stored.toString("latin1", 0, stored.length) === name) {
        this.remember(name, id, path);
        return id;
      }
    }
    return undefined;
  }

  /** @returns path bytes, shared: not to be changed. */
  pathOf(id: number): Buffer | undefined {
    const known = this.#paths.get(id);
    if (known !== undefined) return known;
    const stored = getFast(this.environment.paths, pathKey(id));
    if (stored === undefined) return undefined;
    const path = Buffer.from(stored.subarray(0, stored.length));
    this.remember(path.toString("latin1", 0, path.length), id, path);
    return path;
  }

  protected candidates(prefix: Buffer): number[] {
    const list = getFast(this.environment.pathIds, prefix);
    const ids: number[] = [];
    for (let at = 0; list !== undefined && at + 4 <= list.length; at += 4) ids.push(readU32(list, at));
    return ids;
  }

  protected remember(name: string, id: number, path: Buffer): void {
    if (this.#ids.size >= REMEMBERED_MAX) {
      this.#ids.clear();
      this.#paths.clear();
    }
    this.#ids.set(name, id);
    this.#paths.set(id, Buffer.from(path));
  }
}

/** The directory as the writer extends it: new numbers live here until `commit`. */
export class PathRegistry extends PathDirectory {
  #next: number;
  readonly #fresh = new Map<string, { id: number; path: Buffer }>();

  constructor(environment: Environment, next: number) {
    super(environment);
    this.#next = next;
  }

  /** The number the next new path gets, counting those not committed yet. */
  get next(): number {
    return this.#next + this.#fresh.size;
  }

  /** The path's number, a new one if it has none. */
  assign(path: Buffer): number {
    const known = this.idOf(path);
    if (known !== undefined) return known;
    const name = path.toString("latin1", 0, path.length);
    const fresh = this.#fresh.get(name);
    if (fresh !== undefined) return fresh.id;
    const id = this.next;
    this.#fresh.set(name, { id, path: Buffer.from(path) });
    return id;
  }

  /** Puts new paths; call inside the write transaction, and `settle` once it is committed. */
  put(): number {
    for (const { id, path } of this.#fresh.values()) {
      const prefix = pathPrefix(path);
      const ids = this.candidates(prefix);
      const list = Buffer.allocUnsafe(4 * (ids.length + 1));
      for (const [index, other] of ids.entries()) writeU32(list, 4 * index, other);
      writeU32(list, 4 * ids.length, id);
      this.environment.pathIds.putSync(prefix, list);
      this.environment.paths.putSync(pathKey(id), path, { append: true });
    }
    return this.next;
  }

  /** The transaction that `put` wrote to is committed. */
  settle(): void {
    for (const [name, { id, path }] of this.#fresh) this.remember(name, id, path);
    this.#next += this.#fresh.size;
    this.#fresh.clear();
  }

  /** The block that named the new paths did not happen. */
  forget(): void {
    this.#fresh.clear();
  }
}

function pathPrefix(path: Buffer): Buffer {
  return createHash("sha3-256").update(path).digest().subarray(0, 8);
}
