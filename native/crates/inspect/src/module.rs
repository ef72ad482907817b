//! The forms of a module that need nothing but the module: bytecode and interface.

use ledger_bytecode::abi::write_module_json;
use ledger_bytecode::{CompiledModule, disassemble_module};

use crate::InspectError;

/// The module as bytecode, with names in place of table indices.
///
/// # Errors
/// `NotAModule`.
pub fn bytecode_text(code: &[u8]) -> Result<String, InspectError> {
    Ok(disassemble_module(&read(code)?))
}

/// What the module offers to callers, as the JSON of the REST interface.
///
/// # Errors
/// `NotAModule`.
pub fn abi_text(code: &[u8]) -> Result<String, InspectError> {
    read(code)?;
    let mut json = Vec::new();
    write_module_json(code, &mut json);
    // The interface stands last in the object that clients get, after the code they sent for.
    let start = "{\"bytecode\":\"0x\",\"abi\":".len() + 2 * code.len();
    let abi = json.get(start..json.len() - 1).unwrap_or_default();
    Ok(String::from_utf8_lossy(abi).into_owned())
}

pub(crate) fn read(code: &[u8]) -> Result<CompiledModule, InspectError> {
    CompiledModule::deserialize(code).map_err(InspectError::NotAModule)
}
