/**
 * The threads of a front. Two pools: one does nothing but check signatures, so that a transaction
 * never waits behind a view; the other does everything that takes more than about 100 µs, admission
 * checks first.
 *
 * Piscina runs them; this is the only file that knows it. What a thread does is in workers/.
 */

import { Piscina } from "piscina";
import { NodeError } from "../errors/index.js";
import { pack, transferables } from "./packed-batch.js";
import type { ReadArgs, ReadName } from "./reads/index.js";
import { UrgentFirstQueue, urgent } from "./urgent-first-queue.js";
import type { Admission, Work, WorkedRead, WorkTask } from "./work.js";

/** What a work thread needs to build its context. */
export interface WorkThreadData {
  readonly dataDir: string;
  readonly chainId: number;
  readonly vendor: string;
}

export interface WorkPoolOptions {
  /** Files of the two tasks, absolute. */
  readonly signatureTask: string;
  readonly workTask: string;
  /** Threads of each pool. */
  readonly threads: number;
  readonly data: WorkThreadData;
}

/** Tasks waiting for a work thread; more are refused. */
const TASKS_WAITING_MAX = 1024;

export class WorkPool implements Work {
  readonly #signatures: Piscina;
  readonly #work: Piscina;
  readonly #threads: number;

  constructor(options: WorkPoolOptions) {
    this.#threads = options.threads;
    const shared = { minThreads: options.threads, maxThreads: options.threads, recordTiming: false };
    this.#signatures = new Piscina({ ...shared, filename: options.signatureTask });
    this.#work = new Piscina({
      ...shared,
      filename: options.workTask,
      workerData: options.data,
      maxQueue: TASKS_WAITING_MAX,
      taskQueue: new UrgentFirstQueue(),
      // Otherwise a task no thread could take goes behind those that came after it.
      stricterFIFO: true,
    });
  }

  read<Name extends ReadName>(name: Name, args: ReadArgs<Name>, gzip = false): Promise<WorkedRead> {
    return this.#run({ kind: "read", name, args, gzip }) as Promise<WorkedRead>;
  }

  admit(signed: readonly Uint8Array[]): Promise<Admission[]> {
    const batch = pack(signed);
    const nowSecs = Math.floor(Date.now() / 1000);
    return this.#run(urgent({ kind: "admit", batch, nowSecs }), transferables(batch)) as Promise<Admission[]>;
  }

  verify(signed: readonly Uint8Array[]): Promise<Uint8Array> {
    const batch = pack(signed);
    return this.#signatures.run(batch, { transferList: transferables(batch) }) as Promise<Uint8Array>;
  }

  /** Lets every thread load its code and open its store, so that the first requests need not wait for it. */
  async warmUp(): Promise<void> {
    const threads = Array.from({ length: this.#threads });
    await Promise.all([
      ...threads.map(() => this.verify([])),
      ...threads.map(() => this.read("gasEstimate", { form: "json" })),
    ]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#signatures.destroy(), this.#work.destroy()]);
  }

  async #run(task: WorkTask, transferList: ArrayBuffer[] = []): Promise<unknown> {
    if (this.#work.queueSize >= TASKS_WAITING_MAX) {
      throw new NodeError("unavailable", "the node has too many requests of this kind waiting");
    }
    return this.#work.run(task, { transferList });
  }
}
