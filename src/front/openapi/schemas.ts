/** Shapes of the JSON answers, in the words of JSON Schema. */

export interface Schema {
  readonly [keyword: string]: unknown;
}

const U64: Schema = {
  type: "string",
  format: "uint64",
  description: "Decimal text of an unsigned 64-bit number",
};
const HEX: Schema = { type: "string", format: "hex", description: "0x and two digits per byte" };
const ADDRESS: Schema = {
  type: "string",
  format: "hex",
  description: "0x and up to 64 digits; leading zeros may be left out",
};
const TEXT: Schema = { type: "string" };
const NUMBER: Schema = { type: "integer", format: "uint64" };
const FLAG: Schema = { type: "boolean" };
const ANY: Schema = { description: "JSON of a Move value" };

function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", required, properties };
}

function list(items: Schema): Schema {
  return { type: "array", items };
}

function nullable(schema: Schema): Schema {
  return { ...schema, nullable: true };
}

/** A reference to one of {@link SCHEMAS}. */
export function ref(name: keyof typeof SCHEMAS): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const FUNCTION = object({
  name: TEXT,
  visibility: { type: "string", enum: ["private", "public", "friend"] },
  is_entry: FLAG,
  is_view: FLAG,
  generic_type_params: list(object({ constraints: list(TEXT) })),
  params: list(TEXT),
  return: list(TEXT),
});

const STRUCT = object({
  name: TEXT,
  is_native: FLAG,
  is_event: FLAG,
  is_enum: FLAG,
  abilities: list(TEXT),
  generic_type_params: list(object({ constraints: list(TEXT) })),
  fields: list(object({ name: TEXT, type: TEXT })),
});

const TAGGED: Schema = {
  type: "object",
  required: ["type"],
  properties: { type: TEXT },
  additionalProperties: true,
};

const REQUEST = {
  sender: ADDRESS,
  sequence_number: U64,
  max_gas_amount: U64,
  gas_unit_price: U64,
  expiration_timestamp_secs: U64,
  payload: TAGGED,
  replay_protection_nonce: nullable(U64),
};

/** By name, as the document lists them. */
export const SCHEMAS = {
  Error: object({ message: TEXT, error_code: TEXT, vm_error_code: nullable(NUMBER) }),
  LedgerInfo: object({
    chain_id: { type: "integer", format: "uint8" },
    epoch: U64,
    ledger_version: U64,
    oldest_ledger_version: U64,
    ledger_timestamp: U64,
    node_role: TEXT,
    oldest_block_height: U64,
    block_height: U64,
    encryption_key: nullable(HEX),
  }),
  Health: object({ message: TEXT }),
  Info: { type: "object", additionalProperties: true },
  Account: object({ sequence_number: U64, authentication_key: HEX }),
  Resource: object({ type: TEXT, data: { type: "object", additionalProperties: true } }),
  Module: object(
    {
      bytecode: HEX,
      abi: object({
        address: ADDRESS,
        name: TEXT,
        friends: list(TEXT),
        exposed_functions: list(FUNCTION),
        structs: list(STRUCT),
      }),
    },
    ["abi"],
  ),
  Balance: NUMBER,
  Event: object({
    version: U64,
    guid: object({ creation_number: U64, account_address: ADDRESS }),
    sequence_number: U64,
    type: TEXT,
    data: ANY,
  }),
  TransactionSummary: object({
    sender: ADDRESS,
    version: U64,
    transaction_hash: HEX,
    replay_protector: object({ type: { type: "string", enum: ["nonce", "sequence_number"] }, value: U64 }),
  }),
  GasEstimate: object({
    deprioritized_gas_estimate: NUMBER,
    gas_estimate: NUMBER,
    prioritized_gas_estimate: NUMBER,
  }),
  MoveValue: ANY,
  MoveValues: list(ANY),
  TableItemRequest: object({ key_type: TEXT, value_type: TEXT, key: ANY }),
  RawKeyRequest: object({ key: HEX }),
  ViewRequest: object({ function: TEXT, type_arguments: list(TEXT), arguments: list(ANY) }),
  Block: object({
    block_height: U64,
    block_hash: HEX,
    block_timestamp: U64,
    first_version: U64,
    last_version: U64,
    transactions: nullable(list(TAGGED)),
  }),
  Transaction: {
    ...TAGGED,
    description:
      "One of pending_transaction, user_transaction, genesis_transaction, block_metadata_transaction, state_checkpoint_transaction",
  },
  EncodeRequest: object({ ...REQUEST, secondary_signers: nullable(list(ADDRESS)) }, [
    "replay_protection_nonce",
    "secondary_signers",
  ]),
  SubmitRequest: object({ ...REQUEST, signature: TAGGED }, ["replay_protection_nonce"]),
  Bytes: HEX,
} as const satisfies Readonly<Record<string, Schema>>;
