/** Events of handle streams. */

import { list, ref } from "../openapi/schema.js";
import {
  ACCOUNT_ADDRESS,
  CREATION_NUMBER,
  EVENT_HANDLE,
  FIELD_NAME,
  LIST_LIMIT,
  START_SEQUENCE_NUMBER,
} from "../parameters.js";
import { defineRoute, type Route } from "./route.js";

const PAGE = { start: START_SEQUENCE_NUMBER, limit: LIST_LIMIT };
const SUCCESS = {
  description: "A page of events",
  json: list(ref("VersionedEvent")),
  bcs: "vector<{ transaction_version: u64, event: ContractEvent }>",
};

export const eventRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/accounts/:address/events/:creation_number",
    id: "get_events_by_creation_number",
    tag: "Events",
    summary: "Get events by creation number",
    description:
      "Events of one stream of the account they were emitted to, by sequence number. The account that hosts the emitting module is another.",
    segments: { address: ACCOUNT_ADDRESS, creation_number: CREATION_NUMBER },
    query: PAGE,
    success: SUCCESS,
    refusals: ["version_pruned", "invalid_input"],
    handle: (call, { address, creation_number: creationNumber, start, limit }) =>
      call.readOnThread("events", { address, creationNumber, start, limit, form: call.form }),
  }),
  defineRoute({
    method: "GET",
    path: "/accounts/:address/events/:event_handle/:field_name",
    id: "get_events_by_event_handle",
    tag: "Events",
    summary: "Get events by event handle",
    description: "Events of the stream that a field of one of the account's resources names.",
    segments: { address: ACCOUNT_ADDRESS, event_handle: EVENT_HANDLE, field_name: FIELD_NAME },
    query: PAGE,
    success: SUCCESS,
    refusals: ["resource_not_found", "struct_field_not_found", "version_pruned", "invalid_input"],
    handle: (call, { address, event_handle: type, field_name: field, start, limit }) =>
      call.readOnThread("handleEvents", { address, type, field, start, limit, form: call.form }),
  }),
];
