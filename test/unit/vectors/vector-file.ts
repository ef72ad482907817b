/**
 * Reads the shared test vectors and keeps account of them: a file is dealt out to named piles, and a
 * case that falls into none or into two is an error. So a test that walks its piles walks every case,
 * and a case added to a file fails here until somebody says what becomes of it.
 */
import { readFileSync } from "node:fs";

/** One case as the file spells it; the reader of a pile knows its fields. */
export type VectorCase = { readonly name: string; readonly [field: string]: unknown };

type Choice = (row: VectorCase) => boolean;

/** The folder of the vector files. */
export const VECTORS = new URL("../../vectors/", import.meta.url);

/** All cases of one file, such as `addresses.json`. */
export function readCases(file: string): readonly VectorCase[] {
  const { cases } = JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")) as { cases: VectorCase[] };
  return cases;
}

/**
 * Deals the cases of a file into piles.
 *
 * @throws Error that names the cases which no pile, or more than one, takes.
 */
export function dealCases<Pile extends string>(
  file: string,
  piles: Readonly<Record<Pile, Choice>>,
): Readonly<Record<Pile, readonly VectorCase[]>> {
  const names = Object.keys(piles) as Pile[];
  const dealt = Object.fromEntries(names.map((name) => [name, [] as VectorCase[]])) as Record<
    Pile,
    VectorCase[]
  >;
  const stray: string[] = [];
  for (const row of readCases(file)) {
    const takers = names.filter((name) => piles[name](row));
    const [taker] = takers;
    if (taker === undefined || takers.length > 1) stray.push(`${row.name} (${takers.join(", ") || "none"})`);
    else dealt[taker].push(row);
  }
  if (stray.length > 0) throw new Error(`${file}: cases in no pile or in several: ${stray.join("; ")}`);
  return dealt;
}

/** Sizes of piles, to be compared with the numbers a test expects. */
export function sizes(piles: Readonly<Record<string, readonly VectorCase[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(piles).map(([name, rows]) => [name, rows.length]));
}

/** Rows for `it.each`: the name, then the case. */
export function named(rows: readonly VectorCase[]): [string, VectorCase][] {
  return rows.map((row) => [row.name, row]);
}

/** @param hex As the files write bytes: with `0x` for hashes and addresses of full length, else without. */
export function bytesOf(hex: unknown): Buffer {
  if (typeof hex !== "string") throw new TypeError(`a vector has no bytes here: ${JSON.stringify(hex)}`);
  const digits = hex.startsWith("0x") ? hex.slice(2) : hex;
  const bytes = Buffer.from(digits, "hex");
  if (bytes.length * 2 !== digits.length) throw new TypeError(`not hexadecimal: ${hex}`);
  return bytes;
}

/** @param text An address of any length, with `0x`. @returns 32 bytes. */
export function addressOf(text: unknown): Buffer {
  return bytesOf((text as string).slice(2).padStart(64, "0"));
}
