/** Submitting, simulating and encoding transactions. */

import { NodeError } from "../../errors/index.js";
import { JSON_TYPE } from "../../wire/index.js";
import { type Call, JSON_BODY } from "../call.js";
import { fromWorkFailure } from "../work.js";
import type { Route } from "./route.js";

/** Status of a submission that was accepted. */
const ACCEPTED = 202;

export const submitRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/transactions",
    handle(call) {
      call.withBody(transactionTypes(call), async (body, type) => {
        const signed = type === JSON_TYPE ? await signedFromJson(call, body) : body;
        const pending = await call.services.submission.submit(signed);
        const { head } = call.services.snapshot.current().store;
        call.answer(head, { form: call.form, body: call.form === "json" ? pending : "" }, ACCEPTED);
      });
    },
  },
  {
    method: "POST",
    path: "/transactions/simulate",
    handle(call) {
      const estimatesPrice = call.query.flag("estimate_gas_unit_price");
      const estimatesHighPrice = call.query.flag("estimate_prioritized_gas_unit_price");
      const estimateMaxGasAmount = call.query.flag("estimate_max_gas_amount");
      call.withBody(transactionTypes(call), async (body, type) => {
        let gasUnitPrice: bigint | undefined;
        if (estimatesPrice || estimatesHighPrice) {
          const prices = await call.services.gasPrices.current();
          gasUnitPrice = estimatesHighPrice ? prices.high : prices.market;
        }
        await call.readOnThread("simulate", {
          request: new Uint8Array(body),
          isJson: type === JSON_TYPE,
          gasUnitPrice,
          estimateMaxGasAmount,
          form: call.form,
        });
      });
    },
  },
  {
    method: "POST",
    path: "/transactions/encode_submission",
    handle(call) {
      if (call.form === "bcs")
        throw new NodeError("bcs_not_supported", "this endpoint answers in application/json only");
      call.withBody(JSON_BODY, (body) =>
        call.readOnThread("encodeSubmission", { request: new Uint8Array(body) }),
      );
    },
  },
];

function transactionTypes(call: Call): readonly string[] {
  return [JSON_TYPE, call.services.wire.signedTransactionType];
}

/** Needs the called module's declaration, so it runs where modules are at hand. */
async function signedFromJson(call: Call, body: Buffer): Promise<Buffer> {
  const { answer, failure } = await call.services.work.read("signedFromJson", {
    request: new Uint8Array(body),
  });
  if (answer === undefined) {
    throw failure === undefined
      ? new NodeError("internal_error", "the transaction could not be encoded")
      : fromWorkFailure(failure);
  }
  return Buffer.from(answer.body);
}
