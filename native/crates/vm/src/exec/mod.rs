//! Running lowered code.
//!
//! Fuel is handed out in one slice as big as the meter allows and counted down by block headers;
//! everything that pays by value settles with the meter first ([`Machine::settle`]). Return
//! addresses are kept apart from the memory, so no value can become one.

mod dispatch;
pub mod globals;
pub mod vectors;

use crate::catalog::Catalog;
use crate::errors::{Fault, Location, LocationModule, VmError, status};
use crate::gas::GasMeter;
use crate::ins::Code;
use crate::memory::{FRAME_END, FRAME_WORDS};
use crate::natives::NativeCx;
use crate::script::SCRIPT_MODULE;
use crate::session::{Env, SessionData};

/// Most frames at once.
const FRAMES_MAX: usize = 1024;
/// Most operand values at once, over all frames.
const OPERANDS_MAX: u32 = 1024;

/// A caller that waits for its callee.
#[derive(Clone, Copy)]
struct Frame<'a> {
    code: &'a Code,
    pc: usize,
    base: usize,
    height: u32,
}

/// One call from outside, with everything it may reach.
pub struct Machine<'a, 's> {
    /// Memory, types, costs.
    pub env: Env<'a>,
    /// The session.
    pub data: &'a mut SessionData<'s>,
    /// Who pays.
    pub meter: &'a mut GasMeter,
    frames: Vec<Frame<'a>>,
    granted: i64,
    native_results: Vec<u64>,
    /// Whether a call was left to a function named at run time: from then on modules can be entered again
    /// while they are active, which is refused.
    dispatched: bool,
}

impl<'a, 's> Machine<'a, 's> {
    /// A machine that is not running anything.
    pub fn new(env: Env<'a>, data: &'a mut SessionData<'s>, meter: &'a mut GasMeter) -> Self {
        Self {
            env,
            data,
            meter,
            frames: Vec::new(),
            granted: 0,
            native_results: Vec::new(),
            dispatched: false,
        }
    }

    /// Runs `code` on the arguments in the slots from `base`; results are left there.
    ///
    /// # Errors
    /// Whatever stops it, with its place.
    pub fn run(&mut self, code: &'a Code, base: usize) -> Result<(), VmError> {
        if code.native.is_none() {
            return self.dispatch(code, base);
        }
        match self.native(code, base).map_err(|fault| fault.at(self.place(code, 0)))? {
            None => Ok(()),
            Some(target) => self.dispatch(target, base),
        }
    }

    fn catalog(&self) -> &'a Catalog {
        self.env.catalog
    }

    /// Takes back a slice of fuel with `left` in it.
    fn settle(&mut self, left: i64) -> Result<(), Fault> {
        let spent = (self.granted - left).max(0) as u64;
        self.granted = 0;
        self.meter.charge_execution(spent)
    }

    /// Hands out a slice.
    fn grant(&mut self) -> i64 {
        self.granted = self.meter.execution_headroom() as i64;
        self.granted
    }

    /// What to answer when `cost` cannot be paid from a slice with `left` in it.
    #[cold]
    fn exhausted(&mut self, left: i64, cost: u64) -> Fault {
        let spent = (self.granted - left).max(0) as u64;
        self.granted = 0;
        match self.meter.charge_execution(spent.saturating_add(cost)) {
            Err(fault) => fault,
            Ok(()) => Fault::new(status::OUT_OF_GAS),
        }
    }

    fn place(&self, code: &Code, offset: u16) -> Location {
        let id = &self.catalog().module(code.module).id;
        let module = match id.name.as_str() {
            SCRIPT_MODULE => LocationModule::Script,
            _ => LocationModule::Module(id.clone()),
        };
        Location { module, function: code.function, code_offset: offset }
    }

    /// Checks that a frame fits.
    fn check_frame(&self, code: &Code, base: usize, height: u32) -> Result<(), Fault> {
        let too_deep = self.frames.len() >= FRAMES_MAX;
        if too_deep || base + code.frame_slots as usize + 64 > FRAME_END - FRAME_WORDS {
            return Err(Fault::new(status::CALL_STACK_OVERFLOW));
        }
        if height + code.height > OPERANDS_MAX {
            return Err(Fault::new(status::EXECUTION_STACK_OVERFLOW));
        }
        Ok(())
    }

    /// Refuses a call into a module that called, however far below, the one that runs.
    fn check_reentry(&self, callee: &Code) -> Result<(), Fault> {
        if self.frames.iter().all(|frame| frame.code.module != callee.module) {
            return Ok(());
        }
        Err(self.reentry(callee))
    }

    #[cold]
    fn reentry(&self, callee: &Code) -> Fault {
        let id = &self.catalog().module(callee.module).id;
        Fault::with_message(status::RUNTIME_DISPATCH_ERROR, format!("{id} is active already"))
    }

    /// Runs a native on the arguments from `base`, releases them, and leaves the results there. Answers the
    /// code that must run in its place, if the native left the call to another function.
    fn native(&mut self, code: &'a Code, base: usize) -> Result<Option<&'a Code>, Fault> {
        let function = code.native.ok_or_else(|| Fault::invariant("not a native"))?;
        let mut results = std::mem::take(&mut self.native_results);
        results.clear();
        let mut cx = NativeCx {
            env: self.env,
            data: &mut *self.data,
            meter: &mut *self.meter,
            code,
            base,
            results: &mut results,
            redirect: None,
        };
        let outcome = function(&mut cx);
        let redirect = cx.redirect;
        outcome.map_err(|fault| fault.at(self.place(code, 0)))?;
        if let Some(number) = redirect {
            self.native_results = results;
            return self.redirected(code, number).map_err(|fault| fault.at(self.place(code, 0))).map(Some);
        }
        let values = self.env.values();
        for parameter in &code.parameters {
            let ty = self.env.ty(parameter.ty);
            if !ty.flat {
                values.release(ty, base + parameter.offset as usize)?;
            }
        }
        let expected = code.results.last().map_or(0, |last| last.offset + self.env.ty(last.ty).slots);
        if results.len() != expected as usize {
            return Err(Fault::invariant("a native returned the wrong number of words"));
        }
        for (i, word) in results.iter().enumerate() {
            self.env.memory.set_word(base + i, *word);
        }
        self.native_results = results;
        Ok(None)
    }

    /// The code that takes the place of `native`.
    fn redirected(&mut self, native: &Code, number: u32) -> Result<&'a Code, Fault> {
        let target = self.catalog().code(number, self.env.costs)?;
        if target.native.is_some() {
            return Err(Fault::with_message(status::RUNTIME_DISPATCH_ERROR, "calls are not left to natives"));
        }
        self.dispatched = true;
        if target.module == native.module {
            return Err(self.reentry(target));
        }
        self.check_reentry(target)?;
        Ok(target)
    }
}
