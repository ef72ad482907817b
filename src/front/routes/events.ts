/** Events of handle streams. */

import type { Call } from "../call.js";
import { addressSegment, u64Segment } from "../query.js";
import { LIST_PAGE, type Route } from "./route.js";

export const eventRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/accounts/:address/events/:creation_number",
    handle: (call) =>
      call.readOnThread("events", {
        address: addressSegment(call.param(0)),
        creationNumber: u64Segment(call.param(1)),
        ...range(call),
      }),
  },
  {
    method: "GET",
    path: "/accounts/:address/events/:event_handle/:field_name",
    handle: (call) =>
      call.readOnThread("handleEvents", {
        address: addressSegment(call.param(0)),
        type: call.param(1),
        field: call.param(2),
        ...range(call),
      }),
  },
];

function range(call: Call) {
  return {
    start: call.query.u64("start"),
    limit: call.query.limit(LIST_PAGE.fallback, LIST_PAGE.max),
    form: call.form,
  };
}
