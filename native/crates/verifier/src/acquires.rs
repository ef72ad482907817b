//! A function lists exactly the local resources it, or what it calls here, borrows or takes.

use std::collections::{BTreeMap, BTreeSet};

use ledger_bytecode::{
    Bytecode, CompiledModule, FunctionDefIndex, FunctionHandleIndex, StatusCode, StructDefIndex, Table,
};

use crate::error::{Verdict, VerificationError};

/// Acquires lists of the functions defined in a module, by handle.
pub(crate) type AcquiresByHandle<'a> = BTreeMap<FunctionHandleIndex, &'a [StructDefIndex]>;

/// Collects the lists.
pub(crate) fn by_handle(module: &CompiledModule) -> AcquiresByHandle<'_> {
    module.function_defs().map(|(_, def)| (def.handle, def.acquires.as_slice())).collect()
}

/// Checks the list of one function. Natives list what they like, but only key structs.
pub(crate) fn verify_function(
    module: &CompiledModule,
    function: FunctionDefIndex,
    by_handle: &AcquiresByHandle<'_>,
) -> Verdict {
    let def = &module[function];
    let declared: BTreeSet<StructDefIndex> = def.acquires.iter().copied().collect();
    let mut used = BTreeSet::new();
    let mut callees = BTreeSet::new();
    for (offset, instruction) in def.code.iter().flat_map(|unit| &unit.code).enumerate() {
        use Bytecode::*;
        let missing = || {
            let message = "a resource borrowed or taken that is not listed as acquired";
            let status = StatusCode::MISSING_ACQUIRES_ANNOTATION;
            Err(VerificationError::instruction(status, Some(function), offset, message))
        };
        let callee = match *instruction {
            Call(target) => target,
            CallGeneric(instance) => module[instance].target,
            MoveFrom(owner) | MutBorrowGlobal(owner) | ImmBorrowGlobal(owner) => {
                if !declared.contains(&owner) {
                    return missing();
                }
                used.insert(owner);
                continue;
            }
            MoveFromGeneric(instance)
            | MutBorrowGlobalGeneric(instance)
            | ImmBorrowGlobalGeneric(instance) => {
                let owner = module[instance].target;
                if !declared.contains(&owner) {
                    return missing();
                }
                used.insert(owner);
                continue;
            }
            _ => continue,
        };
        if !callees.insert(callee) {
            continue;
        }
        for acquired in by_handle.get(&callee).copied().unwrap_or(&[]) {
            if !declared.contains(acquired) {
                return missing();
            }
            used.insert(*acquired);
        }
    }
    let fault = |status, message| {
        Err(VerificationError::entry(status, Table::FunctionDefs, function.index(), message))
    };
    for owner in &declared {
        if def.code.is_some() && !used.contains(owner) {
            let message = "a resource listed as acquired that is not";
            return fault(StatusCode::EXTRANEOUS_ACQUIRES_ANNOTATION, message);
        }
        if !module.struct_handle_of(*owner).abilities.has_key() {
            let message = "a struct listed as acquired that is no resource";
            return fault(StatusCode::INVALID_ACQUIRES_ANNOTATION, message);
        }
    }
    Ok(())
}
