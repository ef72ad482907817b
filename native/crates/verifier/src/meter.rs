//! The work budget, so that a hostile module costs a bounded time to refuse.
//!
//! Units are roughly nanoseconds of one pass; each function has a budget and so has the module as a
//! whole.

use ledger_bytecode::{FunctionDefIndex, StatusCode};

use crate::error::{Verdict, VerificationError};

/// Counts units against the budgets of a function and of its module.
#[derive(Debug)]
pub(crate) struct Meter {
    function_max: u64,
    module_max: u64,
    function_used: u64,
    module_used: u64,
    function: Option<FunctionDefIndex>,
}

impl Meter {
    pub(crate) fn new(function_max: u64, module_max: u64) -> Self {
        Self { function_max, module_max, function_used: 0, module_used: 0, function: None }
    }

    /// Starts a function; what the previous one used counts towards the module.
    pub(crate) fn enter(&mut self, function: Option<FunctionDefIndex>) {
        self.module_used = self.module_used.saturating_add(self.function_used);
        self.function_used = 0;
        self.function = function;
    }

    /// Uses `units`.
    pub(crate) fn charge(&mut self, units: u64) -> Verdict {
        self.function_used = self.function_used.saturating_add(units);
        let total = self.module_used.saturating_add(self.function_used);
        if self.function_used > self.function_max || total > self.module_max {
            return Err(VerificationError::instruction(
                StatusCode::PROGRAM_TOO_COMPLEX,
                self.function,
                0,
                "code that takes too long to verify",
            ));
        }
        Ok(())
    }

    /// Uses `each` units `count` times.
    pub(crate) fn charge_each(&mut self, each: u64, count: usize) -> Verdict {
        self.charge(each.saturating_mul(count as u64))
    }
}
