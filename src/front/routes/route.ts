/** What a route is, and the parameters many of them share. */

import type { Call } from "../call.js";
import type { Routed } from "../router.js";

/** One operation of the interface. */
export interface Route extends Routed {
  /**
   * Answers the call, now or later. What it throws or rejects with becomes the answer; a body must be
   * asked for before the first await.
   */
  handle(call: Call): void | Promise<void>;
}

/** The version a read is pinned to; the newest if absent. */
export function ledgerVersion(call: Call): number | undefined {
  return call.query.version("ledger_version");
}

/** Page sizes of lists: what is given when nothing is asked, and the most. */
export const LIST_PAGE = { fallback: 25, max: 100 } as const;
/** The same for resources and modules. */
export const ITEM_PAGE = { fallback: 9999, max: 9999 } as const;
