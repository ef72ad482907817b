/**
 * The API description, OpenAPI 3.1: made of the definitions that route and validate requests, and of
 * nothing else. What a route does not define is not described, and what it defines cannot be left out.
 */

import { REQUEST_ERRORS, type RequestErrorCode } from "../../errors/index.js";
import { BCS_TYPE, JSON_TYPE, type WireNames } from "../../wire/index.js";
import type { Operation, RequestBody, Route, Success } from "../routes/route.js";
import { ref, type Schema } from "./schema.js";
import { SCHEMAS } from "./schemas.js";

/** A JSON object of the document. */
type Part = Schema;

const BYTES: Schema = { type: "string", format: "binary" };

/** @param release Version of this program. */
export function apiDescription(routes: readonly Route[], wire: WireNames, release: string): Part {
  const paths: Record<string, Record<string, Part>> = {};
  for (const { method, path, operation } of routes) {
    if (operation === undefined) continue;
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: described(operation, wire) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Ledger Node",
      version: release,
      summary: "The state of a blockchain ledger over HTTP.",
      description:
        "Reads of accounts, resources, modules, events, tables and transactions at a chosen ledger version; view calls; submission and simulation of transactions. Answers are JSON, or BCS where the request's Accept header says so.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/v1" }],
    tags: [...new Set(routes.flatMap(({ operation }) => operation?.tag ?? []))].map((name) => ({ name })),
    paths,
    components: { schemas: SCHEMAS, headers: headerComponents(wire) },
  };
}

function described(operation: Operation, wire: WireNames): Part {
  const { id, tag, summary, description, segments, query, body, success } = operation;
  const parameters = [
    ...Object.entries(segments).map(([name, parameter]) => ({
      name,
      in: "path",
      required: true,
      ...parameterPart(parameter),
    })),
    ...Object.entries(query).map(([name, parameter]) => ({
      name,
      in: "query",
      required: false,
      ...parameterPart(parameter),
    })),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyPart(body, wire) }),
    responses: {
      [success.status ?? 200]: successPart(success, wire),
      ...(success.partial === undefined
        ? {}
        : { 206: successPart({ ...success, description: success.partial }, wire) }),
      ...refusalParts(operation, wire),
    },
  };
}

function parameterPart(parameter: Operation["segments"][string] | Operation["query"][string]): Part {
  const { description, schema, example } = parameter;
  return { description, schema, ...(example === undefined ? {} : { example }) };
}

function bodyPart(body: RequestBody, wire: WireNames): Part {
  const example = body.example === undefined ? {} : { example: body.example };
  return {
    required: true,
    content: {
      [JSON_TYPE]: { schema: body.json, ...example },
      ...(body.bcs === undefined ? {} : { [wire[body.bcs]]: { schema: BYTES } }),
    },
  };
}

function successPart(success: Success, wire: WireNames): Part {
  const content: Record<string, Part> = {};
  if (success.json !== undefined) content[JSON_TYPE] = { schema: success.json };
  if (success.bcs !== undefined) content[BCS_TYPE] = { schema: { ...BYTES, description: success.bcs } };
  if (success.other !== undefined) content[success.other.type] = { schema: success.other.schema };
  const headers = Object.fromEntries(ledgerHeaderNames(wire).map((name) => [name, headerRef(name)]));
  for (const extra of success.headers ?? []) headers[wire.headers[extra]] = headerRef(wire.headers[extra]);
  return { description: success.description, headers, content };
}

/** Refusals by status: those the operation names, and those its kind of request may always get. */
function refusalParts(operation: Operation, wire: WireNames): Record<string, Part> {
  const codes = new Map<number, Set<string>>();
  for (const code of refusalCodes(operation)) {
    const { status, wire: name } = REQUEST_ERRORS[code];
    codes.set(status, (codes.get(status) ?? new Set()).add(name));
  }
  const headers = Object.fromEntries(
    ledgerHeaderNames(wire).map((name) => [name, headerRef(optionalHeader(name))]),
  );
  return Object.fromEntries(
    [...codes]
      .sort(([left], [right]) => left - right)
      .map(([status, names]) => [
        status,
        {
          description: `Error codes: ${[...names].sort().join(", ")}`,
          headers,
          content: { [JSON_TYPE]: { schema: ref("Error") } },
        },
      ]),
  );
}

function refusalCodes({ segments, query, body, success, refusals }: Operation): RequestErrorCode[] {
  const codes: RequestErrorCode[] = [...refusals, "internal_error", "unavailable"];
  // Queries are bounded and decoded whether or not the operation reads one.
  codes.push("web_framework_error", "api_disabled");
  if (Object.keys(segments).length > 0) codes.push("path_not_found");
  if ("limit" in query) codes.push("invalid_input");
  if ("ledger_version" in query) codes.push("version_not_found", "version_pruned");
  if (body !== undefined) codes.push("length_required", "body_too_large", "unsupported_media_type");
  if (success.json === undefined && success.bcs === undefined)
    return codes.filter((code) => code !== "api_disabled");
  return codes;
}

/** Headers of every success. */
function ledgerHeaderNames(wire: WireNames): string[] {
  const { gasUsed, cursor, ...always } = wire.headers;
  return Object.values(always);
}

function headerRef(name: string): Part {
  return { $ref: `#/components/headers/${name}` };
}

/** Component name of a header that need not be there. */
function optionalHeader(name: string): string {
  return `${name}.optional`;
}

function headerComponents(wire: WireNames): Part {
  const { headers } = wire;
  const uint64: Schema = { type: "integer", format: "uint64", minimum: 0 };
  const components: Record<string, Part> = {};
  const meanings: readonly (readonly [name: string, description: string, schema: Schema])[] = [
    [
      headers.chainId,
      "Chain id of the chain",
      { type: "integer", format: "uint8", minimum: 0, maximum: 255 },
    ],
    [headers.ledgerVersion, "Newest ledger version", uint64],
    [headers.oldestVersion, "Oldest ledger version that was not pruned", uint64],
    [headers.timestampUsecs, "Time of the newest block, microseconds since the Unix epoch", uint64],
    [headers.epoch, "Current epoch", uint64],
    [headers.blockHeight, "Height of the newest block", uint64],
    [headers.oldestBlockHeight, "Height of the oldest block that was not pruned", uint64],
  ];
  for (const [name, description, schema] of meanings) {
    components[name] = { description, required: true, schema };
    components[optionalHeader(name)] = { description, required: false, schema };
  }
  components[headers.gasUsed] = {
    description: "Cost of the call, gas units",
    required: false,
    schema: uint64,
  };
  components[headers.cursor] = {
    description: "Where the next page begins, to be given as start; absent on the last page",
    required: false,
    schema: { type: "string" },
  };
  return components;
}
