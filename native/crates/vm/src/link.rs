//! Linked modules: a module with every handle resolved to the module that defines it.
//!
//! A linked module is identified by its *link hash*, made of its own bytes and the link hashes of
//! its direct dependencies. An upgrade changes the hashes of a module and of all that depend on it
//! and of nothing else, so that everything derived from a linked module can be kept for ever.

use std::collections::HashMap;

use ledger_bytecode::{CompiledModule, FunctionDefIndex, Visibility};
use ledger_types::{HashValue, Identifier, ModuleId};

use crate::attributes::Attributes;
use crate::errors::{Fault, status};
use crate::slab::Slab;
use crate::types::ModuleIx;

/// A module whose handles are resolved.
pub struct LinkedModule {
    /// Its number in the engine.
    pub ix: ModuleIx,
    /// Address and name.
    pub id: ModuleId,
    /// Its definitions.
    pub code: CompiledModule,
    /// Identity of the module with its dependencies.
    pub link_hash: HashValue,
    /// Module and definition index behind each struct handle.
    pub struct_targets: Box<[(ModuleIx, u16)]>,
    /// Module and definition index behind each function handle.
    pub function_targets: Box<[(ModuleIx, u16)]>,
    /// What the module's metadata says of its structs and functions.
    pub attributes: Attributes,
    functions: HashMap<Identifier, u16>,
    structs: HashMap<Identifier, u16>,
}

impl LinkedModule {
    /// Resolves every handle of `code`. `dependencies` holds the module behind each module handle;
    /// the entry of the module itself is ignored.
    ///
    /// # Errors
    /// `LINKER_ERROR` when a struct or function is missing or may not be called from here.
    pub fn new(
        ix: ModuleIx,
        code: CompiledModule,
        link_hash: HashValue,
        dependencies: &[ModuleIx],
        modules: &Slab<Self>,
    ) -> Result<Self, Fault> {
        let id = code.id();
        let functions: HashMap<_, _> = code
            .function_defs()
            .map(|(index, definition)| (code[code[definition.handle].name].clone(), index.0))
            .collect();
        let structs: HashMap<_, _> = code
            .struct_defs()
            .map(|(index, definition)| (code[code[definition.handle].name].clone(), index.0))
            .collect();
        let missing = |kind: &str, module: &ModuleId, name: &Identifier| {
            Fault::with_message(status::LINKER_ERROR, format!("{id} names {kind} {module}::{name}"))
        };
        let own = |handle: ledger_bytecode::ModuleHandleIndex| {
            handle == code.self_handle || code.tables.module_id(&code[handle]) == id
        };
        let other = |handle: ledger_bytecode::ModuleHandleIndex| {
            let number = dependencies.get(handle.index()).copied().unwrap_or(ix);
            modules.get(number.0).ok_or_else(|| Fault::invariant("dependency is not linked"))
        };
        let mut struct_targets = Vec::with_capacity(code.struct_handles.len());
        for handle in &code.struct_handles {
            let name = &code[handle.name];
            let target = if own(handle.module) {
                structs.get(name).map(|definition| (ix, *definition))
            } else {
                let module = other(handle.module)?;
                module.structs.get(name).map(|definition| (module.ix, *definition))
            };
            let owner = code.tables.module_id(&code[handle.module]);
            struct_targets.push(target.ok_or_else(|| missing("a struct that is not there:", &owner, name))?);
        }
        let mut function_targets = Vec::with_capacity(code.function_handles.len());
        for handle in &code.function_handles {
            let name = &code[handle.name];
            let owner = code.tables.module_id(&code[handle.module]);
            let target = if own(handle.module) {
                functions.get(name).map(|definition| (ix, *definition))
            } else {
                let module = other(handle.module)?;
                match module.function(name.as_str()) {
                    Some(definition) if !module.may_call(definition, &id) => {
                        return Err(missing("a function it may not call:", &owner, name));
                    }
                    found => found.map(|definition| (module.ix, definition.0)),
                }
            };
            function_targets
                .push(target.ok_or_else(|| missing("a function that is not there:", &owner, name))?);
        }
        let attributes = Attributes::of(&code);
        Ok(Self {
            ix,
            id,
            link_hash,
            struct_targets: struct_targets.into(),
            function_targets: function_targets.into(),
            attributes,
            functions,
            structs,
            code,
        })
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<FunctionDefIndex> {
        self.functions.get(name).map(|index| FunctionDefIndex(*index))
    }

    /// The struct or enum of this name.
    pub fn structure(&self, name: &str) -> Option<u16> {
        self.structs.get(name).copied()
    }

    /// Name of a struct or enum defined here.
    pub fn struct_name(&self, definition: u16) -> &Identifier {
        let handle = self.code.struct_defs[usize::from(definition)].handle;
        &self.code[self.code[handle].name]
    }

    /// Name of a function defined here.
    pub fn function_name(&self, definition: u16) -> &Identifier {
        let handle = self.code.function_defs[usize::from(definition)].handle;
        &self.code[self.code[handle].name]
    }

    fn may_call(&self, function: FunctionDefIndex, caller: &ModuleId) -> bool {
        match self.code[function].visibility {
            Visibility::Public => true,
            Visibility::Private => false,
            Visibility::Friend => self.code.friend_ids().any(|friend| friend == *caller),
        }
    }
}
