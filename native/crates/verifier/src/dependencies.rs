//! What a module or script imports is there, visible to it, and as it says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ledger_bytecode::{
    AbilitySet, CompiledModule, CompiledScript, FunctionAttribute, FunctionHandle, ModuleHandleIndex,
    SignatureIndex, StatusCode, StructHandle, Table, Tables, TypeNode, Visibility,
};
use ledger_types::ModuleId;

use crate::error::{Verdict, VerificationError};
use crate::names::Names;

/// Where modules are looked up by name.
pub trait ModuleSource {
    /// The module of this name, if it exists.
    fn module(&self, id: &ModuleId) -> Option<&CompiledModule>;
}

impl ModuleSource for BTreeMap<ModuleId, CompiledModule> {
    fn module(&self, id: &ModuleId) -> Option<&CompiledModule> {
        self.get(id)
    }
}

impl ModuleSource for BTreeMap<ModuleId, Arc<CompiledModule>> {
    fn module(&self, id: &ModuleId) -> Option<&CompiledModule> {
        self.get(id).map(Arc::as_ref)
    }
}

/// Holds a verified module to the modules it names.
///
/// # Errors
/// `MISSING_DEPENDENCY` for a module that is not there; `LOOKUP_FAILED` for a struct or function that
/// is not there or not visible; `TYPE_MISMATCH` where abilities, constraints, parameters or results
/// differ; `LINKER_ERROR` for a function that is not persistent though the import says so.
pub fn verify_dependencies(module: &CompiledModule, source: &dyn ModuleSource) -> Verdict {
    let own = Some((module.self_handle, module.id()));
    Linker::new(&module.tables, own, source)?.verify()
}

/// Holds a verified script to the modules it names.
///
/// # Errors
/// As [`verify_dependencies`].
pub fn verify_script_dependencies(script: &CompiledScript, source: &dyn ModuleSource) -> Verdict {
    Linker::new(&script.tables, None, source)?.verify()
}

struct Linker<'a> {
    tables: &'a Tables,
    /// `None` for a script.
    own: Option<(ModuleHandleIndex, ModuleId)>,
    /// By module handle; `None` for the own one.
    modules: Vec<Option<Imported<'a>>>,
}

/// A module that is named, and what is looked up in it many times.
struct Imported<'a> {
    module: &'a CompiledModule,
    names: Names<'a>,
    friends: BTreeSet<ModuleId>,
}

impl<'a> Imported<'a> {
    fn new(module: &'a CompiledModule) -> Self {
        Self { module, names: Names::of(module), friends: module.friend_ids().collect() }
    }
}

impl<'a> Linker<'a> {
    fn new(
        tables: &'a Tables,
        own: Option<(ModuleHandleIndex, ModuleId)>,
        source: &'a dyn ModuleSource,
    ) -> Result<Self, VerificationError> {
        let own_index = own.as_ref().map(|(handle, _)| handle.index());
        let modules = tables
            .module_handles
            .iter()
            .enumerate()
            .map(|(index, handle)| {
                if own_index == Some(index) {
                    return Ok(None);
                }
                source.module(&tables.module_id(handle)).map(|module| Some(Imported::new(module))).ok_or_else(
                    || {
                        let status = StatusCode::MISSING_DEPENDENCY;
                        VerificationError::entry(
                            status,
                            Table::ModuleHandles,
                            index,
                            "a module that does not exist",
                        )
                    },
                )
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { tables, own, modules })
    }

    fn verify(&self) -> Verdict {
        let fault = |table, index, (status, message)| VerificationError::entry(status, table, index, message);
        for (index, handle) in self.tables.struct_handles.iter().enumerate() {
            if let Some(module) = &self.modules[handle.module.index()] {
                self.structure(handle, module).map_err(|why| fault(Table::StructHandles, index, why))?;
            }
        }
        for (index, handle) in self.tables.function_handles.iter().enumerate() {
            if let Some(module) = &self.modules[handle.module.index()] {
                self.function(handle, module).map_err(|why| fault(Table::FunctionHandles, index, why))?;
            }
        }
        Ok(())
    }

    fn structure(&self, handle: &StructHandle, imported: &Imported<'_>) -> Result<(), Fault> {
        let module = imported.module;
        let found = imported
            .names
            .structure(self.tables[handle.name].as_str())
            .ok_or((StatusCode::LOOKUP_FAILED, "a struct its module does not define"))?;
        let defined = module.struct_handle_of(found);
        let parameters_agree = handle.type_parameters.len() == defined.type_parameters.len()
            && handle.type_parameters.iter().zip(&defined.type_parameters).all(|(here, there)| {
                there.constraints.is_subset_of(here.constraints) && (!here.is_phantom || there.is_phantom)
            });
        if !handle.abilities.is_subset_of(defined.abilities) || !parameters_agree {
            return Err((StatusCode::TYPE_MISMATCH, "a struct with other abilities or type parameters"));
        }
        Ok(())
    }

    fn function(&self, handle: &FunctionHandle, imported: &Imported<'_>) -> Result<(), Fault> {
        let module = imported.module;
        let lookup = (StatusCode::LOOKUP_FAILED, "a function its module does not define or show");
        let found = imported.names.function(self.tables[handle.name].as_str()).ok_or(lookup)?;
        let is_visible = match module[found].visibility {
            Visibility::Public => true,
            Visibility::Friend => self.own.as_ref().is_some_and(|(_, own)| imported.friends.contains(own)),
            Visibility::Private => false,
        };
        if !is_visible {
            return Err(lookup);
        }
        let defined = module.handle_of(found);
        let constraints_agree = defined.type_parameters.len() == handle.type_parameters.len()
            && constraints_are_subsets(&defined.type_parameters, &handle.type_parameters);
        if !constraints_agree {
            return Err((StatusCode::TYPE_MISMATCH, "a function with other type parameters"));
        }
        let same = |here: SignatureIndex, there: SignatureIndex| {
            same_types((self.tables, here), (&module.tables, there))
        };
        if !same(handle.parameters, defined.parameters) || !same(handle.results, defined.results) {
            return Err((StatusCode::TYPE_MISMATCH, "a function with other parameters or results"));
        }
        if handle.attributes.contains(&FunctionAttribute::Persistent) && !module.is_persistent(found) {
            return Err((StatusCode::LINKER_ERROR, "a function that is not persistent"));
        }
        Ok(())
    }
}

type Fault = (StatusCode, &'static str);

/// Whether each set of `fewer` is within its counterpart.
pub(crate) fn constraints_are_subsets(fewer: &[AbilitySet], more: &[AbilitySet]) -> bool {
    fewer.iter().zip(more).all(|(few, many)| few.is_subset_of(*many))
}

/// Whether two signatures of different modules list the same types.
pub(crate) fn same_types(
    (tables, signature): (&Tables, SignatureIndex),
    (other_tables, other): (&Tables, SignatureIndex),
) -> bool {
    let (types, others) = (tables.types(signature), other_tables.types(other));
    types.len() == others.len()
        && types.iter().zip(others).all(|(a, b)| same_type((tables, a.nodes()), (other_tables, b.nodes())))
}

/// Whether two types of different modules are the same; structs are compared by full name.
pub(crate) fn same_type(
    (tables, nodes): (&Tables, &[TypeNode]),
    (other_tables, others): (&Tables, &[TypeNode]),
) -> bool {
    let full_name = |tables: &Tables, node: &TypeNode| {
        node.struct_handle().map(|handle| {
            let module = tables[tables[handle].module];
            (tables[module.address], tables[module.name].clone(), tables.struct_name(handle).clone())
        })
    };
    let same_node = |node: &TypeNode, other: &TypeNode| match (node, other) {
        (TypeNode::Struct(_), TypeNode::Struct(_)) => {
            full_name(tables, node) == full_name(other_tables, other)
        }
        (TypeNode::StructInstance { arguments, .. }, TypeNode::StructInstance { arguments: same, .. }) => {
            arguments == same && full_name(tables, node) == full_name(other_tables, other)
        }
        _ => node == other,
    };
    nodes.len() == others.len() && nodes.iter().zip(others).all(|(node, other)| same_node(node, other))
}
