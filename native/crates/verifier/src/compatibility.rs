//! An upgrade keeps what others may rely on.

use std::collections::BTreeSet;

use ledger_bytecode::{
    CompiledModule, Field, FunctionDefIndex, StatusCode, StructDefIndex, StructLayout, Table, Tables,
    Visibility,
};

use crate::dependencies::{constraints_are_subsets, same_type, same_types};
use crate::error::{Verdict, VerificationError};
use crate::names::Names;

/// Which promises an upgrade must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompatibilityRules {
    /// Whether structs keep their fields.
    pub check_struct_layout: bool,
    /// Whether friend functions and the friend list are promises.
    pub check_friends: bool,
    /// Whether friend functions that are entries are promises even where friends are not.
    pub treat_entry_as_public: bool,
}

impl Default for CompatibilityRules {
    /// What production chains use: layouts are kept, friends are an internal matter.
    fn default() -> Self {
        Self { check_struct_layout: true, check_friends: false, treat_entry_as_public: true }
    }
}

/// First version whose entry functions are told by a flag.
const ENTRY_FLAG_VERSION_MIN: u32 = 5;

/// Checks that `new` may take the place of `old`.
///
/// # Errors
/// `BACKWARD_INCOMPATIBLE_MODULE_UPDATE`, with the entry of `old` that is not kept.
pub fn check_compatibility(
    old: &CompiledModule,
    new: &CompiledModule,
    rules: &CompatibilityRules,
) -> Verdict {
    let fault = |table, index, message| {
        let status = StatusCode::BACKWARD_INCOMPATIBLE_MODULE_UPDATE;
        Err(VerificationError::entry(status, table, index, message))
    };
    if old.id() != new.id() {
        let status = StatusCode::BACKWARD_INCOMPATIBLE_MODULE_UPDATE;
        return Err(VerificationError::whole(status, "a module of another name"));
    }
    let names = Names::of(new);
    for (index, _) in old.struct_defs() {
        if let Err(message) = structure(old, index, (new, &names), rules) {
            return fault(Table::StructDefs, index.index(), message);
        }
    }
    for (index, _) in old.function_defs() {
        if let Err(message) = function(old, index, (new, &names), rules) {
            return fault(Table::FunctionDefs, index.index(), message);
        }
    }
    if rules.check_friends {
        let kept: BTreeSet<_> = new.friend_ids().collect();
        if let Some(index) = old.friend_ids().position(|friend| !kept.contains(&friend)) {
            return fault(Table::Friends, index, "a friend that is no longer one");
        }
    }
    Ok(())
}

fn structure(
    old: &CompiledModule,
    index: StructDefIndex,
    (new, names): (&CompiledModule, &Names<'_>),
    rules: &CompatibilityRules,
) -> Result<(), &'static str> {
    let before = old.struct_handle_of(index);
    let found = names.structure(old[before.name].as_str()).ok_or("a struct that is gone")?;
    let after = new.struct_handle_of(found);
    if !before.abilities.is_subset_of(after.abilities) {
        return Err("a struct that lost an ability");
    }
    let parameters_agree = before.type_parameters.len() == after.type_parameters.len()
        && before.type_parameters.iter().zip(&after.type_parameters).all(|(before, after)| {
            after.constraints.is_subset_of(before.constraints) && (!before.is_phantom || after.is_phantom)
        });
    if !parameters_agree {
        return Err("a struct with stricter or other type parameters");
    }
    if !rules.check_struct_layout {
        return Ok(());
    }
    let tables = (&old.tables, &new.tables);
    let keeps_layout = match (&old[index].layout, &new[found].layout) {
        (StructLayout::Native, StructLayout::Native) => true,
        (StructLayout::Struct(before), StructLayout::Struct(after)) => same_fields(tables, before, after),
        (StructLayout::Enum(before), StructLayout::Enum(after)) => {
            before.len() <= after.len()
                && before.iter().zip(after).all(|(before, after)| {
                    old[before.name] == new[after.name] && same_fields(tables, &before.fields, &after.fields)
                })
        }
        _ => false,
    };
    if keeps_layout { Ok(()) } else { Err("a struct with other fields or variants") }
}

fn same_fields((old, new): (&Tables, &Tables), before: &[Field], after: &[Field]) -> bool {
    before.len() == after.len()
        && before.iter().zip(after).all(|(before, after)| {
            old[before.name] == new[after.name]
                && same_type((old, before.field_type.nodes()), (new, after.field_type.nodes()))
        })
}

fn function(
    old: &CompiledModule,
    index: FunctionDefIndex,
    (new, names): (&CompiledModule, &Names<'_>),
    rules: &CompatibilityRules,
) -> Result<(), &'static str> {
    let before = &old[index];
    let was_persistent = old.is_persistent(index);
    let is_promise = match before.visibility {
        Visibility::Public => true,
        Visibility::Friend => {
            rules.check_friends || was_persistent || (before.is_entry && rules.treat_entry_as_public)
        }
        Visibility::Private => was_persistent || before.is_entry,
    };
    if !is_promise {
        return Ok(());
    }
    let name = old[old[before.handle].name].as_str();
    let found = names.function(name).ok_or("a function that is gone")?;
    let after = &new[found];
    let stays_visible = match before.visibility {
        Visibility::Public => after.visibility == Visibility::Public,
        Visibility::Friend => after.visibility != Visibility::Private,
        Visibility::Private => true,
    };
    if !stays_visible {
        return Err("a function that fewer may call");
    }
    let has_flag = old.version >= ENTRY_FLAG_VERSION_MIN || new.version >= ENTRY_FLAG_VERSION_MIN;
    let stays_entry =
        if has_flag { !before.is_entry || after.is_entry } else { before.is_entry == after.is_entry };
    if !stays_entry {
        return Err("a function that is no longer an entry");
    }
    if was_persistent && !new.is_persistent(found) {
        return Err("a function that is no longer persistent");
    }
    let (before, after) = (old.handle_of(index), new.handle_of(found));
    let same = |before, after| same_types((&old.tables, before), (&new.tables, after));
    if !same(before.parameters, after.parameters) || !same(before.results, after.results) {
        return Err("a function with other parameters or results");
    }
    let constraints_agree = before.type_parameters.len() == after.type_parameters.len()
        && constraints_are_subsets(&after.type_parameters, &before.type_parameters);
    if constraints_agree { Ok(()) } else { Err("a function with stricter or other type parameters") }
}
