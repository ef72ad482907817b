/**
 * Every way a request can fail, with what the client sees of it.
 *
 * `wire` is the `error_code` of the answer. Typed clients fail on codes they do not know, so
 * several of our codes share one of theirs; ours say precisely what happened, for the log and for
 * branching. No row may be reused for another meaning.
 */

/** What one code looks like from outside. */
export interface RequestErrorRow {
  readonly status: number;
  readonly wire: string;
}

/** Code → HTTP status and wire code. */
export const REQUEST_ERRORS = {
  /** Path, query or body that does not parse. */
  web_framework_error: { status: 400, wire: "web_framework_error" },
  path_not_found: { status: 404, wire: "web_framework_error" },
  method_not_allowed: { status: 405, wire: "web_framework_error" },
  length_required: { status: 411, wire: "web_framework_error" },
  body_too_large: { status: 413, wire: "web_framework_error" },
  unsupported_media_type: { status: 415, wire: "web_framework_error" },

  /** Parses, but means nothing acceptable: limit 0, a wrong type, a failing view, bad BCS. */
  invalid_input: { status: 400, wire: "invalid_input" },
  /** Something the interface offers and this node does not do. */
  not_implemented: { status: 400, wire: "invalid_input" },
  bcs_not_supported: { status: 400, wire: "bcs_not_supported" },
  /** Submission refused by validation; carries a VM status. */
  vm_error: { status: 400, wire: "vm_error" },
  sequence_number_too_old: { status: 400, wire: "sequence_number_too_old" },
  /** Another transaction with this sender and sequence number is pending at no lower price. */
  invalid_transaction_update: { status: 400, wire: "invalid_transaction_update" },

  /** Endpoint or form switched off. */
  api_disabled: { status: 403, wire: "api_disabled" },
  /** View or simulation target refused by the operator. */
  target_forbidden: { status: 403, wire: "invalid_input" },
  rejected_by_filter: { status: 403, wire: "rejected_by_filter" },

  account_not_found: { status: 404, wire: "account_not_found" },
  resource_not_found: { status: 404, wire: "resource_not_found" },
  module_not_found: { status: 404, wire: "module_not_found" },
  struct_field_not_found: { status: 404, wire: "struct_field_not_found" },
  transaction_not_found: { status: 404, wire: "transaction_not_found" },
  table_item_not_found: { status: 404, wire: "table_item_not_found" },
  block_not_found: { status: 404, wire: "block_not_found" },
  state_value_not_found: { status: 404, wire: "state_value_not_found" },
  /** Above the newest version. */
  version_not_found: { status: 404, wire: "version_not_found" },

  version_pruned: { status: 410, wire: "version_pruned" },
  block_pruned: { status: 410, wire: "block_pruned" },

  internal_error: { status: 500, wire: "internal_error" },
  /** No ledger yet, the writer is away, or the store has stopped taking blocks. */
  unavailable: { status: 503, wire: "internal_error" },
  health_check_failed: { status: 503, wire: "health_check_failed" },

  mempool_is_full: { status: 507, wire: "mempool_is_full" },
  /** One account has as many pending transactions as it may. */
  too_many_transactions: { status: 507, wire: "mempool_is_full" },
} as const satisfies Record<string, RequestErrorRow>;

/** Code of a failed request. */
export type RequestErrorCode = keyof typeof REQUEST_ERRORS;
