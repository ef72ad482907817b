//! Script payloads as JSON: the script's own parameters say what its arguments are.

use serde::Deserialize;
use serde_json::value::RawValue;

use ledger_bcs::{Decode, Reader};
use ledger_bytecode::{ReadLimits, TypeNode, read_script};
use ledger_types::{Script, ScriptArgument, TypeTag};

use crate::json::request::{parse, parse_types};
use crate::json::types::Types;
use crate::refusal::{QueryError, Refusal};

#[derive(Deserialize)]
struct ScriptPayload<'a> {
    code: ScriptBytes,
    type_arguments: Vec<String>,
    #[serde(borrow)]
    arguments: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct ScriptBytes {
    bytecode: String,
}

/// A script payload.
///
/// # Errors
/// Bytecode that does not parse, arguments that do not fit its parameters.
pub fn parse_script(json: &str, types: &mut Types<'_>) -> Result<Script, QueryError> {
    let payload: ScriptPayload<'_> = parse(json)?;
    let code = bytes_of(&payload.code.bytecode)?;
    let script = read_script(&code, &ReadLimits::default())
        .map_err(|error| Refusal::invalid_input(format!("payload.code.bytecode is no script: {error}")))?;
    let parameters: Vec<&[TypeNode]> =
        script[script.parameters].0.iter().map(|ty| ty.nodes()).filter(|nodes| !is_signer(nodes)).collect();
    if parameters.len() != payload.arguments.len() {
        let (expected, given) = (parameters.len(), payload.arguments.len());
        return Err(Refusal::invalid_input(format!("expected {expected} arguments, {given} given")).into());
    }
    let mut args = Vec::with_capacity(parameters.len());
    for (index, (nodes, argument)) in parameters.into_iter().zip(&payload.arguments).enumerate() {
        let place = format!("arguments[{index}]");
        let (variant, tag) = argument_kind(nodes).ok_or_else(|| {
            Refusal::invalid_input(format!("{place}: no argument can be given for this parameter in JSON"))
        })?;
        let mut bytes = vec![variant];
        bytes.extend(types.encode(&tag, argument.get(), &place)?);
        let argument = ScriptArgument::decode(&mut Reader::new(&bytes))
            .map_err(|error| Refusal::invalid_input(format!("{place}: {error}")))?;
        args.push(argument);
    }
    Ok(Script { code, type_args: parse_types(&payload.type_arguments)?, args })
}

fn bytes_of(text: &str) -> Result<Vec<u8>, QueryError> {
    let wrong = || Refusal::invalid_input("payload.code.bytecode: expected hexadecimal text");
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(wrong().into());
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).ok_or_else(wrong);
    let byte = |[high, low]: &[u8; 2]| Ok((digit(*high)? * 16 + digit(*low)?) as u8);
    pairs.iter().map(byte).collect()
}

fn is_signer(nodes: &[TypeNode]) -> bool {
    matches!(nodes, [TypeNode::Signer] | [TypeNode::Reference, TypeNode::Signer])
}

/// Number of the argument kind that carries values of a type, and the type.
fn argument_kind(nodes: &[TypeNode]) -> Option<(u8, TypeTag)> {
    Some(match nodes {
        [TypeNode::U8] => (0, TypeTag::U8),
        [TypeNode::U64] => (1, TypeTag::U64),
        [TypeNode::U128] => (2, TypeTag::U128),
        [TypeNode::Address] => (3, TypeTag::Address),
        [TypeNode::Vector, TypeNode::U8] => (4, TypeTag::Vector(Box::new(TypeTag::U8))),
        [TypeNode::Bool] => (5, TypeTag::Bool),
        [TypeNode::U16] => (6, TypeTag::U16),
        [TypeNode::U32] => (7, TypeTag::U32),
        [TypeNode::U256] => (8, TypeTag::U256),
        _ => return None,
    })
}
