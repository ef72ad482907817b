//! What the tests of several crates share: compiled modules to read, and small builders.
//!
//! A development dependency only: nothing that ships may name this crate.
#![forbid(unsafe_code)]

pub mod assembler;
pub mod fixtures;
pub mod framework;
pub mod random;

pub use assembler::{assemble, assemble_script};
