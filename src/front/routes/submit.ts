/** Submitting, simulating and encoding transactions. */

import { NodeError } from "../../errors/index.js";
import { JSON_TYPE } from "../../wire/index.js";
import type { Call } from "../call.js";
import { list, ref } from "../openapi/schema.js";
import { ESTIMATE_GAS_PRICE, ESTIMATE_HIGH_GAS_PRICE, ESTIMATE_MAX_GAS } from "../parameters.js";
import { fromWorkFailure } from "../work.js";
import { defineRoute, type Route } from "./route.js";

/** Status of a submission that was accepted. */
const ACCEPTED = 202;

const TRANSFER = {
  sender: "0x1",
  sequence_number: "0",
  max_gas_amount: "20000",
  gas_unit_price: "100",
  expiration_timestamp_secs: "32425224034",
  payload: {
    type: "entry_function_payload",
    function: "0x1::aptos_account::transfer",
    type_arguments: [],
    arguments: ["0x2", "1000"],
  },
};
const SIGNED_BODY = {
  json: ref("SubmitTransactionRequest"),
  bcs: "signedTransactionType",
  example: {
    ...TRANSFER,
    signature: {
      type: "ed25519_signature",
      public_key: `0x${"00".repeat(32)}`,
      signature: `0x${"00".repeat(64)}`,
    },
  },
} as const;

export const submitRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/transactions",
    id: "submit_transaction",
    tag: "Transactions",
    summary: "Submit transaction",
    description:
      "Takes a signed transaction into the mempool. It is checked as the chain would check it before execution; what comes of its execution is read by its hash.",
    body: SIGNED_BODY,
    success: {
      status: ACCEPTED,
      description: "Admitted; BCS answers have no body",
      json: ref("PendingTransaction"),
      bcs: "Nothing",
    },
    refusals: [
      "invalid_input",
      "vm_error",
      "sequence_number_too_old",
      "invalid_transaction_update",
      "rejected_by_filter",
      "mempool_is_full",
    ],
    handle(call) {
      call.withBody(async (body, type) => {
        const signed = type === JSON_TYPE ? await signedFromJson(call, body) : body;
        const pending = await call.services.submission.submit(signed);
        const { head } = call.services.snapshot.current().store;
        call.answer(head, { form: call.form, body: call.form === "json" ? pending : "" }, ACCEPTED);
      });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/transactions/simulate",
    id: "simulate_transaction",
    tag: "Transactions",
    summary: "Simulate transaction",
    description:
      "Executes a transaction on the newest state and keeps nothing. The signature must be one that does not verify, such as zero bytes.",
    query: {
      estimate_gas_unit_price: ESTIMATE_GAS_PRICE,
      estimate_prioritized_gas_unit_price: ESTIMATE_HIGH_GAS_PRICE,
      estimate_max_gas_amount: ESTIMATE_MAX_GAS,
    },
    body: SIGNED_BODY,
    success: {
      description: "What would be committed, in an array of one",
      json: list(ref("UserTransaction")),
      bcs: "TransactionOnChainData",
      headers: ["gasUsed"],
    },
    refusals: ["invalid_input", "target_forbidden"],
    handle(call, input) {
      const estimatesHighPrice = input.estimate_prioritized_gas_unit_price;
      const estimateMaxGasAmount = input.estimate_max_gas_amount;
      call.withBody(async (body, type) => {
        let gasUnitPrice: bigint | undefined;
        if (input.estimate_gas_unit_price || estimatesHighPrice) {
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
  }),
  defineRoute({
    method: "POST",
    path: "/transactions/encode_submission",
    id: "encode_submission",
    tag: "Transactions",
    summary: "Encode submission",
    description:
      "The bytes to sign for a transaction. Whoever signs them trusts this node not to have altered the request; clients that encode BCS themselves need not.",
    body: { json: ref("EncodeSubmissionRequest"), example: TRANSFER },
    success: { description: "The bytes to sign", json: ref("HexEncodedBytes") },
    refusals: ["invalid_input", "bcs_not_supported"],
    handle(call) {
      if (call.form === "bcs")
        throw new NodeError("bcs_not_supported", "this endpoint answers in application/json only");
      call.withBody((body) => call.readOnThread("encodeSubmission", { request: new Uint8Array(body) }));
    },
  }),
];

/**
 * BCS of a JSON request. Needs the called module's declaration, so it runs where modules are at hand.
 *
 * @throws NodeError `invalid_input`.
 */
export async function signedFromJson(call: Call, body: Uint8Array): Promise<Buffer> {
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
