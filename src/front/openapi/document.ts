/** The API description: OpenAPI 3, put together from the table of operations. */

import { BCS_TYPE, JSON_TYPE, type WireNames } from "../../wire/index.js";
import { OPERATIONS, type Operation, QUERY_PARAMETERS } from "./operations.js";
import { ref, SCHEMAS, type Schema } from "./schemas.js";

/** @param release Version of this program. @returns JSON text, which is YAML as well. */
export function apiDescription(wire: WireNames, release: string): string {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const [method, path] = name.split(" ") as [string, string];
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: describe(path, operation, wire) };
  }
  return JSON.stringify({
    openapi: "3.0.3",
    info: {
      title: "Ledger Node",
      version: release,
      description:
        "Reads of ledger state at a chosen version, view calls, simulation and submission of transactions.",
      license: { name: "Apache-2.0" },
    },
    servers: [{ url: "/v1" }],
    paths,
    components: { schemas: SCHEMAS, headers: ledgerHeaders(wire) },
  });
}

function describe(path: string, operation: Operation, wire: WireNames): Schema {
  const segments = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const query = (operation.query ?? []).map((name) => {
    const [kind, description] = QUERY_PARAMETERS[name];
    return { name, in: "query", required: false, description, schema: parameterSchema(kind) };
  });
  const error = { description: "Refused, or failed", content: { [JSON_TYPE]: { schema: ref("Error") } } };
  return {
    summary: operation.summary,
    parameters: [...segments, ...query],
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation, wire) }),
    responses: { [operation.status ?? 200]: success(operation, wire), default: error },
  };
}

function parameterSchema(kind: string): Schema {
  if (kind === "text") return { type: "string" };
  return kind === "boolean"
    ? { type: "boolean" }
    : { type: kind === "uint64" ? "string" : "integer", format: kind };
}

function requestBody(operation: Operation, wire: WireNames): Schema {
  const content: Record<string, Schema> = {};
  if (operation.body !== undefined) content[JSON_TYPE] = { schema: ref(operation.body) };
  const binary = { schema: { type: "string", format: "binary" } };
  if (operation.bcsBody === "signed_transaction") content[wire.signedTransactionType] = binary;
  if (operation.bcsBody === "view_function") content[wire.viewFunctionType] = binary;
  return { required: true, content };
}

function success(operation: Operation, wire: WireNames): Schema {
  const content: Record<string, Schema> = {};
  if (operation.answer !== undefined) {
    const schema = ref(operation.answer);
    content[JSON_TYPE] = { schema: operation.isList ? { type: "array", items: schema } : schema };
  }
  if (operation.hasBcs) content[BCS_TYPE] = { schema: { type: "string", format: "binary" } };
  const headers = Object.fromEntries(
    Object.keys(ledgerHeaders(wire)).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return { description: "Success", headers, content };
}

/** Those of every success. */
function ledgerHeaders(wire: WireNames): Record<string, Schema> {
  const { gasUsed, cursor, ...always } = wire.headers;
  const header = { required: true, schema: { type: "integer", format: "uint64" } };
  return Object.fromEntries(Object.values(always).map((name) => [name, header]));
}
