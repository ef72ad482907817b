//! What a module offers to callers, as the REST interface shows it.
//!
//! Functions are those a caller can reach: public, friend and entry ones, in definition order; structs
//! are all. `is_view` and `is_event` come from the module's metadata. Enums list no fields.

mod json;

use ledger_types::{Address, ModuleId};

use crate::metadata::ModuleMetadata;
use crate::model::{AbilitySet, CompiledModule, CompiledScript, Visibility};

/// The interface of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abi {
    /// Where the module lives.
    pub address: Address,
    /// Its name.
    pub name: String,
    /// Its friends, in order.
    pub friends: Vec<ModuleId>,
    /// Functions that can be called from outside, in definition order.
    pub exposed_functions: Vec<AbiFunction>,
    /// Structs and enums, in definition order.
    pub structs: Vec<AbiStruct>,
}

/// A function of an [`Abi`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbiFunction {
    /// Its name; `main` for a script.
    pub name: String,
    /// Who may call it.
    pub visibility: Visibility,
    /// Whether a transaction may start with it.
    pub is_entry: bool,
    /// Whether it may be queried without a transaction.
    pub is_view: bool,
    /// Constraints of its type parameters.
    pub type_parameters: Vec<AbilitySet>,
    /// Types of its parameters as text, signers included.
    pub parameters: Vec<String>,
    /// Types of its results as text.
    pub results: Vec<String>,
}

/// A struct or enum of an [`Abi`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbiStruct {
    /// Its name.
    pub name: String,
    /// Whether only the machine knows its fields.
    pub is_native: bool,
    /// Whether it is an event.
    pub is_event: bool,
    /// Whether it is an enum.
    pub is_enum: bool,
    /// Declared abilities.
    pub abilities: AbilitySet,
    /// Constraints of its type parameters.
    pub type_parameters: Vec<AbilitySet>,
    /// Name and type text of each field; none for natives and enums.
    pub fields: Vec<(String, String)>,
}

/// The interface of a module.
pub fn module_abi(module: &CompiledModule) -> Abi {
    let metadata = ModuleMetadata::of(module).unwrap_or_default();
    let exposed_functions = module
        .function_defs()
        .filter(|(_, def)| def.visibility != Visibility::Private || def.is_entry)
        .map(|(_, def)| {
            let handle = &module[def.handle];
            let name = module[handle.name].as_str().to_owned();
            AbiFunction {
                is_view: metadata.is_view(&name),
                name,
                visibility: def.visibility,
                is_entry: def.is_entry,
                type_parameters: handle.type_parameters.clone(),
                parameters: module.type_texts(module.types(handle.parameters)),
                results: module.type_texts(module.types(handle.results)),
            }
        })
        .collect();
    let structs = module
        .struct_defs()
        .map(|(_, def)| {
            let handle = &module[def.handle];
            let name = module[handle.name].as_str().to_owned();
            AbiStruct {
                is_native: def.is_native(),
                is_event: metadata.is_event(&name),
                name,
                is_enum: def.is_enum(),
                abilities: handle.abilities,
                type_parameters: handle.type_parameters.iter().map(|entry| entry.constraints).collect(),
                fields: def
                    .fields()
                    .iter()
                    .map(|field| {
                        let text = module.type_text(field.field_type.nodes());
                        (module[field.name].as_str().to_owned(), text)
                    })
                    .collect(),
            }
        })
        .collect();
    Abi {
        address: *module.address(),
        name: module.name().as_str().to_owned(),
        friends: module.friend_ids().collect(),
        exposed_functions,
        structs,
    }
}

/// A script's one function, under the name `main`.
pub fn script_abi(script: &CompiledScript) -> AbiFunction {
    AbiFunction {
        name: "main".to_owned(),
        visibility: Visibility::Public,
        is_entry: true,
        is_view: false,
        type_parameters: script.type_parameters.clone(),
        parameters: script.type_texts(script.types(script.parameters)),
        results: Vec::new(),
    }
}

/// Appends `{"bytecode":"0x..","abi":{..}}` for a module's bytes; `abi` is null if they are no module.
pub fn write_module_json(bytes: &[u8], out: &mut Vec<u8>) {
    json::code(bytes, CompiledModule::deserialize(bytes).ok().map(|module| module_abi(&module)), out);
}

/// Appends `{"bytecode":"0x..","abi":{..}}` for a script's bytes; `abi` is null if they are no script.
pub fn write_script_json(bytes: &[u8], out: &mut Vec<u8>) {
    json::code(bytes, CompiledScript::deserialize(bytes).ok().map(|script| script_abi(&script)), out);
}
