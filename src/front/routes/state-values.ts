/** State values by their keys, whatever they hold. */

import { JSON_BODY } from "../call.js";
import { jsonObject, textField } from "../json-body.js";
import { ledgerVersion, type Route } from "./route.js";

export const stateValueRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/experimental/state_values/raw",
    handle(call) {
      const version = ledgerVersion(call);
      call.withBody(JSON_BODY, (body) => {
        call.read("stateValue", { key: textField(jsonObject(body), "key"), version, form: call.form });
      });
    },
  },
];
