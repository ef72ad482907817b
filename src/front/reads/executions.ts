/** Calls of the core that execute or encode: views, simulations, encoding for signing. */

import { formatHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Form } from "../negotiation.js";
import { type ReadAnswer, type ReadContext, StateAtVersion } from "./context.js";
import { accepted } from "./failure.js";
import { checkVersion } from "./state.js";

export interface ViewArgs {
  /** BCS or JSON, as `isJson` says. */
  readonly request: Uint8Array;
  readonly isJson: boolean;
  readonly version: number | undefined;
  readonly gasUnitsMax: number;
  readonly form: Form;
}

/** @throws NodeError `invalid_input` for whatever the call does wrong, out of gas included (VM status 4002). */
export function view(context: ReadContext, args: ViewArgs): ReadAnswer {
  checkVersion(context.store, args.version);
  const state = new StateAtVersion(context.store, args.version);
  const result = accepted(
    context.core.view(asBuffer(args.request), args.isJson, args.form === "json", args.gasUnitsMax, state),
  );
  return { form: args.form, body: result.body, gasUnits: result.gasUnits };
}

export interface SimulateArgs {
  /** BCS `SignedTransaction`, or JSON submit request. */
  readonly request: Uint8Array;
  readonly isJson: boolean;
  /** Replace the price by this one. */
  readonly gasUnitPrice: bigint | undefined;
  readonly estimateMaxGasAmount: boolean;
  readonly form: Form;
}

export function simulate(context: ReadContext, args: SimulateArgs): ReadAnswer {
  const { store } = context;
  const state = new StateAtVersion(store, undefined);
  const signed = args.isJson
    ? accepted(context.core.signedFromJson(asBuffer(args.request), context.chainId, state))
    : asBuffer(args.request);
  accepted(context.functions.inspectSigned(signed));
  if (context.functions.verifySigned([signed])[0] === 1) {
    throw new NodeError("invalid_input", "a transaction to simulate must not carry a valid signature");
  }
  const result = accepted(
    context.core.simulate(
      signed,
      {
        json: args.form === "json",
        estimateGasUnitPrice: args.gasUnitPrice !== undefined,
        estimateMaxGasAmount: args.estimateMaxGasAmount,
        gasUnitPriceEstimate: args.gasUnitPrice ?? 0n,
        version: store.head.version,
        timestampUsecs: store.head.timestampUsecs,
      },
      state,
    ),
  );
  return { form: args.form, body: result.body, gasUnits: result.gasUnits };
}

export interface EncodeArgs {
  /** JSON request without a signature. */
  readonly request: Uint8Array;
}

export function encodeSubmission(context: ReadContext, args: EncodeArgs): ReadAnswer {
  const state = new StateAtVersion(context.store, undefined);
  const message = accepted(context.core.encodeSubmission(asBuffer(args.request), context.chainId, state));
  return { form: "json", body: `"${formatHex(message)}"` };
}

/** BCS `SignedTransaction` of a JSON submit request. */
export function signedFromJson(context: ReadContext, args: EncodeArgs): ReadAnswer {
  const state = new StateAtVersion(context.store, undefined);
  return {
    form: "bcs",
    body: accepted(context.core.signedFromJson(asBuffer(args.request), context.chainId, state)),
  };
}

/** Arguments that crossed to a thread arrive as plain byte arrays. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
