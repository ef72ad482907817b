//! JSON payloads and arguments to BCS.

use serde::Deserialize;
use serde_json::value::RawValue;

use ledger_types::{EntryFunction, TransactionExecutable, TypeTag};
use ledger_vm::{FunctionSignature, Passing};

use crate::doors::{self, Door};
use crate::json::request::{parse, parse_function, parse_owned, parse_types};
use crate::json::request_script::parse_script;
use crate::json::types::Types;
use crate::refusal::{QueryError, Refusal};

/// Every payload names its kind.
#[derive(Deserialize)]
struct PayloadKind {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct EntryFunctionPayload<'a> {
    function: String,
    type_arguments: Vec<String>,
    #[serde(borrow)]
    arguments: Vec<&'a RawValue>,
}

/// A payload that may run: an entry function or a script. The others stand behind doors.
///
/// # Errors
/// A payload that does not parse, does not fit the chain, or stands behind a shut door.
pub fn parse_payload(json: &str, types: &mut Types<'_>) -> Result<TransactionExecutable, QueryError> {
    let payload: PayloadKind = parse_owned(json)?;
    match payload.kind.as_str() {
        "entry_function_payload" => {
            Ok(TransactionExecutable::EntryFunction(parse_entry_function(json, types)?))
        }
        "script_payload" => Ok(TransactionExecutable::Script(parse_script(json, types)?)),
        "multisig_payload" => shut(Door::Multisig),
        "module_bundle_payload" => {
            Err(Refusal::invalid_input("module bundle payloads are no longer supported").into())
        }
        other => Err(Refusal {
            code: "web_framework_error",
            message: format!("failed to parse the request: {other} is not a kind of payload"),
            vm_status: None,
        }
        .into()),
    }
}

/// What a door in front of JSON answers. Open doors need their own conversion first.
fn shut(door: Door) -> Result<TransactionExecutable, QueryError> {
    doors::pass(door)?;
    Err(doors::NotImplemented(door).into())
}

fn parse_entry_function(json: &str, types: &mut Types<'_>) -> Result<EntryFunction, QueryError> {
    let payload: EntryFunctionPayload<'_> = parse(json)?;
    let (module, function) = parse_function(&payload.function)?;
    let type_args = parse_types(&payload.type_arguments)?;
    let signature = types.signature(&module, function.as_str(), &type_args)?;
    if !signature.is_entry {
        let message = format!("{} is not an entry function", payload.function);
        return Err(Refusal::invalid_input(message).into());
    }
    let args = convert_arguments(&signature, &payload.arguments, types)?;
    Ok(EntryFunction { module, function, type_args, args })
}

/// Arguments by a signature whose type arguments are filled in; signers are not among them.
///
/// # Errors
/// Wrong number of arguments, a parameter that no argument can be given for, an argument that does not
/// fit.
pub fn convert_arguments(
    signature: &FunctionSignature,
    arguments: &[&RawValue],
    types: &mut Types<'_>,
) -> Result<Vec<Vec<u8>>, QueryError> {
    let parameters: Vec<_> =
        signature.parameters.iter().filter(|parameter| parameter.tag != Some(TypeTag::Signer)).collect();
    if parameters.len() != arguments.len() {
        let (expected, given) = (parameters.len(), arguments.len());
        return Err(Refusal::invalid_input(format!("expected {expected} arguments, {given} given")).into());
    }
    let mut encoded = Vec::with_capacity(arguments.len());
    for (index, (parameter, argument)) in parameters.into_iter().zip(arguments).enumerate() {
        let Some(tag) = parameter.tag.as_ref().filter(|_| parameter.passing == Passing::Value) else {
            let message = format!("arguments[{index}]: no argument can be given for this parameter");
            return Err(Refusal::invalid_input(message).into());
        };
        encoded.push(types.encode(tag, argument.get(), &format!("arguments[{index}]"))?);
    }
    Ok(encoded)
}
