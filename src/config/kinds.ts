/**
 * Kinds of option value: how text becomes a value, and how to say what was expected.
 *
 * Flags, environment and configuration file all pass through the same text form, so that a value
 * means the same wherever it is written.
 */

/** One kind of value. */
export interface Kind<T> {
  /** Stands for the value in `--help`; absent for a switch, which takes none. */
  readonly placeholder?: string;
  /** Finishes the sentence "must be …". */
  readonly expected: string;
  /** @returns `undefined` if `text` is not of this kind. */
  parse(text: string): T | undefined;
}

/** True or false; as a flag it stands alone. */
export const flagSwitch: Kind<boolean> = {
  expected: "true or false",
  parse(text) {
    if (text === "true" || text === "1") return true;
    if (text === "false" || text === "0") return false;
    return undefined;
  },
};

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number, placeholder = "N"): Kind<number> {
  return {
    placeholder,
    expected: `a whole number from ${min} to ${max}`,
    parse(text) {
      if (!/^\d{1,16}$/.test(text)) return undefined;
      const value = Number(text);
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** A TCP port; 0 lets the system choose. */
export const port = wholeNumber(0, 65_535, "PORT");

/** An amount of the smallest coin unit. */
export function octas(max: bigint): Kind<bigint> {
  return {
    placeholder: "OCTAS",
    expected: `a whole number from 0 to ${max}`,
    parse(text) {
      if (!/^\d{1,20}$/.test(text)) return undefined;
      const value = BigInt(text);
      return value <= max ? value : undefined;
    },
  };
}

/** Text that matches a pattern from its first character to its last. */
export function word(pattern: RegExp, expected: string, placeholder: string): Kind<string> {
  return {
    placeholder,
    expected,
    parse: (text) => (pattern.test(text) ? text : undefined),
  };
}

/** Names with commas between them; at most 64. */
export function names(placeholder: string): Kind<readonly string[]> {
  return {
    placeholder,
    expected: "names of lower-case letters, digits and _ with commas between them",
    parse: (text) => (/^[a-z0-9_]+(,[a-z0-9_]+){0,63}$/.test(text) ? text.split(",") : undefined),
  };
}

/** A path; not checked here. */
export function path(placeholder: string): Kind<string> {
  return {
    placeholder,
    expected: "a path",
    parse: (text) => (text.length > 0 && !text.includes("\0") ? text : undefined),
  };
}

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    placeholder: words.join("|"),
    expected: `one of ${words.join(", ")}`,
    parse: (text) => words.find((candidate) => candidate === text),
  };
}
