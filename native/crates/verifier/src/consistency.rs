//! Instructions agree with what they name: generic forms for generic things, closure masks within
//! the parameters, vector literals within their limit.

use ledger_bytecode::{Body, Bytecode, FunctionHandleIndex, StatusCode, StructDefIndex, Tables};

use crate::error::{Verdict, VerificationError};
use crate::limits::VECTOR_LITERAL_MAX;

/// Checks one function body.
pub(crate) fn verify_body(tables: &Tables, body: &Body<'_>) -> Verdict {
    for (offset, instruction) in body.code.code.iter().enumerate() {
        verify(tables, instruction).map_err(|(status, message)| {
            VerificationError::instruction(status, body.function, offset, message)
        })?;
    }
    Ok(())
}

type Fault = (StatusCode, &'static str);

fn verify(tables: &Tables, instruction: &Bytecode) -> Result<(), Fault> {
    use Bytecode::*;
    match *instruction {
        MutBorrowField(field) | ImmBorrowField(field) => structure(tables, tables[field].owner, false),
        MutBorrowFieldGeneric(field) | ImmBorrowFieldGeneric(field) => {
            structure(tables, tables[tables[field].target].owner, true)
        }
        ImmBorrowVariantField(field) | MutBorrowVariantField(field) => {
            structure(tables, tables[field].owner, false)
        }
        ImmBorrowVariantFieldGeneric(field) | MutBorrowVariantFieldGeneric(field) => {
            structure(tables, tables[tables[field].target].owner, true)
        }
        PackVariant(variant) | UnpackVariant(variant) | TestVariant(variant) => {
            structure(tables, tables[variant].owner, false)
        }
        PackVariantGeneric(variant) | UnpackVariantGeneric(variant) | TestVariantGeneric(variant) => {
            structure(tables, tables[tables[variant].target].owner, true)
        }
        Pack(def) | Unpack(def) | Exists(def) | MutBorrowGlobal(def) | ImmBorrowGlobal(def)
        | MoveFrom(def) | MoveTo(def) => structure(tables, def, false),
        PackGeneric(instance)
        | UnpackGeneric(instance)
        | ExistsGeneric(instance)
        | MutBorrowGlobalGeneric(instance)
        | ImmBorrowGlobalGeneric(instance)
        | MoveFromGeneric(instance)
        | MoveToGeneric(instance) => structure(tables, tables[instance].target, true),
        Call(target) => function(tables, target, false),
        CallGeneric(instance) => function(tables, tables[instance].target, true),
        PackClosure(target, captured) => {
            function(tables, target, false)?;
            mask(tables, target, captured)
        }
        PackClosureGeneric(instance, captured) => {
            function(tables, tables[instance].target, true)?;
            mask(tables, tables[instance].target, captured)
        }
        VecPack(_, count) | VecUnpack(_, count) if count > VECTOR_LITERAL_MAX => {
            Err((StatusCode::CONSTRAINT_NOT_SATISFIED, "a vector of more than 65535 elements at once"))
        }
        _ => Ok(()),
    }
}

fn form(has_parameters: bool, is_generic_form: bool) -> Result<(), Fault> {
    if has_parameters == is_generic_form {
        return Ok(());
    }
    let message = "the generic form for what is not generic, or the other way round";
    Err((StatusCode::GENERIC_MEMBER_OPCODE_MISMATCH, message))
}

fn structure(tables: &Tables, owner: StructDefIndex, is_generic_form: bool) -> Result<(), Fault> {
    form(!tables[tables[owner].handle].type_parameters.is_empty(), is_generic_form)
}

fn function(tables: &Tables, target: FunctionHandleIndex, is_generic_form: bool) -> Result<(), Fault> {
    form(!tables[target].type_parameters.is_empty(), is_generic_form)
}

fn mask(tables: &Tables, target: FunctionHandleIndex, captured: u64) -> Result<(), Fault> {
    let bits = (u64::BITS - captured.leading_zeros()) as usize;
    if bits <= tables[tables[target].parameters].len() {
        return Ok(());
    }
    Err((StatusCode::INVALID_CLOSURE_MASK, "a captured parameter that the function does not have"))
}
