/**
 * Finds and loads the native addon, and describes its raw face: the functions exactly as the Rust
 * crate `node` exports them. Only `index.ts` beside this file uses it; everyone else sees `types.ts`.
 *
 * Promises: loads the addon of this very package version, or throws one sentence that says what to do.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NodeError } from "../errors/index.js";
import type { SignedSummary, SimulateOptions } from "./types.js";

/** A refusal as the binding returns it: a plain object, never an exception. */
export interface AddonFailure {
  readonly kind: "failure";
  readonly code: string;
  readonly message: string;
  readonly vmStatus?: number;
}

/**
 * Reads one state value for the core.
 *
 * @param length Bytes of the request buffer that hold the key.
 */
export type ReadState = (length: number) => Buffer | undefined;

/** As {@link ReadState}, for a key too long for the request buffer. */
export type ReadLongState = (key: Buffer) => Buffer | undefined;

/** {@link SignedSummary} with its three digests in one buffer: hash, sender, replacement key. */
export interface AddonSummary extends Omit<SignedSummary, "hash" | "sender" | "replacementKey"> {
  readonly digests: Buffer;
}

export interface AddonBlockOutput {
  readonly bytes: Buffer;
  readonly transactions: Uint32Array;
  readonly writes: Uint32Array;
  readonly eventLinks: Uint32Array;
  /** Pairs of input position and status code. */
  readonly discarded: readonly number[];
  readonly retried: readonly number[];
  readonly stateRoot: Buffer;
  readonly accumulatorPeaks: Buffer;
  readonly epoch: number;
}

export interface AddonBlockInput {
  readonly firstVersion: number;
  readonly epoch: number;
  readonly round: number;
  readonly timestampUsecs: number;
  readonly blockId: Buffer;
  readonly proposer: Buffer;
  /** Packed list. */
  readonly transactions: Buffer;
}

export interface AddonGenesisOptions {
  readonly chainId: number;
  readonly epochIntervalUsecs: number;
  readonly minterAuthKey: Buffer;
  readonly accountAddresses: readonly Buffer[];
  readonly accountOctas: readonly bigint[];
}

export interface AddonStoredTransaction {
  readonly version: number;
  readonly accumulatorRoot: Buffer;
  readonly transaction: Buffer;
  readonly info: Buffer;
  readonly events: Buffer;
  readonly writeSet: Buffer;
  readonly blockTimestampUsecs: number;
}

export interface AddonResourceLocation {
  readonly key: Buffer;
  readonly type: string;
  readonly memberTag?: Buffer;
}

/** What a view or a simulation returns. */
export interface AddonMetered {
  readonly gasUnits: number;
  readonly body: Buffer;
}

/** One core with its own memory; bound to the thread that made it. */
export interface AddonCore {
  genesis(options: AddonGenesisOptions): AddonBlockOutput | AddonFailure;
  genesisFromFile(file: Buffer): AddonBlockOutput | AddonFailure;
  genesisWaypoint(file: Buffer): string | AddonFailure;
  beginLoad(): AddonFailure | null;
  /** Packed pairs of key and value. */
  loadEntries(packed: Buffer): AddonFailure | null;
  finishLoad(accumulatorPeaks: Buffer, versions: number): AddonFailure | null;
  executeBlock(block: AddonBlockInput): AddonBlockOutput | AddonFailure;
  /** Takes a packed list of keys; reads each through the view once. */
  countExisting(keys: Buffer): number | AddonFailure;
  validate(signed: Buffer, nowSecs: number): number | AddonFailure;
  view(
    request: Buffer,
    isJson: boolean,
    jsonAnswer: boolean,
    gasUnitsMax: number,
  ): AddonMetered | AddonFailure;
  simulate(signed: Buffer, options: SimulateOptions): AddonMetered | AddonFailure;
  signedFromJson(json: Buffer): Buffer | AddonFailure;
  encodeSubmission(json: Buffer): Buffer | AddonFailure;
  locateResource(address: Buffer, typeText: string): AddonResourceLocation | AddonFailure;
  renderResource(typeText: string, bytes: Buffer): Buffer | AddonFailure;
  /** Packed pairs of key and value. */
  renderResources(packed: Buffer): Buffer | AddonFailure;
  renderModule(bytes: Buffer): Buffer | AddonFailure;
  renderTransaction(stored: AddonStoredTransaction): Buffer | AddonFailure;
  renderPending(signed: Buffer): Buffer | AddonFailure;
  encodeValue(typeText: string, json: Buffer): Buffer | AddonFailure;
  renderValue(typeText: string, bytes: Buffer): Buffer | AddonFailure;
}

export interface Addon {
  abiVersion(): string;
  /** True once a bug was caught at the binding in this process: its state is unknown from then on. */
  isBroken(): boolean;
  inspectSigned(signed: Buffer): AddonSummary | AddonFailure;
  /** Takes a packed list. */
  verifySigned(packed: Buffer): Buffer | AddonFailure;
  parseAddress(text: string): Buffer | null;
  canonicalType(text: string): string | null;
  moduleKey(address: Buffer, name: string): Buffer;
  tableItemKey(handle: Buffer, key: Buffer): Buffer;
  /** Takes a form of a module and a packed list of modules. */
  inspectModule(code: Buffer, form: string, neighbours: Buffer): string | AddonFailure;
  inspectGenesis(blob: Buffer): string | AddonFailure;
  readonly AddonCore: new (
    chainId: number,
    request: Buffer,
    readState: ReadState,
    readLongState: ReadLongState,
  ) => AddonCore;
}

const PACKAGE_NAME = "ledger-node";

/** Folder of the package this file belongs to, whether it runs from src/ or from dist/. */
function packageRoot(): { readonly folder: string; readonly version: string } {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifestPath = join(folder, "package.json");
    if (existsSync(manifestPath)) {
      const manifest = JSON.parse(readFileSync(manifestPath, "utf8")) as { name?: string; version?: string };
      if (manifest.name === PACKAGE_NAME && manifest.version !== undefined) {
        return { folder, version: manifest.version };
      }
    }
    if (dirname(folder) === folder) {
      throw new Error(`no package.json of ${PACKAGE_NAME} above ${fileURLToPath(import.meta.url)}`);
    }
  }
}

/**
 * Loads the addon, once per process (Node keeps it for worker threads too).
 *
 * @throws NodeError `core_unavailable` if it was not built, does not load on this machine, or is of another version.
 */
export function loadAddon(): Addon {
  const { folder, version } = packageRoot();
  const path = join(folder, "native", "build", "ledger-core.node");
  if (!existsSync(path)) {
    throw new NodeError("core_unavailable", "the native core is not built; run: node native/build.mjs", {
      details: { path },
    });
  }
  const addon = createRequire(import.meta.url)(path) as Addon;
  const built = addon.abiVersion();
  if (built !== version) {
    throw new NodeError(
      "core_unavailable",
      `the native core is of version ${built}, this package of ${version}; run: node native/build.mjs`,
    );
  }
  return addon;
}
