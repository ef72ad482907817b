/**
 * Texts of module files and genesis blobs. Needs no chain and keeps nothing.
 *
 * Buffers are read during the call only.
 */

import { NodeError } from "../errors/index.js";
import { type AddonFailure, loadAddon } from "./addon.js";
import { packList } from "./packed.js";

/** What a module can be shown as. */
export const MODULE_FORMS = ["bytecode", "lowered", "abi"] as const;

/** One of {@link MODULE_FORMS}. */
export type ModuleForm = (typeof MODULE_FORMS)[number];

/**
 * A module as text.
 *
 * @param neighbours Modules that lowering may need, besides those of the built-in framework.
 * @throws NodeError `file_invalid` with the reason, without the name of the file.
 */
export function inspectModule(code: Buffer, form: ModuleForm, neighbours: readonly Buffer[] = []): string {
  return textOrThrow(loadAddon().inspectModule(code, form, packList(neighbours)));
}

/**
 * Counts, hashes, waypoint, modules and event types of a genesis blob.
 *
 * @throws NodeError `file_invalid` with the reason, without the name of the file.
 */
export function inspectGenesis(blob: Buffer): string {
  return textOrThrow(loadAddon().inspectGenesis(blob));
}

function textOrThrow(answer: string | AddonFailure): string {
  if (typeof answer === "string") return answer;
  throw new NodeError(answer.code === "invalid_input" ? "file_invalid" : "bug", answer.message);
}
