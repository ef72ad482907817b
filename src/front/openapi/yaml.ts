/**
 * YAML text of plain JSON data, in block style for people. Strings and keys are written as JSON
 * strings, which YAML 1.2 reads alike, so that nothing needs to be told apart from numbers or words.
 */

type Entry = readonly [label: string, value: unknown];

/** @param value Of JSON kinds only, as deep as the description is: the depth is the program's own. */
export function yamlText(value: unknown): string {
  return `${lines(value, "").join("\n")}\n`;
}

/** Lines of a value that starts on a line of its own. */
function lines(value: unknown, indent: string): string[] {
  if (!isFilled(value)) return [`${indent}${JSON.stringify(value)}`];
  const entries: Entry[] = Array.isArray(value)
    ? value.map((item) => ["-", item])
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [`${keyText(key)}:`, item]);
  return entries.flatMap(([label, item]) =>
    isFilled(item)
      ? [`${indent}${label}`, ...lines(item, `${indent}  `)]
      : [`${indent}${label} ${JSON.stringify(item)}`],
  );
}

/** Plain for names that no reader takes for anything but text. */
function keyText(key: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key)
    ? key
    : JSON.stringify(key);
}

function isFilled(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
