/**
 * The native core, typed: the only importer of the addon.
 *
 * Promises: refusals come back as data ({@link CoreFailure}); what can only be a bug is thrown. After such
 * a bug {@link isCoreBroken} answers true and the process should be replaced.
 * Buffers handed in are read during the call only; buffers handed out belong to the caller.
 */

import { type ErrorCode, isRequestErrorCode, NodeError, PROCESS_ERRORS } from "../errors/index.js";
import {
  type Addon,
  type AddonBlockOutput,
  type AddonCore,
  type AddonFailure,
  type AddonSummary,
  loadAddon,
} from "./addon.js";
import { packList } from "./packed.js";
import { StateBridge } from "./state-bridge.js";
import type {
  BlockInput,
  BlockOutput,
  Core,
  CoreFailure,
  CoreFunctions,
  GenesisOptions,
  SignedSummary,
  StateReader,
} from "./types.js";

export * from "./types.js";

let loaded: Addon | undefined;

function addon(): Addon {
  loaded ??= loadAddon();
  return loaded;
}

/** True once a bug was caught at the binding in this process. */
export function isCoreBroken(): boolean {
  return addon().isBroken();
}

function isFailure(answer: unknown): answer is AddonFailure {
  return typeof answer === "object" && answer !== null && (answer as { kind?: unknown }).kind === "failure";
}

/** For calls that have no refusals of their own: what they fail with belongs to the process. */
function orThrow<T>(answer: T | AddonFailure): Exclude<T, AddonFailure> {
  if (isFailure(answer)) {
    const isKnown = isRequestErrorCode(answer.code) || Object.hasOwn(PROCESS_ERRORS, answer.code);
    throw new NodeError(isKnown ? (answer.code as ErrorCode) : "bug", answer.message);
  }
  return answer as Exclude<T, AddonFailure>;
}

function toBlockOutput(answer: AddonBlockOutput | AddonFailure): BlockOutput {
  const output = orThrow(answer);
  const discarded: { index: number; vmStatus: number }[] = [];
  for (let pair = 0; pair + 1 < output.discarded.length; pair += 2) {
    discarded.push({
      index: output.discarded[pair] as number,
      vmStatus: output.discarded[pair + 1] as number,
    });
  }
  return { ...output, discarded };
}

function toSummary(answer: AddonSummary): SignedSummary {
  const { digests } = answer;
  return {
    hash: digests.subarray(0, 32),
    sender: digests.subarray(32, 64),
    replacementKey: digests.subarray(64, 96),
    sequenceNumber: answer.sequenceNumber,
    replayProtectionNonce: answer.replayProtectionNonce,
    maxGasAmount: answer.maxGasAmount,
    gasUnitPrice: answer.gasUnitPrice,
    expirationTimestampSecs: answer.expirationTimestampSecs,
    chainId: answer.chainId,
  };
}

/** State entries travel to the core in batches of about this size. */
const LOAD_BATCH_BYTES = 1 << 20;

class NativeCore implements Core {
  readonly #bridge = new StateBridge();
  readonly #core: AddonCore;

  constructor(chainId: number) {
    const { AddonCore } = addon();
    this.#core = new AddonCore(
      chainId,
      this.#bridge.request,
      this.#bridge.readState,
      this.#bridge.readLongState,
    );
  }

  genesis(options: GenesisOptions): BlockOutput {
    return toBlockOutput(
      this.#core.genesis({
        chainId: options.chainId,
        epochIntervalUsecs: options.epochIntervalUsecs,
        minterAuthKey: options.minterAuthKey,
        accountAddresses: options.accounts.map((account) => account.address),
        accountOctas: options.accounts.map((account) => account.octas),
      }),
    );
  }

  genesisFromFile(file: Buffer): BlockOutput {
    return toBlockOutput(this.#core.genesisFromFile(file));
  }

  genesisWaypoint(file: Buffer): string {
    return orThrow(this.#core.genesisWaypoint(file));
  }

  loadState(
    entries: Iterable<readonly [key: Buffer, value: Buffer]>,
    accumulatorPeaks: Buffer,
    versions: number,
  ): void {
    orThrow(this.#core.beginLoad());
    let batch: Buffer[] = [];
    let batchBytes = 0;
    for (const [key, value] of entries) {
      // The store may reuse its buffers for the next entry.
      const pair = packList([key, value]);
      batch.push(pair);
      batchBytes += pair.length;
      if (batchBytes >= LOAD_BATCH_BYTES) {
        orThrow(this.#core.loadEntries(Buffer.concat(batch)));
        batch = [];
        batchBytes = 0;
      }
    }
    orThrow(this.#core.loadEntries(Buffer.concat(batch)));
    orThrow(this.#core.finishLoad(accumulatorPeaks, versions));
  }

  executeBlock(block: BlockInput, reader: StateReader): BlockOutput {
    const input = {
      firstVersion: block.firstVersion,
      epoch: block.epoch,
      round: block.round,
      timestampUsecs: block.timestampUsecs,
      blockId: block.blockId,
      proposer: block.proposer,
      transactions: packList(block.transactions),
    };
    return toBlockOutput(this.#bridge.during(reader, () => this.#core.executeBlock(input)));
  }

  countExisting(keys: readonly Buffer[], reader: StateReader): number {
    const packed = packList(keys);
    return orThrow(this.#bridge.during(reader, () => this.#core.countExisting(packed)));
  }

  validate(signed: Buffer, reader: StateReader, nowSecs: number): number {
    return orThrow(this.#bridge.during(reader, () => this.#core.validate(signed, nowSecs)));
  }

  view(request: Buffer, isJson: boolean, jsonAnswer: boolean, gasUnitsMax: number, reader: StateReader) {
    return this.#bridge.during(reader, () => this.#core.view(request, isJson, jsonAnswer, gasUnitsMax));
  }

  simulate(signed: Buffer, options: Parameters<Core["simulate"]>[1], reader: StateReader) {
    return this.#bridge.during(reader, () => this.#core.simulate(signed, options));
  }

  signedFromJson(json: Buffer, _chainId: number, reader: StateReader): Buffer | CoreFailure {
    return this.#bridge.during(reader, () => this.#core.signedFromJson(json));
  }

  encodeSubmission(json: Buffer, _chainId: number, reader: StateReader): Buffer | CoreFailure {
    return this.#bridge.during(reader, () => this.#core.encodeSubmission(json));
  }

  locateResource(address: Buffer, typeText: string, reader: StateReader) {
    const answer = this.#bridge.during(reader, () => this.#core.locateResource(address, typeText));
    return isFailure(answer) ? answer : { ...answer, memberTag: answer.memberTag };
  }

  renderResource(typeText: string, bytes: Buffer, reader: StateReader): Buffer | CoreFailure {
    return this.#bridge.during(reader, () => this.#core.renderResource(typeText, bytes));
  }

  renderResources(
    items: readonly { key: Buffer; value: Buffer }[],
    reader: StateReader,
  ): Buffer | CoreFailure {
    const packed = packList(items.flatMap((item) => [item.key, item.value]));
    return this.#bridge.during(reader, () => this.#core.renderResources(packed));
  }

  renderModule(bytes: Buffer, reader: StateReader): Buffer {
    return orThrow(this.#bridge.during(reader, () => this.#core.renderModule(bytes)));
  }

  renderTransaction(stored: Parameters<Core["renderTransaction"]>[0], reader: StateReader): Buffer {
    return orThrow(this.#bridge.during(reader, () => this.#core.renderTransaction(stored)));
  }

  renderPending(signed: Buffer, reader: StateReader): Buffer | CoreFailure {
    return this.#bridge.during(reader, () => this.#core.renderPending(signed));
  }

  encodeValue(typeText: string, json: Buffer, reader: StateReader): Buffer | CoreFailure {
    return this.#bridge.during(reader, () => this.#core.encodeValue(typeText, json));
  }

  renderValue(typeText: string, bytes: Buffer, reader: StateReader): Buffer | CoreFailure {
    return this.#bridge.during(reader, () => this.#core.renderValue(typeText, bytes));
  }
}

/** The core's functions. The addon is loaded at the first call. */
export const core: CoreFunctions = {
  inspectSigned: (signed) => {
    const answer = addon().inspectSigned(signed);
    return isFailure(answer) ? answer : toSummary(answer);
  },
  verifySigned: (batch) => orThrow(addon().verifySigned(packList(batch))),
  parseAddress: (text) => addon().parseAddress(text) ?? undefined,
  canonicalType: (text) => addon().canonicalType(text) ?? undefined,
  moduleKey: (address, name) => addon().moduleKey(address, name),
  tableItemKey: (handle, key) => addon().tableItemKey(handle, key),
  createCore: (options) => new NativeCore(options.chainId),
};
