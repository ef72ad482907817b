//! One thread's virtual machine with everything that is remembered from call to call.
//!
//! What is remembered is keyed by content (the bytes of settings, the version of the code), never by
//! ledger version: one machine serves any number of snapshots.

use std::cell::RefCell;
use std::sync::Arc;

use ledger_types::SessionId;
use ledger_vm::{SessionContext, StateError, Vm};

use crate::chain::{ChainConfig, ConfigCache};
use crate::framework::engine;
use crate::json::{LayoutCache, Types};
use crate::reasons::ReasonCache;
use crate::refusal::QueryError;
use crate::state_view::{BlockState, StateCache, StateView};

/// A machine and its memory of earlier calls. Not shared between threads.
pub struct Machine {
    /// The virtual machine.
    pub vm: Vm,
    /// Reasons of aborts.
    pub reasons: RefCell<ReasonCache>,
    config: ConfigCache,
    layouts: LayoutCache,
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine {
    /// A machine that runs the built-in framework.
    pub fn new() -> Machine {
        Machine {
            vm: Vm::new(engine()),
            reasons: RefCell::default(),
            config: ConfigCache::default(),
            layouts: LayoutCache::default(),
        }
    }

    /// Readies the machine for a state: settings in force, version of the code.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn prepare(&mut self, state: &BlockState<'_>) -> Result<Arc<ChainConfig>, StateError> {
        let (chain, code_version) = self.config.read(state)?;
        state.set_code_version(code_version);
        self.layouts.use_for(code_version);
        Ok(chain)
    }

    /// Answers a question about types and values of the state that `view` shows.
    ///
    /// # Errors
    /// Those of `question`, and a state that cannot be read.
    pub fn ask<T>(
        &mut self,
        view: &dyn StateView,
        question: impl FnOnce(&mut Types<'_>, &ChainConfig) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        let mut cache = StateCache::default();
        let state = BlockState::new(view, &mut cache);
        let chain = self.prepare(&state)?;
        let answer = question(&mut self.types(&state, &chain), &chain);
        state.failure().map_or(answer, |error| Err(error.into()))
    }

    /// Types of a state that the machine was prepared for.
    pub fn types<'a>(&'a mut self, state: &'a BlockState<'_>, chain: &'a ChainConfig) -> Types<'a> {
        let session = self.vm.session(state, &chain.gas, void_context(chain));
        Types::new(state, session, &mut self.layouts)
    }
}

/// Context of a call that is nobody's transaction.
pub fn void_context(chain: &ChainConfig) -> SessionContext {
    SessionContext {
        session_id: SessionId::Void,
        chain_id: chain.chain_id,
        script_hash: Vec::new(),
        timestamp_usecs: 0,
        user: None,
    }
}
