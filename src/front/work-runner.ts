/** The thread's side of work.ts: one context per thread, moved to the newest snapshot per task. */

import { constants, gzipSync } from "node:zlib";
import { ADDRESS_BYTES } from "../domain/index.js";
import { unpack } from "./packed-batch.js";
import { sequenceNumberOf } from "./reads/account.js";
import { type ReadAnswer, type ReadContext, StateAtVersion } from "./reads/context.js";
import { isFailure } from "./reads/failure.js";
import { runRead } from "./reads/index.js";
import { SEQUENCE_NUMBER_TOO_NEW } from "./vm-status.js";
import { type Admission, toWorkFailure, type WorkedRead, type WorkTask } from "./work.js";

/** Runs one task. Throws only for what is the node's own fault. */
export function runWork(context: ReadContext, task: WorkTask): WorkedRead | Admission[] {
  context.store.refresh();
  return task.kind === "read" ? runReadTask(context, task) : runAdmission(context, task);
}

function runReadTask(context: ReadContext, task: WorkTask & { kind: "read" }): WorkedRead {
  const head = { ...context.store.head };
  try {
    const answer = runRead(task.name, context, task.args);
    return { head, answer: task.gzip ? compressed(answer) : owned(answer), failure: undefined };
  } catch (error) {
    const failure = toWorkFailure(error);
    if (failure === undefined) throw error;
    return { head, answer: undefined, failure };
  }
}

function runAdmission(context: ReadContext, task: WorkTask & { kind: "admit" }): Admission[] {
  const state = new StateAtVersion(context.store, undefined);
  return unpack(task.batch).map((signed) => {
    const accountSequenceNumber = sequenceNumberOf(context.store, senderOf(signed)) ?? 0n;
    const status = context.core.validate(signed, state, task.nowSecs);
    // A number ahead of the account's waits in the mempool for its turn.
    const vmStatus = status === SEQUENCE_NUMBER_TOO_NEW ? 0 : status;
    if (vmStatus !== 0) return { vmStatus, accountSequenceNumber, pending: undefined };
    const pending = context.core.renderPending(signed, state);
    if (isFailure(pending)) throw new TypeError(`a valid transaction cannot be shown: ${pending.message}`);
    return { vmStatus, accountSequenceNumber, pending: ownMemory(pending) };
  });
}

/** A signed transaction begins with its sender; that it decodes was seen before it came here. */
function senderOf(signed: Buffer): Buffer {
  return signed.subarray(0, ADDRESS_BYTES);
}

/** Shortest body that is compressed, bytes. Of BCS nothing is: hashes and keys do not shrink. */
const GZIP_BYTES_MIN = 1024;

function compressed(answer: ReadAnswer): ReadAnswer {
  if (answer.form !== "json" || answer.body.length < GZIP_BYTES_MIN) return owned(answer);
  const body = gzipSync(answer.body, { level: constants.Z_BEST_SPEED });
  return owned({ ...answer, body, isGzip: true });
}

function owned(answer: ReadAnswer): ReadAnswer {
  return { ...answer, body: ownMemory(answer.body) };
}

/** Sending a view sends all memory behind it; small buffers share theirs with strangers. */
function ownMemory<Body extends string | Uint8Array>(body: Body): Body {
  return (typeof body === "string" ? body : new Uint8Array(body)) as Body;
}
