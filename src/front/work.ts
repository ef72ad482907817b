/**
 * What a front hands to its threads, as data. work-pool.ts sends it, work-runner.ts answers it on the
 * other side; errors cross as data too, because a class does not survive the crossing.
 */

import { isRequestErrorCode, NodeError } from "../errors/index.js";
import type { LedgerHead } from "../store/types.js";
import type { PackedBatch } from "./packed-batch.js";
import type { ReadAnswer } from "./reads/context.js";
import type { ReadArgs, ReadName } from "./reads/index.js";

/** One task of a work thread. */
export type WorkTask =
  | {
      readonly kind: "read";
      readonly name: ReadName;
      readonly args: ReadArgs<ReadName>;
      /** True to compress a long answer, for a client that takes it. */
      readonly gzip: boolean;
    }
  /** Admission checks of signed transactions whose signatures hold. */
  | { readonly kind: "admit"; readonly batch: PackedBatch; readonly nowSecs: number };

/** What admission found out about one transaction. */
export interface Admission {
  /** 0 if it may wait in the mempool, else the validation status. */
  readonly vmStatus: number;
  /** Of the sender, in the snapshot it was checked on. */
  readonly accountSequenceNumber: bigint;
  /** JSON of the pending transaction; absent for a refused one. */
  readonly pending: Uint8Array | undefined;
}

/** A read that ran on a thread: the snapshot's head goes with it, for the headers. */
export interface WorkedRead {
  readonly head: LedgerHead;
  /** Exactly one of the two. */
  readonly answer: ReadAnswer | undefined;
  readonly failure: WorkFailure | undefined;
}

export interface WorkFailure {
  readonly code: string;
  readonly message: string;
  readonly vmStatus: number | undefined;
}

/** The threads, as routes and submission see them. */
export interface Work {
  /** @throws NodeError `unavailable` if too much is waiting. */
  read<Name extends ReadName>(name: Name, args: ReadArgs<Name>, gzip?: boolean): Promise<WorkedRead>;
  /** One result per transaction. */
  admit(signed: readonly Uint8Array[]): Promise<Admission[]>;
  /** 1 for each transaction whose signatures hold. */
  verify(signed: readonly Uint8Array[]): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** @returns What to send of an error. What is not a request error must not be sent but thrown. */
export function toWorkFailure(error: unknown): WorkFailure | undefined {
  if (!(error instanceof NodeError) || !isRequestErrorCode(error.code)) return undefined;
  return { code: error.code, message: error.message, vmStatus: error.vmStatus };
}

export function fromWorkFailure(failure: WorkFailure): NodeError {
  const code = isRequestErrorCode(failure.code) ? failure.code : "internal_error";
  return new NodeError(
    code,
    failure.message,
    failure.vmStatus === undefined ? {} : { vmStatus: failure.vmStatus },
  );
}
