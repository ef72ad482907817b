//! Modules and scripts: tables plus what makes them one or the other.

use std::ops::{Deref, DerefMut};

use ledger_types::{Address, Identifier, ModuleId};

use super::ability::AbilitySet;
use super::index::*;
use super::tables::*;
use super::types::Signature;

/// A module as read from its bytes: definitions, and handles for everything they name.
///
/// Dereferences to its [`Tables`], so `module[handle]` and `module.signatures` work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledModule {
    /// Bytecode version, 5 to 10, without the flavour mask.
    pub version: u32,
    /// The handle of the module itself.
    pub self_handle: ModuleHandleIndex,
    /// All tables.
    pub tables: Tables,
}

impl Deref for CompiledModule {
    type Target = Tables;
    fn deref(&self) -> &Tables {
        &self.tables
    }
}

impl DerefMut for CompiledModule {
    fn deref_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }
}

impl CompiledModule {
    /// Address and name of this module.
    pub fn id(&self) -> ModuleId {
        self.tables.module_id(&self[self.self_handle])
    }

    /// The address it is for.
    pub fn address(&self) -> &Address {
        &self[self[self.self_handle].address]
    }

    /// Its name.
    pub fn name(&self) -> &Identifier {
        &self[self[self.self_handle].name]
    }

    /// The modules named by handles other than its own, in handle order.
    pub fn dependencies(&self) -> impl Iterator<Item = ModuleId> {
        self.module_handles
            .iter()
            .enumerate()
            .filter(|(position, _)| *position != self.self_handle.index())
            .map(|(_, handle)| self.tables.module_id(handle))
    }

    /// The declared friends, in order.
    pub fn friend_ids(&self) -> impl Iterator<Item = ModuleId> {
        self.friends.iter().map(|handle| self.tables.module_id(handle))
    }

    /// Every function definition with its index.
    pub fn function_defs(&self) -> impl Iterator<Item = (FunctionDefIndex, &FunctionDef)> {
        self.tables.function_defs.iter().enumerate().map(|(i, def)| (FunctionDefIndex(i as u16), def))
    }

    /// Every struct definition with its index.
    pub fn struct_defs(&self) -> impl Iterator<Item = (StructDefIndex, &StructDef)> {
        self.tables.struct_defs.iter().enumerate().map(|(i, def)| (StructDefIndex(i as u16), def))
    }

    /// The function definition of this name. Linear in the definitions.
    pub fn find_function(&self, name: &str) -> Option<FunctionDefIndex> {
        self.function_defs()
            .find(|(_, def)| self.function_name(def.handle).as_str() == name)
            .map(|(index, _)| index)
    }

    /// The struct or enum definition of this name. Linear in the definitions.
    pub fn find_struct(&self, name: &str) -> Option<StructDefIndex> {
        self.struct_defs()
            .find(|(_, def)| self.struct_name(def.handle).as_str() == name)
            .map(|(index, _)| index)
    }

    /// The handle of a function defined here.
    pub fn handle_of(&self, function: FunctionDefIndex) -> &FunctionHandle {
        &self[self[function].handle]
    }

    /// The handle of a struct defined here.
    pub fn struct_handle_of(&self, definition: StructDefIndex) -> &StructHandle {
        &self[self[definition].handle]
    }

    /// The code of a function defined here, seen as the interpreter and the verifier see it.
    /// `None` for a native.
    pub fn body(&self, function: FunctionDefIndex) -> Option<Body<'_>> {
        let def = &self[function];
        let handle = &self[def.handle];
        let code = def.code.as_ref()?;
        Some(Body {
            function: Some(function),
            type_parameters: &handle.type_parameters,
            parameters: &self[handle.parameters],
            results: &self[handle.results],
            locals: &self[code.locals],
            acquires: &def.acquires,
            code,
        })
    }

    /// Whether closures over this function stay valid under upgrades: the attribute is written, or
    /// no attribute is and the function is public.
    pub fn is_persistent(&self, function: FunctionDefIndex) -> bool {
        let def = &self[function];
        let attributes = &self[def.handle].attributes;
        attributes.contains(&FunctionAttribute::Persistent)
            || (attributes.is_empty() && def.visibility == Visibility::Public)
    }

    /// The value of the first metadata entry with this key.
    pub fn metadata_value(&self, key: &[u8]) -> Option<&[u8]> {
        self.tables.metadata.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_slice())
    }
}

/// A script: one function without a module around it, which returns nothing.
///
/// Dereferences to its [`Tables`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledScript {
    /// Bytecode version, 5 to 10, without the flavour mask.
    pub version: u32,
    /// Constraints of the type parameters.
    pub type_parameters: Vec<AbilitySet>,
    /// Parameter types.
    pub parameters: SignatureIndex,
    /// Resources it may touch, from version 8; `None` is anything.
    pub access: Option<Vec<AccessSpecifier>>,
    /// The body.
    pub code: CodeUnit,
    /// All tables; those of definitions are empty.
    pub tables: Tables,
}

static NO_RESULTS: Signature = Signature(Vec::new());

impl Deref for CompiledScript {
    type Target = Tables;
    fn deref(&self) -> &Tables {
        &self.tables
    }
}

impl DerefMut for CompiledScript {
    fn deref_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }
}

impl CompiledScript {
    /// The body, seen as the interpreter and the verifier see it.
    pub fn body(&self) -> Body<'_> {
        Body {
            function: None,
            type_parameters: &self.type_parameters,
            parameters: &self[self.parameters],
            results: &NO_RESULTS,
            locals: &self[self.code.locals],
            acquires: &[],
            code: &self.code,
        }
    }

    /// The modules it names, in handle order.
    pub fn dependencies(&self) -> impl Iterator<Item = ModuleId> {
        self.module_handles.iter().map(|handle| self.tables.module_id(handle))
    }
}

/// A function with code, whether of a module or a script.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// Its definition; `None` for a script.
    pub function: Option<FunctionDefIndex>,
    /// Constraints of the type parameters.
    pub type_parameters: &'a [AbilitySet],
    /// Parameter types: the first locals.
    pub parameters: &'a Signature,
    /// Result types.
    pub results: &'a Signature,
    /// Types of the locals after the parameters.
    pub locals: &'a Signature,
    /// Local resources it or its callees borrow or take.
    pub acquires: &'a [StructDefIndex],
    /// The instructions.
    pub code: &'a CodeUnit,
}

impl<'a> Body<'a> {
    /// Parameters and locals together, at most 255.
    pub fn local_count(&self) -> usize {
        self.parameters.len() + self.locals.len()
    }

    /// The type of a parameter or local.
    pub fn local_type(&self, local: LocalIndex) -> &'a super::types::Type {
        let position = usize::from(local);
        match self.parameters.0.get(position) {
            Some(found) => found,
            None => &self.locals.0[position - self.parameters.len()],
        }
    }
}
