//! Every entry is there once, definitions and handles match, structs are not empty.

use std::collections::{BTreeSet, HashSet};
use std::hash::Hash;

use ledger_bytecode::{
    CompiledModule, Field, FunctionHandle, IdentifierIndex, ModuleHandleIndex, StatusCode, StructHandle,
    StructLayout, Table, Tables,
};

use crate::error::{Verdict, VerificationError};

/// Checks what modules and scripts share.
pub(crate) fn verify_tables(tables: &Tables) -> Verdict {
    unique(&tables.identifiers, Table::Identifiers)?;
    unique(&tables.addresses, Table::Addresses)?;
    unique(&tables.constants, Table::Constants)?;
    unique(&tables.signatures, Table::Signatures)?;
    unique(&tables.module_handles, Table::ModuleHandles)?;
    let names = |handle: &StructHandle| (handle.module, handle.name);
    unique_by(tables.struct_handles.iter().map(names), Table::StructHandles)?;
    let names = |handle: &FunctionHandle| (handle.module, handle.name);
    unique_by(tables.function_handles.iter().map(names), Table::FunctionHandles)?;
    unique(&tables.function_instantiations, Table::FunctionInstantiations)
}

/// Checks a whole module.
pub(crate) fn verify_module(module: &CompiledModule) -> Verdict {
    let tables = &module.tables;
    verify_tables(tables)?;
    unique(&tables.friends, Table::Friends)?;
    unique(&tables.struct_instantiations, Table::StructInstantiations)?;
    unique(&tables.field_handles, Table::FieldHandles)?;
    unique(&tables.field_instantiations, Table::FieldInstantiations)?;
    unique(&tables.variant_field_handles, Table::VariantFieldHandles)?;
    unique(&tables.variant_field_instantiations, Table::VariantFieldInstantiations)?;
    unique(&tables.struct_variant_handles, Table::StructVariantHandles)?;
    unique(&tables.struct_variant_instantiations, Table::StructVariantInstantiations)?;
    structs(module)?;
    functions(module)
}

fn unique<T: Eq + Hash>(entries: &[T], table: Table) -> Verdict {
    unique_by(entries.iter(), table)
}

fn unique_by<T: Eq + Hash>(entries: impl Iterator<Item = T>, table: Table) -> Verdict {
    let mut seen = HashSet::new();
    for (index, entry) in entries.enumerate() {
        if !seen.insert(entry) {
            return Err(duplicate(table, index));
        }
    }
    Ok(())
}

fn duplicate(table: Table, index: usize) -> VerificationError {
    VerificationError::entry(StatusCode::DUPLICATE_ELEMENT, table, index, "an entry that is there twice")
}

fn structs(module: &CompiledModule) -> Verdict {
    unique_by(module.tables.struct_defs.iter().map(|def| def.handle), Table::StructDefs)?;
    for (index, def) in module.tables.struct_defs.iter().enumerate() {
        match &def.layout {
            StructLayout::Native => {}
            StructLayout::Struct(fields) if fields.is_empty() => {
                return Err(VerificationError::entry(
                    StatusCode::ZERO_SIZED_STRUCT,
                    Table::StructDefs,
                    index,
                    "a struct without fields",
                ));
            }
            StructLayout::Struct(fields) => unique_names(field_names(fields), index)?,
            StructLayout::Enum(variants) => {
                unique_names(variants.iter().map(|variant| variant.name), index)?;
                for variant in variants {
                    unique_names(field_names(&variant.fields), index)?;
                }
            }
        }
    }
    let defined: BTreeSet<_> = module.tables.struct_defs.iter().map(|def| def.handle.index()).collect();
    let handles = module.struct_handles.iter().map(|handle| handle.module);
    definitions(module.self_handle, &defined, handles, (Table::StructDefs, Table::StructHandles))
}

fn field_names(fields: &[Field]) -> impl Iterator<Item = IdentifierIndex> {
    fields.iter().map(|field| field.name)
}

fn unique_names(names: impl Iterator<Item = IdentifierIndex>, index: usize) -> Verdict {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(duplicate(Table::StructDefs, index));
        }
    }
    Ok(())
}

fn functions(module: &CompiledModule) -> Verdict {
    let defs = &module.tables.function_defs;
    unique_by(defs.iter().map(|def| def.handle), Table::FunctionDefs)?;
    for (index, def) in defs.iter().enumerate() {
        let mut seen = HashSet::new();
        if !def.acquires.iter().all(|acquired| seen.insert(*acquired)) {
            return Err(VerificationError::entry(
                StatusCode::DUPLICATE_ACQUIRES_ANNOTATION,
                Table::FunctionDefs,
                index,
                "a resource acquired twice",
            ));
        }
    }
    let defined: BTreeSet<_> = defs.iter().map(|def| def.handle.index()).collect();
    let handles = module.function_handles.iter().map(|handle| handle.module);
    definitions(module.self_handle, &defined, handles, (Table::FunctionDefs, Table::FunctionHandles))
}

/// Definitions are of this module, and everything this module claims to have is defined.
fn definitions(
    own: ModuleHandleIndex,
    defined: &BTreeSet<usize>,
    owners: impl Iterator<Item = ModuleHandleIndex>,
    (defs, handles): (Table, Table),
) -> Verdict {
    let owners: Vec<ModuleHandleIndex> = owners.collect();
    if let Some(handle) = defined.iter().find(|handle| owners[**handle] != own) {
        return Err(VerificationError::entry(
            StatusCode::INVALID_MODULE_HANDLE,
            defs,
            *handle,
            "a definition of another module's name",
        ));
    }
    let missing = (0..owners.len()).find(|handle| owners[*handle] == own && !defined.contains(handle));
    match missing {
        Some(handle) => Err(VerificationError::entry(
            StatusCode::UNIMPLEMENTED_HANDLE,
            handles,
            handle,
            "a name of this module that it does not define",
        )),
        None => Ok(()),
    }
}
