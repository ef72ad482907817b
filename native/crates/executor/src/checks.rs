//! What can be said of a transaction without running Move: features it needs, bounds it keeps.
//!
//! The order of the checks is the chain's: it decides which status a transaction with several faults
//! is discarded with. Signatures were checked before (crate crypto); the prologue comes after.

use std::collections::HashSet;

use ledger_bytecode::StatusCode;
use ledger_types::Address;

use crate::chain::ChainConfig;
use crate::facts::{Envelope, PayloadKind, ReplayProtection, TransactionFacts};
use crate::features::Feature;

/// Octas of a gas price times this many gas units that a transaction which creates its sender's
/// account must afford besides the storage fees.
const LAZY_CREATION_GAS_UNITS: u64 = 10;

/// Bytes that the storage fee of a new account is reckoned by.
const LAZY_CREATION_BYTES: u64 = 300;

/// Checks of features and form.
///
/// # Errors
/// The status code with which the transaction is to be discarded.
pub fn check_statically(chain: &ChainConfig, facts: &TransactionFacts<'_>) -> Result<(), StatusCode> {
    let features = &chain.features;
    let gate = |is_needed: bool, feature: Feature| {
        if is_needed && !features.is_on(feature) { Err(StatusCode::FEATURE_UNDER_GATING) } else { Ok(()) }
    };
    gate(facts.envelope == Envelope::SingleSender, Feature::SingleSenderAuthenticator)?;
    gate(facts.has_web_authn, Feature::WebAuthnSignature)?;
    gate(facts.fee_payer.is_some(), Feature::FeePayer)?;
    if !are_distinct(facts) {
        return Err(StatusCode::SIGNERS_CONTAIN_DUPLICATES);
    }
    gate(facts.has_versioned_payload, Feature::TransactionPayloadV2)?;
    gate(facts.has_serialized_arguments(), Feature::SerializedScriptArguments)?;
    gate(matches!(facts.replay, ReplayProtection::Nonce(_)), Feature::OrderlessTransactions)
}

fn are_distinct(facts: &TransactionFacts<'_>) -> bool {
    let mut seen: HashSet<&Address> = HashSet::new();
    let payer = facts.fee_payer.as_ref().map(|payer| &payer.address);
    seen.insert(&facts.sender)
        && facts.secondary_signers.iter().chain(payer).all(|signer| seen.insert(signer))
}

/// Checks of size, gas and price, then of what the payload is.
///
/// # Errors
/// The status code with which the transaction is to be discarded.
pub fn check_gas(
    chain: &ChainConfig,
    facts: &TransactionFacts<'_>,
    creates_sender: bool,
) -> Result<(), StatusCode> {
    let gas = &chain.transaction_gas;
    if facts.raw_bytes > gas.max_transaction_bytes {
        return Err(StatusCode::EXCEEDED_MAX_TRANSACTION_SIZE);
    }
    if facts.max_gas_units > gas.max_gas_units {
        return Err(StatusCode::MAX_GAS_UNITS_EXCEEDS_MAX_GAS_UNITS_BOUND);
    }
    if facts.max_gas_units < gas.intrinsic_units(facts.raw_bytes) {
        return Err(StatusCode::MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS);
    }
    if facts.gas_unit_price < gas.min_gas_unit_price {
        return Err(StatusCode::GAS_UNIT_PRICE_BELOW_MIN_BOUND);
    }
    if facts.gas_unit_price > gas.max_gas_unit_price {
        return Err(StatusCode::GAS_UNIT_PRICE_ABOVE_MAX_BOUND);
    }
    if creates_sender {
        let slot = u128::from(gas.storage_fee_per_slot);
        let account = slot + u128::from(LAZY_CREATION_BYTES) * u128::from(gas.storage_fee_per_byte);
        let price = u128::from(facts.gas_unit_price);
        let needed = price * u128::from(LAZY_CREATION_GAS_UNITS) + 2 * account;
        if price * u128::from(facts.max_gas_units) < needed {
            return Err(StatusCode::MAX_GAS_UNITS_BELOW_MIN_TRANSACTION_GAS_UNITS);
        }
    }
    match facts.payload_kind() {
        PayloadKind::Empty => Err(StatusCode::EMPTY_PAYLOAD_PROVIDED),
        PayloadKind::Removed | PayloadKind::MultisigScript => Err(StatusCode::FEATURE_UNDER_GATING),
        PayloadKind::Script | PayloadKind::EntryFunction | PayloadKind::Multisig => Ok(()),
    }
}
