/**
 * The API description, for programs and for people. The page at `/spec` loads only what this node
 * serves, so it works where nothing else can be reached.
 */

import { HTML_TYPE, JSON_TYPE, type WireNames, YAML_TYPE } from "../../wire/index.js";
import type { Call } from "../call.js";
import { apiDescription } from "../openapi/document.js";
import { EXPLORER_ASSETS, explorerAsset } from "../openapi/explorer.js";
import { yamlText } from "../openapi/yaml.js";
import { defineRoute, type Route } from "./route.js";

/** @param described Routes besides these; the description has them all. */
export function specRoutes(described: readonly Route[]): readonly Route[] {
  /** Made once per front: neither its maker's word nor its release changes. */
  const kept = new WeakMap<WireNames, { readonly json: string; readonly yaml: string }>();
  const texts = (call: Call) => {
    const { wire, release } = call.services;
    let description = kept.get(wire);
    if (description === undefined) {
      const document = apiDescription([...described, ...routes], wire, release);
      description = { json: JSON.stringify(document), yaml: yamlText(document) };
      kept.set(wire, description);
    }
    return description;
  };
  const routes: readonly Route[] = [
    defineRoute({
      method: "GET",
      path: "/spec",
      id: "spec",
      tag: "General",
      summary: "Show the API explorer",
      description: "A page to read this description and to try calls.",
      success: { description: "The page", other: { type: "text/html", schema: { type: "string" } } },
      handle: (call) => call.answerText(HTML_TYPE, explorerAsset("page.html")),
    }),
    defineRoute({
      method: "GET",
      path: "/spec.json",
      id: "spec_json",
      tag: "General",
      summary: "Show this description as JSON",
      success: { description: "The description", json: { type: "object" } },
      handle: (call) => call.answerText(JSON_TYPE, texts(call).json),
    }),
    defineRoute({
      method: "GET",
      path: "/spec.yaml",
      id: "spec_yaml",
      tag: "General",
      summary: "Show this description as YAML",
      success: { description: "The description", other: { type: YAML_TYPE, schema: { type: "object" } } },
      handle: (call) => call.answerText(YAML_TYPE, texts(call).yaml),
    }),
    ...EXPLORER_ASSETS.map(
      ({ name, type }): Route => ({
        method: "GET",
        path: `/spec/${name}`,
        handle: (call) => call.answerText(type, explorerAsset(name)),
      }),
    ),
  ];
  return routes;
}
