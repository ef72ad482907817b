//! Definitions of a module by name, so that looking many names up costs no scan each.

use std::collections::HashMap;

use ledger_bytecode::{CompiledModule, FunctionDefIndex, StructDefIndex};

/// Structs and functions of one module. Only looked up, never iterated.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    structs: HashMap<&'a str, StructDefIndex>,
    functions: HashMap<&'a str, FunctionDefIndex>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(module: &'a CompiledModule) -> Self {
        let structs =
            module.struct_defs().map(|(index, def)| (module.struct_name(def.handle).as_str(), index));
        let functions =
            module.function_defs().map(|(index, def)| (module.function_name(def.handle).as_str(), index));
        Self { structs: structs.collect(), functions: functions.collect() }
    }

    pub(crate) fn structure(&self, name: &str) -> Option<StructDefIndex> {
        self.structs.get(name).copied()
    }

    pub(crate) fn function(&self, name: &str) -> Option<FunctionDefIndex> {
        self.functions.get(name).copied()
    }
}
