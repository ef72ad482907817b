/**
 * The face of the native core as the rest of the node sees it. `index.ts` beside this file is the
 * only importer of the addon and implements it.
 *
 * State keys cross this face in their *storage encoding* (see native/crates/types, state_key):
 * `00 ‖ address ‖ ULEB length ‖ path`, `01 ‖ handle ‖ key`, `ff ‖ bytes`. State values cross it as
 * BCS `StateValue` (enum byte, data, metadata where present). Ledger versions, heights and
 * microseconds are plain numbers: all stay below 2^53.
 */

/** How the core reads state during one call. */
export interface StateReader {
  /**
   * @param key Storage encoding of one state key; valid only during the call.
   * @returns BCS `StateValue`, valid until the next call; `undefined` if the key does not exist.
   */
  read(key: Buffer): Buffer | undefined;
}

/** What the node needs to know of a signed transaction without executing it. */
export interface SignedSummary {
  /** 32 bytes. */
  readonly hash: Buffer;
  /** 32 bytes. */
  readonly sender: Buffer;
  /** Absent for an orderless transaction. */
  readonly sequenceNumber: bigint | undefined;
  readonly replayProtectionNonce: bigint | undefined;
  readonly maxGasAmount: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationTimestampSecs: bigint;
  readonly chainId: number;
  /** SHA3-256 over the raw transaction without its gas unit price: equal for a legal price bump. */
  readonly replacementKey: Buffer;
}

/** A refusal by the core, as data. `vmStatus` is the numeric status code where there is one. */
export interface CoreFailure {
  readonly kind: "failure";
  /** One of the wire error codes of src/errors. */
  readonly code: string;
  readonly message: string;
  readonly vmStatus?: number;
}

export interface BlockInput {
  readonly height: number;
  readonly firstVersion: number;
  readonly epoch: number;
  readonly round: number;
  readonly timestampUsecs: number;
  /** 32 bytes. */
  readonly blockId: Buffer;
  /** 32 bytes. */
  readonly proposer: Buffer;
  /** BCS `SignedTransaction` each, in proposed order. Signatures were checked at admission. */
  readonly transactions: readonly Buffer[];
}

/** Fields of one row of `BlockOutput.transactions`; offsets point into `BlockOutput.bytes`. */
export const TransactionRow = {
  HASH: 0, // 32 bytes
  ACCUMULATOR_ROOT: 1, // 32 bytes
  TRANSACTION: 2, // BCS Transaction
  TRANSACTION_END: 3,
  INFO: 4, // BCS TransactionInfo
  INFO_END: 5,
  EVENTS: 6, // BCS vec<ContractEvent>
  EVENTS_END: 7,
  WRITE_SET: 8, // BCS WriteSet
  WRITE_SET_END: 9,
  FIRST_WRITE: 10, // row index into writes
  WRITES_END: 11,
  FIRST_LINK: 12, // row index into eventLinks
  LINKS_END: 13,
  SENDER: 14, // 32 bytes, NONE where the transaction has no sequence number
  SEQUENCE_NUMBER_LOW: 15, // u32 halves of the sequence number
  SEQUENCE_NUMBER_HIGH: 16,
  GAS_UNITS: 17, // gas_used, saturated to u32
  WIDTH: 18,
} as const;

/** Fields of one row of `BlockOutput.writes`. */
export const WriteRow = {
  KEY: 0, // storage encoding
  KEY_END: 1,
  VALUE: 2, // BCS StateValue, NONE for a deletion
  VALUE_END: 3,
  WIDTH: 4,
} as const;

/** Fields of one row of `BlockOutput.eventLinks`: one per event of a handle (V1) stream. */
export const EventLinkRow = {
  KEY: 0, // 32-byte account address, then u64 little-endian creation number
  SEQUENCE_NUMBER_LOW: 1,
  SEQUENCE_NUMBER_HIGH: 2,
  /** Index of the event in its transaction's event list. */
  EVENT_INDEX: 3,
  WIDTH: 4,
} as const;

/** Marks an absent offset in the rows above. */
export const NONE = 0xffffffff;

/** One executed block: flat, so that nothing is allocated per field. */
export interface BlockOutput {
  readonly bytes: Buffer;
  readonly transactions: Uint32Array;
  readonly writes: Uint32Array;
  readonly eventLinks: Uint32Array;
  /** Input positions that were discarded, with their status codes; they take no version. */
  readonly discarded: readonly { readonly index: number; readonly vmStatus: number }[];
  /** Input positions that were not attempted and go back to the mempool. */
  readonly retried: readonly number[];
  /** State root after the block, 32 bytes. */
  readonly stateRoot: Buffer;
  /** Frozen subtree roots of the transaction accumulator after the block, 32 bytes each. */
  readonly accumulatorPeaks: Buffer;
  /** Epoch in force after the block. */
  readonly epoch: number;
}

export interface GenesisOptions {
  readonly chainId: number;
  readonly timestampUsecs: number;
  readonly epochIntervalUsecs: number;
  /** Authentication key of the minter (0xA550C18), 32 bytes. */
  readonly minterAuthKey: Buffer;
  /** Funded at genesis. */
  readonly accounts: readonly { readonly address: Buffer; readonly octas: bigint }[];
}

export interface ViewResult {
  readonly gasUnits: number;
  /** JSON array of return values, or BCS (ULEB count, then values), as asked. */
  readonly body: Buffer;
}

export interface SimulateOptions {
  readonly json: boolean;
  readonly estimateGasUnitPrice: boolean;
  readonly estimateMaxGasAmount: boolean;
  readonly gasUnitPriceEstimate: bigint;
  readonly version: number;
  readonly timestampUsecs: number;
}

/** One stored transaction as the store hands it out, for rendering. */
export interface StoredTransaction {
  readonly version: number;
  readonly hash: Buffer;
  readonly accumulatorRoot: Buffer;
  readonly transaction: Buffer;
  readonly info: Buffer;
  readonly events: Buffer;
  readonly writeSet: Buffer;
  readonly blockTimestampUsecs: number;
}

/** A resource found by type: where it lives and, for a group member, how to cut it out. */
export interface ResourceLocation {
  /** Storage encoding of the state key to read: the resource's own, or its group's. */
  readonly key: Buffer;
  /** Canonical type text. */
  readonly type: string;
  /** Set for a resource-group member: BCS StructTag to look up inside the group value. */
  readonly memberTag: Buffer | undefined;
}

/** Stateful face: one per process or worker thread. Not shared between threads. */
export interface Core {
  /** Executes the built-in genesis. The one output row is version 0. */
  genesis(options: GenesisOptions): BlockOutput;

  /**
   * Takes version 0 from a public network's genesis file.
   *
   * @throws NodeError `config_invalid` for a file that is no genesis, or of another chain id.
   */
  genesisFromFile(file: Buffer): BlockOutput;

  /** Pins the state after a genesis file; networks publish theirs. @throws As {@link genesisFromFile}. */
  genesisWaypoint(file: Buffer): string;

  /**
   * Prepares block execution after a start: hand over every live state value, then the accumulator.
   * Entries are storage-encoded key and BCS StateValue.
   */
  loadState(
    entries: Iterable<readonly [key: Buffer, value: Buffer]>,
    accumulatorPeaks: Buffer,
    versions: number,
  ): void;

  /** Executes one block on the state `reader` shows. Never throws for what a transaction does. */
  executeBlock(block: BlockInput, reader: StateReader): BlockOutput;

  /** How many of these storage-encoded keys exist; reads each through `reader` once. For measuring reads. */
  countExisting(keys: readonly Buffer[], reader: StateReader): number;

  /** Admission check (prologue) of one signed transaction; 0 means valid, else the status code. */
  validate(signed: Buffer, reader: StateReader, nowSecs: number): number;

  /** `request` is BCS (an EntryFunction) or JSON text. */
  view(
    request: Buffer,
    isJson: boolean,
    jsonAnswer: boolean,
    gasUnitsMax: number,
    reader: StateReader,
  ): ViewResult | CoreFailure;

  /** `signed` is BCS `SignedTransaction`. Body: JSON array of one transaction, or BCS TransactionOnChainData. */
  simulate(signed: Buffer, options: SimulateOptions, reader: StateReader): ViewResult | CoreFailure;

  /** JSON submit request to BCS SignedTransaction. */
  signedFromJson(json: Buffer, chainId: number, reader: StateReader): Buffer | CoreFailure;

  /** JSON request without signature to the bytes to sign. */
  encodeSubmission(json: Buffer, chainId: number, reader: StateReader): Buffer | CoreFailure;

  locateResource(address: Buffer, typeText: string, reader: StateReader): ResourceLocation | CoreFailure;

  /** Resource bytes (no StateValue envelope) to JSON text of its `data`. */
  renderResource(typeText: string, bytes: Buffer, reader: StateReader): Buffer | CoreFailure;

  /** Items of an account's page to a JSON array of `{type,data}`; groups are flattened. */
  renderResources(
    items: readonly { key: Buffer; value: Buffer }[],
    reader: StateReader,
  ): Buffer | CoreFailure;

  /** Module bytecode to `{"bytecode":…,"abi":…}`. */
  renderModule(bytes: Buffer, reader: StateReader): Buffer;

  renderTransaction(stored: StoredTransaction, reader: StateReader): Buffer;

  /** Pending transaction JSON of a BCS SignedTransaction. */
  renderPending(signed: Buffer, reader: StateReader): Buffer | CoreFailure;

  /** Typed table key: JSON key text plus its type to BCS bytes. */
  encodeValue(typeText: string, json: Buffer, reader: StateReader): Buffer | CoreFailure;

  /** BCS value of any type to JSON text. */
  renderValue(typeText: string, bytes: Buffer, reader: StateReader): Buffer | CoreFailure;
}

/** Stateless functions of the core. */
export interface CoreFunctions {
  /** Strict decode and hash. Fails with `invalid_input`. */
  inspectSigned(signed: Buffer): SignedSummary | CoreFailure;
  /** 1 per transaction whose every signature verifies strictly, else 0. */
  verifySigned(batch: readonly Buffer[]): Uint8Array;
  /** Relaxed address text (1..64 hex digits, optional 0x) to 32 bytes. */
  parseAddress(text: string): Buffer | undefined;
  /** Canonical type text, or undefined when it does not parse. */
  canonicalType(text: string): string | undefined;
  /** Storage encoding of a module's state key. */
  moduleKey(address: Buffer, name: string): Buffer;
  /** Storage encoding of a table item's state key. */
  tableItemKey(handle: Buffer, key: Buffer): Buffer;
  createCore(options: { readonly chainId: number }): Core;
}
