//! Only events of the own module are emitted.

use ledger_bytecode::{
    Bytecode, CompiledModule, CompiledScript, FunctionHandleIndex, ModuleMetadata, StatusCode, Tables, Type,
};
use ledger_types::Address;

use crate::error::{Verdict, VerificationError};

const MODULE: &str = "event";
const FUNCTION: &str = "emit";

/// Checks every call of `0x1::event::emit`.
///
/// # Errors
/// `EVENT_METADATA_VALIDATION_ERROR` where the first type argument is no struct defined here, or one
/// without the event attribute.
pub fn verify_events(module: &CompiledModule) -> Verdict {
    let metadata = ModuleMetadata::of(module).unwrap_or_default();
    for (function, def) in module.function_defs() {
        for (offset, instruction) in def.code.iter().flat_map(|unit| &unit.code).enumerate() {
            let Bytecode::CallGeneric(instance) = instruction else { continue };
            let entry = module[*instance];
            if !is_emit(module, entry.target) {
                continue;
            }
            let named = module.types(entry.type_arguments).first().map(Type::root);
            let handle = named.and_then(|root| root.struct_handle());
            let is_own_event = handle.is_some_and(|handle| {
                module[handle].module == module.self_handle
                    && metadata.is_event(module.struct_name(handle).as_str())
            });
            if !is_own_event {
                return Err(VerificationError::instruction(
                    StatusCode::EVENT_METADATA_VALIDATION_ERROR,
                    Some(function),
                    offset,
                    "an event emitted that is no event of this module",
                ));
            }
        }
    }
    Ok(())
}

/// Refuses a script that emits events.
///
/// # Errors
/// `INVALID_OPERATION_IN_SCRIPT`.
pub fn verify_script_events(script: &CompiledScript) -> Verdict {
    for (offset, instruction) in script.code.code.iter().enumerate() {
        let Bytecode::CallGeneric(instance) = instruction else { continue };
        if is_emit(script, script[*instance].target) {
            return Err(VerificationError::instruction(
                StatusCode::INVALID_OPERATION_IN_SCRIPT,
                None,
                offset,
                "an event emitted by a script",
            ));
        }
    }
    Ok(())
}

fn is_emit(tables: &Tables, function: FunctionHandleIndex) -> bool {
    let module = &tables[tables[function].module];
    let mut standard = [0; 32];
    standard[31] = 1;
    tables[module.address] == Address(standard)
        && tables[module.name].as_str() == MODULE
        && tables.function_name(function).as_str() == FUNCTION
}
