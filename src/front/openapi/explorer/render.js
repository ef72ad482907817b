/**
 * Pieces of the explorer page: elements, schemas and answers. Text is only ever set as text, so
 * nothing that a chain holds can become markup.
 */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [properties] Of the element; `data` and `aria` names go by attribute.
 * @param {(Node | string)[]} [children]
 */
export function element(tag, properties = {}, children = []) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) node.setAttribute(name, String(value));
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

/** The schema a reference of the document leads to, or the schema itself. */
export function resolved(description, schema) {
  if (schema?.$ref === undefined) return schema;
  return schema.$ref
    .slice(2)
    .split("/")
    .reduce((place, key) => place[key], description);
}

/** What a schema is called: the name it is filed under, or its type. */
export function schemaName(schema) {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1);
  if (schema.type === "array") return `array of ${schemaName(schema.items)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map(schemaName).join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const type = schema.type ?? "any";
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** A schema as a tree that opens level by level; a level is made when it is opened, so cycles are no harm. */
export function schemaTree(description, schema) {
  const full = resolved(description, schema);
  const inner = full.type === "array" ? resolved(description, full.items) : full;
  const rows = element("div", { className: "schema" });
  if (full.description !== undefined) {
    rows.append(element("div", { className: "faint", textContent: full.description }));
  }
  if (full.pattern !== undefined) rows.append(element("code", { textContent: full.pattern }));
  for (const [name, property] of Object.entries(inner.properties ?? {})) {
    const isOptional = !(inner.required ?? []).includes(name);
    rows.append(branch(description, `${name}${isOptional ? "?" : ""}: `, property));
  }
  for (const choice of inner.oneOf ?? inner.anyOf ?? []) rows.append(branch(description, "", choice));
  return rows;
}

function branch(description, label, schema) {
  const head = [
    element("code", { textContent: label }),
    element("code", { className: "faint", textContent: schemaName(schema) }),
  ];
  const details = element("details", {}, [element("summary", {}, head)]);
  details.addEventListener("toggle", () => details.append(schemaTree(description, schema)), { once: true });
  return isLeaf(description, schema) ? element("div", {}, head) : details;
}

function isLeaf(description, schema) {
  const full = resolved(description, schema);
  const inner = full.type === "array" ? resolved(description, full.items) : full;
  return (
    inner.properties === undefined &&
    inner.oneOf === undefined &&
    inner.anyOf === undefined &&
    inner.pattern === undefined &&
    inner.description === undefined
  );
}

/** Most bytes of a BCS answer that are shown. */
const SHOWN_BYTES_MAX = 4096;
/** Most characters of a text answer that are shown. */
const SHOWN_LENGTH_MAX = 200_000;

/** The text to show for an answer's body. */
export function shownBody(contentType, bytes) {
  if (bytes.length === 0) return "(no body)";
  if (contentType.startsWith("application/x-bcs")) return hexDump(bytes);
  const text = new TextDecoder().decode(bytes);
  const shown = contentType.startsWith("application/json") ? indented(text) : text;
  return shown.length > SHOWN_LENGTH_MAX
    ? `${shown.slice(0, SHOWN_LENGTH_MAX)}\n… ${shown.length - SHOWN_LENGTH_MAX} more characters`
    : shown;
}

/** Numbers of 64 bits that travel as JSON numbers would be rounded by parsing, so large ones stay as sent. */
function indented(text) {
  if (/[^"0-9][0-9]{16,}[,}\]]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function hexDump(bytes) {
  const lines = [];
  for (let offset = 0; offset < Math.min(bytes.length, SHOWN_BYTES_MAX); offset += 16) {
    const row = [...bytes.subarray(offset, offset + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."))
      .join("");
    lines.push(`${offset.toString(16).padStart(6, "0")}  ${digits.padEnd(47)}  ${letters}`);
  }
  if (bytes.length > SHOWN_BYTES_MAX) lines.push(`… ${bytes.length - SHOWN_BYTES_MAX} more bytes`);
  return lines.join("\n");
}
