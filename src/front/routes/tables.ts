/** Items of Move tables. */

import { NodeError } from "../../errors/index.js";
import { JSON_BODY } from "../call.js";
import { jsonObject, textField } from "../json-body.js";
import { addressSegment } from "../query.js";
import { ledgerVersion, type Route } from "./route.js";

export const tableRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/tables/:handle/item",
    handle(call) {
      const handle = addressSegment(call.param(0));
      const version = ledgerVersion(call);
      call.withBody(JSON_BODY, (body) => {
        const request = jsonObject(body);
        if (!("key" in request)) throw new NodeError("web_framework_error", "the body must have a key");
        call.read("tableItem", {
          handle,
          keyType: textField(request, "key_type"),
          valueType: textField(request, "value_type"),
          key: JSON.stringify(request.key),
          version,
          form: call.form,
        });
      });
    },
  },
  {
    method: "POST",
    path: "/tables/:handle/raw_item",
    handle(call) {
      const handle = addressSegment(call.param(0));
      const version = ledgerVersion(call);
      call.withBody(JSON_BODY, (body) => {
        call.read("rawTableItem", {
          handle,
          key: textField(jsonObject(body), "key"),
          version,
          form: call.form,
        });
      });
    },
  },
];
