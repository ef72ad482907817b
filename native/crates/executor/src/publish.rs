//! Acting on a request to publish: from the modules a payload left behind to state changes.
//!
//! The native only records what is asked for. Here the bundle is held to the rules of the chain over what
//! is published already; running initialisers is left to the transaction. Nothing is remembered: the
//! machine finds the new code when a later session asks for it.

use std::collections::BTreeMap;

use bytes::Bytes;
use ledger_bytecode::{CompiledModule, ReadLimits, StatusCode, VERSION_MAX, read_module};
use ledger_types::{ModuleId, StateKey};
use ledger_verifier::publish::{BundleRules, INITIALIZER, verify_bundle};
use ledger_vm::{ChangeSet, PublishRequest, StateChange, StateSource, VmError};

use crate::chain::ChainConfig;
use crate::code_rules;

/// Most modules that a bundle may depend on, in all.
const DEPENDENCIES_MAX: usize = 768;

/// Most bytes of them.
const DEPENDENCY_BYTES_MAX: usize = 1_887_436;

/// The policy that promises nothing to anybody.
const POLICY_ARBITRARY: u8 = 0;

/// Chain that refuses code of unfinished language features.
const PRODUCTION_CHAIN_ID: u8 = 1;

/// Anything that was ever published can be read again.
const PUBLISHED: ReadLimits = ReadLimits { version_max: VERSION_MAX, identifier_length_max: u16::MAX };

/// A bundle that may be published.
#[derive(Debug)]
pub struct Publication {
    /// The modules as changes of state.
    pub changes: ChangeSet,
    /// Modules whose initialiser is to be run, in the bundle's order.
    pub initializers: Vec<ModuleId>,
}

/// Checks a request over `state`, which is what the payload left.
///
/// # Errors
/// Everything that the verifier says of a bundle; `DEPENDENCY_LIMIT_REACHED`; a state that cannot be read.
pub fn stage(
    request: PublishRequest,
    chain: &ChainConfig,
    state: &dyn StateSource,
) -> Result<Publication, VmError> {
    let read_limits = code_rules::read_limits(&chain.features);
    let is_promise = request.policy != POLICY_ARBITRARY;
    let rules = BundleRules {
        destination: request.destination,
        expected_modules: &request.expected_modules,
        allowed_dependencies: request.allowed_dependencies.as_deref(),
        compatibility: is_promise.then(|| code_rules::compatibility(&chain.features)),
        rejects_unstable: chain.chain_id == PRODUCTION_CHAIN_ID,
        read_limits,
        limits: code_rules::limits(&chain.features),
    };
    let published = closure(&request.modules, &read_limits, state)?;
    let staged = verify_bundle(&request.modules, &rules, &published)
        .map_err(|refusal| VmError::with_message(refusal.error.status.0, refusal.error.to_string()))?;
    let mut publication = Publication { changes: ChangeSet::default(), initializers: Vec::new() };
    for (staged, code) in staged.into_iter().zip(request.modules) {
        let id = staged.module.id();
        let key = StateKey::module(&id);
        let old = state.get(&key).map_err(unreadable)?;
        publication.changes.writes.push(StateChange {
            key,
            new: Some(Bytes::from(code)),
            existed: old.is_some(),
            old_size: old.as_ref().map_or(0, |old| old.data.len() as u64),
            old_metadata: old.and_then(|old| old.metadata),
        });
        if staged.is_new && staged.module.find_function(INITIALIZER).is_some() {
            publication.initializers.push(id);
        }
    }
    publication.changes.writes.sort_by(|one, other| one.key.cmp(&other.key));
    Ok(publication)
}

/// Every published module that the bundle replaces or depends on, directly or not.
fn closure(
    bundle: &[Vec<u8>],
    read_limits: &ReadLimits,
    state: &dyn StateSource,
) -> Result<BTreeMap<ModuleId, CompiledModule>, VmError> {
    let mut found = BTreeMap::new();
    let mut bytes = 0;
    let mut open: Vec<ModuleId> = Vec::new();
    // Bytes that are no module are the bundle's own fault, told when it is verified.
    for module in bundle.iter().filter_map(|code| read_module(code, read_limits).ok()) {
        open.push(module.id());
        open.extend(module.dependencies());
    }
    while let Some(id) = open.pop() {
        if found.contains_key(&id) {
            continue;
        }
        let Some(code) = state.get(&StateKey::module(&id)).map_err(unreadable)? else { continue };
        bytes += code.data.len();
        if found.len() >= DEPENDENCIES_MAX || bytes > DEPENDENCY_BYTES_MAX {
            let message = "the bundle depends on too much code";
            return Err(VmError::with_message(StatusCode::DEPENDENCY_LIMIT_REACHED.0, message));
        }
        let module = read_module(&code.data, &PUBLISHED).map_err(|error| {
            let message = format!("module {id}: {error}");
            VmError::with_message(StatusCode::CODE_DESERIALIZATION_ERROR.0, message)
        })?;
        open.extend(module.dependencies());
        found.insert(id, module);
    }
    Ok(found)
}

fn unreadable(error: ledger_vm::StateError) -> VmError {
    VmError::with_message(StatusCode::STORAGE_ERROR.0, error.to_string())
}
