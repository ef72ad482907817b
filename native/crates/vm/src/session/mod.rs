//! One worker's machine, and one run of it over a state source.

mod arguments;
mod cache;
mod data;
mod finish;
mod groups;
mod layout;

use cache::{Cache, FoundFunction};
pub use data::{Aggregate, Env, SessionData};

use std::sync::Arc;

use ledger_bcs::layout::Layout;
use ledger_bytecode::{FunctionDefIndex, Visibility};
use ledger_types::{Address, ModuleId, TypeTag};

use crate::api::{
    CallMode, FunctionSignature, FunctionVisibility, Parameter, Passing, ReturnValue, ScriptCode,
};
use crate::catalog::{Catalog, InstanceKey};
use crate::context::SessionContext;
use crate::engine::Engine;
use crate::errors::{Fault, VmError, status};
use crate::exec::Machine;
use crate::gas::{GasMeter, GasParameters};
use crate::ins::Code;
use crate::listing::listing;
use crate::memory::{FRAME_START, Memory};
use crate::state::{ChangeSet, StateSource};
use crate::types::{Kind, ModuleIx, TypeId};

/// One worker's machine: the memory that its sessions run in. Not shared between threads.
pub struct Vm {
    engine: Arc<Engine>,
    catalog: Arc<Catalog>,
    memory: Memory,
    cache: Cache,
}

impl Vm {
    /// A machine with an empty memory (64 MiB of address space, touched when used).
    pub fn new(engine: Arc<Engine>) -> Self {
        let catalog = engine.catalog();
        Self { engine, catalog, memory: Memory::new(), cache: Cache::default() }
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
        let catalog = self.engine.catalog();
        if !Arc::ptr_eq(&catalog, &self.catalog) {
            // What was found by number is void with the numbers.
            self.cache = Cache::default();
            self.catalog = catalog;
        }
        let schedule = self.cache.schedule(&self.catalog, gas);
        self.cache.start_session();
        let env = Env { catalog: &self.catalog, memory: &self.memory, costs: gas.costs() };
        Session { env, data: SessionData::new(state, context, env.catalog, &mut self.cache, schedule) }
    }
}

/// How many things a session gave out that are told apart by a number and the session's id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    tables: u32,
    aggregators: u32,
    addresses: u64,
    counter: u16,
}

/// One run: any number of calls over one state source, whose effects add up.
///
/// After a call failed the session must be dropped: its effects are not those of the calls before.
pub struct Session<'a> {
    env: Env<'a>,
    data: SessionData<'a>,
}

/// A function found by name, with its type arguments.
struct Target<'a> {
    module: ModuleIx,
    function: FunctionDefIndex,
    code: &'a Code,
}

impl<'a> Session<'a> {
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
        let target = self.target(module, function, type_arguments)?;
        self.data.natives.unbiasable =
            matches!(mode, CallMode::Entry { .. }) && self.may_draw(&target, function);
        self.run(&target, arguments, mode, meter)
    }

    /// Runs a script: the same argument rules as for an entry function.
    ///
    /// # Errors
    /// `CODE_DESERIALIZATION_ERROR` and what the verifier says of the script, then as [`Self::call`].
    /// Failures inside it are placed in [`crate::LocationModule::Script`].
    pub fn call_script(
        &mut self,
        script: &ScriptCode<'_>,
        type_arguments: &[TypeTag],
        arguments: &[&[u8]],
        signers: &[Address],
        meter: &mut GasMeter,
    ) -> Result<(), VmError> {
        self.data.natives.unbiasable = false;
        let catalog = self.env.catalog;
        let module = self.data.script(catalog, script.bytes, script.read_limits, script.limits)?;
        let function = FunctionDefIndex(0);
        let instance = self.instance(module, function, type_arguments)?;
        let target = Target { module, function, code: catalog.code(instance, self.env.costs)? };
        self.run(&target, arguments, CallMode::Entry { signers }, meter)?;
        Ok(())
    }

    fn run(
        &mut self,
        target: &Target<'a>,
        arguments: &[&[u8]],
        mode: CallMode<'_>,
        meter: &mut GasMeter,
    ) -> Result<Vec<ReturnValue>, VmError> {
        let borrowed = self.place_arguments(target, arguments, mode, meter)?;
        Machine::new(self.env, &mut self.data, meter).run(target.code, FRAME_START)?;
        let mut values = Vec::with_capacity(target.code.results.len());
        for result in &target.code.results {
            let ty = self.env.ty(result.ty);
            let at = FRAME_START + result.offset as usize;
            let tag = self.data.tag(self.env.catalog, result.ty)?;
            let mut bytes = Vec::new();
            self.env.values().encode(ty, at, &mut bytes)?;
            self.env.values().release(ty, at)?;
            values.push(ReturnValue { tag, bytes });
        }
        for block in borrowed {
            self.env.memory.release(block);
        }
        Ok(values)
    }

    /// Whether an entry function may draw random values: it says so, and no other module can call it.
    fn may_draw(&self, target: &Target<'_>, name: &str) -> bool {
        let linked = self.env.catalog.module(target.module);
        linked.attributes.draws(name) && linked.code[target.function].visibility != Visibility::Public
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
        let target = self.target(module, function, type_arguments)?;
        let linked = self.env.catalog.module(target.module);
        let definition = &linked.code[target.function];
        let visibility = match definition.visibility {
            Visibility::Private => FunctionVisibility::Private,
            Visibility::Public => FunctionVisibility::Public,
            Visibility::Friend => FunctionVisibility::Friend,
        };
        let describe = |ty: TypeId| {
            let (passing, ty) = match self.env.ty(ty).kind {
                Kind::Reference(inner) => (Passing::Reference, inner),
                Kind::MutableReference(inner) => (Passing::MutableReference, inner),
                _ => (Passing::Value, ty),
            };
            Parameter { passing, tag: self.env.catalog.tag(ty).ok() }
        };
        Ok(FunctionSignature {
            visibility,
            is_entry: definition.is_entry,
            is_view: linked.attributes.is_view(function),
            is_native: definition.is_native(),
            parameters: target.code.parameters.iter().map(|slot| describe(slot.ty)).collect(),
            results: target.code.results.iter().map(|slot| describe(slot.ty)).collect(),
        })
    }

    /// Whether the module is there and has a function of this name.
    ///
    /// # Errors
    /// Of the state source, or a module that does not link.
    pub fn has_function(&mut self, module: &ModuleId, function: &str) -> Result<bool, VmError> {
        let ix = self.data.module(self.env.catalog, module)?;
        Ok(self.env.catalog.module(ix).function(function).is_some())
    }

    /// Bytes of the memory that values hold now. Between calls these are the values of resources and
    /// table items; a call that ended well leaves nothing else behind.
    pub fn live_bytes(&self) -> u64 {
        self.env.memory.live_bytes()
    }

    /// The function as register code, one line an instruction: for people who look into the machine.
    ///
    /// # Errors
    /// As [`Self::function_signature`].
    pub fn lowered_text(
        &mut self,
        module: &ModuleId,
        function: &str,
        type_arguments: &[TypeTag],
    ) -> Result<String, VmError> {
        Ok(listing(self.target(module, function, type_arguments)?.code))
    }

    /// How values of this type are laid out in BCS and named in JSON.
    ///
    /// # Errors
    /// Unknown modules or structs, types that are too big.
    pub fn layout_of(&mut self, tag: &TypeTag) -> Result<Layout, VmError> {
        let ty = self.data.resolve(self.env.catalog, tag)?;
        Ok(layout::layout_of(self.env.catalog, ty)?)
    }

    /// What the session numbered so far.
    pub fn made(&self) -> Made {
        let data = &self.data;
        Made {
            tables: data.tables_made(),
            aggregators: data.aggregators_made,
            addresses: data.addresses_made,
            counter: data.counter,
        }
    }

    /// Goes on numbering where another session with the same id ended. Only before the first call.
    pub fn go_on(&mut self, made: Made) {
        self.data.tables_before = made.tables;
        self.data.aggregators_made = made.aggregators;
        self.data.addresses_made = made.addresses;
        self.data.counter = made.counter;
    }

    /// Ends the session: everything its calls did.
    ///
    /// # Errors
    /// When a value cannot be written.
    pub fn finish(self) -> Result<ChangeSet, VmError> {
        Ok(self.data.finish(self.env)?)
    }

    /// Finds a function, checks its type arguments, and lowers it.
    fn target(
        &mut self,
        module: &ModuleId,
        function: &str,
        type_arguments: &[TypeTag],
    ) -> Result<Target<'a>, Fault> {
        let catalog = self.env.catalog;
        let schedule = self.data.schedule;
        if let Some(found) = self.data.cache.target(module, function, type_arguments, schedule) {
            return Ok(Target {
                module: found.module,
                function: FunctionDefIndex(found.function),
                code: catalog.code(found.instance, self.env.costs)?,
            });
        }
        let ix = self.data.module(catalog, module)?;
        let linked = catalog.module(ix);
        let index = linked.function(function).ok_or_else(|| {
            let why = format!("function {module}::{function} does not exist");
            Fault::with_message(status::FUNCTION_RESOLUTION_FAILURE, why)
        })?;
        let number = self.instance(ix, index, type_arguments)?;
        let found = FoundFunction { module: ix, function: index.0, instance: number };
        if self.data.is_shared(module, type_arguments) {
            self.data.cache.add_target(module, function, type_arguments, schedule, found);
        }
        Ok(Target { module: ix, function: index, code: catalog.code(number, self.env.costs)? })
    }

    /// The number of a function with these type arguments, once they are checked.
    fn instance(
        &mut self,
        module: ModuleIx,
        index: FunctionDefIndex,
        type_arguments: &[TypeTag],
    ) -> Result<u32, Fault> {
        let catalog = self.env.catalog;
        let schedule = self.data.schedule;
        let constraints = &self.env.catalog.module(module).code.handle_of(index).type_parameters;
        if constraints.len() != type_arguments.len() {
            return Err(Fault::new(status::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH));
        }
        let mut arguments = Vec::with_capacity(type_arguments.len());
        for (tag, constraint) in type_arguments.iter().zip(constraints) {
            let ty = self.data.resolve(catalog, tag)?;
            let info = catalog.types.get(ty);
            if u64::from(info.nodes) > self.env.costs.type_nodes_max {
                return Err(Fault::new(status::VM_MAX_TYPE_NODES_REACHED));
            }
            if u64::from(info.depth) > self.env.costs.type_depth_max {
                return Err(Fault::new(status::VM_MAX_TYPE_DEPTH_REACHED));
            }
            if !constraint.is_subset_of(info.abilities) {
                return Err(Fault::new(status::CONSTRAINT_NOT_SATISFIED));
            }
            arguments.push(ty);
        }
        catalog.instance(InstanceKey { module, function: index.0, arguments: arguments.into(), schedule })
    }
}
