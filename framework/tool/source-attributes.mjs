/**
 * Reads from Move sources what belongs into a module's metadata and what the compiler drops or writes elsewhere: which functions are
 * views or draw random numbers, which structs are events, resource groups or their members, and the error constants with their doc
 * comments.
 *
 * It knows just enough of the language: comments, literals, attributes, and the words `module`, `const`, `struct`, `enum`, `fun`.
 * Whether the source is correct is the compiler's business.
 */

const TOKEN =
  /(?<doc>\/\/\/(?!\/)[^\n]*)|(?<skip>\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+)|(?<literal>[bx]"(?:[^"\\]|\\.)*")|(?<attribute>#\[[^\]]*\])|(?<word>\w+)|(?<mark>.)/gy;

/** Attributes kept, by the item they stand on, as `[pattern, kind in the metadata, what turns the match into arguments]`. */
const STRUCT_ATTRIBUTES = [
  [/^event$/, 4, () => []],
  [/^resource_group\(\s*scope\s*=\s*(\w+)\s*\)$/, 2, ([, scope]) => [scope]],
  [
    /^resource_group_member\(\s*group\s*=\s*(\w+)(::\w+::\w+)\s*\)$/,
    3,
    ([, address, rest], addresses) => [`${resolve(address, addresses)}${rest}`],
  ],
];
const FUNCTION_ATTRIBUTES = [
  [/^view$/, 1, () => []],
  [/^randomness$/, 5, () => []],
];
/** Attributes that say nothing to a node. */
const IGNORED = /^(test|test_only|expected_failure|bytecode_instruction|lint::skip|persistent)\b/;

/**
 * Scans one source file. `addresses` maps the named addresses that attributes use to their literals (`0x1`).
 *
 * @returns Map from module name to `{ errors: [{ code: bigint, name, description }], structs, functions }`, each of the last two a list
 *   of `{ name, attributes: [{ kind, args }] }`. Lists are in source order. Items under `#[test]` and `#[test_only]` are left out, as
 *   the compiler leaves them out. Throws at an attribute it does not know, since dropping one silently would change what nodes do.
 */
export function readSourceAttributes(text, addresses) {
  const tokens = [...text.matchAll(TOKEN)]
    .map((match) => match.groups)
    .filter((token) => token.skip === undefined);
  const modules = new Map();
  let module;
  let attributes = [];
  let docs = [];

  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.doc !== undefined) {
      docs.push(token.doc.slice(3).trim());
      continue;
    }
    if (token.attribute !== undefined) {
      attributes.push(...splitAttributes(token.attribute.slice(2, -1)));
      continue;
    }
    const isTest = attributes.includes("test_only") || attributes.includes("test");
    switch (token.word) {
      case "module": {
        const name = tokens.slice(i).find((_, at, rest) => rest[at + 1]?.mark === "{").word;
        module = { errors: [], structs: [], functions: [] };
        modules.set(name, module);
        break;
      }
      case "const":
        if (module !== undefined && !isTest) addError(module, tokens.slice(i + 1, i + 6), docs);
        break;
      case "struct":
      case "enum":
        if (!isTest) addItem(module.structs, tokens[i + 1].word, attributes, STRUCT_ATTRIBUTES, addresses);
        break;
      case "fun":
        if (!isTest)
          addItem(module.functions, tokens[i + 1].word, attributes, FUNCTION_ATTRIBUTES, addresses);
        break;
      default:
        // Modifiers (`public`, `entry`, `native`, `(friend)` …) stand between an attribute and its item.
        if (token.word !== undefined || token.mark === "(" || token.mark === ")") continue;
    }
    attributes = [];
    docs = [];
  }
  return modules;
}

/** `a, b(c = d, e)` at its outer commas. */
function splitAttributes(text) {
  return text.split(/,(?![^(]*\))/).map((name) => name.trim());
}

function addItem(items, name, attributes, known, addresses) {
  const kept = attributes
    .filter((attribute) => !IGNORED.test(attribute))
    .map((attribute) => {
      const [pattern, kind, args] = known.find(([form]) => form.test(attribute)) ?? [];
      if (pattern === undefined) throw new Error(`unknown attribute on ${name}: ${attribute}`);
      return { kind, args: args(pattern.exec(attribute), addresses) };
    });
  if (kept.length > 0) items.push({ name, attributes: kept });
}

function resolve(name, addresses) {
  const literal = addresses[name];
  if (literal === undefined) throw new Error(`an attribute names an unknown address: ${name}`);
  return literal;
}

/** `NAME : u64 = value`, where the name says that it is an error. */
function addError(module, [name, colon, type, equals, value], docs) {
  if (!/^E_?[A-Z]/.test(name.word) || colon.mark !== ":" || type.word !== "u64" || equals.mark !== "=")
    return;
  module.errors.push({
    code: BigInt(value.word.replaceAll("_", "")),
    name: name.word,
    description: docs.join("\n"),
  });
}
