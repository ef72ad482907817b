/** Items of Move tables. */

import { NodeError } from "../../errors/index.js";
import { jsonObject, textField } from "../json-body.js";
import { ref } from "../openapi/schema.js";
import { LEDGER_VERSION, TABLE_HANDLE } from "../parameters.js";
import { defineRoute, type Route } from "./route.js";

export const tableRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/tables/:table_handle/item",
    id: "get_table_item",
    tag: "Tables",
    summary: "Get table item",
    description: "A table item by its typed key. A POST because the key may be too large for a query.",
    segments: { table_handle: TABLE_HANDLE },
    query: { ledger_version: LEDGER_VERSION },
    body: {
      json: ref("TableItemRequest"),
      example: { key_type: "address", value_type: "address", key: "0x1" },
    },
    success: { description: "The value", json: ref("MoveValue"), bcs: "The value" },
    refusals: ["table_item_not_found", "invalid_input"],
    handle(call, { table_handle: handle, ledger_version: version }) {
      call.withBody((body) => {
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
  }),
  defineRoute({
    method: "POST",
    path: "/tables/:table_handle/raw_item",
    id: "get_raw_table_item",
    tag: "Tables",
    summary: "Get raw table item",
    description: "The bytes of a table item by the bytes of its key; no types are needed.",
    segments: { table_handle: TABLE_HANDLE },
    query: { ledger_version: LEDGER_VERSION },
    body: { json: ref("RawTableItemRequest"), example: { key: "0x00" } },
    success: { description: "The value", bcs: "The value" },
    refusals: ["table_item_not_found", "invalid_input"],
    handle(call, { table_handle: handle, ledger_version: version }) {
      call.withBody((body) => {
        call.read("rawTableItem", {
          handle,
          key: textField(jsonObject(body), "key"),
          version,
          form: call.form,
        });
      });
    },
  }),
];
