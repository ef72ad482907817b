//! A bundle of modules as a transaction publishes it: all checks, in the chain's order.
//!
//! Reads every module, holds the bundle to what was announced, then verifies, links and compares each
//! module over what is published already. The outcome is all or nothing. Running initialisers, gas
//! and writing are left to the executor.

use std::collections::{BTreeMap, BTreeSet};

use ledger_bytecode::{CompiledModule, ReadLimits, StatusCode, read_module};
use ledger_types::{Address, ModuleId};

use super::{
    verify_events, verify_initializer, verify_metadata, verify_metadata_upgrade, verify_natives,
    verify_resource_groups, verify_resource_groups_upgrade, verify_stable,
};
use crate::compatibility::{CompatibilityRules, check_compatibility};
use crate::cycles::verify_acyclic;
use crate::dependencies::{ModuleSource, verify_dependencies};
use crate::error::VerificationError;
use crate::limits::Limits;
use crate::verify::verify_module;

/// What a bundle is held to.
#[derive(Clone, Debug)]
pub struct BundleRules<'a> {
    /// The address that publishes; every module must be for it.
    pub destination: Address,
    /// Names of exactly the modules that come.
    pub expected_modules: &'a [String],
    /// Modules that may be depended on, an empty name standing for all of an address; `None` is any.
    /// Those of the bundle are always allowed.
    pub allowed_dependencies: Option<&'a [(Address, String)]>,
    /// What upgrades must keep; `None` if the package's policy promises nothing.
    pub compatibility: Option<CompatibilityRules>,
    /// Whether code of unfinished language features is refused, as on the production chain.
    pub rejects_unstable: bool,
    /// Versions and names that may be read.
    pub read_limits: ReadLimits,
    /// Limits of verification.
    pub limits: Limits,
}

/// A module that may be published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedModule {
    /// The module.
    pub module: CompiledModule,
    /// Whether no module of its name exists yet: then its initialiser, if any, is to be run.
    pub is_new: bool,
}

/// Why a bundle may not be published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleError {
    /// Position of the module at fault, `None` if it is the bundle.
    pub position: Option<usize>,
    /// What is wrong with it.
    pub error: VerificationError,
}

/// Bundle first, published modules behind it.
struct Staged<'a> {
    bundle: BTreeMap<ModuleId, &'a CompiledModule>,
    published: &'a dyn ModuleSource,
}

impl ModuleSource for Staged<'_> {
    fn module(&self, id: &ModuleId) -> Option<&CompiledModule> {
        match self.bundle.get(id) {
            Some(module) => Some(module),
            None => self.published.module(id),
        }
    }
}

/// Checks a bundle; the modules come back in its order.
///
/// # Errors
/// The first fault: `CODE_DESERIALIZATION_ERROR` for bytes that are no module; those of the functions
/// of [`super`]; `CONSTRAINT_NOT_SATISFIED` for a module or dependency that was not announced;
/// `MODULE_ADDRESS_DOES_NOT_MATCH_SENDER`; `DUPLICATE_MODULE_NAME`; those of verification, linking and
/// compatibility.
pub fn verify_bundle(
    code: &[Vec<u8>],
    rules: &BundleRules<'_>,
    published: &dyn ModuleSource,
) -> Result<Vec<StagedModule>, BundleError> {
    let mut modules = Vec::with_capacity(code.len());
    for (position, bytes) in code.iter().enumerate() {
        let module = read_module(bytes, &rules.read_limits).map_err(|error| BundleError {
            position: Some(position),
            error: VerificationError {
                status: StatusCode::CODE_DESERIALIZATION_ERROR,
                ..VerificationError::from(error)
            },
        })?;
        modules.push(module);
    }
    let staged = Staged { bundle: modules.iter().map(|module| (module.id(), module)).collect(), published };
    let upgraded: Vec<Option<&CompiledModule>> =
        modules.iter().map(|module| published.module(&module.id())).collect();

    announced(&modules, rules)?;
    each(&modules, |position, module| {
        if rules.rejects_unstable {
            verify_stable(module)?;
        }
        verify_natives(module)?;
        allowed(module, rules)?;
        verify_metadata(module)?;
        verify_resource_groups(module, &staged)?;
        verify_events(module)?;
        match upgraded[position] {
            Some(old) => {
                verify_resource_groups_upgrade(old, module)?;
                verify_metadata_upgrade(old, module)
            }
            None => Ok(()),
        }
    })?;
    placed(&modules, rules)?;
    each(&modules, |_, module| verify_module(module, &rules.limits))?;
    each(&modules, |_, module| verify_dependencies(module, &staged))?;
    each(&modules, |_, module| verify_acyclic(module, &staged))?;
    each(&modules, |position, module| match (upgraded[position], &rules.compatibility) {
        (Some(old), Some(compatibility)) => check_compatibility(old, module, compatibility),
        (Some(_), None) => Ok(()),
        (None, _) => verify_initializer(module),
    })?;

    let is_new: Vec<bool> = upgraded.iter().map(Option::is_none).collect();
    Ok(modules.into_iter().zip(is_new).map(|(module, is_new)| StagedModule { module, is_new }).collect())
}

/// Applies one check to every module, so that a whole bundle passes one before the next begins.
fn each(
    modules: &[CompiledModule],
    check: impl Fn(usize, &CompiledModule) -> Result<(), VerificationError>,
) -> Result<(), BundleError> {
    for (position, module) in modules.iter().enumerate() {
        check(position, module).map_err(|error| BundleError { position: Some(position), error })?;
    }
    Ok(())
}

/// The modules that came are those that were announced.
fn announced(modules: &[CompiledModule], rules: &BundleRules<'_>) -> Result<(), BundleError> {
    let mut expected: BTreeSet<&str> = rules.expected_modules.iter().map(String::as_str).collect();
    let refusal = |position, message| BundleError {
        position,
        error: VerificationError::whole(StatusCode::CONSTRAINT_NOT_SATISFIED, message),
    };
    let mut seen = BTreeSet::new();
    for (position, module) in modules.iter().enumerate() {
        // A second module of one name is a fault of its own, told later.
        let is_repeated = !seen.insert(module.name());
        if !expected.remove(module.name().as_str()) && !is_repeated {
            return Err(refusal(Some(position), "a module that was not announced"));
        }
    }
    if expected.is_empty() { Ok(()) } else { Err(refusal(None, "a module that was announced is missing")) }
}

/// Every dependency was announced.
fn allowed(module: &CompiledModule, rules: &BundleRules<'_>) -> Result<(), VerificationError> {
    let Some(list) = rules.allowed_dependencies else { return Ok(()) };
    let list: BTreeSet<(Address, &str)> =
        list.iter().map(|(address, name)| (*address, name.as_str())).collect();
    let is_allowed = |id: &ModuleId| {
        let is_own = id.address == rules.destination
            && rules.expected_modules.iter().any(|name| name == id.name.as_str());
        is_own || list.contains(&(id.address, "")) || list.contains(&(id.address, id.name.as_str()))
    };
    if module.dependencies().all(|id| is_allowed(&id)) {
        return Ok(());
    }
    let message = "a dependency that was not announced";
    Err(VerificationError::whole(StatusCode::CONSTRAINT_NOT_SATISFIED, message))
}

/// Every module is for the destination, and none comes twice.
fn placed(modules: &[CompiledModule], rules: &BundleRules<'_>) -> Result<(), BundleError> {
    let mut seen = BTreeSet::new();
    each(modules, |_, module| {
        if *module.address() == rules.destination {
            return Ok(());
        }
        let status = StatusCode::MODULE_ADDRESS_DOES_NOT_MATCH_SENDER;
        Err(VerificationError::whole(status, "a module for another address"))
    })?;
    for (position, module) in modules.iter().enumerate() {
        if !seen.insert(module.name()) {
            let status = StatusCode::DUPLICATE_MODULE_NAME;
            let error = VerificationError::whole(status, "two modules of one name");
            return Err(BundleError { position: Some(position), error });
        }
    }
    Ok(())
}
