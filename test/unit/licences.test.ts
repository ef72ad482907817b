/**
 * Every installed package states a licence we may build on, and its LICENSE file says the same:
 * the two have been known to drift apart, and the file is what counts.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface LockEntry {
  readonly dev?: boolean;
  readonly optional?: boolean;
}

const ROOT = join(import.meta.dirname, "../..");

const ALLOWED = new Set([
  "Apache-2.0",
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "(MIT AND Zlib)",
  "MIT OR Apache-2.0",
]);

/** Never shipped, never linked: tools that run only while developing. */
const ALLOWED_FOR_DEVELOPMENT = new Map([
  ["lightningcss", "MPL-2.0"],
  ["lightningcss-linux-x64-gnu", "MPL-2.0"],
]);

/** Words that open the text of a licence we know; a LICENSE file must contain one of them. */
const LICENCE_TEXTS = [
  /apache license/i,
  /\bMIT\b/,
  /permission is hereby granted, free of charge/i,
  /permission to use, copy, modify, and\/or distribute this software/i,
  /permission to use, copy, modify, and distribute this software/i,
  /redistribution and use in source and binary forms/i,
  /mozilla public license/i,
];

const SOURCE_AVAILABLE =
  /business source license|source-available|server side public license|elastic license/i;

function installedPackages(): { path: string; name: string; entry: LockEntry }[] {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  return Object.entries(lock.packages)
    .filter(([path]) => path !== "" && existsSync(join(ROOT, path, "package.json")))
    .map(([path, entry]) => ({ path, name: path.replace(/^.*node_modules\//, ""), entry }));
}

describe("licences of installed packages", () => {
  const packages = installedPackages();

  it("finds the packages it is meant to check", () => {
    expect(packages.length).toBeGreaterThan(50);
  });

  it("are all on the allow list", () => {
    const refused: string[] = [];
    for (const { path, name, entry } of packages) {
      const manifest = JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8")) as {
        license?: unknown;
      };
      const licence =
        typeof manifest.license === "string" ? manifest.license : JSON.stringify(manifest.license);
      const isDevelopmentOnly = entry.dev === true && ALLOWED_FOR_DEVELOPMENT.get(name) === licence;
      if (!ALLOWED.has(licence) && !isDevelopmentOnly) refused.push(`${name}: ${licence}`);
    }
    expect(refused).toEqual([]);
  });

  it("are confirmed by each LICENSE file", () => {
    const odd: string[] = [];
    for (const { path, name } of packages) {
      const files = readdirSync(join(ROOT, path)).filter((file) => /^(licen[sc]e|copying)/i.test(file));
      for (const file of files) {
        const text = readFileSync(join(ROOT, path, file), "utf8");
        const isKnown = LICENCE_TEXTS.some((pattern) => pattern.test(text));
        if (!isKnown || SOURCE_AVAILABLE.test(text)) odd.push(`${name}/${file}`);
      }
    }
    expect(odd).toEqual([]);
  });
});
