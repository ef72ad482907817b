//! Why there is no text to show.

use std::fmt;

use ledger_bytecode::BinaryError;
use ledger_types::ModuleId;
use ledger_verifier::VerificationError;
use ledger_vm::VmError;

/// A file that cannot be shown.
#[derive(Clone, Debug, PartialEq)]
pub enum InspectError {
    /// The bytes are no module.
    NotAModule(BinaryError),
    /// The verifier refuses a module, so nothing is lowered.
    Refused {
        /// Which module.
        module: ModuleId,
        /// Why.
        reason: VerificationError,
    },
    /// A module that is needed is missing, or does not link.
    NotLinked(VmError),
    /// The bytes are no transaction.
    NotATransaction(ledger_bcs::Error),
    /// The transaction is not a genesis that spells its changes out.
    NotAGenesis,
    /// The genesis lacks a resource every chain has, or it does not decode.
    BadResource(&'static str),
}

impl fmt::Display for InspectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModule(error) => write!(f, "not a Move module: {error}"),
            Self::Refused { module, reason } => write!(f, "the verifier refuses {module}: {reason}"),
            Self::NotLinked(error) => write!(
                f,
                "the module does not link ({error}); modules it needs are looked for beside the file and in \
                 the built-in framework"
            ),
            Self::NotATransaction(error) => write!(f, "not a genesis transaction: {error}"),
            Self::NotAGenesis => f.write_str("the transaction is not a genesis that spells its changes out"),
            Self::BadResource(name) => write!(f, "the genesis has no readable {name}"),
        }
    }
}

impl std::error::Error for InspectError {}
