//! Values of Move types as JSON: layouts from the machine, remembered, and what is built on them.

use std::collections::HashMap;
use std::sync::Arc;

use ledger_bcs::Reader;
use ledger_bcs::layout::{Layout, RenderError, encode_json, render_json};
use ledger_bytecode::{CompiledModule, ModuleMetadata, ReadLimits, read_module};
use ledger_types::{Address, ModuleId, StateKey, StructTag, TypeTag};
use ledger_vm::{FunctionSignature, Session, StateSource, VmError};

use crate::json::status::Modules;
use crate::json::write;
use crate::refusal::{QueryError, Refusal};

/// Most bytes of JSON that one value may become.
const VALUE_TEXT_MAX: usize = 64 << 20;

/// Most layouts remembered.
const LAYOUTS_MAX: usize = 4096;

/// Layouts by type, as long as the code they come from stays the same.
#[derive(Debug, Default)]
pub struct LayoutCache {
    code_version: Option<u64>,
    layouts: HashMap<TypeTag, Arc<Layout>>,
    groups: HashMap<StructTag, Option<StructTag>>,
}

impl LayoutCache {
    /// Readies the cache for a state of this code version: layouts of other code are forgotten, and
    /// where the version is unknown all are.
    pub fn use_for(&mut self, code_version: Option<u64>) {
        if code_version.is_none() || code_version != self.code_version {
            self.layouts.clear();
            self.groups.clear();
        }
        self.code_version = code_version;
    }
}

/// Types and values as one state defines them.
pub struct Types<'a> {
    state: &'a dyn StateSource,
    session: Session<'a>,
    layouts: &'a mut LayoutCache,
}

impl<'a> Types<'a> {
    /// Types of `state`, asked for through `session`, which must read the same state.
    pub fn new(state: &'a dyn StateSource, session: Session<'a>, layouts: &'a mut LayoutCache) -> Types<'a> {
        Types { state, session, layouts }
    }

    /// The layout of a type.
    ///
    /// # Errors
    /// Unknown modules or structs, types that are too big.
    pub fn layout(&mut self, tag: &TypeTag) -> Result<Arc<Layout>, VmError> {
        if let Some(layout) = self.layouts.layouts.get(tag) {
            return Ok(layout.clone());
        }
        let layout = Arc::new(self.session.layout_of(tag)?);
        if is_of_framework(tag) {
            if self.layouts.layouts.len() >= LAYOUTS_MAX {
                self.layouts.layouts.clear();
            }
            self.layouts.layouts.insert(tag.clone(), layout.clone());
        }
        Ok(layout)
    }

    /// A function with its type arguments filled in.
    ///
    /// # Errors
    /// Unknown modules or functions, wrong type arguments.
    pub fn signature(
        &mut self,
        module: &ModuleId,
        function: &str,
        type_arguments: &[TypeTag],
    ) -> Result<FunctionSignature, VmError> {
        self.session.function_signature(module, function, type_arguments)
    }

    /// Appends the JSON of a value; on an error `out` is as it was.
    ///
    /// # Errors
    /// When the type is unknown or the bytes are not a value of it.
    pub fn write_value(&mut self, tag: &TypeTag, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), QueryError> {
        let layout = self.layout(tag)?;
        render_json(&layout, bytes, VALUE_TEXT_MAX, out).map_err(|error| {
            let message = match error {
                RenderError::OutputTooLarge => format!("a value of {tag} is too large to show"),
                _ => format!("the bytes are not a value of {tag}"),
            };
            Refusal::invalid_input(message).into()
        })
    }

    /// JSON text to BCS. `place` names the value in errors, such as `arguments[1]`.
    ///
    /// # Errors
    /// When the type is unknown or the text is not a value of it.
    pub fn encode(&mut self, tag: &TypeTag, json: &str, place: &str) -> Result<Vec<u8>, QueryError> {
        let layout = self.layout(tag)?;
        encode_json(&layout, json, place)
            .map_err(|error| Refusal::invalid_input(format!("{error} ({tag})")).into())
    }

    /// Appends `{"type":…,"data":…}` of a resource; on an error `out` is as it was.
    ///
    /// # Errors
    /// As [`Types::write_value`].
    pub fn write_resource(
        &mut self,
        tag: &StructTag,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), QueryError> {
        let start = out.len();
        write::raw("{\"type\":", out);
        write::string(&tag.to_string(), out);
        write::raw(",\"data\":", out);
        let written = self.write_value(&TypeTag::from(tag.clone()), bytes, out);
        if written.is_err() {
            out.truncate(start);
        } else {
            out.push(b'}');
        }
        written
    }

    /// The resource group that a struct's values are kept in, if it is a member of one; also `None`
    /// where the module or its metadata cannot be read.
    pub fn group_of(&mut self, tag: &StructTag) -> Option<StructTag> {
        let plain = StructTag { type_args: Vec::new(), ..tag.clone() };
        if let Some(group) = self.layouts.groups.get(&plain) {
            return group.clone();
        }
        let metadata = self.module(&tag.module_id()).and_then(|module| ModuleMetadata::of(&module));
        let group = metadata.and_then(|metadata| metadata.resource_group_of(tag.name.as_str())?.parse().ok());
        if plain.address == Address::ONE {
            if self.layouts.groups.len() >= LAYOUTS_MAX {
                self.layouts.groups.clear();
            }
            self.layouts.groups.insert(plain, group.clone());
        }
        group
    }
}

/// Whether a type is made of the framework's structs alone: of other code the version says nothing.
fn is_of_framework(tag: &TypeTag) -> bool {
    let mut open = vec![tag];
    while let Some(tag) = open.pop() {
        match tag {
            TypeTag::Vector(element) => open.push(element),
            TypeTag::Struct(tag) if tag.address == Address::ONE => open.extend(&tag.type_args),
            TypeTag::Struct(_) | TypeTag::Function(_) => return false,
            _ => {}
        }
    }
    true
}

impl Modules for Types<'_> {
    fn module(&self, id: &ModuleId) -> Option<CompiledModule> {
        let code = self.state.get(&StateKey::module(id)).ok()??.data;
        read_module(&code, &ReadLimits::default()).ok()
    }
}

/// Members of a resource group in the order stored: tag and bytes.
///
/// # Errors
/// When the bytes are not a group.
pub fn group_members(bytes: &[u8]) -> ledger_bcs::Result<Vec<(StructTag, Vec<u8>)>> {
    use ledger_bcs::Decode;
    let mut reader = Reader::new(bytes);
    let members = reader.map(StructTag::decode, |reader| Ok(reader.bytes()?.to_vec()))?;
    reader.finish()?;
    Ok(members)
}
