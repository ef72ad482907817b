//! The function that runs when a module is published for the first time.

use ledger_bytecode::{CompiledModule, StatusCode, Table, TypeNode, Visibility};

use crate::error::{Verdict, VerificationError};

/// Its name.
pub const INITIALIZER: &str = "init_module";

/// Checks the initialiser of a newly published module, if it has one.
///
/// # Errors
/// `INVALID_INIT_MODULE` unless it is private, has no type parameters, no results, and exactly one
/// parameter, `signer` or `&signer`.
pub fn verify_initializer(module: &CompiledModule) -> Verdict {
    let Some(index) = module.find_function(INITIALIZER) else { return Ok(()) };
    let handle = module.handle_of(index);
    let takes_signer = match module.types(handle.parameters) {
        [only] => matches!(only.nodes(), [TypeNode::Signer] | [TypeNode::Reference, TypeNode::Signer]),
        _ => false,
    };
    let is_good = module[index].visibility == Visibility::Private
        && handle.type_parameters.is_empty()
        && module[handle.results].is_empty()
        && takes_signer;
    if is_good {
        return Ok(());
    }
    Err(VerificationError::entry(
        StatusCode::INVALID_INIT_MODULE,
        Table::FunctionDefs,
        index.index(),
        "an initialiser of another form than init_module(&signer)",
    ))
}
