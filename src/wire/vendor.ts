/**
 * The maker's word. The interface carries it in header names, in two request media types and in the
 * health message, and nowhere else: hash salts and metadata keys belong to the chain format.
 */

/** The word where nobody chose another. */
export const DEFAULT_VENDOR = "node";

/** Every name on the wire that contains the maker's word. */
export interface WireNames {
  /** The word itself, lower case. */
  readonly vendor: string;
  readonly headers: {
    readonly chainId: string;
    readonly ledgerVersion: string;
    readonly oldestVersion: string;
    readonly timestampUsecs: string;
    readonly epoch: string;
    readonly blockHeight: string;
    readonly oldestBlockHeight: string;
    readonly gasUsed: string;
    readonly cursor: string;
  };
  /** Media type of a BCS `SignedTransaction`. */
  readonly signedTransactionType: string;
  /** Media type of a BCS view request. */
  readonly viewFunctionType: string;
  /** `message` of a successful health check. */
  readonly healthMessage: string;
}

/** True for a word that may stand in header names and media types: 1 to 32 of `a-z`, `0-9`, `-`. */
export function isVendorWord(word: string): boolean {
  return /^[a-z][a-z0-9-]{0,31}$/.test(word);
}

/** @param vendor A word for which {@link isVendorWord} is true. */
export function wireNames(vendor: string): WireNames {
  const prefix = `X-${vendor.toUpperCase()}-`;
  return Object.freeze({
    vendor,
    headers: Object.freeze({
      chainId: `${prefix}CHAIN-ID`,
      ledgerVersion: `${prefix}LEDGER-VERSION`,
      oldestVersion: `${prefix}LEDGER-OLDEST-VERSION`,
      timestampUsecs: `${prefix}LEDGER-TIMESTAMPUSEC`,
      epoch: `${prefix}EPOCH`,
      blockHeight: `${prefix}BLOCK-HEIGHT`,
      oldestBlockHeight: `${prefix}OLDEST-BLOCK-HEIGHT`,
      gasUsed: `${prefix}GAS-USED`,
      cursor: `${prefix}CURSOR`,
    }),
    signedTransactionType: `application/x.${vendor}.signed_transaction+bcs`,
    viewFunctionType: `application/x.${vendor}.view_function+bcs`,
    healthMessage: vendor === DEFAULT_VENDOR ? "node:ok" : `${vendor}-node:ok`,
  });
}
