/** Read loads: an account, a resource and a view, of accounts in an order that repeats late. */

import type { RequestSet } from "../load/request-set.js";

const COIN = "0x1::aptos_coin::AptosCoin";
/** Accounts one load walks through. */
const ADDRESSES_MAX = 20_000;

/** @param api Root of the REST interface. */
export function readSets(api: string, addresses: readonly Buffer[]): RequestSet[] {
  const { origin } = new URL(api);
  // A stride that shares no factor with the count visits every account once, far apart in the store.
  const stride = 7919;
  const chosen = Array.from({ length: Math.min(ADDRESSES_MAX, addresses.length) }, (_, index) => {
    const address = addresses[(index * stride) % addresses.length] as Buffer;
    return `0x${address.toString("hex")}`;
  });
  const store = encodeURIComponent(`0x1::coin::CoinStore<${COIN}>`);
  return [
    { name: "account", origin, method: "GET", paths: chosen.map((address) => `/v1/accounts/${address}`) },
    {
      name: "resource (CoinStore)",
      origin,
      method: "GET",
      paths: chosen.map((address) => `/v1/accounts/${address}/resource/${store}`),
    },
    {
      name: "balance",
      origin,
      method: "GET",
      paths: chosen.map((address) => `/v1/accounts/${address}/balance/${COIN}`),
    },
    {
      name: "view (coin::balance)",
      origin,
      method: "POST",
      paths: chosen.map(() => "/v1/view"),
      bodies: chosen.map((address) =>
        JSON.stringify({ function: "0x1::coin::balance", type_arguments: [COIN], arguments: [address] }),
      ),
    },
  ];
}
