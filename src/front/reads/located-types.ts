/**
 * Where resources of a type live. The answer is the same for every account, so it is kept by type,
 * but only once its module is known to be published, as when a resource of the type was found: whether
 * a published struct belongs to a resource group cannot change. Before that it may still come either way.
 */

import { NodeError } from "../../errors/index.js";
import type { Core, CoreFailure } from "../../native/types.js";
import { type ReadContext, StateAtVersion } from "./context.js";
import { failure, isFailure } from "./failure.js";
import { groupMember, readData } from "./state.js";
import { accountKey, type KeySuffix, suffixOf } from "./state-keys.js";

/** Types kept; the oldest goes first. */
const TYPES_MAX = 1024;

interface LocatedType {
  readonly suffix: KeySuffix;
  /** Canonical text. */
  readonly type: string;
  /** BCS `StructTag` to look up inside the group, for a member of one. */
  readonly memberTag: Buffer | undefined;
}

/** A resource's type, and its bytes if the account has it. */
export interface LocatedResource {
  /** Canonical text. */
  readonly type: string;
  /** Valid until the next read. */
  readonly data: Buffer | undefined;
}

const locatedBy = new WeakMap<Core, Map<string, LocatedType>>();

/**
 * Reads one resource of an account by the text of its type.
 *
 * @param isPublished True if the caller has seen the module of the type.
 * @throws NodeError as the core refuses the type: `web_framework_error`, `invalid_input`.
 */
export function findResource(
  context: ReadContext,
  address: Buffer,
  typeText: string,
  version: number | undefined,
  isPublished = false,
): LocatedResource {
  const kept = keptTypes(context.core);
  const known = kept.get(typeText);
  const place = known ?? locate(context, address, typeText, version);
  let data = readData(context.store, accountKey(address, place.suffix), version);
  if (data !== undefined && place.memberTag !== undefined) data = groupMember(data, place.memberTag);
  if (known === undefined && (isPublished || data !== undefined)) {
    if (kept.size >= TYPES_MAX) kept.delete(kept.keys().next().value as string);
    kept.set(typeText, place);
  }
  return { type: place.type, data };
}

function locate(
  context: ReadContext,
  address: Buffer,
  typeText: string,
  version: number | undefined,
): LocatedType {
  const state = new StateAtVersion(context.store, version);
  const place = context.core.locateResource(address, typeText, state);
  if (isFailure(place)) throw refused(place, typeText);
  return { suffix: suffixOf(place.key), type: place.type, memberTag: place.memberTag };
}

/** Text that is no struct's name does not parse; nesting beyond the limit parses and means nothing. */
function refused(refusal: CoreFailure, typeText: string): NodeError {
  const error = failure(refusal);
  if (error.code !== "invalid_input" || nesting(typeText) > NESTING_MAX) return error;
  return new NodeError("web_framework_error", error.message);
}

/** Deepest level of type arguments. */
const NESTING_MAX = 8;

function nesting(typeText: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of typeText) {
    if (character === "<") depth += 1;
    else if (character === ">") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function keptTypes(core: Core): Map<string, LocatedType> {
  let kept = locatedBy.get(core);
  if (kept === undefined) {
    kept = new Map();
    locatedBy.set(core, kept);
  }
  return kept;
}
