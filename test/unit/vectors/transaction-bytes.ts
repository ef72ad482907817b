/** Transactions put together byte by byte, for inputs that no builder would make. */
import { BcsWriter } from "../../../src/front/reads/bcs.js";

const FRAMEWORK = Buffer.from("01".padStart(64, "0"), "hex");
const ENTRY_FUNCTION = 2;
const SINGLE_SENDER = 4;
const NO_ACCOUNT_AUTHENTICATOR = 4;

export interface Call {
  /** Names as UTF-8 text or raw bytes. */
  readonly module?: string | Uint8Array;
  readonly function?: string | Uint8Array;
  /** BCS of each. */
  readonly typeArgs?: readonly Uint8Array[];
  readonly args?: readonly Uint8Array[];
}

/** BCS payload: a call of an entry function of `0x1`. */
export function callOf(call: Call): Buffer {
  const writer = new BcsWriter().u8(ENTRY_FUNCTION).bytes(FRAMEWORK);
  writer.sized(Buffer.from(call.module ?? "aptos_account"));
  writer.sized(Buffer.from(call.function ?? "transfer"));
  writer.uleb(call.typeArgs?.length ?? 0);
  for (const tag of call.typeArgs ?? []) writer.bytes(tag);
  writer.uleb(call.args?.length ?? 0);
  for (const argument of call.args ?? []) writer.sized(argument);
  return writer.finish();
}

export interface RawFields {
  /** BCS payload. */
  readonly payload: Uint8Array;
  /** 32 bytes; zero where absent. */
  readonly sender?: Uint8Array;
  readonly sequenceNumber?: bigint;
}

/** BCS raw transaction of chain 4 that expires in 2030. */
export function rawTransaction(fields: RawFields): Buffer {
  return new BcsWriter()
    .bytes(fields.sender ?? Buffer.alloc(32))
    .u64(fields.sequenceNumber ?? 0n)
    .bytes(fields.payload)
    .u64(200_000)
    .u64(100)
    .u64(1_893_456_000)
    .u8(4)
    .finish();
}

/** BCS signed transaction with the authenticator that proves nothing. */
export function signedWithoutProof(fields: RawFields): Buffer {
  return Buffer.concat([rawTransaction(fields), Buffer.of(SINGLE_SENDER, NO_ACCOUNT_AUTHENTICATOR)]);
}
