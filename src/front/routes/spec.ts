/** The API description, for people and for programs. */

import { HTML_TYPE, JSON_TYPE, YAML_TYPE } from "../../wire/index.js";
import type { Call } from "../call.js";
import { apiDescription } from "../openapi/document.js";
import { SPEC_PAGE } from "../openapi/page.js";
import type { Route } from "./route.js";

export const specRoutes: readonly Route[] = [
  { method: "GET", path: "/spec", handle: (call) => call.answerText(HTML_TYPE, SPEC_PAGE) },
  { method: "GET", path: "/spec.json", handle: (call) => answerDescription(call, JSON_TYPE) },
  // JSON is YAML; who wants it more readable has tools for that.
  { method: "GET", path: "/spec.yaml", handle: (call) => answerDescription(call, YAML_TYPE) },
];

function answerDescription(call: Call, type: string): void {
  call.answerText(type, apiDescription(call.services.wire, call.services.release));
}
