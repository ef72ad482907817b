//! What can be done with whole values in memory, driven by the layout programs of their types.
//!
//! Every walk keeps its own stack, bounded by [`DEPTH_MAX`]; none recurses. A value of type `T` at
//! word `w` occupies `T.slots` words from `w`; narrow values in slots are zero-extended.

mod bcs_in;
mod bcs_out;
mod compare;
mod copy;
mod equal;
mod size;
mod walk;

pub use bcs_in::Malformed;

use crate::memory::Memory;
use crate::types::{Interner, TypeId, TypeInfo};

/// Values in a memory, with the types to read them by.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// Where the values are.
    pub memory: &'a Memory,
    /// What they are.
    pub types: &'a Interner,
}

impl<'a> Values<'a> {
    /// The type with this number.
    pub fn ty(&self, id: TypeId) -> &'a TypeInfo {
        self.types.get(id)
    }
}
