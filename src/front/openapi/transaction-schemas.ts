/** Schemas of transactions: payloads, signatures, write set changes, and the types they come in. */

import { list, nullable, object, oneOf, ref, type Schema, tagged } from "./schema.js";
import {
  ADDRESS,
  BYTE,
  ENTRY_FUNCTION_ID,
  FLAG,
  HASH,
  HEX,
  MOVE_STRUCT_TAG,
  MOVE_TYPE,
  MOVE_VALUE,
  NUMBER,
  TEXT,
  U64,
} from "./value-schemas.js";

const TYPED_BYTES = object({ type: TEXT, value: HEX });

const ED25519 = { public_key: HEX, signature: HEX };
const MULTI_ED25519 = { public_keys: list(HEX), signatures: list(HEX), threshold: BYTE, bitmap: HEX };
const SINGLE_KEY = { public_key: TYPED_BYTES, signature: TYPED_BYTES };
const MULTI_KEY = {
  public_keys: list(TYPED_BYTES),
  signatures: list(object({ index: BYTE, signature: TYPED_BYTES })),
  signatures_required: BYTE,
};
const MULTI_AGENT = {
  sender: ref("AccountSignature"),
  secondary_signer_addresses: list(ADDRESS),
  secondary_signers: list(ref("AccountSignature")),
};

const CALL = { type_arguments: list(MOVE_TYPE), arguments: list(MOVE_VALUE) };
const SCRIPT = {
  code: object({ bytecode: HEX, abi: nullable(ref("MoveFunction")) }, ["abi"]),
  ...CALL,
};

const UNSIGNED = {
  sender: ADDRESS,
  sequence_number: U64,
  max_gas_amount: U64,
  gas_unit_price: U64,
  expiration_timestamp_secs: U64,
  payload: ref("TransactionPayload"),
  replay_protection_nonce: nullable(U64),
};
const REQUEST = { ...UNSIGNED, signature: ref("TransactionSignature") };

/** Of every committed transaction. */
const INFO = {
  version: U64,
  hash: HASH,
  state_change_hash: HASH,
  event_root_hash: HASH,
  state_checkpoint_hash: nullable(HASH),
  gas_used: U64,
  success: { ...FLAG, description: "Whether it was executed to its end" },
  vm_status: { ...TEXT, description: "What the machine says of the execution" },
  accumulator_root_hash: HASH,
  changes: list(ref("WriteSetChange")),
};
const EVENTS = { events: list(ref("Event")) };
const TIME = { timestamp: { ...U64, description: "Of its block, microseconds since the Unix epoch" } };

const STATE_KEY = { state_key_hash: HASH };
const TABLE_ITEM = { ...STATE_KEY, handle: HEX, key: HEX };

function described(description: string, schema: Schema): Schema {
  return { description, ...schema };
}

/** By name, as the document lists them. */
export const TRANSACTION_SCHEMAS: Readonly<Record<string, Schema>> = {
  Transaction: oneOf({
    pending_transaction: "PendingTransaction",
    user_transaction: "UserTransaction",
    genesis_transaction: "GenesisTransaction",
    block_metadata_transaction: "BlockMetadataTransaction",
    state_checkpoint_transaction: "StateCheckpointTransaction",
    block_epilogue_transaction: "BlockEpilogueTransaction",
  }),
  PendingTransaction: described(
    "Admitted and not yet committed.",
    tagged("pending_transaction", { hash: HASH, ...REQUEST }),
  ),
  UserTransaction: tagged("user_transaction", { ...INFO, ...REQUEST, ...EVENTS, ...TIME }),
  GenesisTransaction: tagged("genesis_transaction", {
    ...INFO,
    payload: tagged("write_set_payload", { write_set: ref("WriteSet") }),
    ...EVENTS,
  }),
  BlockMetadataTransaction: described(
    "Opens a block.",
    tagged(
      "block_metadata_transaction",
      {
        ...INFO,
        id: HASH,
        epoch: U64,
        round: U64,
        ...EVENTS,
        previous_block_votes_bitvec: list(BYTE),
        proposer: ADDRESS,
        failed_proposer_indices: list({ type: "integer", format: "uint32", minimum: 0 }),
        ...TIME,
        block_metadata_extension: object({ type: { enum: ["v0", "v1"] }, randomness: nullable(HEX) }, [
          "randomness",
        ]),
      },
      ["block_metadata_extension"],
    ),
  ),
  StateCheckpointTransaction: tagged("state_checkpoint_transaction", { ...INFO, ...TIME }),
  BlockEpilogueTransaction: described(
    "Closes a block.",
    tagged("block_epilogue_transaction", {
      ...INFO,
      ...TIME,
      block_end_info: nullable(
        object({
          block_gas_limit_reached: FLAG,
          block_output_limit_reached: FLAG,
          block_effective_block_gas_units: NUMBER,
          block_approx_output_size: NUMBER,
        }),
      ),
    }),
  ),

  TransactionPayload: oneOf({
    entry_function_payload: "EntryFunctionPayload",
    script_payload: "ScriptPayload",
    multisig_payload: "MultisigPayload",
  }),
  EntryFunctionPayload: tagged("entry_function_payload", { function: ENTRY_FUNCTION_ID, ...CALL }),
  ScriptPayload: tagged("script_payload", SCRIPT),
  MultisigPayload: tagged(
    "multisig_payload",
    { multisig_address: ADDRESS, transaction_payload: nullable(ref("EntryFunctionPayload")) },
    ["transaction_payload"],
  ),
  WriteSet: {
    oneOf: [
      tagged("direct_write_set", { changes: list(ref("WriteSetChange")), ...EVENTS }),
      tagged("script_write_set", { execute_as: ADDRESS, script: object(SCRIPT) }),
    ],
  },

  TransactionSignature: oneOf({
    ed25519_signature: "Ed25519Signature",
    multi_ed25519_signature: "MultiEd25519Signature",
    multi_agent_signature: "MultiAgentSignature",
    fee_payer_signature: "FeePayerSignature",
    single_sender: "SingleSenderSignature",
    no_account_signature: "NoAccountSignature",
  }),
  AccountSignature: oneOf({
    ed25519_signature: "Ed25519Signature",
    multi_ed25519_signature: "MultiEd25519Signature",
    single_key_signature: "SingleKeySignature",
    multi_key_signature: "MultiKeySignature",
    no_account_signature: "NoAccountSignature",
    abstraction_signature: "AbstractionSignature",
  }),
  Ed25519Signature: tagged("ed25519_signature", ED25519),
  MultiEd25519Signature: tagged("multi_ed25519_signature", MULTI_ED25519),
  MultiAgentSignature: tagged("multi_agent_signature", MULTI_AGENT),
  FeePayerSignature: tagged("fee_payer_signature", {
    ...MULTI_AGENT,
    fee_payer_address: ADDRESS,
    fee_payer_signer: ref("AccountSignature"),
  }),
  SingleSenderSignature: described(
    "An account signature under the transaction's own tag; its properties tell which.",
    {
      anyOf: [
        tagged("single_sender", SINGLE_KEY),
        tagged("single_sender", MULTI_KEY),
        tagged("single_sender", { function_info: TEXT, auth_data: HEX }),
        tagged("single_sender", { sender: ref("AccountSignature") }),
        tagged("single_sender", {}),
      ],
    },
  ),
  SingleKeySignature: tagged("single_key_signature", SINGLE_KEY),
  MultiKeySignature: tagged("multi_key_signature", MULTI_KEY),
  NoAccountSignature: described("Simulation only.", tagged("no_account_signature", {})),
  AbstractionSignature: tagged("abstraction_signature", { function_info: TEXT, auth_data: HEX }),

  WriteSetChange: oneOf({
    write_resource: "WriteResource",
    delete_resource: "DeleteResource",
    write_module: "WriteModule",
    delete_module: "DeleteModule",
    write_table_item: "WriteTableItem",
    delete_table_item: "DeleteTableItem",
  }),
  WriteResource: tagged("write_resource", { address: ADDRESS, ...STATE_KEY, data: ref("MoveResource") }),
  DeleteResource: tagged("delete_resource", { address: ADDRESS, ...STATE_KEY, resource: MOVE_STRUCT_TAG }),
  WriteModule: tagged("write_module", { address: ADDRESS, ...STATE_KEY, data: ref("MoveModuleBytecode") }),
  DeleteModule: tagged("delete_module", { address: ADDRESS, ...STATE_KEY, module: TEXT }),
  WriteTableItem: tagged("write_table_item", {
    ...TABLE_ITEM,
    value: HEX,
    data: nullable(
      object({ key: MOVE_VALUE, key_type: MOVE_TYPE, value: MOVE_VALUE, value_type: MOVE_TYPE }),
    ),
  }),
  DeleteTableItem: tagged("delete_table_item", {
    ...TABLE_ITEM,
    data: nullable(object({ key: MOVE_VALUE, key_type: MOVE_TYPE })),
  }),

  EncodeSubmissionRequest: object({ ...UNSIGNED, secondary_signers: nullable(list(ADDRESS)) }, [
    "replay_protection_nonce",
    "secondary_signers",
  ]),
  SubmitTransactionRequest: object(REQUEST, ["replay_protection_nonce"]),
  TransactionsBatchSubmissionResult: object({
    transaction_failures: list(
      object({ error: ref("Error"), transaction_index: { type: "integer", format: "uint32", minimum: 0 } }),
    ),
  }),
};
