//! The verifier in front of the machine: what it says of code that is about to be linked.
//!
//! Promises: code passes all passes of the verifier, alone and against the modules that it is linked to,
//! or is refused with the verifier's own status. Leaves to others: which versions and features the chain
//! allows (whoever publishes), and remembering the answer (the catalog).

use std::collections::HashMap;

use ledger_bytecode::{CompiledModule, CompiledScript};
use ledger_types::ModuleId;
use ledger_verifier::{
    Limits, ModuleSource, VerificationError, verify_dependencies, verify_module, verify_script,
    verify_script_dependencies,
};

use crate::errors::Fault;
use crate::link::LinkedModule;

/// Linked modules by name, as the verifier asks for them.
struct Linked<'a>(HashMap<&'a ModuleId, &'a LinkedModule>);

impl ModuleSource for Linked<'_> {
    fn module(&self, id: &ModuleId) -> Option<&CompiledModule> {
        self.0.get(id).map(|module| &module.code)
    }
}

/// Verifies a module that depends on `linked`.
///
/// # Errors
/// The verifier's status.
pub fn verify(module: &CompiledModule, linked: &[&LinkedModule]) -> Result<(), Fault> {
    let source = Linked(linked.iter().map(|module| (&module.id, *module)).collect());
    verify_module(module, &Limits::default())
        .and_then(|()| verify_dependencies(module, &source))
        .map_err(|error| refused(&module.id().to_string(), &error))
}

/// Verifies a script that depends on `linked`.
///
/// # Errors
/// The verifier's status.
pub fn verify_code_of_script(
    script: &CompiledScript,
    linked: &[&LinkedModule],
    limits: &Limits,
) -> Result<(), Fault> {
    let source = Linked(linked.iter().map(|module| (&module.id, *module)).collect());
    verify_script(script, limits)
        .and_then(|()| verify_script_dependencies(script, &source))
        .map_err(|error| refused("script", &error))
}

/// A refusal as the machine tells it.
fn refused(what: &str, error: &VerificationError) -> Fault {
    Fault::with_message(error.status.0, format!("{what}: {error}"))
}
