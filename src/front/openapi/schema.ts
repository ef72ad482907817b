/** JSON Schema as the description uses it, and the few shapes all schemas are made of. */

/** A schema of JSON Schema 2020-12. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** An object; every property is required unless named in `optional`. Further properties may come. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties };
}

export function list(items: Schema): Schema {
  return { type: "array", items };
}

/** Null besides what `schema` allows. */
export function nullable(schema: Schema): Schema {
  return { oneOf: [schema, { type: "null" }] };
}

/** A reference to a schema of the document. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * One of several objects that a property named `type` tells apart.
 *
 * @param variants Value of `type` → name of the schema that has it.
 */
export function oneOf(variants: Readonly<Record<string, string>>): Schema {
  const mapping = Object.fromEntries(
    Object.entries(variants).map(([type, name]) => [type, `#/components/schemas/${name}`]),
  );
  return {
    oneOf: [...new Set(Object.values(variants))].map(ref),
    discriminator: { propertyName: "type", mapping },
  };
}

/** An object with a fixed `type` besides its own properties. */
export function tagged(
  type: string,
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  return object({ type: { const: type }, ...properties }, optional);
}
