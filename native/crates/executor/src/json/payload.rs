//! Payloads of transactions as JSON.

use ledger_bcs::Encode;
use ledger_bytecode::abi::write_script_json;
use ledger_types::{
    Address, EntryFunction, Multisig, MultisigPayload, Script, ScriptArgument, TransactionExecutable,
    TransactionPayload, TypeTag,
};
use ledger_vm::Parameter;

use crate::json::types::Types;
use crate::json::write;

/// Appends the `payload` object of a transaction. Payloads with an extra configuration look like what
/// they wrap.
pub fn write_payload(payload: &TransactionPayload, types: &mut Types<'_>, out: &mut Vec<u8>) {
    match payload {
        TransactionPayload::Script(script) => write_script(script, out),
        TransactionPayload::EntryFunction(call) => write_entry_function(call, types, out),
        TransactionPayload::Multisig(Multisig { multisig_address, payload }) => {
            let inner = payload.as_ref().map(|payload| match payload {
                MultisigPayload::EntryFunction(call) => Inner::Call(call),
                MultisigPayload::Script(script) => Inner::Script(script),
            });
            write_multisig(multisig_address, inner, types, out);
        }
        TransactionPayload::Inner(inner) => match (&inner.executable, inner.extra_config.multisig_address) {
            (TransactionExecutable::Script(script), None) => write_script(script, out),
            (TransactionExecutable::EntryFunction(call), None) => write_entry_function(call, types, out),
            (TransactionExecutable::Empty, None) => write::raw("null", out),
            (executable, Some(address)) => {
                let inner = match executable {
                    TransactionExecutable::Script(script) => Some(Inner::Script(script)),
                    TransactionExecutable::EntryFunction(call) => Some(Inner::Call(call)),
                    TransactionExecutable::Empty => None,
                };
                write_multisig(&address, inner, types, out);
            }
        },
    }
}

enum Inner<'a> {
    Call(&'a EntryFunction),
    Script(&'a Script),
}

fn write_multisig(address: &Address, inner: Option<Inner<'_>>, types: &mut Types<'_>, out: &mut Vec<u8>) {
    write::raw("{\"type\":\"multisig_payload\",\"multisig_address\":", out);
    write::address(address, out);
    write::raw(",\"transaction_payload\":", out);
    match inner {
        Some(Inner::Call(call)) => write_entry_function(call, types, out),
        Some(Inner::Script(script)) => write_script(script, out),
        None => write::raw("null", out),
    }
    out.push(b'}');
}

fn write_type_arguments(type_arguments: &[TypeTag], out: &mut Vec<u8>) {
    write::raw(",\"type_arguments\":", out);
    write::array(type_arguments, out, |tag, out| write::string(&tag.to_string(), out));
    write::raw(",\"arguments\":", out);
}

fn write_entry_function(call: &EntryFunction, types: &mut Types<'_>, out: &mut Vec<u8>) {
    write::raw("{\"type\":\"entry_function_payload\",\"function\":", out);
    write::string(&format!("{}::{}", call.module, call.function), out);
    write_type_arguments(&call.type_args, out);
    let start = out.len();
    if write_arguments(call, types, out).is_none() {
        out.truncate(start);
        write::array(&call.args, out, |argument, out| write::hex(argument, out));
    }
    out.push(b'}');
}

/// Arguments by the function's current signature; `None` where they do not fit it.
fn write_arguments(call: &EntryFunction, types: &mut Types<'_>, out: &mut Vec<u8>) -> Option<()> {
    let signature = types.signature(&call.module, call.function.as_str(), &call.type_args).ok()?;
    let tags: Vec<&TypeTag> = value_parameters(&signature.parameters).collect::<Option<_>>()?;
    if tags.len() != call.args.len() {
        return None;
    }
    out.push(b'[');
    for (index, (tag, argument)) in tags.into_iter().zip(&call.args).enumerate() {
        if index > 0 {
            out.push(b',');
        }
        types.write_value(tag, argument, out).ok()?;
    }
    out.push(b']');
    Some(())
}

/// Types of the parameters that are not signers; `None` for one that no argument can be given for.
pub fn value_parameters(parameters: &[Parameter]) -> impl Iterator<Item = Option<&TypeTag>> {
    parameters
        .iter()
        .filter(|parameter| parameter.tag != Some(TypeTag::Signer))
        .map(|parameter| parameter.tag.as_ref())
}

fn write_script(script: &Script, out: &mut Vec<u8>) {
    write::raw("{\"type\":\"script_payload\",\"code\":", out);
    write_script_json(&script.code, out);
    write_type_arguments(&script.type_args, out);
    write::array(&script.args, out, write_script_argument);
    out.push(b'}');
}

/// A script argument names its own type, so no signature is needed.
fn write_script_argument(argument: &ScriptArgument, out: &mut Vec<u8>) {
    match argument {
        ScriptArgument::U8(value) => write::raw(&value.to_string(), out),
        ScriptArgument::U16(value) => write::raw(&value.to_string(), out),
        ScriptArgument::U32(value) => write::raw(&value.to_string(), out),
        ScriptArgument::U64(value) => write::number_text(*value, out),
        ScriptArgument::U128(value) => write::string(&value.to_string(), out),
        ScriptArgument::Bool(value) => write::raw(&value.to_string(), out),
        ScriptArgument::Address(value) => write::address(value, out),
        ScriptArgument::Bytes(value) | ScriptArgument::Serialized(value) => write::hex(value, out),
        other => write::hex(&other.to_bytes(), out),
    }
}
