/**
 * Reads from Move sources what belongs into a module's metadata and what the compiler drops or writes elsewhere: which functions are
 * views, which structs are events, and the error constants with their doc comments.
 *
 * It knows just enough of the language: comments, literals, attributes, and the words `module`, `const`, `struct`, `enum`, `fun`.
 * Whether the source is correct is the compiler's business.
 */

const TOKEN =
  /(?<doc>\/\/\/(?!\/)[^\n]*)|(?<skip>\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+)|(?<literal>[bx]"(?:[^"\\]|\\.)*")|(?<attribute>#\[[^\]]*\])|(?<word>\w+)|(?<mark>.)/gy;

/**
 * Scans one source file.
 *
 * @returns Map from module name to `{ errors: [{ code: bigint, name, description }], views: string[], events: string[] }`, each list in
 *   source order. Items under `#[test]` and `#[test_only]` are left out, as the compiler leaves them out.
 */
export function readSourceAttributes(text) {
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
      attributes.push(
        ...token.attribute
          .slice(2, -1)
          .split(",")
          .map((name) => name.trim()),
      );
      continue;
    }
    const isTest = attributes.includes("test_only") || attributes.includes("test");
    switch (token.word) {
      case "module": {
        const name = tokens.slice(i).find((_, at, rest) => rest[at + 1]?.mark === "{").word;
        module = { errors: [], views: [], events: [] };
        modules.set(name, module);
        break;
      }
      case "const":
        if (module !== undefined && !isTest) addError(module, tokens.slice(i + 1, i + 6), docs);
        break;
      case "struct":
      case "enum":
        if (!isTest && attributes.includes("event")) module.events.push(tokens[i + 1].word);
        break;
      case "fun":
        if (!isTest && attributes.includes("view")) module.views.push(tokens[i + 1].word);
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
