/**
 * Where resources of a type live. The answer is the same for every account, so it is kept by type:
 * whether a struct belongs to a resource group cannot change once its module is published.
 * A type that cannot be found is looked up again each time, because its module may come.
 */

import { NodeError } from "../../errors/index.js";
import type { Core } from "../../native/types.js";
import { type ReadContext, StateAtVersion } from "./context.js";
import { accepted } from "./failure.js";
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

const locatedBy = new WeakMap<Core, Map<string, LocatedType>>();

/** @throws NodeError as the core refuses the type: `invalid_input`, `resource_not_found`, `web_framework_error`. */
export function locateType(
  context: ReadContext,
  address: Buffer,
  typeText: string,
  version: number | undefined,
): LocatedType {
  let located = locatedBy.get(context.core);
  if (located === undefined) {
    located = new Map();
    locatedBy.set(context.core, located);
  }
  const known = located.get(typeText);
  if (known !== undefined) return known;
  const place = accepted(
    context.core.locateResource(address, typeText, new StateAtVersion(context.store, version)),
  );
  const found = { suffix: suffixOf(place.key), type: place.type, memberTag: place.memberTag };
  if (located.size >= TYPES_MAX) located.delete(located.keys().next().value as string);
  located.set(typeText, found);
  return found;
}

/** The same, with `undefined` for a type that does not exist. */
export function locateTypeIfAny(
  context: ReadContext,
  address: Buffer,
  typeText: string,
  version: number | undefined,
): LocatedType | undefined {
  try {
    return locateType(context, address, typeText, version);
  } catch (error) {
    if (error instanceof NodeError && error.code === "resource_not_found") return undefined;
    throw error;
  }
}

/** Key of an account's resource, or of the group that holds it. */
export function keyAt(address: Buffer, type: LocatedType): Buffer {
  return accountKey(address, type.suffix);
}
