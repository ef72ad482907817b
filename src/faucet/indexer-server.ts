/**
 * The two indexer answers that SDKs wait for, computed from the node's own reads: how far the indexer
 * has come (always as far as the node), and an account's coins. Every other query is refused in the
 * way GraphQL refuses.
 */

import { formatAddressLong, parseAddress } from "../domain/index.js";
import { jsonAnswer, listenSmall, type SmallAnswer, type SmallRequest, type SmallServer } from "./http.js";
import type { NodeClient } from "./node-client.js";

interface GraphRequest {
  readonly query?: unknown;
  readonly variables?: {
    readonly where_condition?: Where;
    readonly offset?: unknown;
    readonly limit?: unknown;
  } | null;
}

/** A filter: a field, a comparison, its operand. */
type Where = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

const DEFAULT_PROCESSOR = "fungible_asset_processor";
const COIN_STORE = /^0x1::coin::CoinStore<(.+)>$/;

export function listenIndexer(host: string, port: number, client: NodeClient): Promise<SmallServer> {
  return listenSmall(host, port, async (request) => {
    if (request.path !== "/v1/graphql" && request.path !== "/v1/graphql/") return errors(404, "not found");
    if (request.method !== "POST") return errors(405, "queries are sent with POST");
    try {
      return await answerQuery(request, client);
    } catch (error) {
      return errors(
        503,
        `the node did not answer: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
}

async function answerQuery(request: SmallRequest, client: NodeClient): Promise<SmallAnswer> {
  let graph: GraphRequest;
  try {
    graph = JSON.parse(request.body.toString("utf8")) as GraphRequest;
  } catch {
    return errors(400, "the body is not JSON");
  }
  const selection = typeof graph?.query === "string" ? firstSelection(graph.query) : undefined;
  const where = graph?.variables?.where_condition ?? {};
  if (selection === "processor_status")
    return jsonAnswer(200, { data: { processor_status: await status(client, where) } });
  if (selection === "current_fungible_asset_balances") {
    const rows = await balances(client, where);
    if (rows === undefined) return errors(200, "owner_address must be compared with _eq");
    const offset = count(graph.variables?.offset, 0);
    const limit = count(graph.variables?.limit, rows.length);
    const page = rows.slice(offset, offset + limit);
    return { status: 200, type: "application/json", body: `{"data":{"${selection}":[${page.join(",")}]}}` };
  }
  return errors(
    200,
    `not implemented: this node answers processor_status and current_fungible_asset_balances only`,
  );
}

/** The first field a query asks for; nested and repeated selections are not looked at. */
function firstSelection(query: string): string | undefined {
  return /\{\s*([A-Za-z_]+)/.exec(query)?.[1];
}

async function status(client: NodeClient, where: Where) {
  const { version, timestampUsecs } = await client.ledgerTip();
  const processor = where.processor?._eq;
  return [
    {
      last_success_version: Number(version),
      processor: typeof processor === "string" ? processor : DEFAULT_PROCESSOR,
      last_updated: timeText(timestampUsecs),
    },
  ];
}

/** @returns Rows as JSON, or `undefined` if the owner is not named. */
async function balances(client: NodeClient, where: Where): Promise<string[] | undefined> {
  const owner = parseAddress(`${where.owner_address?._eq ?? ""}`);
  if (owner === undefined) return undefined;
  const wanted = wantedAssets(where.asset_type);
  const { version, timestampUsecs } = await client.ledgerTip();
  const stores = (await client.get(
    `/accounts/${formatAddressLong(owner)}/resources?ledger_version=${version}`,
  )) as {
    type: string;
    data: { coin?: { value: string }; frozen?: boolean };
  }[];
  const rows: string[] = [];
  for (const store of stores) {
    const coinType = COIN_STORE.exec(store.type)?.[1];
    if (coinType === undefined || store.data.coin === undefined) continue;
    if (wanted !== undefined && !wanted.has(coinType)) continue;
    const rest = {
      asset_type: coinType,
      is_frozen: store.data.frozen ?? false,
      is_primary: true,
      last_transaction_timestamp: timeText(timestampUsecs),
      last_transaction_version: Number(version),
      owner_address: formatAddressLong(owner),
      storage_id: formatAddressLong(owner),
      token_standard: "v1",
      metadata: await metadata(client, coinType),
    };
    // A number in the schema, and too wide for one here: its digits are written as they are.
    rows.push(`{"amount":${BigInt(store.data.coin.value)},${JSON.stringify(rest).slice(1)}`);
  }
  return rows;
}

function wantedAssets(comparison: Where[string]): ReadonlySet<unknown> | undefined {
  if (comparison === undefined) return undefined;
  if (Array.isArray(comparison._in)) return new Set(comparison._in);
  return new Set([comparison._eq]);
}

async function metadata(client: NodeClient, coinType: string) {
  const creator = coinType.slice(0, coinType.indexOf("::"));
  const type = encodeURIComponent(`0x1::coin::CoinInfo<${coinType}>`);
  const found = (await client.getIfAny(`/accounts/${creator}/resource/${type}`)) as
    | { data: { name: string; symbol: string; decimals: number } }
    | undefined;
  if (found === undefined) return null;
  const { name, symbol, decimals } = found.data;
  return { asset_type: coinType, creator_address: creator, name, symbol, decimals, token_standard: "v1" };
}

function count(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : fallback;
}

/** Time as the schema writes it: no zone, microseconds left out. */
function timeText(usecs: string): string {
  return new Date(Number(BigInt(usecs) / 1000n)).toISOString().replace(/\.\d+Z$/, "");
}

function errors(httpStatus: number, message: string): SmallAnswer {
  return jsonAnswer(httpStatus, { errors: [{ message }] });
}
