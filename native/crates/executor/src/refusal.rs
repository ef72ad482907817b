//! Why a question about the state gets no answer.

use ledger_bytecode::StatusCode;
use ledger_vm::{StateError, VmError};

use crate::doors::NotImplemented;

/// A refusal that a client can act upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One of the wire error codes, such as `invalid_input`.
    pub code: &'static str,
    /// One sentence: what was wrong, what was expected.
    pub message: String,
    /// Status code of the virtual machine, where it stopped the call.
    pub vm_status: Option<u64>,
}

impl Refusal {
    /// What the client sent is wrong.
    pub fn invalid_input(message: impl Into<String>) -> Refusal {
        Refusal { code: "invalid_input", message: message.into(), vm_status: None }
    }
}

/// No answer: the question was refused, or the state could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryError {
    /// The client's doing.
    Refused(Refusal),
    /// The store's.
    State(StateError),
}

impl From<Refusal> for QueryError {
    fn from(refusal: Refusal) -> Self {
        QueryError::Refused(refusal)
    }
}

impl From<StateError> for QueryError {
    fn from(error: StateError) -> Self {
        QueryError::State(error)
    }
}

impl From<NotImplemented> for QueryError {
    fn from(shut: NotImplemented) -> Self {
        Refusal::invalid_input(shut.to_string()).into()
    }
}

impl From<VmError> for QueryError {
    /// For failures that need no reason looked up. A store that failed is told by whoever asked it.
    fn from(error: VmError) -> Self {
        let name = status_name(error.status);
        let message = match &error.message {
            Some(message) => format!("{name}: {message}"),
            None => name.to_owned(),
        };
        Refusal { code: "invalid_input", message, vm_status: Some(error.status) }.into()
    }
}

/// Public name of a status code; `UNKNOWN_STATUS` for one that has none.
pub fn status_name(status: u64) -> &'static str {
    StatusCode(status).name().unwrap_or("UNKNOWN_STATUS")
}
