/** The schemas of the document by name: answers, request bodies, and all they are made of. */

import { REQUEST_ERRORS } from "../../errors/index.js";
import { list, nullable, object, type Schema } from "./schema.js";
import { TRANSACTION_SCHEMAS } from "./transaction-schemas.js";
import {
  ADDRESS,
  BYTE,
  ENTRY_FUNCTION_ID,
  HASH,
  HEX,
  MOVE_STRUCT_TAG,
  MOVE_TYPE,
  MOVE_VALUE,
  NUMBER,
  TEXT,
  U64,
  VALUE_SCHEMAS,
} from "./value-schemas.js";

const ERROR_CODES = [...new Set(Object.values(REQUEST_ERRORS).map(({ wire }) => wire))].sort();

const EVENT = {
  guid: object({ creation_number: U64, account_address: ADDRESS }),
  sequence_number: U64,
  type: MOVE_TYPE,
  data: MOVE_VALUE,
};

export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Error: object({
    message: TEXT,
    error_code: { type: "string", enum: ERROR_CODES },
    vm_error_code: {
      ...nullable(NUMBER),
      description: "Status code of the machine, where it was the one to refuse",
    },
  }),
  IndexResponse: object({
    chain_id: BYTE,
    epoch: U64,
    ledger_version: U64,
    oldest_ledger_version: U64,
    ledger_timestamp: { ...U64, description: "Microseconds since the Unix epoch" },
    node_role: { type: "string", enum: ["validator", "full_node"] },
    oldest_block_height: U64,
    block_height: U64,
    encryption_key: nullable(HEX),
  }),
  NodeInfo: { type: "object", description: "Names and values, free to change.", additionalProperties: true },
  HealthCheckSuccess: object({ message: TEXT }),
  AccountData: object({ sequence_number: U64, authentication_key: HEX }),
  MoveResource: object({
    type: MOVE_STRUCT_TAG,
    data: { type: "object", description: "Field name to value", additionalProperties: true },
  }),
  MoveModuleBytecode: object({ bytecode: HEX, abi: nullable({ $ref: "#/components/schemas/MoveModule" }) }, [
    "abi",
  ]),
  Balance: { ...NUMBER, description: "In the asset's smallest unit" },
  Event: object(EVENT),
  VersionedEvent: object({ version: U64, ...EVENT }),
  TransactionSummary: object({
    sender: ADDRESS,
    version: U64,
    transaction_hash: HASH,
    replay_protector: object({ type: { type: "string", enum: ["nonce", "sequence_number"] }, value: U64 }),
  }),
  GasEstimation: object({
    deprioritized_gas_estimate: { ...NUMBER, description: "The low estimate, octas per gas unit" },
    gas_estimate: { ...NUMBER, description: "The current estimate, octas per gas unit" },
    prioritized_gas_estimate: { ...NUMBER, description: "The high estimate, octas per gas unit" },
  }),
  Block: object({
    block_height: U64,
    block_hash: HASH,
    block_timestamp: { ...U64, description: "Microseconds since the Unix epoch" },
    first_version: U64,
    last_version: U64,
    transactions: nullable(list({ $ref: "#/components/schemas/Transaction" })),
  }),
  TableItemRequest: object({ key_type: MOVE_TYPE, value_type: MOVE_TYPE, key: MOVE_VALUE }),
  RawTableItemRequest: object({ key: { ...HEX, description: "BCS of the key" } }),
  RawStateValueRequest: object({ key: { ...HEX, description: "BCS of the state key" } }),
  ViewRequest: object({
    function: ENTRY_FUNCTION_ID,
    type_arguments: list(MOVE_TYPE),
    arguments: list(MOVE_VALUE),
  }),
  ...TRANSACTION_SCHEMAS,
  ...VALUE_SCHEMAS,
};
