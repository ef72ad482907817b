/** Schemas of single values, and of what Move types and modules look like. */

import { list, object, type Schema } from "./schema.js";

/** References, so that each is described once. */
export const ADDRESS: Schema = { $ref: "#/components/schemas/Address" };
export const U64: Schema = { $ref: "#/components/schemas/U64" };
export const HEX: Schema = { $ref: "#/components/schemas/HexEncodedBytes" };
export const HASH: Schema = { $ref: "#/components/schemas/HashValue" };
export const MOVE_TYPE: Schema = { $ref: "#/components/schemas/MoveType" };
export const MOVE_STRUCT_TAG: Schema = { $ref: "#/components/schemas/MoveStructTag" };
export const ENTRY_FUNCTION_ID: Schema = { $ref: "#/components/schemas/EntryFunctionId" };
export const MOVE_VALUE: Schema = { $ref: "#/components/schemas/MoveValue" };

export const TEXT: Schema = { type: "string" };
export const FLAG: Schema = { type: "boolean" };
/** A 64-bit number that travels as a JSON number. */
export const NUMBER: Schema = { type: "integer", format: "uint64", minimum: 0 };
export const BYTE: Schema = { type: "integer", format: "uint8", minimum: 0, maximum: 255 };

const GENERIC_TYPE_PARAMS = list(object({ constraints: list({ $ref: "#/components/schemas/MoveAbility" }) }));

/** What the references above lead to. */
export const VALUE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Address: {
    type: "string",
    format: "hex",
    description:
      "Address of 32 bytes: hexadecimal digits after 0x. Leading zeros are left out in answers and may be in requests; paths take it without 0x too.",
    pattern: "^(0x)?[0-9a-fA-F]{1,64}$",
    examples: ["0x1"],
  },
  U64: {
    type: "string",
    format: "uint64",
    description: "Decimal text of an unsigned 64-bit number, for languages whose numbers are narrower.",
    pattern: "^[0-9]+$",
    examples: ["32425224034"],
  },
  HexEncodedBytes: {
    type: "string",
    format: "hex",
    description: "Bytes: two hexadecimal digits each, after 0x. No zeros are left out.",
    pattern: "^(0x)?([0-9a-fA-F]{2})*$",
    examples: ["0x88fbd33f54e1126269769780feb24480428179f552e2313fbe571b72e62a1ca1"],
  },
  HashValue: {
    type: "string",
    format: "hex",
    description: "Hash of 32 bytes: 64 hexadecimal digits after 0x.",
    pattern: "^(0x)?[0-9a-fA-F]{64}$",
  },
  MoveType: {
    type: "string",
    description:
      "Type tag: a primitive type, vector<T>, or a struct with its type arguments. Spaces do not count; in a path it is percent-encoded. Further integer widths are accepted too.",
    // The interface's published pattern, kept letter by letter.
    pattern: "^(bool|u8|u64|u128|address|signer|vector<.+>|0x[0-9a-zA-Z:_<, >]+)$",
    examples: ["0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>"],
  },
  MoveDeclaredType: {
    type: "string",
    description: "A type as a declaration writes it: MoveType, references, type parameters and functions.",
    examples: ["&signer", "vector<T0>"],
  },
  MoveStructTag: {
    type: "string",
    description: "Address, module and name of a struct, with its type arguments. Spaces do not count.",
    pattern: "^(0x)?[0-9a-fA-F]+::[0-9a-zA-Z_$]+::[0-9a-zA-Z_$]+(::)?(<.+>)?$",
    examples: ["0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>"],
  },
  EntryFunctionId: {
    type: "string",
    description: "Address, module and name of a function. Case counts.",
    pattern: "^(0x)?[0-9a-fA-F]+::[0-9a-zA-Z_$]+::[0-9a-zA-Z_$]+$",
    examples: ["0x1::aptos_account::transfer"],
  },
  MoveAbility: { type: "string", enum: ["copy", "drop", "store", "key"] },
  MoveValue: {
    description:
      "A Move value: booleans and integers up to 32 bits as such, wider integers as decimal text, addresses and byte vectors as 0x text, strings as strings, other vectors as arrays, structs as objects.",
  },
  MoveFunction: object({
    name: TEXT,
    visibility: { type: "string", enum: ["private", "public", "friend"] },
    is_entry: { ...FLAG, description: "Whether transactions may call it directly" },
    is_view: { ...FLAG, description: "Whether view requests may call it" },
    generic_type_params: GENERIC_TYPE_PARAMS,
    params: list({ $ref: "#/components/schemas/MoveDeclaredType" }),
    return: list({ $ref: "#/components/schemas/MoveDeclaredType" }),
  }),
  MoveStruct: object({
    name: TEXT,
    is_native: FLAG,
    is_event: FLAG,
    is_enum: FLAG,
    abilities: list({ $ref: "#/components/schemas/MoveAbility" }),
    generic_type_params: GENERIC_TYPE_PARAMS,
    fields: list(object({ name: TEXT, type: { $ref: "#/components/schemas/MoveDeclaredType" } })),
  }),
  MoveModule: object({
    address: ADDRESS,
    name: TEXT,
    friends: list(TEXT),
    exposed_functions: list({ $ref: "#/components/schemas/MoveFunction" }),
    structs: list({ $ref: "#/components/schemas/MoveStruct" }),
  }),
};
