//! Bounds of one function body.
//!
//! Variant tables are checked after the bodies (that is the order in which faults are reported), so
//! an instruction's check may not follow a variant handle further than its own table.

use super::{Checker, LOCALS_MAX, out_of_bounds};
use crate::error::{BinaryError, Place};
use crate::model::{Bytecode, CodeUnit, SignatureIndex};
use crate::status::StatusCode;

/// What an instruction's operand points into.
enum Operand {
    None,
    Index(u16, usize),
    Local(u8),
    Target(u16),
    Signature(SignatureIndex),
    /// Position, table length, and the type arguments if the position is good.
    Instance(u16, usize, Option<SignatureIndex>),
}

impl Checker<'_> {
    pub(super) fn code(
        &self,
        function: Option<u16>,
        unit: &CodeUnit,
        parameters: usize,
        scope: usize,
    ) -> Result<(), BinaryError> {
        let at = |offset| Place::Instruction { function, offset };
        self.signature_in_scope(unit.locals, scope, at(0))?;
        let locals = parameters + self.tables[unit.locals].len();
        if locals > LOCALS_MAX {
            return Err(BinaryError {
                status: StatusCode::TOO_MANY_LOCALS,
                place: at(0),
                message: "more parameters and locals than 255",
            });
        }
        for (offset, instruction) in unit.code.iter().enumerate() {
            let place = at(offset);
            match self.operand(instruction) {
                Operand::None => {}
                Operand::Index(index, length) => self.index(usize::from(index), length, place)?,
                Operand::Local(local) => {
                    if usize::from(local) >= locals {
                        return Err(out_of_bounds(place, "a local that is not declared"));
                    }
                }
                Operand::Target(target) => {
                    if usize::from(target) >= unit.code.len() {
                        return Err(out_of_bounds(place, "a branch beyond the code"));
                    }
                }
                Operand::Signature(signature) => self.signature_in_scope(signature, scope, place)?,
                Operand::Instance(index, length, type_arguments) => {
                    self.index(usize::from(index), length, place)?;
                    if let Some(signature) = type_arguments {
                        self.signature_in_scope(signature, scope, place)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn operand(&self, instruction: &Bytecode) -> Operand {
        use Bytecode::*;
        let tables = self.tables;

        macro_rules! index {
            ($index:expr, $table:ident) => {
                Operand::Index($index.0, tables.$table.len())
            };
        }
        macro_rules! instance {
            ($index:expr, $table:ident) => {
                Operand::Instance(
                    $index.0,
                    tables.$table.len(),
                    tables.$table.get($index.index()).map(|entry| entry.type_arguments),
                )
            };
        }

        match *instruction {
            BrTrue(target) | BrFalse(target) | Branch(target) => Operand::Target(target),
            CopyLoc(local) | MoveLoc(local) | StLoc(local) | MutBorrowLoc(local) | ImmBorrowLoc(local) => {
                Operand::Local(local)
            }
            LdConst(constant) => index!(constant, constants),
            MutBorrowField(field) | ImmBorrowField(field) => index!(field, field_handles),
            MutBorrowFieldGeneric(field) | ImmBorrowFieldGeneric(field) => {
                instance!(field, field_instantiations)
            }
            ImmBorrowVariantField(field) | MutBorrowVariantField(field) => {
                index!(field, variant_field_handles)
            }
            ImmBorrowVariantFieldGeneric(field) | MutBorrowVariantFieldGeneric(field) => {
                instance!(field, variant_field_instantiations)
            }
            Call(function) | PackClosure(function, _) => index!(function, function_handles),
            CallGeneric(function) | PackClosureGeneric(function, _) => {
                instance!(function, function_instantiations)
            }
            Pack(def) | Unpack(def) | Exists(def) | MutBorrowGlobal(def) | ImmBorrowGlobal(def)
            | MoveFrom(def) | MoveTo(def) => index!(def, struct_defs),
            PackGeneric(instance)
            | UnpackGeneric(instance)
            | ExistsGeneric(instance)
            | MutBorrowGlobalGeneric(instance)
            | ImmBorrowGlobalGeneric(instance)
            | MoveFromGeneric(instance)
            | MoveToGeneric(instance) => {
                instance!(instance, struct_instantiations)
            }
            PackVariant(variant) | UnpackVariant(variant) | TestVariant(variant) => {
                index!(variant, struct_variant_handles)
            }
            PackVariantGeneric(variant) | UnpackVariantGeneric(variant) | TestVariantGeneric(variant) => {
                instance!(variant, struct_variant_instantiations)
            }
            VecPack(signature, _)
            | VecUnpack(signature, _)
            | VecLen(signature)
            | VecImmBorrow(signature)
            | VecMutBorrow(signature)
            | VecPushBack(signature)
            | VecPopBack(signature)
            | VecSwap(signature)
            | CallClosure(signature) => Operand::Signature(signature),
            Pop | Ret | LdU8(_) | LdU16(_) | LdU32(_) | LdU64(_) | LdU128(_) | LdU256(_) | LdI8(_)
            | LdI16(_) | LdI32(_) | LdI64(_) | LdI128(_) | LdI256(_) | LdTrue | LdFalse | ReadRef
            | WriteRef | Add | Sub | Mul | Mod | Div | BitOr | BitAnd | Xor | Or | And | Not | Eq | Neq
            | Lt | Gt | Le | Ge | Abort | AbortMsg | Nop | FreezeRef | Shl | Shr | CastU8 | CastU16
            | CastU32 | CastU64 | CastU128 | CastU256 | CastI8 | CastI16 | CastI32 | CastI64 | CastI128
            | CastI256 | Negate => Operand::None,
        }
    }
}
