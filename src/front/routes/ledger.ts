/** The node and its ledger: information, health, gas price. */

import { NodeError } from "../../errors/index.js";
import { gasAnswer } from "../reads/gas-estimate.js";
import type { Route } from "./route.js";

export const ledgerRoutes: readonly Route[] = [
  { method: "GET", path: "/", handle: (call) => call.read("ledgerInfo", { form: call.form }) },
  {
    method: "GET",
    path: "/info",
    handle(call) {
      const { release, historyWindow } = call.services;
      call.read("info", { release, historyWindow });
    },
  },
  {
    method: "GET",
    path: "/-/healthy",
    handle(call) {
      const duration = call.query.u64("duration_secs");
      if (duration !== undefined && duration > 0xffff_ffffn) {
        throw new NodeError(
          "web_framework_error",
          "query parameter duration_secs must be an unsigned 32-bit integer",
        );
      }
      call.read("health", {
        durationSecs: duration === undefined ? undefined : Number(duration),
        nowSecs: call.services.clock() / 1000,
        form: call.form,
      });
    },
  },
  {
    method: "GET",
    path: "/estimate_gas_price",
    async handle(call) {
      const prices = await call.services.gasPrices.current();
      call.answer(call.services.snapshot.current().store.head, gasAnswer(prices, call.form));
    },
  },
];
