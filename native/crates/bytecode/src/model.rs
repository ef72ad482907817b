//! Modules and scripts as data.

mod ability;
mod bytecode;
mod index;
mod module;
mod tables;
mod types;

pub use ability::{Ability, AbilitySet};
pub use bytecode::Bytecode;
pub use index::*;
pub use module::{Body, CompiledModule, CompiledScript};
pub use tables::*;
pub use types::{Signature, Trees, Type, TypeNode, children, substitute, tree_len};
