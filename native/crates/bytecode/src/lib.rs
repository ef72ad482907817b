//! The module and script file format: what modules are made of, reading, writing, bounds.
//!
//! A [`CompiledModule`] is tables of handles and definitions that name each other by typed index.
//! This crate promises that bytes become such a value or a [`BinaryError`] with the protocol's
//! status code, whatever the bytes; that an accepted value has no index that points nowhere; and
//! that writing gives back the bytes of any module the official compiler made. Whether a module
//! makes sense is the verifier's to say, what it does the machine's.
#![forbid(unsafe_code)]

pub mod abi;
pub mod bounds;
mod disassemble;
mod error;
mod format;
pub mod metadata;
mod model;
mod read;
mod status;
mod type_text;
mod wire;
mod write;

pub use abi::{Abi, AbiFunction, AbiStruct, module_abi, script_abi};
pub use disassemble::{disassemble_module, disassemble_script};
pub use error::{BinaryError, Place};
pub use format::{Table, VERSION_MAX, VERSION_MIN};
pub use metadata::ModuleMetadata;
pub use model::*;
pub use read::{ReadLimits, read_module, read_script};
pub use status::{StatusCode, StatusKind};
