/**
 * Who may import whom. The table is the architecture; a room that is absent from another's list is
 * a question for review, and this file is where its answer is written down.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Foundations: rooms without machinery, or with none but their own. */
const WORDS = ["domain", "errors"];

const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  wire: [],
  errors: [],
  observe: [],
  config: WORDS,
  native: WORDS,
  ipc: [...WORDS, "observe"],
  store: [...WORDS, "observe"],
  mempool: [...WORDS, "observe"],
  writer: [...WORDS, "wire", "observe", "config", "native", "ipc", "store", "mempool"],
  front: [...WORDS, "wire", "observe", "config", "native", "ipc", "store"],
  faucet: [...WORDS, "wire", "observe", "config"],
  supervisor: [...WORDS, "observe", "config", "ipc"],
  cli: [...WORDS, "observe", "config", "ipc", "supervisor", "native"],
};

/** Of the store, fronts see what reads. */
const FRONT_SEES_OF_STORE = /^src\/store\/(types|snapshot|index)\.ts$/;

/** Packages that one room alone may load, and why it is that one. */
const ONE_DOOR: readonly { readonly name: string; readonly door: RegExp }[] = [
  { name: "lmdb", door: /^src\/store\// },
  { name: "uWebSockets.js", door: /^src\/front\/server\.ts$/ },
  { name: "msgpackr", door: /^src\/ipc\// },
  { name: "pino", door: /^src\/observe\// },
];

interface Import {
  readonly from: string;
  /** Path from the root for files of ours, the specifier for packages. */
  readonly to: string;
  readonly isOurs: boolean;
}

function sources(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => join(folder, name));
}

/** Every import, re-export and dynamic import with a literal specifier. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const pattern =
    /(?:^\s*(?:import|export)\b[^;"']*?\bfrom\s*|^\s*import\s*|\bimport\s*\(\s*)["']([^"']+)["']/gm;
  return [...text.matchAll(pattern)].map(([, specifier = ""]) => {
    const isOurs = specifier.startsWith(".");
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier)).replace(/\.js$/, ".ts");
    return { from: file, to: isOurs ? target : specifier, isOurs };
  });
}

function roomOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

const IMPORTS = [...sources("src"), ...sources("workers")].flatMap(importsOf);

const show = ({ from, to }: Import) => `${from} → ${to}`;

describe("the architecture", () => {
  it("is read at all: most files import something", () => {
    expect(IMPORTS.length).toBeGreaterThan(sources("src").length);
  });

  it("has a row for every room", () => {
    const rooms = new Set(sources("src").flatMap((file) => roomOf(file) ?? []));
    expect([...rooms].filter((room) => !Object.hasOwn(ROOMS, room))).toEqual([]);
  });

  it("draws no arrow that the table does not have", () => {
    const wrong = IMPORTS.filter(({ from, to, isOurs }) => {
      const [room, target] = [roomOf(from), roomOf(to)];
      if (!isOurs || room === undefined || target === undefined || target === room) return false;
      return !(ROOMS[room] ?? []).includes(target);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it("lets no source name workers, tests or benches", () => {
    const wrong = IMPORTS.filter(
      ({ from, to, isOurs }) => from.startsWith("src/") && isOurs && !to.startsWith("src/"),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it("lets fronts read the store and do nothing else with it", () => {
    const wrong = IMPORTS.filter(
      ({ from, to }) => roomOf(from) === "front" && roomOf(to) === "store" && !FRONT_SEES_OF_STORE.test(to),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it.each(ONE_DOOR)("loads $name through one door", ({ name, door }) => {
    const users = IMPORTS.filter(({ to, isOurs }) => !isOurs && (to === name || to.startsWith(`${name}/`)));
    expect(users.filter(({ from }) => !door.test(from)).map(show)).toEqual([]);
    expect(users.length).toBeGreaterThan(0);
  });

  it("loads the addon in src/native alone", () => {
    const loaders = [...sources("src"), ...sources("workers")].filter((file) =>
      /ledger-core\.node|process\.dlopen/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(loaders.filter((file) => roomOf(file) !== "native")).toEqual([]);
    expect(loaders.length).toBeGreaterThan(0);
  });

  it("has no drawer files", () => {
    const drawers = [...sources("src"), ...sources("workers")].filter((file) =>
      /(^|\/)(utils?|helpers?|common|misc|manager)\.(ts|mjs)$/.test(file),
    );
    expect(drawers).toEqual([]);
  });

  it("keeps files small enough to read in one sitting", () => {
    const long = [...sources("src"), ...sources("workers")].filter(
      (file) => readFileSync(join(ROOT, file), "utf8").split("\n").length > 600,
    );
    expect(long).toEqual([]);
  });

  it("opens every file with a comment that says what it is for", () => {
    const bare = [...sources("src"), ...sources("workers")].filter(
      (file) => !/^(#!.*\n)?\s*(\/\*\*|\/\/)/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(bare).toEqual([]);
  });
});
