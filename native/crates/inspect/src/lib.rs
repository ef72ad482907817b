//! What a person sees of modules and genesis blobs: texts of files, made without a chain.
//!
//! Promises: any bytes give a text or an [`InspectError`]; lowered code is shown only of modules the
//! verifier accepts. Leaves to others: reading files, and where the text goes.
#![forbid(unsafe_code)]

mod error;
mod genesis;
mod lowered;
mod module;

pub use error::InspectError;
pub use genesis::genesis_text;
pub use lowered::lowered_text;
pub use module::{abi_text, bytecode_text};
