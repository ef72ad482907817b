//! Reasons of aborts: names and descriptions that modules carry in their metadata.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use ledger_bytecode::{CompiledModule, ModuleMetadata, ReadLimits, read_module};
use ledger_types::{AbortInfo, ModuleId, StateKey};
use ledger_vm::StateSource;

use crate::json::status::Modules;
use crate::keep::AbortReasons;

/// Most modules whose reasons are remembered.
const MODULES_MAX: usize = 1024;

/// Metadata of modules by the code it was read from. Reading one takes a pass over the module, so a
/// stream of failing transactions must not ask for that each time.
#[derive(Debug, Default)]
pub struct ReasonCache {
    modules: HashMap<ModuleId, (Bytes, Arc<ModuleMetadata>)>,
}

impl ReasonCache {
    fn metadata(&mut self, state: &dyn StateSource, module: &ModuleId) -> Option<Arc<ModuleMetadata>> {
        let code = state.get(&StateKey::module(module)).ok()??.data;
        if let Some((known, metadata)) = self.modules.get(module)
            && *known == code
        {
            return Some(metadata.clone());
        }
        let metadata = Arc::new(ModuleMetadata::of(&read_module(&code, &ReadLimits::default()).ok()?)?);
        if self.modules.len() >= MODULES_MAX {
            self.modules.clear();
        }
        self.modules.insert(module.clone(), (code, metadata.clone()));
        Some(metadata)
    }
}

/// Reasons as the modules of one state give them.
pub struct StateReasons<'a> {
    /// Where the modules are.
    pub state: &'a dyn StateSource,
    /// What is known of them.
    pub cache: &'a RefCell<ReasonCache>,
}

impl Modules for StateReasons<'_> {
    fn module(&self, id: &ModuleId) -> Option<CompiledModule> {
        let code = self.state.get(&StateKey::module(id)).ok()??.data;
        read_module(&code, &ReadLimits::default()).ok()
    }
}

impl AbortReasons for StateReasons<'_> {
    fn reason(&self, module: &ModuleId, code: u64) -> Option<AbortInfo> {
        let metadata = self.cache.borrow_mut().metadata(self.state, module)?;
        let entry = metadata.error(code)?;
        Some(AbortInfo { reason_name: entry.name.clone(), description: entry.description.clone() })
    }
}
