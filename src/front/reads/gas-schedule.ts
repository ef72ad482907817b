/** The one entry of the on-chain gas schedule that fronts need: the lowest price a transaction may offer. */

import type { StoreReader } from "../../store/types.js";
import { BcsWalker } from "./bcs.js";
import { readData } from "./state.js";
import { accountKey, FRAMEWORK_ADDRESS, GAS_SCHEDULE } from "./state-keys.js";

const MIN_PRICE_ENTRY = "txn.min_price_per_gas_unit";

/** What a chain without a schedule is taken to ask, octas per gas unit. */
const MIN_PRICE_FALLBACK = 100n;

/** @returns Lowest gas unit price of the newest state, octas. */
export function minGasUnitPrice(store: StoreReader): bigint {
  const data = readData(store, accountKey(FRAMEWORK_ADDRESS, GAS_SCHEDULE), undefined);
  if (data === undefined) return MIN_PRICE_FALLBACK;
  // Feature version, then sized entries: vector of name and value, itself a vector in the resource.
  const walker = new BcsWalker(data);
  walker.u64();
  for (let left = walker.uleb(); left > 0; left -= 1) {
    const name = walker.sized().toString("latin1");
    const value = walker.u64();
    if (name === MIN_PRICE_ENTRY) return value;
  }
  return MIN_PRICE_FALLBACK;
}
