//! The doors by which code from outside could come to run, and the one switch that shuts them.
//!
//! The virtual machine trusts what the verifier promises. Until every module passes a complete verifier
//! first, only the framework that is compiled into the core may run, and each door answers *not
//! implemented*: to clients before anything is admitted, and once more inside the executor, so that a
//! door somebody forgot to close leads nowhere.

use ledger_bytecode::StatusCode;
use ledger_types::{
    Address, EntryFunction, HashValue, ModuleId, Multisig, Path, StateKey, TransactionExecutable,
    TransactionPayload, TransactionPayloadInner,
};
use ledger_vm::{PublishRequest, VmError};

use crate::framework::engine;

/// The switch: whether code that is not part of the framework may run.
const FOREIGN_CODE_RUNS: bool = false;

/// A way in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A transaction that carries its own code.
    Script,
    /// A transaction on behalf of a multisig account; its payload may be a script.
    Multisig,
    /// A transaction that publishes modules.
    Publishing,
    /// A chain that starts from a genesis file, with the modules in it.
    GenesisFile,
}

/// A door is shut. Reaches clients as `invalid_input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotImplemented(pub Door);

impl std::fmt::Display for NotImplemented {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.0 {
            Door::Script => "script payloads",
            Door::Multisig => "multisig payloads",
            Door::Publishing => "publishing modules",
            Door::GenesisFile => "starting from a genesis file",
        };
        write!(f, "{what}: not implemented")
    }
}

impl std::error::Error for NotImplemented {}

/// Whether `door` is open.
///
/// # Errors
/// [`NotImplemented`] while it is shut.
pub fn pass(door: Door) -> Result<(), NotImplemented> {
    if FOREIGN_CODE_RUNS { Ok(()) } else { Err(NotImplemented(door)) }
}

/// Stops a payload that needs a door which is shut.
///
/// # Errors
/// [`NotImplemented`].
pub fn check_payload(payload: &TransactionPayload) -> Result<(), NotImplemented> {
    match payload {
        TransactionPayload::Script(_) => pass(Door::Script),
        TransactionPayload::Multisig(_) => pass(Door::Multisig),
        TransactionPayload::EntryFunction(call) => check_call(call),
        TransactionPayload::Inner(inner) if inner.extra_config.multisig_address.is_some() => {
            pass(Door::Multisig)
        }
        TransactionPayload::Inner(inner) => match &inner.executable {
            TransactionExecutable::Script(_) => pass(Door::Script),
            TransactionExecutable::EntryFunction(call) => check_call(call),
            TransactionExecutable::Empty => Ok(()),
        },
    }
}

/// Names of framework modules whose entry functions exist to publish.
const PUBLISHING_MODULES: [&str; 2] = ["code", "object_code_deployment"];

/// Stops a call whose purpose is to publish.
///
/// # Errors
/// [`NotImplemented`].
pub fn check_call(call: &EntryFunction) -> Result<(), NotImplemented> {
    let module = &call.module;
    let publishes = PUBLISHING_MODULES.contains(&module.name.as_str())
        || (module.name == *"resource_account" && call.function.as_str().contains("publish"));
    if module.address == Address::ONE && publishes { pass(Door::Publishing) } else { Ok(()) }
}

/// Stops a stored module that could not run: a chain whose framework is of another build cannot go on, and
/// says so at its start rather than at its next block.
///
/// # Errors
/// [`ForeignFramework`] naming the module.
pub fn check_stored_module(key: &StateKey, code: &[u8]) -> Result<(), ForeignFramework> {
    match key.path() {
        Ok(Some(Path::Code(id))) if pass(Door::Publishing).is_err() => {
            let digest = HashValue::sha3_256(code);
            if engine().is_trusted(&digest.0) { Ok(()) } else { Err(ForeignFramework(id)) }
        }
        _ => Ok(()),
    }
}

/// A stored module is not the one that is compiled into this core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignFramework(pub ModuleId);

impl std::fmt::Display for ForeignFramework {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let module = &self.0;
        write!(
            f,
            "the chain holds a module {module} that is not of this build's framework, and only that may run"
        )
    }
}

impl std::error::Error for ForeignFramework {}

/// The entry function of a payload that may run.
///
/// # Errors
/// `FEATURE_UNDER_GATING` for every other payload: a transaction behind a shut door is discarded, should
/// it get as far as a block.
pub fn entry_function(payload: &TransactionPayload) -> Result<&EntryFunction, VmError> {
    let gated = || VmError::with_message(StatusCode::FEATURE_UNDER_GATING.0, "payload not implemented");
    check_payload(payload)
        .map_err(|refusal| VmError::with_message(StatusCode::FEATURE_UNDER_GATING.0, refusal.to_string()))?;
    match payload {
        TransactionPayload::EntryFunction(call)
        | TransactionPayload::Inner(TransactionPayloadInner {
            executable: TransactionExecutable::EntryFunction(call),
            ..
        }) => Ok(call),
        TransactionPayload::Script(_)
        | TransactionPayload::Multisig(Multisig { .. })
        | TransactionPayload::Inner(_) => Err(gated()),
    }
}

/// Stops a session that asked to publish by whatever way.
///
/// # Errors
/// `FEATURE_UNDER_GATING`.
pub fn check_publish_request(request: Option<&PublishRequest>) -> Result<(), VmError> {
    match request {
        None => Ok(()),
        Some(_) => pass(Door::Publishing).map_err(|refusal| {
            VmError::with_message(StatusCode::FEATURE_UNDER_GATING.0, refusal.to_string())
        }),
    }
}
