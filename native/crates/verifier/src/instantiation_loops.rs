//! No function can call itself with ever larger type arguments.
//!
//! Nodes are the type parameters of the functions defined here. Where a generic call passes a
//! parameter on as it is, an edge leads to the callee's parameter; where it passes a type built
//! around the parameter, the edge grows. A cycle through a growing edge would ask for infinitely many
//! instances.

use std::collections::{BTreeMap, BTreeSet};

use ledger_bytecode::{
    Bytecode, CompiledModule, FunctionDefIndex, FunctionHandleIndex, StatusCode, Table, TypeNode,
};

use crate::error::{Verdict, VerificationError};
use crate::strong_components::components;

/// Checks all functions of a module together.
pub(crate) fn verify(module: &CompiledModule) -> Verdict {
    let mut first_node = Vec::new();
    let mut count = 0;
    let mut by_handle: BTreeMap<FunctionHandleIndex, FunctionDefIndex> = BTreeMap::new();
    for (index, def) in module.function_defs() {
        first_node.push(count);
        count += module[def.handle].type_parameters.len();
        by_handle.insert(def.handle, index);
    }

    let mut successors: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    let mut growing: Vec<(usize, usize, FunctionDefIndex)> = Vec::new();
    for (caller, def) in module.function_defs() {
        let Some(unit) = &def.code else { continue };
        let mut seen = BTreeSet::new();
        for instruction in &unit.code {
            let (Bytecode::CallGeneric(instance) | Bytecode::PackClosureGeneric(instance, _)) = instruction
            else {
                continue;
            };
            if !seen.insert(*instance) {
                continue;
            }
            let Some(callee) = by_handle.get(&module[*instance].target) else { continue };
            for (position, argument) in module.types(module[*instance].type_arguments).iter().enumerate() {
                let to = first_node[callee.index()] + position;
                let is_growing = argument.nodes().len() > 1;
                for node in argument.nodes() {
                    let TypeNode::TypeParameter(parameter) = node else { continue };
                    let from = first_node[caller.index()] + usize::from(*parameter);
                    successors[from].insert(to);
                    if is_growing {
                        growing.push((from, to, caller));
                    }
                }
            }
        }
    }

    let successors: Vec<Vec<usize>> = successors.into_iter().map(|set| set.into_iter().collect()).collect();
    let component = components(&successors);
    match growing.iter().find(|(from, to, _)| component[*from] == component[*to]) {
        Some((.., caller)) => Err(VerificationError::entry(
            StatusCode::LOOP_IN_INSTANTIATION_GRAPH,
            Table::FunctionDefs,
            caller.index(),
            "generic calls that need infinitely many instances",
        )),
        None => Ok(()),
    }
}
