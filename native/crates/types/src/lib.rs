//! The words of the ledger: addresses, types, transactions, state and what is recorded of them, each
//! with its text, its canonical bytes and its hash.
//!
//! Promises: decoding untrusted bytes ends in a value or a typed error, never in a panic, unbounded
//! recursion or memory out of proportion; what decodes re-encodes to the same bytes. Variants that
//! exist elsewhere and are not handled here are refused by name ([`ledger_bcs::Error::Unsupported`]).
//!
//! Leaves to others: whether signatures verify (`ledger-crypto`), tree and accumulator roots
//! (`ledger-authenticated`), and everything that needs state.
#![forbid(unsafe_code)]

mod address;
mod authenticator;
mod derived_address;
mod event;
mod execution_status;
mod hash;
mod identifier;
mod ledger_info;
mod names;
mod payload;
mod public_key;
mod script_argument;
mod session_id;
mod signed_transaction;
mod signing_message;
mod state_key;
mod state_value;
mod transaction;
mod type_tag;
mod type_text;
mod write_set;

pub use address::{Address, AddressParseError};
pub use authenticator::{
    AbstractionAuthData, AccountAuthenticator, BITMAP_BYTES_MAX, SECONDARY_SIGNERS_MAX, SIGNATURES_MAX,
    TransactionAuthenticator,
};
pub use event::{ContractEvent, EventKey};
pub use execution_status::{AbortInfo, AbortLocation, ExecutionStatus, TransactionInfo};
pub use hash::{DomainHasher, HashDomain, HashParseError, HashValue};
pub use identifier::{IDENTIFIER_LENGTH_MAX, Identifier, IdentifierError, is_valid_name};
pub use ledger_info::{
    BlockInfo, EpochState, LedgerInfo, ValidatorConsensusInfo, Waypoint, WaypointParseError,
};
pub use names::{FunctionInfo, ModuleId, NameParseError};
pub use payload::{
    EntryFunction, Multisig, MultisigPayload, Script, TransactionExecutable, TransactionExtraConfig,
    TransactionPayload, TransactionPayloadInner,
};
pub use public_key::{
    AnyPublicKey, AnySignature, EcdsaPublicKey, EcdsaSignature, Ed25519PublicKey, Ed25519Signature,
    KeylessPublicKey, MULTI_KEYS_MAX, MultiEd25519PublicKey, MultiEd25519Signature, MultiKey,
    WebAuthnSignature,
};
pub use script_argument::ScriptArgument;
pub use session_id::{OrderlessSession, SessionId, TransactionSession};
pub use signed_transaction::{ORDERLESS_SEQUENCE_NUMBER, RawTransaction, ReplayProtector, SignedTransaction};
pub use signing_message::{abstraction_signing_message, rotation_proof_challenge};
pub use state_key::{Path, StateKey};
pub use state_value::{StateValue, StateValueMetadata};
pub use transaction::{
    BlockEndInfo, BlockEpilogue, BlockMetadata, BlockMetadataExt, Randomness, Transaction, WriteSetPayload,
};
pub use type_tag::{FunctionParam, FunctionTag, StructTag, TYPE_TAG_DEPTH_MAX, TypeTag};
pub use type_text::{TYPE_TEXT_LENGTH_MAX, TypeParseError};
pub use write_set::{ChangeSet, WriteOp, WriteSet};
