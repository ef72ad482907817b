//! One instruction as text: its name, then what its operands name.

use std::fmt::{self, Write};

use super::{Hex, Joined, TypeList, assembly_type};
use crate::model::*;

pub(super) fn write(out: &mut String, tables: &Tables, instruction: &Bytecode) -> fmt::Result {
    use Bytecode::*;
    out.write_str(instruction.name())?;
    match *instruction {
        BrTrue(target) | BrFalse(target) | Branch(target) => write!(out, " {target}"),
        CopyLoc(local) | MoveLoc(local) | StLoc(local) | MutBorrowLoc(local) | ImmBorrowLoc(local) => {
            write!(out, " {local}")
        }
        LdU8(value) => write!(out, " {value}"),
        LdU16(value) => write!(out, " {value}"),
        LdU32(value) => write!(out, " {value}"),
        LdU64(value) => write!(out, " {value}"),
        LdU128(value) => write!(out, " {value}"),
        LdI8(value) => write!(out, " {value}"),
        LdI16(value) => write!(out, " {value}"),
        LdI32(value) => write!(out, " {value}"),
        LdI64(value) => write!(out, " {value}"),
        LdI128(value) => write!(out, " {value}"),
        LdU256(value) | LdI256(value) => write!(out, " {}", Hex(&value)),
        LdConst(constant) => {
            let constant = &tables[constant];
            write!(out, " {} {}", assembly_type(tables, &constant.value_type), Hex(&constant.bytes))
        }
        Call(function) => write_function(out, tables, function),
        CallGeneric(function) => write_function_instance(out, tables, function),
        PackClosure(function, mask) => {
            write_function(out, tables, function)?;
            write!(out, " {mask}")
        }
        PackClosureGeneric(function, mask) => {
            write_function_instance(out, tables, function)?;
            write!(out, " {mask}")
        }
        CallClosure(signature) => write!(out, " {}", TypeList(tables, signature)),
        Pack(def) | Unpack(def) | Exists(def) | MutBorrowGlobal(def) | ImmBorrowGlobal(def)
        | MoveFrom(def) | MoveTo(def) => write_struct(out, tables, def, None),
        PackGeneric(instance)
        | UnpackGeneric(instance)
        | ExistsGeneric(instance)
        | MutBorrowGlobalGeneric(instance)
        | ImmBorrowGlobalGeneric(instance)
        | MoveFromGeneric(instance)
        | MoveToGeneric(instance) => {
            let entry = tables[instance];
            write_struct(out, tables, entry.target, Some(entry.type_arguments))
        }
        MutBorrowField(field) | ImmBorrowField(field) => write_field(out, tables, field, None),
        MutBorrowFieldGeneric(field) | ImmBorrowFieldGeneric(field) => {
            let entry = tables[field];
            write_field(out, tables, entry.target, Some(entry.type_arguments))
        }
        ImmBorrowVariantField(field) | MutBorrowVariantField(field) => {
            write_variant_field(out, tables, field, None)
        }
        ImmBorrowVariantFieldGeneric(field) | MutBorrowVariantFieldGeneric(field) => {
            let entry = tables[field];
            write_variant_field(out, tables, entry.target, Some(entry.type_arguments))
        }
        PackVariant(variant) | UnpackVariant(variant) | TestVariant(variant) => {
            write_variant(out, tables, variant, None)
        }
        PackVariantGeneric(variant) | UnpackVariantGeneric(variant) | TestVariantGeneric(variant) => {
            let entry = tables[variant];
            write_variant(out, tables, entry.target, Some(entry.type_arguments))
        }
        VecPack(signature, count) | VecUnpack(signature, count) => {
            write!(out, " {} {count}", TypeList(tables, signature))
        }
        VecLen(signature)
        | VecImmBorrow(signature)
        | VecMutBorrow(signature)
        | VecPushBack(signature)
        | VecPopBack(signature)
        | VecSwap(signature) => {
            write!(out, " {}", TypeList(tables, signature))
        }
        Pop | Ret | LdTrue | LdFalse | ReadRef | WriteRef | Add | Sub | Mul | Mod | Div | BitOr | BitAnd
        | Xor | Or | And | Not | Eq | Neq | Lt | Gt | Le | Ge | Abort | AbortMsg | Nop | FreezeRef | Shl
        | Shr | CastU8 | CastU16 | CastU32 | CastU64 | CastU128 | CastU256 | CastI8 | CastI16 | CastI32
        | CastI64 | CastI128 | CastI256 | Negate => Ok(()),
    }
}

fn write_arguments(out: &mut String, tables: &Tables, arguments: Option<SignatureIndex>) -> fmt::Result {
    match arguments {
        Some(arguments) => write!(out, "<{}>", TypeList(tables, arguments)),
        None => Ok(()),
    }
}

fn write_function(out: &mut String, tables: &Tables, function: FunctionHandleIndex) -> fmt::Result {
    let handle = &tables[function];
    write!(out, " {}::{}", tables.module_id(&tables[handle.module]), tables[handle.name])
}

fn write_function_instance(out: &mut String, tables: &Tables, instance: FunctionInstIndex) -> fmt::Result {
    let entry = tables[instance];
    write_function(out, tables, entry.target)?;
    write_arguments(out, tables, Some(entry.type_arguments))
}

fn write_struct(
    out: &mut String,
    tables: &Tables,
    def: StructDefIndex,
    arguments: Option<SignatureIndex>,
) -> fmt::Result {
    write!(out, " {}", tables.struct_name(tables[def].handle))?;
    write_arguments(out, tables, arguments)
}

fn write_field(
    out: &mut String,
    tables: &Tables,
    field: FieldHandleIndex,
    arguments: Option<SignatureIndex>,
) -> fmt::Result {
    let handle = tables[field];
    write_struct(out, tables, handle.owner, arguments)?;
    let field = &tables[handle.owner].fields()[usize::from(handle.field)];
    write!(out, ".{}", tables[field.name])
}

fn write_variant(
    out: &mut String,
    tables: &Tables,
    variant: StructVariantHandleIndex,
    arguments: Option<SignatureIndex>,
) -> fmt::Result {
    let handle = tables[variant];
    write_struct(out, tables, handle.owner, arguments)?;
    let variant = &tables[handle.owner].variants()[usize::from(handle.variant)];
    write!(out, "::{}", tables[variant.name])
}

/// The field by offset, since variants may call it by different names.
fn write_variant_field(
    out: &mut String,
    tables: &Tables,
    field: VariantFieldHandleIndex,
    arguments: Option<SignatureIndex>,
) -> fmt::Result {
    let handle = &tables[field];
    write_struct(out, tables, handle.owner, arguments)?;
    let names = handle
        .variants
        .iter()
        .map(|variant| &tables[tables[handle.owner].variants()[usize::from(*variant)].name]);
    write!(out, "::{{{}}}.{}", Joined(names), handle.field)
}
