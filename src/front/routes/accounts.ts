/** Account data, resources, modules and balances. */

import { parseHex } from "../../domain/index.js";
import { NodeError } from "../../errors/index.js";
import type { Call } from "../call.js";
import { addressSegment } from "../query.js";
import type { PageArgs } from "../reads/resources.js";
import { isKeyOf } from "../reads/state-keys.js";
import { ITEM_PAGE, ledgerVersion, type Route } from "./route.js";

/** Longest cursor: the longest state key of an account's item. */
const CURSOR_BYTES_MAX = 4096;

export const accountRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/accounts/:address",
    handle(call) {
      call.read("account", {
        address: addressSegment(call.param(0)),
        version: ledgerVersion(call),
        form: call.form,
      });
    },
  },
  {
    method: "GET",
    path: "/accounts/:address/resource/:type",
    handle(call) {
      call.read("resource", {
        address: addressSegment(call.param(0)),
        type: call.param(1),
        version: ledgerVersion(call),
        form: call.form,
      });
    },
  },
  {
    method: "GET",
    path: "/accounts/:address/resources",
    handle: (call) => call.readOnThread("resources", pageArgs(call)),
  },
  {
    method: "GET",
    path: "/accounts/:address/module/:name",
    handle: (call) =>
      call.readOnThread("module", {
        address: addressSegment(call.param(0)),
        name: call.param(1),
        version: ledgerVersion(call),
        form: call.form,
      }),
  },
  {
    method: "GET",
    path: "/accounts/:address/modules",
    handle: (call) => call.readOnThread("modules", pageArgs(call)),
  },
  {
    method: "GET",
    path: "/accounts/:address/balance/:asset",
    handle(call) {
      call.read("balance", {
        address: addressSegment(call.param(0)),
        asset: call.param(1),
        version: ledgerVersion(call),
        form: call.form,
      });
    },
  },
];

/** @throws NodeError `invalid_input` for a cursor that is not a state key of this account. */
function pageArgs(call: Call): PageArgs {
  const address = addressSegment(call.param(0));
  const cursor = call.query.text("start");
  const start = cursor === undefined ? undefined : parseHex(cursor, CURSOR_BYTES_MAX);
  if (cursor !== undefined && (start === undefined || !isKeyOf(address, start))) {
    throw new NodeError(
      "invalid_input",
      "start is not a cursor of this account; use the value of the cursor header",
    );
  }
  return {
    address,
    version: ledgerVersion(call),
    start,
    limit: call.query.limit(ITEM_PAGE.fallback, ITEM_PAGE.max),
    form: call.form,
  };
}
