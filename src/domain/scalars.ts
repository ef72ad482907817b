/**
 * The numbers of a ledger, branded so that two of them cannot be swapped by accident.
 *
 * Versions, heights and microseconds are plain numbers: a ledger would need 285 years at a million
 * transactions a second to pass 2^53. Amounts of coin are `bigint`, because they do pass it.
 */

declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** Position of a transaction in the ledger; genesis is 0. */
export type LedgerVersion = Branded<number, "LedgerVersion">;
/** Number of a block; the genesis block is 0. */
export type BlockHeight = Branded<number, "BlockHeight">;
/** Microseconds since the Unix epoch, as blocks carry it. */
export type TimestampUsecs = Branded<number, "TimestampUsecs">;
/** Smallest unit of the native coin. */
export type Octas = Branded<bigint, "Octas">;

/** Largest value of a Move `u64`. */
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Octas in one whole coin. */
export const OCTAS_PER_COIN = 100_000_000n;

/** @returns the version, or `undefined` unless `value` is a non-negative safe integer. */
export function ledgerVersion(value: number): LedgerVersion | undefined {
  return isCount(value) ? (value as LedgerVersion) : undefined;
}

/** @returns the height, or `undefined` unless `value` is a non-negative safe integer. */
export function blockHeight(value: number): BlockHeight | undefined {
  return isCount(value) ? (value as BlockHeight) : undefined;
}

/**
 * Reads a `u64` as JSON and query strings carry it: decimal digits, no sign, no spaces.
 *
 * @returns `undefined` for anything else, values above 2^64 - 1 included. Leading zeros are accepted.
 */
export function parseU64(text: string): bigint | undefined {
  if (text.length === 0 || text.length > 40) return undefined;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index);
    if (digit < 0x30 || digit > 0x39) return undefined;
  }
  const value = BigInt(text);
  return value <= U64_MAX ? value : undefined;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
