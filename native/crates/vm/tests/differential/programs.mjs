/**
 * Finds the programs among the Move sources, and writes the module that runs each as a test.
 *
 * A program is a public function without parameters, or with one `&signer`. It needs no type annotations to be
 * run: results are turned into bytes where they are returned.
 */

/** Where a program's signer lives. */
const SIGNER = "0x5";

/** The widths that the template of integer programs is written for. */
const WIDTHS = [8n, 16n, 32n, 64n, 128n, 256n];

/** The template filled in: `[file name, text]` for each width. */
export function integerModules(template) {
  return WIDTHS.map((bits) => {
    const max = (1n << bits) - 1n;
    const text = template
      .replaceAll("$T", `u${bits}`)
      .replaceAll("$MAX", String(max))
      .replaceAll("$HALF", String(max / 2n))
      // The shift distances are u8, and 256 is halved and lessened before it is used.
      .replaceAll("$BITS / 2", String(bits / 2n))
      .replaceAll("$BITS - 1", String(bits - 1n))
      .replaceAll("$BITS", String(bits));
    return [`u${bits}_arithmetic.move`, text];
  });
}

/** The programs of a source file: `{ module, name, takesSigner, resultCount }`. */
export function programsOf(text) {
  const module = /^module diff::(\w+) \{/m.exec(text)?.[1];
  const pattern = /^ {4}public fun (\w+)\((s: &signer)?\)(?:: ([^{]*?))?(?: acquires \w+)? \{/gm;
  return [...text.matchAll(pattern)].map(([, name, signer, results]) => ({
    module,
    name,
    takesSigner: signer !== undefined,
    resultCount: countResults(results?.trim()),
  }));
}

function countResults(text) {
  if (text === undefined || text === "") return 0;
  if (!text.startsWith("(")) return 1;
  let depth = 0;
  let commas = 0;
  for (const mark of text.slice(1, -1)) {
    if (mark === "<") depth += 1;
    else if (mark === ">") depth -= 1;
    else if (mark === "," && depth === 0) commas += 1;
  }
  return commas + 1;
}

/** A test for each program: it leaves the results in storage and aborts, so that the runner shows them. */
export function recorderModule(programs) {
  const tests = programs.map(({ module, name, takesSigner, resultCount }) => {
    const results = Array.from({ length: resultCount }, (_, i) => `r${i}`);
    const call = `diff::${module}::${name}(${takesSigner ? "s" : ""});`;
    const take = resultCount === 0 ? call : `let (${results.join(", ")}) = ${call}`;
    const bytes = results.map((result) => `to_bytes(&${result})`).join(", ");
    return `    #[test(s = @${SIGNER})]
    fun ${testName({ module, name })}(s: &signer) {
        ${take}
        move_to(s, Outcome { results: vector[${bytes}] });
        abort 0
    }`;
  });
  return `#[test_only]
module diff::recorder {
    use std::bcs::to_bytes;

    struct Outcome has key { results: vector<vector<u8>> }

${tests.join("\n\n")}
}
`;
}

/** What the runner calls the test of a program. */
export function testName({ module, name }) {
  return `${module}__${name}`;
}
