//! Layout programs: a type as a short list of steps over slots and BCS bytes.
//!
//! Neighbouring whole words are merged, so that a struct of integers and addresses is one step.

use super::TypeId;

/// One step. Each starts at the slot where the one before ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// That many words, eight bytes each in BCS.
    Words(u32),
    /// A slot that is 0 or 1, one byte.
    Bool,
    /// A slot that holds this many bytes (1, 2, 4), zero-extended.
    Narrow(u32),
    /// A vector of this element type; one slot.
    Vector(TypeId),
    /// An enum of this type, inline: tag, then the fields of the variant.
    Enum {
        /// The enum.
        ty: TypeId,
        /// All its slots.
        slots: u32,
    },
    /// A value of this type in its own block; one slot.
    Boxed(TypeId),
    /// A function value; one slot.
    Function,
}

/// Appends a step, merged into the last one where both are words.
pub fn push(program: &mut Vec<Op>, op: Op) {
    if let (Some(Op::Words(last)), Op::Words(more)) = (program.last_mut(), op) {
        *last += more;
    } else {
        program.push(op);
    }
}
