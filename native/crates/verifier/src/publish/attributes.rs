//! Metadata that can be read, and attributes on things that can have them.

use ledger_bytecode::metadata::{
    Attribute, CompilationMetadata, KEY_COMPILATION, KEY_V0, KEY_V1, ModuleMetadata,
};
use ledger_bytecode::{Ability, AbilitySet, CompiledModule, StatusCode, StructLayout, Table, Visibility};

use crate::error::{Verdict, VerificationError};

/// Checks the metadata of a module.
///
/// # Errors
/// `CONSTRAINT_NOT_SATISFIED` for a key that has no meaning or stands twice, bytes that cannot be
/// read, an unknown attribute, or one on something that is not there or cannot have it;
/// `EVENT_METADATA_VALIDATION_ERROR` for a struct that is an event twice.
pub fn verify_metadata(module: &CompiledModule) -> Verdict {
    let mut attributes = 0;
    let mut compilation = 0;
    for (index, entry) in module.tables.metadata.iter().enumerate() {
        let fault = |message| Err(refusal(Table::Metadata, index, message));
        let is_readable = match entry.key.as_slice() {
            KEY_V0 => {
                attributes += 1;
                ModuleMetadata::decode_v0(&entry.value).is_ok()
            }
            KEY_V1 => {
                attributes += 1;
                ModuleMetadata::decode_v1(&entry.value).is_ok()
            }
            KEY_COMPILATION => {
                compilation += 1;
                CompilationMetadata::decode_value(&entry.value).is_ok()
            }
            _ => return fault("a metadata key without meaning"),
        };
        if !is_readable {
            return fault("metadata that cannot be read");
        }
        if attributes > 1 || compilation > 1 {
            return fault("metadata that stands twice");
        }
    }
    let Some(metadata) = ModuleMetadata::of(module) else { return Ok(()) };
    for (name, list) in &metadata.function_attributes {
        functions(module, name, list)?;
    }
    for (name, list) in &metadata.struct_attributes {
        structs(module, name, list)?;
    }
    Ok(())
}

/// Checks that an upgrade takes no event attribute away.
///
/// # Errors
/// `EVENT_METADATA_VALIDATION_ERROR`.
pub fn verify_metadata_upgrade(old: &CompiledModule, new: &CompiledModule) -> Verdict {
    let Some(before) = ModuleMetadata::of(old) else { return Ok(()) };
    let after = ModuleMetadata::of(new).unwrap_or_default();
    let is_lost = |name: &&String| before.is_event(name) && !after.is_event(name);
    match before.struct_attributes.keys().find(is_lost) {
        Some(_) => Err(VerificationError::whole(
            StatusCode::EVENT_METADATA_VALIDATION_ERROR,
            "a struct that is no longer an event",
        )),
        None => Ok(()),
    }
}

fn refusal(table: Table, index: usize, message: &'static str) -> VerificationError {
    VerificationError::entry(StatusCode::CONSTRAINT_NOT_SATISFIED, table, index, message)
}

fn functions(module: &CompiledModule, name: &str, list: &[Attribute]) -> Verdict {
    let Some(index) = module.find_function(name) else {
        let message = "an attribute of a function that is not there";
        return Err(VerificationError::whole(StatusCode::CONSTRAINT_NOT_SATISFIED, message));
    };
    let def = &module[index];
    for attribute in list {
        let fits = match attribute.kind {
            Attribute::LEGACY_VIEW | Attribute::VIEW => !module[module[def.handle].results].is_empty(),
            Attribute::RANDOMNESS => {
                let gas = attribute.arguments.first();
                def.is_entry
                    && def.visibility != Visibility::Public
                    && gas.is_none_or(|gas| gas.parse::<u64>().is_ok())
            }
            _ => false,
        };
        if !fits {
            let message = "an attribute that the function cannot have";
            return Err(refusal(Table::FunctionDefs, index.index(), message));
        }
    }
    Ok(())
}

fn structs(module: &CompiledModule, name: &str, list: &[Attribute]) -> Verdict {
    let Some(index) = module.find_struct(name) else {
        let message = "an attribute of a struct that is not there";
        return Err(VerificationError::whole(StatusCode::CONSTRAINT_NOT_SATISFIED, message));
    };
    let handle = module.struct_handle_of(index);
    let fault = |message| Err(refusal(Table::StructDefs, index.index(), message));
    for (position, attribute) in list.iter().enumerate() {
        let is_repeated = list[..position].iter().any(|earlier| earlier.kind == attribute.kind);
        let fits = match attribute.kind {
            Attribute::RESOURCE_GROUP => {
                let has_one_field =
                    matches!(&module[index].layout, StructLayout::Struct(fields) if fields.len() == 1);
                handle.abilities == AbilitySet::EMPTY && handle.type_parameters.is_empty() && has_one_field
            }
            Attribute::RESOURCE_GROUP_MEMBER => handle.abilities.has(Ability::Key),
            Attribute::EVENT if is_repeated => {
                return Err(VerificationError::entry(
                    StatusCode::EVENT_METADATA_VALIDATION_ERROR,
                    Table::StructDefs,
                    index.index(),
                    "a struct that is an event twice",
                ));
            }
            Attribute::EVENT => true,
            _ => false,
        };
        if is_repeated {
            return fault("an attribute that stands twice");
        }
        if !fits {
            return fault("an attribute that the struct cannot have");
        }
    }
    Ok(())
}
