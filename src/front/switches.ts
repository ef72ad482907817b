/**
 * What the operator switched off: operations by the name the description gives them, or one of the two
 * forms of answers. Errors stay JSON, and so does what has no other form.
 */

import { NodeError } from "../errors/index.js";
import type { Form } from "./negotiation.js";
import type { Route } from "./routes/route.js";

/** Names besides those of operations. */
const FORM_SWITCHES: Readonly<Record<Form, string>> = { json: "json_output", bcs: "bcs_output" };

export class Switches {
  readonly #off: ReadonlySet<string>;

  /**
   * @param off Names of operations and forms.
   * @throws NodeError `config_invalid` for a name that is neither.
   */
  constructor(off: readonly string[], routes: readonly Route[]) {
    const known = new Set([
      ...routes.flatMap(({ operation }) => operation?.id ?? []),
      ...Object.values(FORM_SWITCHES),
    ]);
    for (const name of off) {
      if (!known.has(name)) {
        throw new NodeError(
          "config_invalid",
          `--disable names ${JSON.stringify(name)}, which is none of ${[...known].sort().join(", ")}.`,
        );
      }
    }
    this.#off = new Set(off);
  }

  /** @param form Of the answer. @throws NodeError `api_disabled`. */
  check({ operation }: Route, form: Form): void {
    if (this.#off.size === 0 || operation === undefined) return;
    if (this.#off.has(operation.id))
      throw new NodeError("api_disabled", `this node does not serve ${operation.id}`);
    if (operation.success.bcs !== undefined && this.#off.has(FORM_SWITCHES[form]))
      throw new NodeError("api_disabled", `this node does not answer in ${form === "json" ? "JSON" : "BCS"}`);
  }
}
