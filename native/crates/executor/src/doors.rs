//! The doors by which code from outside comes to run, and the one switch that opens and shuts them.
//!
//! Whatever comes in, the virtual machine runs it only after the verifier accepted it. A door that is shut
//! answers *not implemented*: to clients before anything is admitted, and once more inside the executor,
//! so that a door somebody forgot to close leads nowhere.

use ledger_bytecode::StatusCode;
use ledger_types::{EntryFunction, Script, TransactionExecutable, TransactionPayload};
use ledger_vm::VmError;

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

/// The switch: whether `door` is open.
///
/// # Errors
/// [`NotImplemented`] while it is shut.
pub fn pass(door: Door) -> Result<(), NotImplemented> {
    match door {
        Door::Script | Door::Publishing | Door::GenesisFile => Ok(()),
        Door::Multisig => Err(NotImplemented(door)),
    }
}

/// Stops a payload that needs a door which is shut.
///
/// # Errors
/// [`NotImplemented`].
pub fn check_payload(payload: &TransactionPayload) -> Result<(), NotImplemented> {
    match payload {
        TransactionPayload::Script(_) => pass(Door::Script),
        TransactionPayload::Multisig(_) => pass(Door::Multisig),
        TransactionPayload::EntryFunction(_) => Ok(()),
        TransactionPayload::Inner(inner) if inner.extra_config.multisig_address.is_some() => {
            pass(Door::Multisig)
        }
        TransactionPayload::Inner(inner) => match &inner.executable {
            TransactionExecutable::Script(_) => pass(Door::Script),
            TransactionExecutable::EntryFunction(_) | TransactionExecutable::Empty => Ok(()),
        },
    }
}

/// What a payload that may run consists of.
#[derive(Clone, Copy, Debug)]
pub enum Executable<'a> {
    /// A function of a published module.
    EntryFunction(&'a EntryFunction),
    /// Code of its own.
    Script(&'a Script),
}

/// What a payload that may run consists of.
///
/// # Errors
/// `FEATURE_UNDER_GATING` for every other payload: a transaction behind a shut door is discarded, should
/// it get as far as a block.
pub fn executable(payload: &TransactionPayload) -> Result<Executable<'_>, VmError> {
    let gated = |why: String| VmError::with_message(StatusCode::FEATURE_UNDER_GATING.0, why);
    check_payload(payload).map_err(|refusal| gated(refusal.to_string()))?;
    match payload {
        TransactionPayload::EntryFunction(call) => Ok(Executable::EntryFunction(call)),
        TransactionPayload::Script(script) => Ok(Executable::Script(script)),
        TransactionPayload::Inner(inner) => match &inner.executable {
            TransactionExecutable::EntryFunction(call) => Ok(Executable::EntryFunction(call)),
            TransactionExecutable::Script(script) => Ok(Executable::Script(script)),
            TransactionExecutable::Empty => Err(gated("an empty payload".to_owned())),
        },
        TransactionPayload::Multisig(_) => Err(gated("multisig payloads: not implemented".to_owned())),
    }
}
