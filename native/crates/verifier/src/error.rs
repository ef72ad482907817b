//! Why a module was refused.

use std::fmt;

use ledger_bytecode::{BinaryError, FunctionDefIndex, Place, StatusCode, Table};

/// What every pass answers.
pub type Verdict = Result<(), VerificationError>;

/// A fault, with the protocol's number for it and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerificationError {
    /// The protocol's number, 1000 to 1999 but for internal faults.
    pub status: StatusCode,
    /// The table entry or instruction at fault.
    pub place: Place,
    /// What is wrong, for people.
    pub message: &'static str,
}

impl VerificationError {
    /// A fault of the module as a whole.
    pub fn whole(status: StatusCode, message: &'static str) -> Self {
        Self { status, place: Place::Whole, message }
    }

    /// A fault of a table entry.
    pub fn entry(status: StatusCode, table: Table, index: usize, message: &'static str) -> Self {
        Self { status, place: Place::Entry { table, index }, message }
    }

    /// A fault of an instruction.
    pub fn instruction(
        status: StatusCode,
        function: Option<FunctionDefIndex>,
        offset: usize,
        message: &'static str,
    ) -> Self {
        let function = function.map(|index| index.0);
        Self { status, place: Place::Instruction { function, offset }, message }
    }
}

impl From<BinaryError> for VerificationError {
    fn from(error: BinaryError) -> Self {
        Self { status: error.status, place: error.place, message: error.message }
    }
}

impl fmt::Display for VerificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BinaryError { status: self.status, place: self.place, message: self.message }.fmt(f)
    }
}

impl std::error::Error for VerificationError {}
