/** Operations the interface has and this node does not do; they say so instead of being absent. */

import { NodeError } from "../../errors/index.js";
import type { Method } from "../router.js";
import type { Route } from "./route.js";

const OPERATIONS: readonly (readonly [method: Method, path: string])[] = [["POST", "/transactions/batch"]];

export const notImplementedRoutes: readonly Route[] = OPERATIONS.map(([method, path]) => ({
  method,
  path,
  handle() {
    throw new NodeError("not_implemented", `not implemented: ${method} /v1${path}`);
  },
}));
