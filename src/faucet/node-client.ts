/**
 * The faucet's view of its node: the public interface, over HTTP, like any other client.
 */

import { formatHex } from "../domain/index.js";
import { NodeError } from "../errors/index.js";
import type { WireNames } from "../wire/index.js";

/** An answer that is not a success. */
export class Refusal extends Error {
  readonly status: number;
  /** `error_code` of the answer; empty if it has none. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
  }

  /** True if the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 503 || this.status === 507;
  }
}

/** A committed transaction, by what the faucet asks of it. */
export interface Committed {
  readonly isSuccess: boolean;
  readonly vmStatus: string;
}

/** Longest wait for one answer, milliseconds. */
const REQUEST_MS_MAX = 15_000;

export class NodeClient {
  readonly #base: string;
  readonly #wire: WireNames;

  /** @param base URL up to and without `/v1`. */
  constructor(base: string, wire: WireNames) {
    this.#base = `${base}/v1`;
    this.#wire = wire;
  }

  /** Newest version and the time of its block, microseconds. */
  async ledgerTip(): Promise<{ readonly version: string; readonly timestampUsecs: string }> {
    const info = (await this.get("")) as { ledger_version: string; ledger_timestamp: string };
    return { version: info.ledger_version, timestampUsecs: info.ledger_timestamp };
  }

  async sequenceNumber(address: Uint8Array): Promise<bigint> {
    const account = (await this.get(`/accounts/${formatHex(address)}`)) as { sequence_number: string };
    return BigInt(account.sequence_number);
  }

  /** @param signed BCS `SignedTransaction`. @returns The hash, with `0x`. @throws Refusal */
  async submit(signed: Uint8Array): Promise<string> {
    const answer = await this.#request("/transactions", {
      method: "POST",
      headers: { "content-type": this.#wire.signedTransactionType },
      body: signed,
    });
    return (answer as { hash: string }).hash;
  }

  /** @returns Once the transaction is committed, or `undefined` at `deadlineMs`. @throws Refusal if it is gone. */
  async committed(hash: string, deadlineMs: number): Promise<Committed | undefined> {
    while (Date.now() < deadlineMs) {
      // The node waits for the commit itself, up to a second each time.
      const answer = (await this.get(`/transactions/wait_by_hash/${hash}`)) as {
        success?: boolean;
        vm_status?: string;
      };
      if (answer.success !== undefined)
        return { isSuccess: answer.success, vmStatus: answer.vm_status ?? "" };
    }
    return undefined;
  }

  /** @throws Refusal; TypeError if the node cannot be reached. */
  get(path: string): Promise<unknown> {
    return this.#request(path, {});
  }

  /** As {@link get}, with `undefined` for 404. */
  async getIfAny(path: string): Promise<unknown> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  async #request(path: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${this.#base}${path}`, {
      ...init,
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    const text = await response.text();
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch (cause) {
      throw new NodeError("internal_error", "the node's answer is not JSON", { cause });
    }
    if (response.ok) return answer;
    const { message, error_code } = answer as { message?: string; error_code?: string };
    throw new Refusal(response.status, error_code ?? "", message ?? text);
  }
}
