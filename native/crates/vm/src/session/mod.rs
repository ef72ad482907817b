//! One worker's machine, and one run of it over a state source.

use std::sync::Arc;

use ledger_types::{ModuleId, TypeTag};

use crate::api::{CallMode, FunctionSignature, ReturnValue};
use crate::context::SessionContext;
use crate::engine::Engine;
use crate::errors::{Fault, VmError};
use crate::gas::{GasMeter, GasParameters};
use crate::memory::Memory;
use crate::state::{ChangeSet, StateSource};

/// One worker's machine: the memory that its sessions run in. Not shared between threads.
pub struct Vm {
    engine: Arc<Engine>,
    memory: Memory,
}

impl Vm {
    /// A machine with an empty memory (64 MiB of address space, touched when used).
    pub fn new(engine: Arc<Engine>) -> Self {
        Self { engine, memory: Memory::new() }
    }

    /// The shared part.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Starts a session over `state`. The memory of the session before is forgotten.
    pub fn session<'a>(
        &'a mut self,
        state: &'a dyn StateSource,
        gas: &'a Arc<GasParameters>,
        context: SessionContext,
    ) -> Session<'a> {
        self.memory.reset(gas.costs().memory_quota);
        Session { vm: self, state, gas, context }
    }
}

/// One run: any number of calls over one state source, whose effects add up.
///
/// After a call failed the session must be dropped: its effects are not those of the calls before.
pub struct Session<'a> {
    vm: &'a mut Vm,
    state: &'a dyn StateSource,
    gas: &'a Arc<GasParameters>,
    context: SessionContext,
}

impl Session<'_> {
    /// Calls a function.
    ///
    /// # Errors
    /// Whatever stops the call: linking, argument rules of `mode`, aborts, gas. See
    /// [`crate::status`].
    pub fn call(
        &mut self,
        module: &ModuleId,
        function: &str,
        type_arguments: &[TypeTag],
        arguments: &[&[u8]],
        mode: CallMode<'_>,
        meter: &mut GasMeter,
    ) -> Result<Vec<ReturnValue>, VmError> {
        let _ = (module, function, type_arguments, arguments, mode, meter, self.state, self.gas, &self.context);
        Err(Fault::not_implemented("calls").into())
    }

    /// What a function looks like with these type arguments.
    ///
    /// # Errors
    /// `LINKER_ERROR` for an unknown module, `FUNCTION_RESOLUTION_FAILURE` for an unknown function,
    /// wrong type arguments.
    pub fn function_signature(
        &mut self,
        module: &ModuleId,
        function: &str,
        type_arguments: &[TypeTag],
    ) -> Result<FunctionSignature, VmError> {
        let _ = (module, function, type_arguments);
        Err(Fault::not_implemented("function signatures").into())
    }

    /// Whether the module is there and has a function of this name.
    ///
    /// # Errors
    /// Of the state source, or a module that does not link.
    pub fn has_function(&mut self, module: &ModuleId, function: &str) -> Result<bool, VmError> {
        let _ = (module, function);
        Err(Fault::not_implemented("function lookup").into())
    }

    /// Ends the session: everything its calls did.
    ///
    /// # Errors
    /// When a value cannot be written.
    pub fn finish(self) -> Result<ChangeSet, VmError> {
        drop(self.vm.memory.live_bytes());
        Err(Fault::not_implemented("change sets").into())
    }
}
