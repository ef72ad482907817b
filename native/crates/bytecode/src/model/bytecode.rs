//! The instruction set: one table of opcode byte, first version, name and operands.
//!
//! Everything that must agree about opcodes comes from this table: the enum, its names, what a
//! version allows, how operands are laid out in the file. What an instruction does to the stack is
//! in its line; types are checked by the verifier, effects are the interpreter's.

use super::index::*;
use crate::error::BinaryError;
use crate::wire::{Cursor, Sink, operand};

macro_rules! instructions {
    ($($(#[$doc:meta])* $code:literal, $version:literal, $name:ident
        $(($($operand:ident: $type:ty as $form:ident),+))?;)*) => {
        /// One instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Bytecode {
            $($(#[$doc])* $name $(($($type),+))?,)*
        }

        impl Bytecode {
            /// How many opcodes there are; their bytes are 1 to this number.
            pub const COUNT: usize = [$($code),*].len();

            /// The opcode byte.
            pub fn opcode(&self) -> u8 {
                match self {
                    $(Self::$name { .. } => $code,)*
                }
            }

            /// The instruction's name as the specification spells it.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => stringify!($name),)*
                }
            }

            /// The first bytecode version that has this instruction.
            pub fn min_version(&self) -> u32 {
                match self {
                    $(Self::$name { .. } => $version,)*
                }
            }

            /// Reads one instruction.
            ///
            /// # Errors
            /// `UNKNOWN_OPCODE` for a byte that is none, `MALFORMED` for one newer than `version`,
            /// and whatever is wrong with an operand.
            pub(crate) fn read(cursor: &mut Cursor<'_>, version: u32) -> Result<Self, BinaryError> {
                match cursor.byte()? {
                    $($code => {
                        if version < $version {
                            return Err(cursor.malformed("an opcode newer than the version"));
                        }
                        Ok(Self::$name $(($(operand::$form::read(cursor)?),+))?)
                    })*
                    _ => Err(cursor.unknown_opcode()),
                }
            }

            /// Writes opcode and operands.
            pub(crate) fn write(&self, sink: &mut Sink) {
                match self {
                    $(Self::$name $(($($operand),+))? => {
                        sink.byte($code);
                        $($(operand::$form::write(sink, *$operand);)+)?
                    })*
                }
            }
        }
    };
}

instructions! {
    /// Drop the top value.
    0x01, 1, Pop;
    /// Return; the results are on the stack.
    0x02, 1, Ret;
    /// Jump if the popped boolean is true.
    0x03, 1, BrTrue(target: CodeOffset as index16);
    /// Jump if the popped boolean is false.
    0x04, 1, BrFalse(target: CodeOffset as index16);
    /// Jump.
    0x05, 1, Branch(target: CodeOffset as index16);
    /// Push a `u64`.
    0x06, 1, LdU64(value: u64 as fixed);
    /// Push a constant of the pool.
    0x07, 1, LdConst(constant: ConstantIndex as index);
    /// Push `true`.
    0x08, 1, LdTrue;
    /// Push `false`.
    0x09, 1, LdFalse;
    /// Push a copy of a local.
    0x0A, 1, CopyLoc(local: LocalIndex as index8);
    /// Push a local and leave it unset.
    0x0B, 1, MoveLoc(local: LocalIndex as index8);
    /// Pop into a local.
    0x0C, 1, StLoc(local: LocalIndex as index8);
    /// Push `&mut` of a local.
    0x0D, 1, MutBorrowLoc(local: LocalIndex as index8);
    /// Push `&` of a local.
    0x0E, 1, ImmBorrowLoc(local: LocalIndex as index8);
    /// `&mut S` to `&mut` of a field.
    0x0F, 1, MutBorrowField(field: FieldHandleIndex as index);
    /// A reference to `S` to `&` of a field.
    0x10, 1, ImmBorrowField(field: FieldHandleIndex as index);
    /// Call a function without type parameters.
    0x11, 1, Call(callee: FunctionHandleIndex as index);
    /// Fields to struct; the first field is deepest.
    0x12, 1, Pack(definition: StructDefIndex as index);
    /// Struct to fields; the last field ends on top.
    0x13, 1, Unpack(definition: StructDefIndex as index);
    /// Copy what a reference points to.
    0x14, 1, ReadRef;
    /// Pop `&mut T`, then a value, and write it.
    0x15, 1, WriteRef;
    /// Checked addition.
    0x16, 1, Add;
    /// Checked subtraction.
    0x17, 1, Sub;
    /// Checked multiplication.
    0x18, 1, Mul;
    /// Remainder with the sign of the dividend.
    0x19, 1, Mod;
    /// Division truncating toward zero.
    0x1A, 1, Div;
    /// Bitwise or, unsigned.
    0x1B, 1, BitOr;
    /// Bitwise and, unsigned.
    0x1C, 1, BitAnd;
    /// Bitwise exclusive or, unsigned.
    0x1D, 1, Xor;
    /// Boolean or of two evaluated operands.
    0x1E, 1, Or;
    /// Boolean and of two evaluated operands.
    0x1F, 1, And;
    /// Boolean not.
    0x20, 1, Not;
    /// Deep equality; references compare what they point to.
    0x21, 1, Eq;
    /// Deep inequality.
    0x22, 1, Neq;
    /// Integer less than.
    0x23, 1, Lt;
    /// Integer greater than.
    0x24, 1, Gt;
    /// Integer less or equal.
    0x25, 1, Le;
    /// Integer greater or equal.
    0x26, 1, Ge;
    /// Stop with the popped code.
    0x27, 1, Abort;
    /// Nothing.
    0x28, 1, Nop;
    /// Whether a resource is at the popped address.
    0x29, 1, Exists(definition: StructDefIndex as index);
    /// `&mut` to the resource at the popped address.
    0x2A, 1, MutBorrowGlobal(definition: StructDefIndex as index);
    /// `&` to the resource at the popped address.
    0x2B, 1, ImmBorrowGlobal(definition: StructDefIndex as index);
    /// Take the resource at the popped address.
    0x2C, 1, MoveFrom(definition: StructDefIndex as index);
    /// Pop a struct, then `&signer`, and publish it there.
    0x2D, 1, MoveTo(definition: StructDefIndex as index);
    /// `&mut T` to `&T`.
    0x2E, 1, FreezeRef;
    /// Shift left by the popped `u8`.
    0x2F, 1, Shl;
    /// Shift right by the popped `u8`.
    0x30, 1, Shr;
    /// Push a `u8`.
    0x31, 1, LdU8(value: u8 as fixed);
    /// Push a `u128`.
    0x32, 1, LdU128(value: u128 as fixed);
    /// Checked conversion to `u8`.
    0x33, 1, CastU8;
    /// Checked conversion to `u64`.
    0x34, 1, CastU64;
    /// Checked conversion to `u128`.
    0x35, 1, CastU128;
    /// Generic `MutBorrowField`.
    0x36, 1, MutBorrowFieldGeneric(field: FieldInstIndex as index);
    /// Generic `ImmBorrowField`.
    0x37, 1, ImmBorrowFieldGeneric(field: FieldInstIndex as index);
    /// Call a function with type arguments.
    0x38, 1, CallGeneric(callee: FunctionInstIndex as index);
    /// Generic `Pack`.
    0x39, 1, PackGeneric(instance: StructInstIndex as index);
    /// Generic `Unpack`.
    0x3A, 1, UnpackGeneric(instance: StructInstIndex as index);
    /// Generic `Exists`.
    0x3B, 1, ExistsGeneric(instance: StructInstIndex as index);
    /// Generic `MutBorrowGlobal`.
    0x3C, 1, MutBorrowGlobalGeneric(instance: StructInstIndex as index);
    /// Generic `ImmBorrowGlobal`.
    0x3D, 1, ImmBorrowGlobalGeneric(instance: StructInstIndex as index);
    /// Generic `MoveFrom`.
    0x3E, 1, MoveFromGeneric(instance: StructInstIndex as index);
    /// Generic `MoveTo`.
    0x3F, 1, MoveToGeneric(instance: StructInstIndex as index);
    /// That many elements to a vector.
    0x40, 4, VecPack(signature: SignatureIndex as index, count: u64 as fixed);
    /// Length of the vector behind a reference.
    0x41, 4, VecLen(signature: SignatureIndex as index);
    /// Reference to vector and index to `&` of the element.
    0x42, 4, VecImmBorrow(signature: SignatureIndex as index);
    /// `&mut` to vector and index to `&mut` of the element.
    0x43, 4, VecMutBorrow(signature: SignatureIndex as index);
    /// Pop an element, then `&mut` to vector, and append.
    0x44, 4, VecPushBack(signature: SignatureIndex as index);
    /// Take the last element off.
    0x45, 4, VecPopBack(signature: SignatureIndex as index);
    /// Vector of exactly that length to its elements.
    0x46, 4, VecUnpack(signature: SignatureIndex as index, count: u64 as fixed);
    /// Swap the elements at two popped indices.
    0x47, 4, VecSwap(signature: SignatureIndex as index);
    /// Push a `u16`.
    0x48, 6, LdU16(value: u16 as fixed);
    /// Push a `u32`.
    0x49, 6, LdU32(value: u32 as fixed);
    /// Push a `u256`, little-endian bytes.
    0x4A, 6, LdU256(value: [u8; 32] as fixed);
    /// Checked conversion to `u16`.
    0x4B, 6, CastU16;
    /// Checked conversion to `u32`.
    0x4C, 6, CastU32;
    /// Checked conversion to `u256`.
    0x4D, 6, CastU256;
    /// Reference to enum to `&` of a field of the listed variants.
    0x4E, 7, ImmBorrowVariantField(field: VariantFieldHandleIndex as index);
    /// `&mut` to enum to `&mut` of a field of the listed variants.
    0x4F, 7, MutBorrowVariantField(field: VariantFieldHandleIndex as index);
    /// Generic `ImmBorrowVariantField`.
    0x50, 7, ImmBorrowVariantFieldGeneric(field: VariantFieldInstIndex as index);
    /// Generic `MutBorrowVariantField`.
    0x51, 7, MutBorrowVariantFieldGeneric(field: VariantFieldInstIndex as index);
    /// Fields to enum value.
    0x52, 7, PackVariant(variant: StructVariantHandleIndex as index);
    /// Generic `PackVariant`.
    0x53, 7, PackVariantGeneric(variant: StructVariantInstIndex as index);
    /// Enum value of that variant to fields.
    0x54, 7, UnpackVariant(variant: StructVariantHandleIndex as index);
    /// Generic `UnpackVariant`.
    0x55, 7, UnpackVariantGeneric(variant: StructVariantInstIndex as index);
    /// Whether the enum behind a reference has that variant.
    0x56, 7, TestVariant(variant: StructVariantHandleIndex as index);
    /// Generic `TestVariant`.
    0x57, 7, TestVariantGeneric(variant: StructVariantInstIndex as index);
    /// Captured arguments to closure; mask bit i set = parameter i captured.
    0x58, 8, PackClosure(callee: FunctionHandleIndex as index, mask: u64 as uleb64);
    /// Generic `PackClosure`.
    0x59, 8, PackClosureGeneric(callee: FunctionInstIndex as index, mask: u64 as uleb64);
    /// Pop a closure, then its remaining arguments, and call it.
    0x5A, 8, CallClosure(signature: SignatureIndex as index);
    /// Push an `i8`.
    0x5B, 9, LdI8(value: i8 as fixed);
    /// Push an `i16`.
    0x5C, 9, LdI16(value: i16 as fixed);
    /// Push an `i32`.
    0x5D, 9, LdI32(value: i32 as fixed);
    /// Push an `i64`.
    0x5E, 9, LdI64(value: i64 as fixed);
    /// Push an `i128`.
    0x5F, 9, LdI128(value: i128 as fixed);
    /// Push an `i256`, two's complement little-endian bytes.
    0x60, 9, LdI256(value: [u8; 32] as fixed);
    /// Checked conversion to `i8`.
    0x61, 9, CastI8;
    /// Checked conversion to `i16`.
    0x62, 9, CastI16;
    /// Checked conversion to `i32`.
    0x63, 9, CastI32;
    /// Checked conversion to `i64`.
    0x64, 9, CastI64;
    /// Checked conversion to `i128`.
    0x65, 9, CastI128;
    /// Checked conversion to `i256`.
    0x66, 9, CastI256;
    /// Checked negation, signed.
    0x67, 9, Negate;
    /// Pop a message, then a code, and stop.
    0x68, 10, AbortMsg;
}

impl Bytecode {
    /// Whether control never falls through to the next instruction.
    pub fn is_unconditional_branch(&self) -> bool {
        matches!(self, Self::Ret | Self::Branch(_) | Self::Abort | Self::AbortMsg)
    }

    /// Whether this is a branch that may fall through.
    pub fn is_conditional_branch(&self) -> bool {
        matches!(self, Self::BrTrue(_) | Self::BrFalse(_))
    }

    /// Whether a basic block ends after this instruction.
    pub fn ends_block(&self) -> bool {
        self.is_unconditional_branch() || self.is_conditional_branch()
    }

    /// Where this instruction may jump, if it is a branch.
    pub fn branch_target(&self) -> Option<CodeOffset> {
        match self {
            Self::BrTrue(target) | Self::BrFalse(target) | Self::Branch(target) => Some(*target),
            _ => None,
        }
    }
}
