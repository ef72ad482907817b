//! Kept or discarded: what a failed execution means for the ledger.
//!
//! A kept transaction takes a version, pays and shows its status; a discarded one leaves no trace. The
//! table is the chain's, not ours: it decides root hashes.

use ledger_bytecode::{StatusCode, StatusKind};
use ledger_types::{AbortInfo, AbortLocation, ExecutionStatus, ModuleId};
use ledger_vm::{LocationModule, VmError};

use crate::features::{Feature, Features};

/// What becomes of a transaction that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// It enters the ledger with this status.
    Keep(ExecutionStatus),
    /// It does not; the status code says why.
    Discard(StatusCode),
}

/// Looks up the reason of an abort in the metadata of the module that aborted.
pub trait AbortReasons {
    /// Name and description of `code` in `module`, if the module has one.
    fn reason(&self, module: &ModuleId, code: u64) -> Option<AbortInfo>;
}

/// Decides what `error` means under `features`.
pub fn disposition(error: &VmError, features: &Features, reasons: &dyn AbortReasons) -> Disposition {
    let status = StatusCode(error.status);
    match status {
        StatusCode::ABORTED => return Disposition::Keep(abort(error, reasons)),
        StatusCode::OUT_OF_GAS => return Disposition::Keep(ExecutionStatus::OutOfGas),
        StatusCode::EXECUTION_LIMIT_REACHED
        | StatusCode::IO_LIMIT_REACHED
        | StatusCode::STORAGE_LIMIT_REACHED
        | StatusCode::TOO_MANY_DELAYED_FIELDS
        | StatusCode::VM_MAX_VALUE_DEPTH_REACHED => return miscellaneous(status),
        _ => {}
    }
    match status.kind() {
        StatusKind::Validation | StatusKind::Unknown => Disposition::Discard(status),
        StatusKind::InvariantViolation if features.is_on(Feature::ChargeInvariantViolation) => {
            miscellaneous(status)
        }
        StatusKind::InvariantViolation => Disposition::Discard(status),
        StatusKind::Verification | StatusKind::Deserialization => miscellaneous(status),
        StatusKind::Execution => Disposition::Keep(execution_failure(error)),
    }
}

fn miscellaneous(status: StatusCode) -> Disposition {
    Disposition::Keep(ExecutionStatus::MiscellaneousError(Some(status.0)))
}

fn abort(error: &VmError, reasons: &dyn AbortReasons) -> ExecutionStatus {
    let code = error.abort_code.unwrap_or_default();
    let location = abort_location(error);
    let info = match &location {
        AbortLocation::Module(module) => reasons.reason(module, code),
        AbortLocation::Script => None,
    };
    ExecutionStatus::MoveAbort { location, code, info }
}

fn execution_failure(error: &VmError) -> ExecutionStatus {
    let (function, code_offset) =
        error.location.as_ref().map_or((0, 0), |location| (location.function, location.code_offset));
    ExecutionStatus::ExecutionFailure { location: abort_location(error), function, code_offset }
}

/// A failure without a place counts as the script's.
fn abort_location(error: &VmError) -> AbortLocation {
    match error.location.as_ref().map(|location| &location.module) {
        Some(LocationModule::Module(module)) => AbortLocation::Module(module.clone()),
        Some(LocationModule::Script) | None => AbortLocation::Script,
    }
}

#[cfg(test)]
mod tests {
    use ledger_vm::Location;

    use super::*;

    struct NoReasons;

    impl AbortReasons for NoReasons {
        fn reason(&self, _: &ModuleId, _: u64) -> Option<AbortInfo> {
            None
        }
    }

    fn charging() -> Features {
        Features::from_resource(Some(&[3, 0, 0, 1 << 4])).unwrap()
    }

    #[test]
    fn each_kind_of_failure_has_its_fate() {
        use Disposition::{Discard, Keep};
        use ExecutionStatus::{MiscellaneousError, OutOfGas};
        let off = Features::default();
        let rows = [
            (StatusCode::OUT_OF_GAS, &off, Keep(OutOfGas)),
            (StatusCode::SEQUENCE_NUMBER_TOO_OLD, &off, Discard(StatusCode::SEQUENCE_NUMBER_TOO_OLD)),
            (StatusCode(2000), &off, Discard(StatusCode(2000))),
            (StatusCode(2000), &charging(), Keep(MiscellaneousError(Some(2000)))),
            (StatusCode::LINKER_ERROR, &off, Keep(MiscellaneousError(Some(1081)))),
            (StatusCode(3001), &off, Keep(MiscellaneousError(Some(3001)))),
            (StatusCode::IO_LIMIT_REACHED, &off, Keep(MiscellaneousError(Some(4031)))),
            (StatusCode(u64::MAX), &off, Discard(StatusCode(u64::MAX))),
        ];
        for (status, features, expected) in rows {
            assert_eq!(disposition(&VmError::new(status.0), features, &NoReasons), expected, "{status}");
        }
    }

    #[test]
    fn an_execution_failure_names_its_place_or_counts_as_the_scripts() {
        let mut error = VmError::new(4017);
        let placeless = ExecutionStatus::ExecutionFailure {
            location: AbortLocation::Script,
            function: 0,
            code_offset: 0,
        };
        assert_eq!(disposition(&error, &Features::default(), &NoReasons), Disposition::Keep(placeless));
        let place = Location { module: LocationModule::Script, function: 3, code_offset: 9 };
        error.location = Some(Box::new(place));
        let placed = ExecutionStatus::ExecutionFailure {
            location: AbortLocation::Script,
            function: 3,
            code_offset: 9,
        };
        assert_eq!(disposition(&error, &Features::default(), &NoReasons), Disposition::Keep(placed));
    }
}
