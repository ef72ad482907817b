/** The faucet's own port: coins on request, for development. */

import { hash } from "node:crypto";
import { parseHex, parseU64 } from "../domain/index.js";
import { isNodeError } from "../errors/index.js";
import {
  jsonAnswer,
  listenSmall,
  type SmallAnswer,
  type SmallRequest,
  type SmallServer,
  textAnswer,
} from "./http.js";
import type { Minter } from "./minter.js";

/** Given when a request names no amount, octas. */
const OCTAS_DEFAULT = 100_000_000n;
/** Largest gift, octas; more is lowered to it. */
const OCTAS_MAX = 100_000_000_000_000n;

const ED25519_SCHEME = 0;

/** Says what was wrong with a request. */
class BadRequest extends Error {}

export function listenFaucet(host: string, port: number, minter: Minter): Promise<SmallServer> {
  return listenSmall(host, port, async (request) => {
    const route = `${request.method} ${request.path}`;
    if (route === "GET /" || route === "GET /health") return textAnswer(200, "tap:ok");
    if (route === "POST /fund") return fund(request, minter);
    if (route === "POST /mint") return mint(request, minter);
    return jsonAnswer(404, refusal("InvalidRequest", "not found"));
  });
}

async function fund(request: SmallRequest, minter: Minter): Promise<SmallAnswer> {
  try {
    const body = parseBody(request.body);
    const receiver = receiverOf((name) => textOf(body[name]));
    const hashOfTransfer = await minter.fund(receiver, amountOf(textOf(body.amount)));
    return jsonAnswer(200, { txn_hashes: [hashOfTransfer] });
  } catch (error) {
    if (error instanceof BadRequest) return jsonAnswer(400, refusal("InvalidRequest", error.message));
    const { status, code } = failureOf(error);
    return jsonAnswer(status, refusal(code, messageOf(error)));
  }
}

/** The older call: everything in the query, errors as text. */
async function mint(request: SmallRequest, minter: Minter): Promise<SmallAnswer> {
  if (request.query.get("return_txns") === "true") return textAnswer(501, "not implemented: return_txns");
  try {
    const receiver = receiverOf((name) => request.query.get(name) ?? undefined);
    return jsonAnswer(200, [await minter.fund(receiver, amountOf(request.query.get("amount") ?? undefined))]);
  } catch (error) {
    if (error instanceof BadRequest) return textAnswer(400, error.message);
    return textAnswer(failureOf(error).status, messageOf(error));
  }
}

function parseBody(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Falls through to the refusal below.
  }
  throw new BadRequest("the body must be a JSON object");
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" || typeof value === "number" ? `${value}` : "not text";
}

/** An address, or a key whose first account is meant. */
function receiverOf(field: (name: string) => string | undefined): Buffer {
  const address = field("address") ?? field("auth_key");
  if (address !== undefined) {
    const digits = address.startsWith("0x") ? address.slice(2) : address;
    const bytes = digits.length > 64 || digits === "" ? undefined : parseHex(digits.padStart(64, "0"));
    if (bytes === undefined) throw new BadRequest("the address must be 1 to 64 hexadecimal digits");
    return bytes;
  }
  const publicKey = field("pub_key");
  const key = publicKey === undefined ? undefined : parseHex(publicKey);
  if (key?.length !== 32) throw new BadRequest("name a receiver: address, auth_key or pub_key");
  return hash("sha3-256", Buffer.concat([key, Buffer.of(ED25519_SCHEME)]), "buffer");
}

function amountOf(text: string | undefined): bigint {
  if (text === undefined) return OCTAS_DEFAULT;
  const octas = parseU64(text);
  if (octas === undefined) throw new BadRequest("the amount must be an unsigned 64-bit integer");
  return octas > OCTAS_MAX ? OCTAS_MAX : octas;
}

function failureOf(error: unknown): { readonly status: number; readonly code: string } {
  if (isNodeError(error, "unavailable")) return { status: 503, code: "ServerOverloaded" };
  return { status: 500, code: "TransactionFailed" };
}

function messageOf(error: unknown): string {
  return isNodeError(error) ? error.message : "the faucet failed";
}

function refusal(code: string, message: string) {
  return { message, error_code: code, rejection_reasons: [], txn_hashes: [] };
}
