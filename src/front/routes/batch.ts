/** Several submissions in one request: each is admitted or refused on its own. */

import { NodeError } from "../../errors/index.js";
import { JSON_TYPE } from "../../wire/index.js";
import type { Call } from "../call.js";
import { errorResponse, isNodeFault } from "../error-response.js";
import { jsonList } from "../json-body.js";
import { list, ref } from "../openapi/schema.js";
import { defineRoute, type Route } from "./route.js";
import { signedFromJson } from "./submit.js";

/** Most transactions of one request. */
const BATCH_MAX = 10;
const ALL_ADMITTED = 202;
const SOME_REFUSED = 206;

export const batchRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/transactions/batch",
    id: "submit_batch_transactions",
    tag: "Transactions",
    summary: "Submit batch transactions",
    description: `Up to ${BATCH_MAX} signed transactions, each admitted or refused on its own. One that does not decode refuses them all. JSON bodies only: BCS ones answer that they are not implemented.`,
    body: { json: list(ref("SubmitTransactionRequest")), bcs: "signedTransactionType" },
    success: {
      status: ALL_ADMITTED,
      description: "All admitted",
      partial: "Some or all refused",
      json: ref("TransactionsBatchSubmissionResult"),
    },
    refusals: ["invalid_input", "bcs_not_supported"],
    handle(call) {
      if (call.form === "bcs")
        throw new NodeError("bcs_not_supported", "this endpoint answers in application/json only");
      call.withBody(async (body, type) => {
        if (type !== JSON_TYPE) throw new NodeError("not_implemented", "not implemented: batches in BCS");
        const requests = jsonList(body);
        if (requests.length > BATCH_MAX)
          throw new NodeError(
            "invalid_input",
            `a batch may have ${BATCH_MAX} transactions, not ${requests.length}`,
          );
        const signed = await Promise.all(
          requests.map((request) => signedFromJson(call, Buffer.from(JSON.stringify(request)))),
        );
        const refusals = await Promise.all(signed.map((bytes) => refusalOf(call, bytes)));
        const failures = refusals.flatMap((error, index) =>
          error === undefined ? [] : [`{"error":${error},"transaction_index":${index}}`],
        );
        const { head } = call.services.snapshot.current().store;
        const answer = `{"transaction_failures":[${failures.join()}]}`;
        call.answer(
          head,
          { form: "json", body: answer },
          failures.length === 0 ? ALL_ADMITTED : SOME_REFUSED,
        );
      });
    },
  }),
];

/** Error body of a refused submission; `undefined` if it was admitted. */
async function refusalOf(call: Call, signed: Buffer): Promise<string | undefined> {
  try {
    await call.services.submission.submit(signed);
    return undefined;
  } catch (error) {
    if (isNodeFault(error)) call.services.onFault(error);
    return errorResponse(error).body;
  }
}
