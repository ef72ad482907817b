/**
 * The account that gives coins away. Its transactions are numbered here and sent without waiting for
 * each other, so that many clients can be funded in one block.
 *
 * Promise: `fund` resolves after its transaction is committed and succeeded, or rejects. When the
 * numbering is in doubt, what is under way is awaited and the account's number read anew.
 */

import { NodeError } from "../errors/index.js";
import type { Logger } from "../observe/index.js";
import { type NodeClient, Refusal } from "./node-client.js";
import { signedTransfer, type TransferKey } from "./transfer.js";

export interface MinterOptions {
  readonly client: NodeClient;
  readonly key: TransferKey;
  /** 32 bytes. */
  readonly address: Uint8Array;
  readonly chainId: number;
  readonly log: Logger;
}

/** Transfers under way at the same time; a mempool takes 100 of one account. */
const IN_FLIGHT_MAX = 64;
/** Requests waiting for their turn; further ones are refused. */
const WAITING_MAX = 1024;
/** How long a transfer may take to commit, seconds. */
const EXPIRY_SECS = 30;
/** Enough to create the receiver's account. */
const MAX_GAS_UNITS = 200_000n;
/** Attempts with a newly read sequence number. */
const ATTEMPTS_MAX = 4;
/** Pause before the same transfer is sent again to a node that is busy, milliseconds. */
const RETRY_MS = 50;

export class Minter {
  readonly #options: MinterOptions;
  #next: bigint | undefined;
  #reading: Promise<bigint> | undefined;
  #inFlight = 0;
  readonly #turns: (() => void)[] = [];

  constructor(options: MinterOptions) {
    this.#options = options;
  }

  /**
   * @param receiver 32 bytes.
   * @returns Hash of the committed transaction, 64 digits without `0x`.
   * @throws NodeError `unavailable`, `internal_error`.
   */
  async fund(receiver: Uint8Array, octas: bigint): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#turn();
      try {
        return await this.#transfer(receiver, octas);
      } catch (error) {
        const isNumberInDoubt = error instanceof Refusal && error.status < 500;
        this.#next = undefined;
        if (!isNumberInDoubt || attempt === ATTEMPTS_MAX) throw asNodeError(error);
        this.#options.log.warn({ err: error }, "a transfer was refused; reading the sequence number anew");
      } finally {
        this.#inFlight -= 1;
        this.#wake();
      }
    }
  }

  async #transfer(receiver: Uint8Array, octas: bigint): Promise<string> {
    const { client, key, address, chainId } = this.#options;
    const sequenceNumber = await this.#takeNumber();
    this.#wake();
    const deadlineMs = Date.now() + 1000 * EXPIRY_SECS;
    const expirationTimestampSecs = BigInt(Math.floor(deadlineMs / 1000));
    const signed = signedTransfer(
      {
        sender: address,
        receiver,
        octas,
        sequenceNumber,
        maxGasUnits: MAX_GAS_UNITS,
        expirationTimestampSecs,
        chainId,
      },
      key,
    );
    const hash = await this.#submit(signed, deadlineMs);
    const committed = await client.committed(hash, deadlineMs);
    if (committed === undefined) throw new NodeError("unavailable", "the transfer did not commit in time");
    if (!committed.isSuccess)
      throw new NodeError("internal_error", `the transfer failed: ${committed.vmStatus}`);
    return hash.slice(2);
  }

  /** The same bytes again while the node is busy: a number that is never sent would hold up all later ones. */
  async #submit(signed: Uint8Array, deadlineMs: number): Promise<string> {
    for (;;) {
      try {
        return await this.#options.client.submit(signed);
      } catch (error) {
        const isPassing = error instanceof Refusal ? error.isPassing : !(error instanceof NodeError);
        if (!isPassing || Date.now() + RETRY_MS >= deadlineMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #takeNumber(): Promise<bigint> {
    if (this.#next === undefined) {
      this.#reading ??= this.#options.client.sequenceNumber(this.#options.address).finally(() => {
        this.#reading = undefined;
      });
      const read = await this.#reading;
      this.#next ??= read;
    }
    const taken = this.#next;
    this.#next = taken + 1n;
    return taken;
  }

  /** Waits for a free place; with the numbering in doubt, until nothing is under way. */
  async #turn(): Promise<void> {
    if (!this.#isFree()) {
      if (this.#turns.length >= WAITING_MAX) throw new NodeError("unavailable", "the faucet is busy");
      await new Promise<void>((resolve) => this.#turns.push(resolve));
      return;
    }
    this.#inFlight += 1;
  }

  #isFree(): boolean {
    return this.#next === undefined ? this.#inFlight === 0 : this.#inFlight < IN_FLIGHT_MAX;
  }

  #wake(): void {
    while (this.#turns.length > 0 && this.#isFree()) {
      this.#inFlight += 1;
      this.#turns.shift()?.();
    }
  }
}

function asNodeError(error: unknown): NodeError {
  if (error instanceof NodeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new NodeError("unavailable", `the node refused the transfer: ${message}`, { cause: error });
}
