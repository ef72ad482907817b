//! The functions that need no state.

use std::str::FromStr;

use ledger_bcs::{Decode, Encode};
use ledger_crypto::verify_transaction;
use ledger_executor::doors;
use ledger_types::{
    Address, HashValue, Identifier, ModuleId, RawTransaction, ReplayProtector, SignedTransaction, StateKey,
    TypeTag,
};
use napi::bindgen_prelude::{BigInt, BufferSlice, Either};
use napi_derive::napi;

use crate::failure::{Failure, answer};
use crate::guard::guard;
use crate::js_bytes::JsBytes;
use crate::packed::unpack;

/// Characters of a refused name that the refusal repeats.
const NAME_SHOWN_MAX: usize = 64;

/// What the node needs to know of a signed transaction without executing it.
#[napi(object, object_from_js = false)]
pub struct AddonSummary {
    /// Three times 32 bytes: hash, sender, replacement key (SHA3-256 over the raw transaction with a gas
    /// unit price of zero).
    pub digests: JsBytes,
    /// Absent for an orderless transaction.
    pub sequence_number: Option<BigInt>,
    /// Present for an orderless transaction.
    pub replay_protection_nonce: Option<BigInt>,
    /// Gas units.
    pub max_gas_amount: BigInt,
    /// Octas per gas unit.
    pub gas_unit_price: BigInt,
    /// Seconds.
    pub expiration_timestamp_secs: BigInt,
    /// Chain it was signed for.
    pub chain_id: u8,
}

/// Decodes a transaction strictly, refuses what a shut door stops and names that nothing can have, and
/// says what it is.
#[napi]
pub fn inspect_signed(signed: BufferSlice) -> Either<AddonSummary, Failure> {
    answer(guard(|| {
        let transaction = SignedTransaction::from_bytes(&signed)
            .map_err(|error| Failure::invalid_input(format!("not a signed transaction: {error}")))?;
        doors::check_payload(&transaction.raw.payload)
            .map_err(|shut| Failure::invalid_input(shut.to_string()))?;
        if let Some(name) = transaction.raw.payload.invalid_name() {
            let start: String = name.as_str().chars().take(NAME_SHOWN_MAX).collect();
            return Err(Failure::invalid_input(format!("{start:?} is not a Move identifier")));
        }
        Ok(summary(&signed, transaction.raw))
    }))
}

fn summary(signed: &[u8], raw: RawTransaction) -> AddonSummary {
    let (sequence_number, nonce) = match raw.replay_protector() {
        ReplayProtector::SequenceNumber(number) => (Some(number), None),
        ReplayProtector::Nonce(nonce) => (None, Some(nonce)),
    };
    let priceless = RawTransaction { gas_unit_price: 0, ..raw };
    let hash = SignedTransaction::hash_of_bytes(signed);
    let replacement_key = HashValue::sha3_256(&priceless.to_bytes());
    AddonSummary {
        digests: [hash.0, priceless.sender.0, replacement_key.0].concat().into(),
        sequence_number: sequence_number.map(BigInt::from),
        replay_protection_nonce: nonce.map(BigInt::from),
        max_gas_amount: BigInt::from(priceless.max_gas_amount),
        gas_unit_price: BigInt::from(raw.gas_unit_price),
        expiration_timestamp_secs: BigInt::from(priceless.expiration_timestamp_secs),
        chain_id: priceless.chain_id,
    }
}

/// One byte per transaction of a packed list: 1 where every signature verifies strictly.
#[napi]
pub fn verify_signed(packed: BufferSlice) -> Either<JsBytes, Failure> {
    answer(guard(|| {
        let verify = |bytes: &[u8]| {
            SignedTransaction::from_bytes(bytes).is_ok_and(|signed| verify_transaction(&signed).is_ok())
        };
        Ok(unpack(&packed)?.into_iter().map(|bytes| u8::from(verify(bytes))).collect::<Vec<u8>>().into())
    }))
}

/// Relaxed address text to 32 bytes; `null` when it does not parse.
#[napi]
pub fn parse_address(text: String) -> Option<JsBytes> {
    Address::from_str(&text).ok().map(|address| JsBytes::from(&address.0[..]))
}

/// Canonical text of a type; `null` when it does not parse.
#[napi]
pub fn canonical_type(text: String) -> Option<String> {
    TypeTag::from_str(&text).ok().map(|tag| tag.to_string())
}

/// Storage encoding of the key of a module. An address that is not 32 bytes is a caller's bug.
#[napi]
pub fn module_key(address: BufferSlice, name: String) -> napi::Result<JsBytes> {
    let id = ModuleId { address: address_of(&address)?, name: Identifier::new_unchecked(&name) };
    Ok(StateKey::module(&id).to_storage().into())
}

/// Storage encoding of the key of a table item.
#[napi]
pub fn table_item_key(handle: BufferSlice, key: BufferSlice) -> napi::Result<JsBytes> {
    Ok(StateKey::table_item(&address_of(&handle)?, key.to_vec()).to_storage().into())
}

/// 32 bytes as an address.
///
/// # Errors
/// For any other length.
pub fn address_of(bytes: &[u8]) -> napi::Result<Address> {
    let bytes = bytes.try_into();
    bytes.map(Address).map_err(|_| napi::Error::from_reason("an address has 32 bytes"))
}
