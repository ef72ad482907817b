//! Language features the chain has switched off.

use ledger_bytecode::{AccessSpecifier, Bytecode, CodeUnit, StatusCode, Table, Tables, Type, TypeNode};

use crate::error::{Verdict, VerificationError};
use crate::limits::FeatureSwitches;

/// Refuses what needs a feature that is off; `code` is a script's body, modules have theirs in the
/// tables.
pub(crate) fn verify(
    tables: &Tables,
    access: Option<&[AccessSpecifier]>,
    code: Option<&CodeUnit>,
    features: FeatureSwitches,
) -> Verdict {
    let off = |table, index, message| {
        Err(VerificationError::entry(StatusCode::FEATURE_NOT_ENABLED, table, index, message))
    };
    if !features.enums
        && let Some(index) = tables.struct_defs.iter().position(|def| def.is_enum())
    {
        return off(Table::StructDefs, index, "enums are not enabled");
    }
    if !features.access_specifiers {
        let restricted = tables.function_handles.iter().position(|handle| handle.access.is_some());
        if let Some(index) = restricted {
            return off(Table::FunctionHandles, index, "access specifiers are not enabled");
        }
        if access.is_some() {
            let message = "access specifiers are not enabled";
            return Err(VerificationError::whole(StatusCode::FEATURE_NOT_ENABLED, message));
        }
    }
    if features.function_values {
        return Ok(());
    }
    let message = "function values are not enabled";
    let signatures = tables.signatures.iter();
    if let Some(index) = signatures.clone().position(|signature| signature.0.iter().any(has_function)) {
        return off(Table::Signatures, index, message);
    }
    let in_fields =
        |def: &ledger_bytecode::StructDef| def.all_fields().any(|field| has_function(&field.field_type));
    if let Some(index) = tables.struct_defs.iter().position(in_fields) {
        return off(Table::StructDefs, index, message);
    }
    if let Some(index) = tables.function_handles.iter().position(|handle| !handle.attributes.is_empty()) {
        return off(Table::FunctionHandles, index, message);
    }
    let bodies = tables.function_defs.iter().filter_map(|def| def.code.as_ref()).chain(code);
    for (index, body) in bodies.enumerate() {
        let is_closure = |instruction: &Bytecode| {
            use Bytecode::{CallClosure, PackClosure, PackClosureGeneric};
            matches!(instruction, PackClosure(..) | PackClosureGeneric(..) | CallClosure(..))
        };
        if body.code.iter().any(is_closure) {
            return off(Table::FunctionDefs, index, message);
        }
    }
    Ok(())
}

fn has_function(entry: &Type) -> bool {
    entry.nodes().iter().any(|node| matches!(node, TypeNode::Function { .. }))
}
