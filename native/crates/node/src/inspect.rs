//! Texts of files, for the command line.

use ledger_inspect::{InspectError, abi_text, bytecode_text, genesis_text, lowered_text};
use napi::bindgen_prelude::{BufferSlice, Either};
use napi_derive::napi;

use crate::failure::{Failure, answer};
use crate::guard::guard;
use crate::packed::unpack;

/// A module as text: `form` is `bytecode`, `lowered` or `abi`. `neighbours` is a packed list of modules
/// that lowering may need.
#[napi]
pub fn inspect_module(code: BufferSlice, form: String, neighbours: BufferSlice) -> Either<String, Failure> {
    answer(guard(|| {
        match form.as_str() {
            "bytecode" => bytecode_text(&code),
            "abi" => abi_text(&code),
            "lowered" => lowered_text(&code, &unpack(&neighbours)?),
            _ => return Err(Failure::invalid_input(format!("a module has no form {form:?}"))),
        }
        .map_err(refused)
    }))
}

/// What a genesis blob holds, as text.
#[napi]
pub fn inspect_genesis(blob: BufferSlice) -> Either<String, Failure> {
    answer(guard(|| genesis_text(&blob).map_err(refused)))
}

fn refused(error: InspectError) -> Failure {
    Failure::invalid_input(error.to_string())
}
