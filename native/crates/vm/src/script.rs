//! Scripts as the machine runs them: a module with one entry function and a name that no module has.

use ledger_bytecode::{
    AddressIndex, CompiledModule, CompiledScript, FunctionDef, FunctionHandle, FunctionHandleIndex,
    IdentifierIndex, ModuleHandle, ModuleHandleIndex, Signature, SignatureIndex, Visibility,
};
use ledger_types::{Address, Identifier};

use crate::errors::{Fault, status};

/// Name of the module around a script: no identifier, so that nobody can publish or befriend it.
pub const SCRIPT_MODULE: &str = "<script>";

/// Puts a module around a verified script. All indices of the script keep their meaning, since tables
/// only grow at their ends.
///
/// # Errors
/// `LINKER_ERROR` for a script whose tables leave no room.
pub fn as_module(script: CompiledScript) -> Result<CompiledModule, Fault> {
    let CompiledScript { version, type_parameters, parameters, access, code, mut tables } = script;
    let full = || Fault::with_message(status::LINKER_ERROR, "the tables of the script are full");
    let next = |length: usize| u16::try_from(length).map_err(|_| full());
    let address = AddressIndex(next(tables.addresses.len())?);
    let name = IdentifierIndex(next(tables.identifiers.len())?);
    let results = SignatureIndex(next(tables.signatures.len())?);
    let module = ModuleHandleIndex(next(tables.module_handles.len())?);
    let handle = FunctionHandleIndex(next(tables.function_handles.len())?);
    tables.addresses.push(Address::ZERO);
    tables.identifiers.push(Identifier::new_unchecked(SCRIPT_MODULE));
    tables.signatures.push(Signature(Vec::new()));
    tables.module_handles.push(ModuleHandle { address, name });
    let attributes = Vec::new();
    tables.function_handles.push(FunctionHandle {
        module,
        name,
        parameters,
        results,
        type_parameters,
        access,
        attributes,
    });
    tables.function_defs.push(FunctionDef {
        handle,
        visibility: Visibility::Private,
        is_entry: true,
        acquires: Vec::new(),
        code: Some(code),
    });
    Ok(CompiledModule { version, self_handle: module, tables })
}
