//! JSON requests to bytes: transactions to sign or submit, view calls.
//!
//! A body that is not of the wanted form is refused with `web_framework_error`; one whose content does
//! not fit the chain (unknown function, argument of another type) with `invalid_input`.

use std::str::FromStr;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::value::RawValue;

use ledger_types::{
    Address, Identifier, ModuleId, ORDERLESS_SEQUENCE_NUMBER, RawTransaction, SignedTransaction,
    TransactionExecutable, TransactionExtraConfig, TransactionPayload, TransactionPayloadInner, TypeTag,
};

use crate::json::request_payload::{convert_arguments, parse_payload};
use crate::json::request_signature::parse_authenticator;
use crate::json::types::Types;
use crate::refusal::{QueryError, Refusal};

/// A 64-bit number as a decimal string: digits only, leading zeros tolerated.
#[derive(Clone, Copy, Debug)]
pub struct NumberText(pub u64);

impl<'de> Deserialize<'de> for NumberText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(D::Error::custom("expected a decimal number in a string"));
        }
        text.parse().map(NumberText).map_err(|_| D::Error::custom("number is above 2^64 - 1"))
    }
}

/// An address as text.
#[derive(Clone, Copy, Debug)]
pub struct AddressText(pub Address);

impl<'de> Deserialize<'de> for AddressText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Address::from_str(&text).map(AddressText).map_err(D::Error::custom)
    }
}

#[derive(Deserialize)]
struct TransactionRequest<'a> {
    sender: AddressText,
    sequence_number: NumberText,
    max_gas_amount: NumberText,
    gas_unit_price: NumberText,
    expiration_timestamp_secs: NumberText,
    #[serde(borrow)]
    payload: &'a RawValue,
    #[serde(borrow, default)]
    signature: Option<&'a RawValue>,
    #[serde(default)]
    secondary_signers: Option<Vec<AddressText>>,
    #[serde(default)]
    replay_protection_nonce: Option<NumberText>,
}

#[derive(Deserialize)]
struct ViewBody<'a> {
    function: String,
    type_arguments: Vec<String>,
    #[serde(borrow)]
    arguments: Vec<&'a RawValue>,
}

/// A view call with its arguments in BCS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewCall {
    /// Module of the function.
    pub module: ModuleId,
    /// Name of the function.
    pub function: Identifier,
    /// Type arguments.
    pub type_arguments: Vec<TypeTag>,
    /// BCS of each argument.
    pub arguments: Vec<Vec<u8>>,
}

/// Body text to its form.
pub(super) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, QueryError> {
    serde_json::from_str(text).map_err(|error| malformed(&error))
}

/// As [`parse`], for forms that own their content.
pub(super) fn parse_owned<T: DeserializeOwned>(text: &str) -> Result<T, QueryError> {
    parse(text)
}

fn malformed(error: &serde_json::Error) -> QueryError {
    let message = format!("failed to parse the request: {error}");
    Refusal { code: "web_framework_error", message, vm_status: None }.into()
}

fn text(json: &[u8]) -> Result<&str, QueryError> {
    std::str::from_utf8(json).map_err(|_| {
        let message = "the request is not UTF-8".to_owned();
        Refusal { code: "web_framework_error", message, vm_status: None }.into()
    })
}

/// Splits `0x1::module::function` at the last `::`.
pub(super) fn parse_function(text: &str) -> Result<(ModuleId, Identifier), QueryError> {
    let refuse = || Refusal::invalid_input(format!("{text} is not the name of a function"));
    let (module, function) = text.rsplit_once("::").ok_or_else(refuse)?;
    let module = ModuleId::from_str(module).map_err(|_| refuse())?;
    Ok((module, Identifier::new(function).map_err(|_| refuse())?))
}

pub(super) fn parse_types(texts: &[String]) -> Result<Vec<TypeTag>, QueryError> {
    let parse = |text: &String| {
        TypeTag::from_str(text)
            .map_err(|error| Refusal::invalid_input(format!("type argument {text}: {error}")).into())
    };
    texts.iter().map(parse).collect()
}

fn raw_transaction(
    request: &TransactionRequest<'_>,
    chain_id: u8,
    types: &mut Types<'_>,
) -> Result<RawTransaction, QueryError> {
    let executable = parse_payload(request.payload.get(), types)?;
    let (payload, sequence_number) = match request.replay_protection_nonce {
        None => {
            let payload = match executable {
                TransactionExecutable::EntryFunction(call) => TransactionPayload::EntryFunction(call),
                TransactionExecutable::Script(script) => TransactionPayload::Script(script),
                TransactionExecutable::Empty => return Err(Refusal::invalid_input("an empty payload").into()),
            };
            (payload, request.sequence_number.0)
        }
        Some(NumberText(nonce)) => {
            let inner = TransactionPayloadInner {
                executable,
                extra_config: TransactionExtraConfig {
                    multisig_address: None,
                    replay_protection_nonce: Some(nonce),
                },
            };
            (TransactionPayload::Inner(inner), ORDERLESS_SEQUENCE_NUMBER)
        }
    };
    Ok(RawTransaction {
        sender: request.sender.0,
        sequence_number,
        payload,
        max_gas_amount: request.max_gas_amount.0,
        gas_unit_price: request.gas_unit_price.0,
        expiration_timestamp_secs: request.expiration_timestamp_secs.0,
        chain_id,
    })
}

/// A submit or simulate request.
///
/// # Errors
/// A body that does not parse, a payload that does not fit the chain, a shut door.
pub fn signed_from_json(
    json: &[u8],
    chain_id: u8,
    types: &mut Types<'_>,
) -> Result<SignedTransaction, QueryError> {
    let request: TransactionRequest<'_> = parse(text(json)?)?;
    let signature = request.signature.ok_or_else(|| Refusal {
        code: "web_framework_error",
        message: "failed to parse the request: missing field `signature`".to_owned(),
        vm_status: None,
    })?;
    let authenticator = parse_authenticator(signature.get())?;
    Ok(SignedTransaction { raw: raw_transaction(&request, chain_id, types)?, authenticator })
}

/// The bytes to sign for a request without signature.
///
/// # Errors
/// As [`signed_from_json`].
pub fn signing_message_from_json(
    json: &[u8],
    chain_id: u8,
    types: &mut Types<'_>,
) -> Result<Vec<u8>, QueryError> {
    let request: TransactionRequest<'_> = parse(text(json)?)?;
    let raw = raw_transaction(&request, chain_id, types)?;
    Ok(match &request.secondary_signers {
        None => raw.signing_message(),
        Some(signers) => {
            let signers: Vec<Address> = signers.iter().map(|signer| signer.0).collect();
            raw.multi_agent_signing_message(&signers)
        }
    })
}

/// A view request.
///
/// # Errors
/// A body that does not parse, a function or argument that does not fit the chain.
pub fn view_from_json(json: &[u8], types: &mut Types<'_>) -> Result<ViewCall, QueryError> {
    let body: ViewBody<'_> = parse(text(json)?)?;
    let (module, function) = parse_function(&body.function)?;
    let type_arguments = parse_types(&body.type_arguments)?;
    let signature = types.signature(&module, function.as_str(), &type_arguments)?;
    let arguments = convert_arguments(&signature, &body.arguments, types)?;
    Ok(ViewCall { module, function, type_arguments, arguments })
}
