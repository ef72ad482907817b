//! The instruction set of lowered code, and what surrounds it.
//!
//! Operands named `d`, `a`, `b`, `s`, `r`, `i` are slots of the frame; `d` is written, the others are
//! read. `r` holds a reference. `n` counts words; `w` is the byte width of packed elements. `ty`, `k`
//! and the like index tables of the same [`Code`]. Where an instruction needs more than its eight
//! bytes hold, an [`Ins::Arg`] follows, which is never executed itself.

use crate::natives::NativeFunction;
use crate::types::{FieldSlot, Int, ModuleIx, TypeId};

/// Operations of [`Ins::Bin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Or,
    And,
    Xor,
    Shl,
    Shr,
    Lt,
    Le,
}

impl BinOp {
    const ALL: [Self; 12] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Mod,
        Self::Or,
        Self::And,
        Self::Xor,
        Self::Shl,
        Self::Shr,
        Self::Lt,
        Self::Le,
    ];

    /// Operation and operand type in one byte.
    pub fn pack(self, int: Int) -> u8 {
        self as u8 * Int::ALL.len() as u8 + int as u8
    }

    /// The inverse of [`Self::pack`].
    pub fn unpack(code: u8) -> (Self, Int) {
        let count = Int::ALL.len() as u8;
        (Self::ALL[usize::from(code / count) % Self::ALL.len()], Int::ALL[usize::from(code % count)])
    }
}

/// A lowered instruction, eight bytes. One line each: this is a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Ins {
    // Gas.
    Charge(u32),
    ChargeK(u32),
    // Moves and constants.
    Mov { d: u16, s: u16 },
    MovN { n: u8, d: u16, s: u16 },
    LdI { d: u16, v: u32 },
    LdK { d: u16, k: u32 },
    LdKN { n: u8, d: u16, k: u16 },
    LdConst { d: u16, c: u32 },
    Zero { d: u16, n: u16 },
    // Arithmetic on u64.
    Add { d: u16, a: u16, b: u16 },
    Sub { d: u16, a: u16, b: u16 },
    Mul { d: u16, a: u16, b: u16 },
    Div { d: u16, a: u16, b: u16 },
    Mod { d: u16, a: u16, b: u16 },
    AddK { d: u16, a: u16, k: u16 },
    SubK { d: u16, a: u16, k: u16 },
    MulK { d: u16, a: u16, k: u16 },
    DivK { d: u16, a: u16, k: u16 },
    ModK { d: u16, a: u16, k: u16 },
    Shl { d: u16, a: u16, b: u16 },
    Shr { d: u16, a: u16, b: u16 },
    ShlI { i: u8, d: u16, a: u16 },
    ShrI { i: u8, d: u16, a: u16 },
    // Bits and comparisons of one word.
    And { d: u16, a: u16, b: u16 },
    Or { d: u16, a: u16, b: u16 },
    Xor { d: u16, a: u16, b: u16 },
    AndK { d: u16, a: u16, k: u16 },
    Not { d: u16, a: u16 },
    Lt { d: u16, a: u16, b: u16 },
    Le { d: u16, a: u16, b: u16 },
    Eq { d: u16, a: u16, b: u16 },
    Ne { d: u16, a: u16, b: u16 },
    LtI { d: u16, a: u16, i: u16 },
    GeI { d: u16, a: u16, i: u16 },
    LeI { d: u16, a: u16, i: u16 },
    GtI { d: u16, a: u16, i: u16 },
    EqI { d: u16, a: u16, i: u16 },
    NeI { d: u16, a: u16, i: u16 },
    // Everything else on integers.
    Bin { op: u8, d: u16, a: u16, b: u16 },
    Add128 { d: u16, a: u16, b: u16 },
    Sub128 { d: u16, a: u16, b: u16 },
    Mul128 { d: u16, a: u16, b: u16 },
    Div128 { d: u16, a: u16, b: u16 },
    Mod128 { d: u16, a: u16, b: u16 },
    Lt128 { d: u16, a: u16, b: u16 },
    Le128 { d: u16, a: u16, b: u16 },
    Add256 { d: u16, a: u16, b: u16 },
    Sub256 { d: u16, a: u16, b: u16 },
    Mul256 { d: u16, a: u16, b: u16 },
    Div256 { d: u16, a: u16, b: u16 },
    Mod256 { d: u16, a: u16, b: u16 },
    Cast { code: u8, d: u16, a: u16 },
    Negate { int: u8, d: u16, a: u16 },
    /// Equality of `n` words; an `Arg` with `a` = 1 follows for inequality.
    EqWords { n: u8, d: u16, a: u16, b: u16 },
    NeWords { n: u8, d: u16, a: u16, b: u16 },
    /// Deep equality of values; `Arg { a: type, b: gas per unit }` follows.
    EqValue { negate: u8, d: u16, a: u16, b: u16 },
    /// Deep equality behind references; `Arg` as above.
    EqBehind { negate: u8, d: u16, a: u16, b: u16 },
    // Control.
    Jmp { o: i32 },
    BrT { a: u16, o: i32 },
    BrF { a: u16, o: i32 },
    BrLt { a: u16, b: u16, o: i16 },
    BrLe { a: u16, b: u16, o: i16 },
    BrEq { a: u16, b: u16, o: i16 },
    BrNe { a: u16, b: u16, o: i16 },
    BrLtI { a: u16, i: u16, o: i16 },
    BrGeI { a: u16, i: u16, o: i16 },
    BrLeI { a: u16, i: u16, o: i16 },
    BrGtI { a: u16, i: u16, o: i16 },
    BrEqI { a: u16, i: u16, o: i16 },
    BrNeI { a: u16, i: u16, o: i16 },
    Call { base: u16, height: u16, f: u16 },
    Ret { n: u16, s: u16 },
    Abort { s: u16 },
    AbortMsg { s: u16, m: u16 },
    // References. A narrow reference is a byte index, any other a word index.
    Lea { d: u16, s: u16 },
    LeaNarrow { d: u16, s: u16 },
    RefOff { d: u16, r: u16, o: u16 },
    RefOffNarrow { d: u16, r: u16, o: u16 },
    /// From a reference to a boxed value to a reference to its content.
    RefBox { d: u16, r: u16 },
    /// A reference to an enum to one of a field; `v` names the slot of the field in each variant.
    RefVariant { narrow: u8, d: u16, r: u16, v: u16 },
    Ld { d: u16, r: u16, o: u16 },
    LdNarrow { w: u8, d: u16, r: u16 },
    LdN { n: u8, d: u16, r: u16, o: u16 },
    St { r: u16, o: u16, s: u16 },
    StNarrow { w: u8, r: u16, s: u16 },
    StN { n: u8, r: u16, o: u16, s: u16 },
    // Whole values; `Clone` and `CloneBehind` are followed by `Arg { a: type, b: gas per unit }`.
    Clone { d: u16, s: u16 },
    CloneBehind { d: u16, r: u16, o: u16 },
    Drop { s: u16, ty: u16 },
    DropBehind { r: u16, o: u16, ty: u16 },
    BoxNew { d: u16, s: u16, n: u16 },
    BoxOpen { d: u16, s: u16, n: u16 },
    // Enums.
    /// Moves `n` words from `s` to `s + 1` and puts the tag at `s`.
    PackVariant { s: u16, n: u16, tag: u16 },
    /// Checks the tag at `s` and moves the `n` words after it to `d`.
    UnpackVariant { tag: u8, d: u16, s: u16, n: u16 },
    TestVariant { d: u16, r: u16, tag: u16 },
    // Vectors through references to their slot.
    VecLen { d: u16, r: u16 },
    VecRef { n: u8, d: u16, r: u16, i: u16 },
    VecRefNarrow { w: u8, d: u16, r: u16, i: u16 },
    VecLd { n: u8, d: u16, r: u16, i: u16 },
    VecLdNarrow { w: u8, d: u16, r: u16, i: u16 },
    VecSt { n: u8, r: u16, i: u16, s: u16 },
    VecStNarrow { w: u8, r: u16, i: u16, s: u16 },
    VecPush { n: u8, r: u16, s: u16 },
    VecPushNarrow { w: u8, r: u16, s: u16 },
    VecPop { n: u8, d: u16, r: u16 },
    VecPopNarrow { w: u8, d: u16, r: u16 },
    /// `Arg { a: stride in words or 0, b: width in bytes or 0 }` follows.
    VecSwap { r: u16, i: u16, j: u16 },
    VecPack { n: u8, d: u16, s: u16, count: u16 },
    VecPackNarrow { w: u8, d: u16, s: u16, count: u16 },
    VecUnpack { n: u8, d: u16, s: u16, count: u16 },
    VecUnpackNarrow { w: u8, d: u16, s: u16, count: u16 },
    // Vectors in a local of this frame.
    VecLenLocal { d: u16, v: u16 },
    VecLdLocal { n: u8, d: u16, v: u16, i: u16 },
    VecLdNarrowLocal { w: u8, d: u16, v: u16, i: u16 },
    VecStLocal { n: u8, v: u16, i: u16, s: u16 },
    VecStNarrowLocal { w: u8, v: u16, i: u16, s: u16 },
    VecPushLocal { n: u8, v: u16, s: u16 },
    VecPushNarrowLocal { w: u8, v: u16, s: u16 },
    // Globals: `a` is the first of four slots of an address.
    Borrow { mutable: u8, d: u16, a: u16, ty: u16 },
    Exists { d: u16, a: u16, ty: u16 },
    MoveFrom { d: u16, a: u16, ty: u16 },
    MoveTo { r: u16, s: u16, ty: u16 },
    // Increment `d` by one, then jump if it is below `b`.
    IncLt { d: u16, b: u16, o: i16 },
    /// More operands of the instruction before.
    Arg { a: u16, b: u32 },
    /// Stops with a message that names what is missing.
    NotImplemented { what: u32 },
}

/// Things bytecode can ask for that are not done.
pub const NOT_IMPLEMENTED: [&str; 1] = ["function values"];

/// Marks a variant without the field in [`Code::variant_fields`].
pub const NO_FIELD: u32 = u32::MAX;

/// Consecutive bytecodes that one charge pays for. Control runs through them without a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First bytecode offset.
    pub first: u16,
    /// Last bytecode offset.
    pub last: u16,
    /// Where the copied loop head starts that runs after `last`, up to its conditional branch.
    pub head: Option<u16>,
}

/// A lowered function with its type arguments.
pub struct Code {
    /// Instructions; the last one ends control.
    pub ins: Box<[Ins]>,
    /// Bytecode offset of each instruction's constituent that can fail.
    pub offsets: Box<[u16]>,
    /// By bytecode offset: cost of what follows it in its segment, which a failure there gives back.
    pub rest_cost: Box<[u64]>,
    /// By bytecode offset: static cost.
    pub cost: Box<[u64]>,
    /// What each charge pays for.
    pub segments: Box<[Segment]>,
    /// Constant words.
    pub words: Box<[u64]>,
    /// Constants that need blocks: type and BCS.
    pub constants: Box<[(TypeId, Box<[u8]>)]>,
    /// Types named by instructions.
    pub types: Box<[TypeId]>,
    /// Instances named by calls.
    pub callees: Box<[u32]>,
    /// For variant field borrows: slot of the field by variant, [`NO_FIELD`] where there is none.
    pub variant_fields: Box<[Box<[u32]>]>,
    /// Slots of a frame.
    pub frame_slots: u32,
    /// Most operand values of a frame at once.
    pub height: u32,
    /// The module.
    pub module: ModuleIx,
    /// The function in it.
    pub function: u16,
    /// Set for a native; `ins` is then empty.
    pub native: Option<NativeFunction>,
    /// Type and first slot of each parameter.
    pub parameters: Box<[FieldSlot]>,
    /// Type and first slot of each result, as a return leaves them.
    pub results: Box<[FieldSlot]>,
    /// Type arguments.
    pub type_arguments: Box<[TypeId]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_eight_bytes() {
        assert_eq!(size_of::<Ins>(), 8);
    }

    #[test]
    fn operation_and_type_fit_a_byte_and_come_back() {
        for op in BinOp::ALL {
            for int in Int::ALL {
                assert_eq!(BinOp::unpack(op.pack(int)), (op, int));
            }
        }
    }
}
