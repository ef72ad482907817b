/**
 * The way of a signed transaction from bytes to the mempool: decode, check signatures, check
 * admission, hand to the writer. Each step is batched over the requests that arrive together.
 *
 * Promise: a submission that resolves is in the mempool and can be found by hash from every front.
 */

import { NodeError } from "../errors/index.js";
import type { AdmissionStatus, AdmittedTransaction, WriterLink } from "../ipc/messages.js";
import type { CoreFunctions, SignedSummary } from "../native/types.js";
import { Batcher } from "./batcher.js";
import { accepted } from "./reads/failure.js";
import { INVALID_SIGNATURE, validationMessage } from "./vm-status.js";
import type { Admission, Work } from "./work.js";

/** Transactions per batch, and batches under way, of each step. */
const BATCH = { itemsMax: 64, waitingMax: 16_384 };
const BATCHES_TO_WRITER = 4;

export class Submission {
  readonly #functions: CoreFunctions;
  readonly #writer: WriterLink;
  readonly #signatures: Batcher<Uint8Array, number>;
  readonly #admissions: Batcher<Uint8Array, Admission>;
  readonly #mempool: Batcher<AdmittedTransaction, AdmissionStatus>;

  /** @param threads How many threads check signatures, and how many admission. */
  constructor(functions: CoreFunctions, work: Work, writer: WriterLink, threads: number) {
    this.#functions = functions;
    this.#writer = writer;
    this.#signatures = new Batcher({ ...BATCH, inFlightMax: threads }, async (items) => [
      ...(await work.verify(items)),
    ]);
    this.#admissions = new Batcher({ ...BATCH, inFlightMax: threads }, (items) => work.admit(items));
    this.#mempool = new Batcher({ ...BATCH, inFlightMax: BATCHES_TO_WRITER }, (items) =>
      writer.submit(items),
    );
  }

  /**
   * @param signed BCS `SignedTransaction`.
   * @returns JSON of the pending transaction.
   * @throws NodeError with the interface's code for each refusal.
   */
  async submit(signed: Buffer): Promise<Uint8Array> {
    const summary = accepted(this.#functions.inspectSigned(signed));
    if (!this.#writer.isUp)
      throw new NodeError("unavailable", "the node cannot take transactions at the moment");
    if ((await this.#signatures.push(signed)) !== 1) throw refusedBy(INVALID_SIGNATURE);
    const admission = await this.#admissions.push(signed);
    if (admission.vmStatus !== 0 || admission.pending === undefined) throw refusedBy(admission.vmStatus);
    const status = await this.#mempool.push(admitted(signed, summary, admission));
    if (status !== "accepted") throw refusedByMempool(status);
    return admission.pending;
  }
}

function admitted(signed: Buffer, summary: SignedSummary, admission: Admission): AdmittedTransaction {
  return {
    bytes: signed,
    hash: summary.hash,
    sender: summary.sender,
    sequenceNumber: summary.sequenceNumber,
    replayProtectionNonce: summary.replayProtectionNonce,
    accountSequenceNumber: admission.accountSequenceNumber,
    gasUnitPrice: summary.gasUnitPrice,
    expirationTimestampSecs: summary.expirationTimestampSecs,
    replacementKey: summary.replacementKey,
  };
}

function refusedBy(vmStatus: number): NodeError {
  return new NodeError("vm_error", validationMessage(vmStatus), { vmStatus });
}

/** Programs in the wild match parts of these texts. */
function refusedByMempool(status: Exclude<AdmissionStatus, "accepted">): NodeError {
  switch (status) {
    case "invalid_transaction_update":
      return new NodeError(status, "Transaction already in mempool with a different payload");
    case "sequence_number_too_old":
      return new NodeError(status, "SEQUENCE_NUMBER_TOO_OLD: the account has used this sequence number", {
        vmStatus: 3,
      });
    case "mempool_is_full":
      return new NodeError(status, "the mempool is full");
    case "too_many_transactions":
      return new NodeError(status, "the sender has too many pending transactions");
  }
}
