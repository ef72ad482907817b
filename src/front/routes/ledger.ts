/** The node and its ledger: information, health, gas price. */

import { ref } from "../openapi/schema.js";
import { DURATION_SECS } from "../parameters.js";
import { gasAnswer } from "../reads/gas-estimate.js";
import { defineRoute, type Route } from "./route.js";

export const ledgerRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/",
    id: "get_ledger_info",
    tag: "General",
    summary: "Get ledger info",
    description: "The newest ledger version with its time, block and epoch, and the chain's id.",
    success: { description: "The ledger's information", json: ref("IndexResponse"), bcs: "IndexResponse" },
    handle: (call) => call.read("ledgerInfo", { form: call.form }),
  }),
  defineRoute({
    method: "GET",
    path: "/info",
    id: "info",
    tag: "General",
    summary: "Show some basic info of the node",
    success: { description: "What the node says of itself", json: ref("NodeInfo") },
    handle(call) {
      const { release, historyWindow } = call.services;
      call.read("info", { release, historyWindow });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/-/healthy",
    id: "healthy",
    tag: "General",
    summary: "Check basic node health",
    description:
      "Without a duration, whether the node answers at all. With one, whether its ledger is at most that far behind the clock.",
    query: { duration_secs: DURATION_SECS },
    success: {
      description: "The node is healthy",
      json: ref("HealthCheckSuccess"),
      bcs: "struct { string }",
    },
    refusals: ["health_check_failed"],
    handle(call, { duration_secs: durationSecs }) {
      call.read("health", { durationSecs, nowSecs: call.services.clock() / 1000, form: call.form });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/estimate_gas_price",
    id: "estimate_gas_price",
    tag: "Transactions",
    summary: "Estimate gas price",
    description:
      "The lowest gas unit price that would have reached recent full blocks, and the chain's minimum while blocks are not full. The higher estimates look further back and at a higher percentile.",
    success: { description: "The estimates", json: ref("GasEstimation"), bcs: "u64, the current estimate" },
    async handle(call) {
      const prices = await call.services.gasPrices.current();
      call.answer(call.services.snapshot.current().store.head, gasAnswer(prices, call.form));
    },
  }),
];
