//! Structs do not contain themselves.
//!
//! Any mention counts: inside vectors, type arguments and function types too. Recursion across
//! modules cannot be, since dependencies have no cycles.

use std::collections::BTreeMap;

use ledger_bytecode::{CompiledModule, StatusCode, StructHandleIndex, Table};

use crate::error::{Verdict, VerificationError};
use crate::strong_components::components;

/// Checks the struct definitions.
pub(crate) fn verify(module: &CompiledModule) -> Verdict {
    let defs = &module.tables.struct_defs;
    let by_handle: BTreeMap<StructHandleIndex, usize> =
        defs.iter().enumerate().map(|(index, def)| (def.handle, index)).collect();
    let successors: Vec<Vec<usize>> = defs
        .iter()
        .map(|def| {
            let nodes = def.all_fields().flat_map(|field| field.field_type.nodes());
            let named = nodes.filter_map(|node| node.struct_handle());
            let mut local: Vec<usize> = named.filter_map(|handle| by_handle.get(&handle).copied()).collect();
            local.sort_unstable();
            local.dedup();
            local
        })
        .collect();
    let component = components(&successors);
    for (index, mentioned) in successors.iter().enumerate() {
        if mentioned.iter().any(|other| component[*other] == component[index]) {
            return Err(VerificationError::entry(
                StatusCode::RECURSIVE_STRUCT_DEFINITION,
                Table::StructDefs,
                index,
                "a struct that contains itself",
            ));
        }
    }
    Ok(())
}
