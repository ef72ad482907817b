/**
 * Stand-ins for the store, the core, the writer and the threads of a front, just deep enough for HTTP
 * tests: state in a map, executions answered by the test.
 */

import { BcsWriter } from "../../src/front/reads/bcs.js";
import type { ReadContext } from "../../src/front/reads/context.js";
import type { Work } from "../../src/front/work.js";
import { runWork } from "../../src/front/work-runner.js";
import type {
  AdmissionStatus,
  AdmittedTransaction,
  CommitAnnouncement,
  WriterLink,
} from "../../src/ipc/messages.js";
import type { Core, CoreFailure, CoreFunctions, SignedSummary, ViewResult } from "../../src/native/types.js";
import type { LedgerHead, StateItem, StoredRecord, StoreReader } from "../../src/store/types.js";
import { wireNames } from "../../src/wire/index.js";

export const HEAD: LedgerHead = {
  version: 120,
  height: 40,
  timestampUsecs: 1_795_199_999_000_000,
  epoch: 3,
  round: 40,
  oldestVersion: 20,
  oldestHeight: 7,
  accumulatorPeaks: Buffer.alloc(0),
};

/** A store whose state is a map from key (hexadecimal) to data. */
export class FakeStore implements StoreReader {
  head: LedgerHead = HEAD;
  readonly data = new Map<string, Buffer>();
  readonly records = new Map<number, StoredRecord>();
  readonly hashes = new Map<string, number>();
  refreshes = 0;

  refresh(): LedgerHead {
    this.refreshes += 1;
    return this.head;
  }

  set(key: Buffer, data: Buffer): void {
    this.data.set(key.toString("hex"), new BcsWriter().u8(0).sized(data).finish());
  }

  state(key: Buffer): Buffer | undefined {
    return this.data.get(key.toString("hex"));
  }

  accountItems(address: Buffer, _kind: string, limit: number, start?: Buffer) {
    const items: StateItem[] = [...this.data]
      .map(([key, value]) => ({ key: Buffer.from(key, "hex"), value }))
      .filter(({ key }) => key.subarray(1, 33).equals(address))
      .filter(({ key }) => start === undefined || Buffer.compare(key, start) >= 0)
      .sort((left, right) => Buffer.compare(left.key, right.key));
    return { items: items.slice(0, limit), next: items[limit]?.key };
  }

  recordByVersion(version: number): StoredRecord | undefined {
    return this.records.get(version);
  }

  versionByHash(hash: Buffer): number | undefined {
    return this.hashes.get(hash.toString("hex"));
  }

  accountVersions(): number[] {
    return [];
  }

  accountTransactionCount(): number {
    return 0;
  }

  streamEvents(): [] {
    return [];
  }

  blockByHeight(height: number) {
    return {
      height,
      firstVersion: 3 * height,
      lastVersion: 3 * height + 2,
      timestampUsecs: 1_795_000_000_000_000 + height,
      blockId: Buffer.alloc(32, height),
    };
  }

  blockByVersion(version: number) {
    return this.blockByHeight(Math.floor(version / 3));
  }

  close(): void {}
}

/** What a test decides about the core. */
export interface CoreScript {
  view?: (request: Buffer, isJson: boolean, gasUnitsMax: number) => ViewResult | CoreFailure;
  validate?: (signed: Buffer) => number;
  isSignatureGood?: (signed: Buffer) => boolean;
}

/** The first byte of a fake transaction is its hash, repeated; 0xff does not decode. */
export function fakeCore(script: CoreScript): { core: Core; functions: CoreFunctions } {
  const refusal = (code: string, message: string): CoreFailure => ({ kind: "failure", code, message });
  const core: Partial<Core> = {
    view: (request, isJson, _json, gasUnitsMax) =>
      script.view?.(request, isJson, gasUnitsMax) ?? refusal("invalid_input", "no such function"),
    validate: (signed) => script.validate?.(signed) ?? 0,
    renderPending: (signed) =>
      Buffer.from(`{"type":"pending_transaction","hash":"0x${"ab".repeat(32)}","first":${signed[0]}}`),
    renderTransaction: (stored) =>
      Buffer.from(`{"type":"user_transaction","version":"${stored.version}","success":true}`),
    renderResource: () => Buffer.from('{"value":"7"}'),
    renderResources: (items) =>
      Buffer.from(JSON.stringify(items.map((item) => ({ type: item.key.toString("hex") })))),
    locateResource: (address, type) =>
      type === "0x1::m::Gone"
        ? refusal("resource_not_found", "no such type")
        : {
            key: Buffer.concat([Buffer.of(0), address, Buffer.of(type.length), Buffer.from(type)]),
            type,
            memberTag: undefined,
          },
    signedFromJson: (json) => Buffer.from(JSON.parse(json.toString()).signed as string, "hex"),
    encodeSubmission: () => Buffer.from("00ff", "hex"),
  };
  const functions: Partial<CoreFunctions> = {
    inspectSigned: (signed): SignedSummary | CoreFailure =>
      signed.length === 0 || signed[0] === 0xff
        ? refusal("invalid_input", "the transaction does not decode")
        : {
            hash: Buffer.alloc(32, signed[0]),
            sender: Buffer.alloc(32, 1),
            sequenceNumber: 0n,
            replayProtectionNonce: undefined,
            maxGasAmount: 1n,
            gasUnitPrice: 100n,
            expirationTimestampSecs: 1n,
            chainId: 4,
            replacementKey: Buffer.alloc(32),
          },
    verifySigned: (batch) =>
      Uint8Array.from(batch, (signed) => ((script.isSignatureGood?.(signed) ?? true) ? 1 : 0)),
    canonicalType: (text) => (text.split("::").length === 3 ? text : undefined),
    moduleKey: (address, name) => Buffer.concat([Buffer.of(0), address, Buffer.from(name)]),
    tableItemKey: (handle, key) => Buffer.concat([Buffer.of(1), handle, key]),
  };
  return { core: core as Core, functions: functions as CoreFunctions };
}

export class FakeWriter implements WriterLink {
  isUp = true;
  status: AdmissionStatus = "accepted";
  readonly received: AdmittedTransaction[] = [];
  readonly pending = new Map<string, Uint8Array>();
  readonly #listeners = new Set<(announcement: CommitAnnouncement) => void>();

  async submit(transactions: readonly AdmittedTransaction[]): Promise<AdmissionStatus[]> {
    this.received.push(...transactions);
    return transactions.map(() => this.status);
  }

  async pendingByHash(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.pending.get(Buffer.from(hash).toString("hex"));
  }

  onCommit(listener: (announcement: CommitAnnouncement) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(announcement: CommitAnnouncement): void {
    for (const listener of this.#listeners) listener(announcement);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  close(): void {}
}

/** Runs what a front would give to a thread, one task per turn, on this one. @param names Collects the reads. */
export function inlineWork(
  context: Omit<ReadContext, "wire" | "renderBytesMax">,
  vendor = "node",
  names: string[] = [],
): Work {
  const full: ReadContext = { ...context, wire: wireNames(vendor), renderBytesMax: Number.POSITIVE_INFINITY };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    async read(name, args, gzip = false) {
      names.push(name);
      await turn();
      return runWork(full, { kind: "read", name, args, gzip }) as never;
    },
    async admit(signed) {
      await turn();
      const { pack } = await import("../../src/front/packed-batch.js");
      return runWork(full, { kind: "admit", batch: pack(signed), nowSecs: 0 }) as never;
    },
    async verify(signed) {
      await turn();
      return full.functions.verifySigned(signed.map((item) => Buffer.from(item)));
    },
    async close() {},
  };
}
