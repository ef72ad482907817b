//! Failures of execution: a small fault without a place, and the error that carries one.
//!
//! An instruction or a native makes a [`Fault`], which knows what went wrong but not where. The
//! frame that was running adds module, function and bytecode offset once and makes a [`VmError`].
//! Status codes are the chain's public numbers; which of them keep a transaction is the executor's
//! concern.

use ledger_types::ModuleId;

/// Public status codes that this crate makes.
pub mod status {
    /// A module or one of its dependencies is missing or does not link.
    pub const LINKER_ERROR: u64 = 1081;
    /// A type argument lacks an ability its parameter demands.
    pub const CONSTRAINT_NOT_SATISFIED: u64 = 1075;
    /// Wrong count of type arguments.
    pub const NUMBER_OF_TYPE_ARGUMENTS_MISMATCH: u64 = 1076;
    /// The module has no such function.
    pub const FUNCTION_RESOLUTION_FAILURE: u64 = 1091;
    /// Parameters or results are not what a transaction target may have.
    pub const INVALID_MAIN_FUNCTION_SIGNATURE: u64 = 1011;
    /// Module dependencies form a cycle.
    pub const CYCLIC_MODULE_DEPENDENCY: u64 = 1097;
    /// Wrong count of arguments.
    pub const NUMBER_OF_ARGUMENTS_MISMATCH: u64 = 1098;
    /// Argument bytes are not the BCS of their parameter type.
    pub const FAILED_TO_DESERIALIZE_ARGUMENT: u64 = 1100;
    /// Wrong count of signers.
    pub const NUMBER_OF_SIGNER_ARGUMENTS_MISMATCH: u64 = 1101;
    /// The function is not an entry function.
    pub const EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION: u64 = 1103;
    /// A type has too many nodes for a layout.
    pub const TOO_MANY_TYPE_NODES: u64 = 1116;
    /// A struct is missing from its module.
    pub const TYPE_RESOLUTION_FAILURE: u64 = 2021;
    /// A native function may not be called from outside.
    pub const USER_DEFINED_NATIVE_NOT_ALLOWED: u64 = 1127;
    /// A rule of the machine itself was broken: a bug, never a program's fault.
    pub const UNKNOWN_INVARIANT_VIOLATION_ERROR: u64 = 2000;
    /// The state source failed.
    pub const STORAGE_ERROR: u64 = 2008;
    /// A resource in state is not the BCS of its type.
    pub const FAILED_TO_DESERIALIZE_RESOURCE: u64 = 2020;
    /// Code in state does not parse.
    pub const CODE_DESERIALIZATION_ERROR: u64 = 3024;
    /// The meter ran dry.
    pub const OUT_OF_GAS: u64 = 4002;
    /// `move_to` over an existing resource.
    pub const RESOURCE_ALREADY_EXISTS: u64 = 4004;
    /// A global operation named a resource that is not there.
    pub const MISSING_DATA: u64 = 4008;
    /// The program aborted with a code of its own.
    pub const ABORTED: u64 = 4016;
    /// Overflow, division by zero, lossy cast or oversized shift.
    pub const ARITHMETIC_ERROR: u64 = 4017;
    /// Vector index out of range (sub 1), pop from empty (2), wrong length on unpack (3).
    pub const VECTOR_OPERATION_ERROR: u64 = 4018;
    /// More than 1024 operand values.
    pub const EXECUTION_STACK_OVERFLOW: u64 = 4020;
    /// More than 1024 frames, or no words left for one.
    pub const CALL_STACK_OVERFLOW: u64 = 4021;
    /// A type is nested too deep.
    pub const VM_MAX_TYPE_DEPTH_REACHED: u64 = 4024;
    /// A value is nested too deep.
    pub const VM_MAX_VALUE_DEPTH_REACHED: u64 = 4025;
    /// A native's own state is inconsistent or a limit of it was passed.
    pub const VM_EXTENSION_ERROR: u64 = 4026;
    /// Live values exceed the memory quota.
    pub const MEMORY_LIMIT_EXCEEDED: u64 = 4028;
    /// A type has too many nodes.
    pub const VM_MAX_TYPE_NODES_REACHED: u64 = 4029;
    /// The cap on execution gas was reached.
    pub const EXECUTION_LIMIT_REACHED: u64 = 4030;
    /// The cap on IO gas was reached.
    pub const IO_LIMIT_REACHED: u64 = 4031;
    /// Call into an active module through dynamic dispatch.
    pub const RUNTIME_DISPATCH_ERROR: u64 = 4037;
    /// An enum holds another variant than the operation expects.
    pub const STRUCT_VARIANT_MISMATCH: u64 = 4038;
    /// The code needs something this machine does not do; the message names it.
    pub const UNIMPLEMENTED_FUNCTIONALITY: u64 = 4039;
    /// An abort message is not UTF-8.
    pub const INVALID_ABORT_MESSAGE: u64 = 4042;
    /// An abort message is longer than 1024 bytes.
    pub const ABORT_MESSAGE_LIMIT_EXCEEDED: u64 = 4043;
}

/// A failure that does not know its place yet. One pointer wide, so that hot results stay small.
#[derive(Debug)]
pub struct Fault(Box<FaultBody>);

/// What a [`Fault`] says.
#[derive(Debug)]
pub struct FaultBody {
    /// Public status code.
    pub status: u64,
    /// Refinement of the status, where the chain has one.
    pub sub_status: Option<u64>,
    /// Code of the program's abort; only with [`status::ABORTED`].
    pub abort_code: Option<u64>,
    /// Text for people.
    pub message: Option<String>,
    /// Set when the failure belongs to another function than the running one (a native).
    pub location: Option<Box<Location>>,
}

impl Fault {
    /// A fault with nothing but its status.
    #[cold]
    pub fn new(status: u64) -> Self {
        Self(Box::new(FaultBody {
            status,
            sub_status: None,
            abort_code: None,
            message: None,
            location: None,
        }))
    }

    /// A fault with a sentence for people.
    #[cold]
    pub fn with_message(status: u64, message: impl Into<String>) -> Self {
        let mut fault = Self::new(status);
        fault.0.message = Some(message.into());
        fault
    }

    /// A fault with a refinement.
    #[cold]
    pub fn with_sub(status: u64, sub_status: u64) -> Self {
        let mut fault = Self::new(status);
        fault.0.sub_status = Some(sub_status);
        fault
    }

    /// The program's own abort.
    #[cold]
    pub fn abort(code: u64) -> Self {
        let mut fault = Self::new(status::ABORTED);
        fault.0.abort_code = Some(code);
        fault
    }

    /// The same fault with a sentence for people.
    #[must_use]
    pub fn saying(mut self, message: String) -> Self {
        self.0.message = Some(message);
        self
    }

    /// A broken rule of the machine itself.
    #[cold]
    pub fn invariant(message: &str) -> Self {
        Self::with_message(status::UNKNOWN_INVARIANT_VIOLATION_ERROR, message)
    }

    /// Something this machine does not do yet, named.
    #[cold]
    pub fn not_implemented(what: &str) -> Self {
        Self::with_message(status::UNIMPLEMENTED_FUNCTIONALITY, format!("not implemented: {what}"))
    }

    /// Puts the failure at `location` unless it already has a place.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.0.location.get_or_insert_with(|| Box::new(location));
        self
    }

    /// What the fault says.
    pub fn body(&self) -> &FaultBody {
        &self.0
    }

    /// The public status code.
    pub fn status(&self) -> u64 {
        self.0.status
    }
}

/// Whose code was running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocationModule {
    /// A published module.
    Module(ModuleId),
    /// A transaction script.
    Script,
}

/// Place of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Whose code.
    pub module: LocationModule,
    /// Index into the function definitions of the module; 0 for a script.
    pub function: u16,
    /// Index of the bytecode instruction; 0 inside natives.
    pub code_offset: u16,
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VmError {
    /// Public status code, see [`status`].
    pub status: u64,
    /// Refinement of the status.
    pub sub_status: Option<u64>,
    /// Code of the program's abort; present exactly when `status` is [`status::ABORTED`].
    pub abort_code: Option<u64>,
    /// Text for people; for aborts with a message, that message.
    pub message: Option<String>,
    /// Where, if code was running.
    pub location: Option<Box<Location>>,
}

impl VmError {
    /// An error outside of any code.
    pub fn new(status: u64) -> Self {
        Fault::new(status).into()
    }

    /// An error outside of any code, with a sentence for people.
    pub fn with_message(status: u64, message: impl Into<String>) -> Self {
        Fault::with_message(status, message).into()
    }
}

impl From<Fault> for VmError {
    fn from(fault: Fault) -> Self {
        let body = *fault.0;
        Self {
            status: body.status,
            sub_status: body.sub_status,
            abort_code: body.abort_code,
            message: body.message,
            location: body.location,
        }
    }
}

impl std::fmt::Display for VmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "status {}", self.status)?;
        if let Some(code) = self.abort_code {
            write!(f, ", abort code {code:#x}")?;
        }
        if let Some(sub) = self.sub_status {
            write!(f, ", sub-status {sub}")?;
        }
        if let Some(location) = &self.location {
            match &location.module {
                LocationModule::Module(id) => write!(f, ", in {id}")?,
                LocationModule::Script => write!(f, ", in the script")?,
            }
            write!(f, " function {} offset {}", location.function, location.code_offset)?;
        }
        if let Some(message) = &self.message {
            write!(f, ": {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for VmError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallible_result_is_one_pointer_wide() {
        assert_eq!(size_of::<Result<(), Fault>>(), size_of::<usize>());
    }
}
