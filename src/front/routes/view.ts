/** `POST /view`: calls of view functions. */

import { NodeError } from "../../errors/index.js";
import { JSON_TYPE } from "../../wire/index.js";
import { list, ref } from "../openapi/schema.js";
import { LEDGER_VERSION } from "../parameters.js";
import type { ReadAnswer } from "../reads/context.js";
import { view } from "../reads/executions.js";
import { OUT_OF_GAS } from "../vm-status.js";
import { defineRoute, type Route } from "./route.js";

/** Most gas a call may use, gas units. */
const GAS_UNITS_MAX = 2_000_000;
/** What a call may use on the event loop before it starts anew on a thread, gas units. */
const INLINE_GAS_UNITS_MAX = 100;
/** Bodies up to this many bytes are tried on the event loop. */
const INLINE_BODY_BYTES_MAX = 4096;

export const viewRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/view",
    id: "view",
    tag: "View",
    summary: "Execute view function",
    description:
      "Runs a view function on the state of a version and gives what it returns. Nothing is written.",
    query: { ledger_version: LEDGER_VERSION },
    body: {
      json: ref("ViewRequest"),
      bcs: "viewFunctionType",
      example: {
        function: "0x1::coin::balance",
        type_arguments: ["0x1::aptos_coin::AptosCoin"],
        arguments: ["0x1"],
      },
    },
    success: {
      description: "The values returned",
      json: list(ref("MoveValue")),
      bcs: "The number of values, then the bytes of each",
      headers: ["gasUsed"],
    },
    refusals: ["invalid_input", "target_forbidden"],
    handle(call, { ledger_version: version }) {
      call.withBody((body, type) => {
        const args = { request: body, isJson: type === JSON_TYPE, version, form: call.form };
        if (body.length <= INLINE_BODY_BYTES_MAX) {
          const context = call.services.snapshot.current();
          let answer: ReadAnswer | undefined;
          try {
            answer = view(context, { ...args, gasUnitsMax: INLINE_GAS_UNITS_MAX });
          } catch (error) {
            if (!(error instanceof NodeError) || error.vmStatus !== OUT_OF_GAS) {
              call.fail(error, context.store.head);
              return;
            }
          }
          if (answer !== undefined) {
            call.answer(context.store.head, answer);
            return;
          }
        }
        return call.readOnThread("view", {
          ...args,
          request: new Uint8Array(body),
          gasUnitsMax: GAS_UNITS_MAX,
        });
      });
    },
  }),
];
