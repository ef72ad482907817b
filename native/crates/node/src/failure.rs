//! Refusals as data: `{ kind: "failure", code, message, vmStatus? }`.

use napi::bindgen_prelude::Either;
use napi_derive::napi;

use ledger_executor::refusal::QueryError;

/// A refusal on its way to JavaScript.
#[napi(object)]
#[derive(Debug)]
pub struct Failure {
    /// Always `failure`; tells this object from data.
    #[napi(ts_type = "'failure'")]
    pub kind: String,
    /// One of the wire error codes.
    pub code: String,
    /// One sentence for the caller: what was wrong, what was expected.
    pub message: String,
    /// Numeric status code of the virtual machine, where there is one.
    pub vm_status: Option<f64>,
}

impl Failure {
    /// A refusal with wire error code `code`.
    pub fn new(code: &str, message: impl Into<String>) -> Failure {
        Failure {
            kind: "failure".to_owned(),
            code: code.to_owned(),
            message: message.into(),
            vm_status: None,
        }
    }

    /// What the caller sent is wrong.
    pub fn invalid_input(message: impl Into<String>) -> Failure {
        Failure::new("invalid_input", message)
    }

    /// A bug on our side.
    pub fn internal(message: impl Into<String>) -> Failure {
        Failure::new("internal_error", message)
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Refused(refusal) => Failure {
                vm_status: refusal.vm_status.map(|status| status as f64),
                ..Failure::new(refusal.code, refusal.message)
            },
            QueryError::State(error) => Failure::internal(error.to_string()),
        }
    }
}

/// Data or a refusal, as one JavaScript value.
pub fn answer<T>(result: Result<T, Failure>) -> Either<T, Failure> {
    match result {
        Ok(data) => Either::A(data),
        Err(failure) => Either::B(failure),
    }
}
