/** Every route. */

import { accountRoutes } from "./accounts.js";
import { batchRoutes } from "./batch.js";
import { eventRoutes } from "./events.js";
import { ledgerRoutes } from "./ledger.js";
import type { Route } from "./route.js";
import { specRoutes } from "./spec.js";
import { stateValueRoutes } from "./state-values.js";
import { submitRoutes } from "./submit.js";
import { tableRoutes } from "./tables.js";
import { transactionRoutes } from "./transactions.js";
import { viewRoutes } from "./view.js";

export type { Route } from "./route.js";

const OPERATIONS: readonly Route[] = [
  ...ledgerRoutes,
  ...accountRoutes,
  ...eventRoutes,
  ...tableRoutes,
  ...stateValueRoutes,
  ...transactionRoutes,
  ...submitRoutes,
  ...viewRoutes,
  ...batchRoutes,
];

export const ROUTES: readonly Route[] = [...OPERATIONS, ...specRoutes(OPERATIONS)];
