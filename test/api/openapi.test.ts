/** The API description over a real front: valid by a validator written elsewhere, complete, and in either word. */

import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROUTES } from "../../src/front/routes/index.js";
import { startTestFront, type TestFront } from "./test-front.js";

type Json = ReturnType<typeof JSON.parse>;

/** The operations of the published interface, as its documentation names them. */
const PUBLISHED = [
  "GET /spec",
  "GET /info",
  "GET /-/healthy",
  "GET /accounts/{address}",
  "GET /accounts/{address}/resource/{resource_type}",
  "GET /accounts/{address}/resources",
  "GET /accounts/{address}/module/{module_name}",
  "GET /accounts/{address}/modules",
  "GET /accounts/{address}/balance/{asset_type}",
  "GET /accounts/{address}/transaction_summaries",
  "GET /accounts/{address}/events/{creation_number}",
  "POST /tables/{table_handle}/item",
  "POST /tables/{table_handle}/raw_item",
  "GET /estimate_gas_price",
  "POST /view",
  "POST /transactions/encode_submission",
  "POST /transactions",
  "POST /transactions/simulate",
];

function operationsOf(document: Json): [name: string, operation: Json][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

describe.each(["node", "aptos"])("the description with the word %s", (vendor) => {
  let front: TestFront;
  let document: Json;
  beforeAll(async () => {
    front = await startTestFront("node", vendor);
    document = await (await fetch(`${front.url}/v1/spec.json`)).json();
  });
  afterAll(() => front?.close());

  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, "3.1"]);
  });

  test("is refused by the same validator once it is broken", async () => {
    const broken = structuredClone(document);
    broken.paths["/accounts/{address}"].get.parameters[0].in = "nowhere";
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test("has every published operation, with a schema or bytes for each success", () => {
    const operations = new Map(operationsOf(document));
    for (const name of PUBLISHED) expect([name, operations.has(name)]).toEqual([name, true]);
    for (const [name, operation] of operations) {
      const success = operation.responses[operation.responses[202] === undefined ? 200 : 202];
      expect([name, Object.keys(success.content).length > 0]).toEqual([name, true]);
      for (const media of Object.values(success.content) as Json[]) {
        expect([name, typeof media.schema]).toEqual([name, "object"]);
      }
    }
  });

  test("describes every route but the files of its own page, and each by a name of its own", () => {
    const described = operationsOf(document).map(([name]) => name);
    const routed = ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(routed.filter((name) => !name.includes("/spec/")).sort()).toEqual(described.sort());
    const ids = operationsOf(document).map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has references that lead somewhere, and nothing that no reference leads to", () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"#\/([^"]+)"/g)].map(([, path]) => path as string),
    );
    for (const path of references) {
      const target = path.split("/").reduce((value, key) => value?.[key], document);
      expect([path, typeof target]).toEqual([path, "object"]);
    }
    for (const kind of ["schemas", "headers"]) {
      for (const name of Object.keys(document.components[kind])) {
        expect([name, references.has(`components/${kind}/${name}`)]).toEqual([name, true]);
      }
    }
  });

  test("requires on each success the headers that a real answer has, in the maker's word", async () => {
    const answer = await fetch(`${front.url}/v1`);
    for (const [name, operation] of operationsOf(document)) {
      const { headers } = operation.responses[operation.responses[202] === undefined ? 200 : 202];
      const required = Object.keys(headers).filter(
        (header) => document.components.headers[headers[header].$ref.split("/").at(-1)].required,
      );
      expect([name, required.length]).toEqual([name, 7]);
      for (const header of required) {
        expect(header.startsWith(`X-${vendor.toUpperCase()}-`)).toBe(true);
        expect([header, answer.headers.has(header)]).toEqual([header, true]);
      }
    }
    const types = Object.keys(document.paths["/transactions"].post.requestBody.content);
    expect(types).toEqual(["application/json", `application/x.${vendor}.signed_transaction+bcs`]);
  });

  test("publishes the pattern of type tags", () => {
    expect(document.components.schemas.MoveType.pattern).toBe(
      "^(bool|u8|u64|u128|address|signer|vector<.+>|0x[0-9a-zA-Z:_<, >]+)$",
    );
  });

  test("says the same in YAML, as an independent reader takes it", async () => {
    const answer = await fetch(`${front.url}/v1/spec.yaml`);
    expect(answer.headers.get("content-type")).toBe("application/x-yaml");
    const text = await answer.text();
    expect(parse(text)).toEqual(document);
    expect(text.split("\n").length).toBeGreaterThan(1000);
  });

  test("refuses requests exactly where it says that a parameter has bounds", async () => {
    for (const [name, operation] of operationsOf(document)) {
      for (const { name: parameter, in: place, schema } of operation.parameters ?? []) {
        if (place !== "query" || schema.$ref?.endsWith("HexEncodedBytes")) continue;
        const path = name.split(" ")[1] as string;
        const filled = path
          .replace("{txn_hash}", "ab".repeat(32))
          .replace(/\{(address|table_handle)\}/, "0x1")
          .replace(/\{(creation_number|version|block_height|txn_version)\}/, "1")
          .replaceAll(/\{\w+\}/g, "0x1::m::S");
        const answer = await fetch(`${front.url}/v1${filled}?${parameter}=zebra`, {
          method: name.split(" ")[0] as string,
          headers: { "content-type": "application/json" },
          ...(operation.requestBody === undefined ? {} : { body: "{}" }),
        });
        const { error_code } = (await answer.json()) as Json;
        expect([name, parameter, answer.status, error_code]).toEqual([
          name,
          parameter,
          400,
          "web_framework_error",
        ]);
      }
    }
  });

  test("serves a page whose parts all come from this node", async () => {
    const page = await fetch(`${front.url}/v1/spec`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const text = await page.text();
    const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target as string);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const part of parts.filter((target) => !target.startsWith("data:"))) {
      const answer = await fetch(new URL(part, `${front.url}/v1/spec`));
      expect([part, answer.status, new URL(answer.url).origin]).toEqual([part, 200, front.url]);
    }
  });
});
