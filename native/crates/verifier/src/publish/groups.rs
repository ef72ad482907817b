//! Resource groups and their members.

use ledger_bytecode::metadata::{Attribute, ModuleMetadata};
use ledger_bytecode::{CompiledModule, StatusCode};
use ledger_types::{ModuleId, StructTag};

use crate::dependencies::ModuleSource;
use crate::error::{Verdict, VerificationError};

/// Who may be a member of a group, the strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Module,
    Address,
    Global,
}

impl Scope {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "module_" => Some(Self::Module),
            "address" => Some(Self::Address),
            "global" => Some(Self::Global),
            _ => None,
        }
    }
}

fn refuse(message: &'static str) -> Verdict {
    Err(VerificationError::whole(StatusCode::CONSTRAINT_NOT_SATISFIED, message))
}

/// Checks that the groups named by members exist and admit them, and that scopes are known.
///
/// `source` has the bundle being published in front of what is published already; `module` itself
/// must be in it if it names a group of its own.
///
/// # Errors
/// `CONSTRAINT_NOT_SATISFIED`.
pub fn verify_resource_groups(module: &CompiledModule, source: &dyn ModuleSource) -> Verdict {
    let Some(metadata) = ModuleMetadata::of(module) else { return Ok(()) };
    let own = module.id();
    for attribute in metadata.struct_attributes.values().flatten() {
        match (attribute.kind, attribute.arguments.as_slice()) {
            (Attribute::RESOURCE_GROUP, [scope]) if Scope::parse(scope).is_some() => {}
            (Attribute::RESOURCE_GROUP, _) => return refuse("a resource group without a known scope"),
            (Attribute::RESOURCE_GROUP_MEMBER, [group]) => member(&own, group, source)?,
            (Attribute::RESOURCE_GROUP_MEMBER, _) => return refuse("a member of no resource group"),
            _ => {}
        }
    }
    Ok(())
}

/// Checks one membership of a struct of the module `own`.
fn member(own: &ModuleId, group: &str, source: &dyn ModuleSource) -> Verdict {
    let Ok(tag) = group.parse::<StructTag>() else {
        return refuse("a resource group that is no struct");
    };
    let holder = tag.module_id();
    let Some(found) = source.module(&holder).and_then(ModuleMetadata::of) else {
        return refuse("a resource group that does not exist");
    };
    let admits = match found.resource_group_scope(tag.name.as_str()).and_then(Scope::parse) {
        Some(Scope::Module) => holder == *own,
        Some(Scope::Address) => holder.address == own.address,
        Some(Scope::Global) => true,
        None => false,
    };
    if admits { Ok(()) } else { refuse("a resource group that does not admit this member") }
}

/// Checks that an upgrade keeps groups and memberships: none is removed or changed, scopes only get
/// less strict, and no struct that existed becomes a group or member.
///
/// # Errors
/// `CONSTRAINT_NOT_SATISFIED`.
pub fn verify_resource_groups_upgrade(old: &CompiledModule, new: &CompiledModule) -> Verdict {
    let before = ModuleMetadata::of(old).unwrap_or_default();
    let after = ModuleMetadata::of(new).unwrap_or_default();
    for (_, def) in old.struct_defs() {
        let name = old.struct_name(def.handle).as_str();
        let scopes = (before.resource_group_scope(name), after.resource_group_scope(name));
        let scope_holds = match scopes {
            (None, None) => true,
            (Some(before), Some(after)) => match (Scope::parse(before), Scope::parse(after)) {
                (Some(before), Some(after)) => before <= after,
                _ => false,
            },
            _ => false,
        };
        if !scope_holds {
            return refuse("a resource group made, removed or made stricter");
        }
        if before.resource_group_of(name) != after.resource_group_of(name) {
            return refuse("a membership of a resource group made, removed or changed");
        }
    }
    Ok(())
}
