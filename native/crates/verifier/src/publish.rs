//! Rules of publishing beyond those of the language: metadata, resource groups, events, natives,
//! initialisers.
//!
//! [`verify_bundle`] runs them all in the chain's order; each also stands alone. They expect modules
//! whose bounds are good, verified or not.

mod attributes;
mod bundle;
mod events;
mod groups;
mod initializer;

use ledger_bytecode::metadata::CompilationMetadata;
use ledger_bytecode::{CompiledModule, StatusCode, Table};

use crate::error::{Verdict, VerificationError};

pub use attributes::{verify_metadata, verify_metadata_upgrade};
pub use bundle::{BundleError, BundleRules, StagedModule, verify_bundle};
pub use events::{verify_events, verify_script_events};
pub use groups::{verify_resource_groups, verify_resource_groups_upgrade};
pub use initializer::{INITIALIZER, verify_initializer};

/// Refuses natives of users: functions that the machine would have to know, structs too.
///
/// # Errors
/// `USER_DEFINED_NATIVE_NOT_ALLOWED` for any native at an address above `0xf`, and for a native entry
/// function anywhere.
pub fn verify_natives(module: &CompiledModule) -> Verdict {
    let fault = |table, index, message| {
        let status = StatusCode::USER_DEFINED_NATIVE_NOT_ALLOWED;
        Err(VerificationError::entry(status, table, index, message))
    };
    let is_special = module.address().is_special();
    for (index, def) in module.function_defs() {
        if def.is_native() && (def.is_entry || !is_special) {
            return fault(Table::FunctionDefs, index.index(), "a native function the machine does not have");
        }
    }
    for (index, def) in module.struct_defs() {
        if def.is_native() && !is_special {
            return fault(Table::StructDefs, index.index(), "a native struct");
        }
    }
    Ok(())
}

/// Refuses code compiled with unfinished language features; production chains ask this.
///
/// # Errors
/// `UNSTABLE_BYTECODE_REJECTED`.
pub fn verify_stable(module: &CompiledModule) -> Verdict {
    match CompilationMetadata::of(module) {
        Some(metadata) if metadata.is_unstable => Err(VerificationError::whole(
            StatusCode::UNSTABLE_BYTECODE_REJECTED,
            "code compiled with unfinished language features",
        )),
        _ => Ok(()),
    }
}
