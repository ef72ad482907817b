/** State values by their keys, whatever they hold. */

import { jsonObject, textField } from "../json-body.js";
import { ref } from "../openapi/schema.js";
import { LEDGER_VERSION } from "../parameters.js";
import { defineRoute, type Route } from "./route.js";

export const stateValueRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/experimental/state_values/raw",
    id: "get_raw_state_value",
    tag: "State",
    summary: "Get raw state value",
    description: "The bytes of a state value with its metadata, by the bytes of its key.",
    query: { ledger_version: LEDGER_VERSION },
    body: { json: ref("RawStateValueRequest"), example: { key: "0x00" } },
    success: { description: "The state value", bcs: "StateValue" },
    refusals: ["state_value_not_found", "invalid_input"],
    handle(call, { ledger_version: version }) {
      call.withBody((body) => {
        call.read("stateValue", { key: textField(jsonObject(body), "key"), version, form: call.form });
      });
    },
  }),
];
