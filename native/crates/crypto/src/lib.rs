//! Signature schemes and hash functions, strict where the chain is strict.
//!
//! [`verify_transaction`] answers whether every party of a transaction signed it; the scheme modules
//! and [`digest`] serve Move's native functions. Nothing here needs state: whether a key is the one
//! an account has on chain is the executor's to ask.
//!
//! Promises: the verdict depends on the bytes alone, never on a batch or on chance; malformed
//! keys and signatures are refused, not repaired. Keyless signatures and account abstraction are
//! refused by name.
#![forbid(unsafe_code)]

pub mod bls12381;
pub mod digest;
pub mod ed25519;
mod key_bitmap;
pub mod multi_ed25519;
pub mod ristretto255;
pub mod secp256k1;
pub mod secp256r1;
mod signature_error;
mod verify_transaction;
mod webauthn;

pub use signature_error::SignatureError;
pub use verify_transaction::{verify_account, verify_transaction};
