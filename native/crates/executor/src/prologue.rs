//! The Move functions that judge a transaction before it runs and settle it afterwards.
//!
//! Frameworks of different ages offer different families of them. Which one is called is decided by
//! the chain's features and by what the loaded module offers, never by a fixed table. All are private,
//! called past visibility, unmetered; signers are passed as their addresses.

use ledger_bcs::{Encode, Writer};
use ledger_bytecode::StatusCode;
use ledger_types::{Address, ModuleId};
use ledger_vm::{CallMode, GasMeter, LocationModule, Session, VmError};

use crate::chain::{ChainConfig, framework_module};
use crate::facts::{ReplayProtection, TransactionFacts};
use crate::features::Feature;

/// Reason of the only epilogue abort that may be kept: the payload spent the money for the fee.
const CANNOT_PAY_FEE: u64 = 1005;

/// Arguments of a call, each its own BCS.
#[derive(Default)]
struct Arguments(Vec<Vec<u8>>);

impl Arguments {
    fn push(&mut self, value: &dyn Encode) -> &mut Self {
        let mut writer = Writer::new();
        value.encode(&mut writer);
        self.0.push(writer.into_bytes());
        self
    }

    fn bytes(&mut self, value: &[u8]) -> &mut Self {
        let mut writer = Writer::with_capacity(value.len() + 5);
        writer.bytes(value);
        self.0.push(writer.into_bytes());
        self
    }

    /// A public key hash that may be missing, as `Option<vector<u8>>`.
    fn key(&mut self, key: &Option<Vec<u8>>) -> &mut Self {
        let mut writer = Writer::new();
        write_optional_bytes(&mut writer, key);
        self.0.push(writer.into_bytes());
        self
    }
}

fn write_optional_bytes(writer: &mut Writer, value: &Option<Vec<u8>>) {
    writer.option(value.as_ref(), |writer, value| writer.bytes(value));
}

/// Calls a function of the framework past visibility, unmetered.
///
/// # Errors
/// Whatever stops the call.
pub fn call_system(
    session: &mut Session<'_>,
    module: &ModuleId,
    function: &str,
    arguments: &[Vec<u8>],
) -> Result<(), VmError> {
    let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    let mut meter = GasMeter::unmetered();
    session.call(module, function, &[], &arguments, CallMode::Bypass, &mut meter).map(drop)
}

/// Which family of functions the chain uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Family {
    /// One prologue for all kinds of transactions, keys optional.
    is_unified: bool,
    /// Unified with replay protectors instead of sequence numbers.
    is_v2: bool,
    /// Old with a flag for simulations.
    is_extended: bool,
}

impl Family {
    fn of(
        session: &mut Session<'_>,
        chain: &ChainConfig,
        facts: &TransactionFacts<'_>,
    ) -> Result<Family, VmError> {
        let module = framework_module("transaction_validation");
        let features = &chain.features;
        // Only the unified family knows nonces.
        let is_orderless = matches!(facts.replay, ReplayProtection::Nonce(_));
        let is_unified = if features.any_account_abstraction() || is_orderless {
            session.has_function(&module, "unified_prologue")?
        } else {
            !session.has_function(&module, "script_prologue")?
        };
        let is_v2 = is_unified
            && features.is_on(Feature::TransactionPayloadV2)
            && session.has_function(&module, "unified_prologue_v2")?;
        let is_extended = !is_unified
            && features.is_on(Feature::TransactionSimulationEnhancement)
            && session.has_function(&module, "script_prologue_extended")?;
        Ok(Family { is_unified, is_v2, is_extended })
    }
}

/// Runs the prologue of a transaction.
///
/// # Errors
/// The status code with which the transaction is to be discarded.
pub fn run_prologue(
    session: &mut Session<'_>,
    chain: &ChainConfig,
    facts: &TransactionFacts<'_>,
    is_simulation: bool,
) -> Result<(), StatusCode> {
    let module = framework_module("transaction_validation");
    let (function, arguments) = Family::of(session, chain, facts)
        .map(|family| prologue_call(family, facts, is_simulation))
        .map_err(|error| discard_status(&error))?;
    call_system(session, &module, &function, &arguments).map_err(|error| discard_status(&error))
}

fn prologue_call(
    family: Family,
    facts: &TransactionFacts<'_>,
    is_simulation: bool,
) -> (String, Vec<Vec<u8>>) {
    let mut arguments = Arguments::default();
    let function = if family.is_unified {
        unified_prologue(&mut arguments, family, facts)
    } else {
        old_prologue(&mut arguments, facts)
    };
    let mut function = function.to_owned();
    if family.is_unified {
        arguments.push(&is_simulation);
        if family.is_v2 {
            function.push_str("_v2");
        }
    } else if family.is_extended {
        arguments.push(&is_simulation);
        function.push_str("_extended");
    }
    (function, arguments.0)
}

fn push_bounds(arguments: &mut Arguments, facts: &TransactionFacts<'_>) {
    arguments
        .push(&facts.gas_unit_price)
        .push(&facts.max_gas_units)
        .push(&facts.expiration_secs)
        .push(&facts.chain_id);
}

fn old_prologue(arguments: &mut Arguments, facts: &TransactionFacts<'_>) -> &'static str {
    let no_key = Vec::new();
    let plain = |key: &Option<Vec<u8>>| key.clone().unwrap_or_default();
    arguments.push(&facts.sender).push(&facts.replay.sequence_number());
    arguments.bytes(facts.sender_key.as_ref().unwrap_or(&no_key));
    if facts.secondary_signers.is_empty() && facts.fee_payer.is_none() {
        push_bounds(arguments, facts);
        arguments.bytes(&facts.script_hash);
        return "script_prologue";
    }
    let keys: Vec<Vec<u8>> = facts.secondary_keys.iter().map(plain).collect();
    let mut writer = Writer::new();
    writer.sequence(&keys, |writer, key| writer.bytes(key));
    arguments.push(&facts.secondary_signers);
    arguments.0.push(writer.into_bytes());
    let function = match &facts.fee_payer {
        Some(payer) => {
            arguments.push(&payer.address).bytes(&plain(&payer.key));
            "fee_payer_script_prologue"
        }
        None => "multi_agent_script_prologue",
    };
    push_bounds(arguments, facts);
    function
}

fn unified_prologue(arguments: &mut Arguments, family: Family, facts: &TransactionFacts<'_>) -> &'static str {
    arguments.push(&facts.sender);
    let function = match &facts.fee_payer {
        Some(payer) => {
            arguments.push(&payer.address).key(&facts.sender_key).key(&payer.key);
            "unified_prologue_fee_payer"
        }
        None => {
            arguments.key(&facts.sender_key);
            "unified_prologue"
        }
    };
    if family.is_v2 {
        arguments.push(&facts.replay);
    } else {
        arguments.push(&facts.replay.sequence_number());
    }
    let mut writer = Writer::new();
    writer.sequence(&facts.secondary_keys, write_optional_bytes);
    arguments.push(&facts.secondary_signers);
    arguments.0.push(writer.into_bytes());
    push_bounds(arguments, facts);
    function
}

/// What the epilogue is told.
#[derive(Clone, Copy, Debug)]
pub struct Settlement {
    /// Octas given back for deleted state.
    pub storage_refund: u64,
    /// Gas units left.
    pub gas_units_remaining: u64,
}

/// Runs the epilogue: takes the fee, moves the sequence number on.
///
/// # Errors
/// Whatever stops the call; see [`is_payload_to_blame`].
pub fn run_epilogue(
    session: &mut Session<'_>,
    chain: &ChainConfig,
    facts: &TransactionFacts<'_>,
    settlement: Settlement,
    is_simulation: bool,
) -> Result<(), VmError> {
    let family = Family::of(session, chain, facts)?;
    let mut arguments = Arguments::default();
    arguments.push(&facts.sender);
    let mut function = if family.is_unified {
        arguments.push(&facts.gas_payer());
        "unified_epilogue".to_owned()
    } else if let Some(payer) = &facts.fee_payer {
        arguments.push(&payer.address);
        "epilogue_gas_payer".to_owned()
    } else {
        "epilogue".to_owned()
    };
    arguments
        .push(&settlement.storage_refund)
        .push(&facts.gas_unit_price)
        .push(&facts.max_gas_units)
        .push(&settlement.gas_units_remaining);
    if family.is_unified || family.is_extended {
        arguments.push(&is_simulation);
    }
    if family.is_v2 {
        arguments.push(&matches!(facts.replay, ReplayProtection::Nonce(_)));
        function.push_str("_v2");
    } else if family.is_extended {
        function.push_str("_extended");
    }
    call_system(session, &framework_module("transaction_validation"), &function, &arguments.0)
}

/// Whether a failed epilogue means that the payload spent the money for the fee, so that the
/// transaction is to be kept as a failure.
pub fn is_payload_to_blame(error: &VmError) -> bool {
    error.abort_code.is_some_and(|code| code == (2 << 16 | CANNOT_PAY_FEE)) && is_in_validation(error)
}

fn is_in_validation(error: &VmError) -> bool {
    error.location.as_ref().is_some_and(|location| {
        matches!(&location.module, LocationModule::Module(id)
            if id.address == Address::ONE && id.name == *"transaction_validation")
    })
}

/// The discard status for a failed prologue.
fn discard_status(error: &VmError) -> StatusCode {
    let Some(code) = error.abort_code else {
        return StatusCode::UNEXPECTED_ERROR_FROM_KNOWN_MOVE_FUNCTION;
    };
    let (category, reason) = (code >> 16, code & 0xffff);
    let row = if is_in_validation(error) {
        match (reason, category) {
            (1001, 1) => Some(2),
            (1002, 1) => Some(3),
            (1003, 1) => Some(4),
            (1004, 1) => Some(7),
            (1005, 1) => Some(5),
            (1006, 1) => Some(6),
            (1007, 1) => Some(23),
            (1008, 2) => Some(24),
            (1009, 1) => Some(27),
            (1010, 1) => Some(36),
            (1011, 3) => Some(37),
            (1012, 1) => Some(42),
            (1013, 1) => Some(44),
            _ => None,
        }
    } else {
        match (reason, category) {
            (2002, 3) => Some(31),
            (2003, 5) => Some(32),
            (2006, 6) => Some(33),
            (2009, 1) => Some(34),
            (2008, 1) => Some(35),
            (2010, 1) => Some(40),
            (2, 5) => Some(46),
            (3, 5) => Some(47),
            (5, 5) => Some(48),
            (7, 1) => Some(49),
            (8, 1) => Some(52),
            (1, 6) => Some(50),
            (4, 6) => Some(51),
            _ => None,
        }
    };
    row.map_or(StatusCode::UNEXPECTED_ERROR_FROM_KNOWN_MOVE_FUNCTION, StatusCode)
}

#[cfg(test)]
mod tests {
    use ledger_vm::Location;

    use super::*;

    fn abort(module: &str, code: u64) -> VmError {
        let module = LocationModule::Module(framework_module(module));
        let location = Some(Box::new(Location { module, function: 0, code_offset: 0 }));
        VmError { abort_code: Some(code), location, ..VmError::new(4016) }
    }

    #[test]
    fn a_prologue_abort_becomes_the_status_of_its_reason_and_category() {
        let unexpected = 2015;
        let rows = [
            ("transaction_validation", 0x1_03e9, 2),
            ("transaction_validation", 0x1_03ea, 3),
            ("transaction_validation", 0x1_03eb, 4),
            ("transaction_validation", 0x1_03ed, 5),
            ("transaction_validation", 0x2_03f0, 24),
            ("transaction_validation", 0x1_03f0, unexpected),
            ("multisig_account", 0x5_07d3, 32),
            ("account", 0x1_03e9, unexpected),
        ];
        for (module, code, expected) in rows {
            assert_eq!(discard_status(&abort(module, code)), StatusCode(expected), "{module} {code:#x}");
        }
        assert_eq!(discard_status(&VmError::new(4017)), StatusCode(unexpected));
    }

    #[test]
    fn only_an_unpayable_fee_is_the_payloads_fault() {
        assert!(is_payload_to_blame(&abort("transaction_validation", 0x2_03ed)));
        assert!(!is_payload_to_blame(&abort("transaction_validation", 0x2_0006)));
        assert!(!is_payload_to_blame(&abort("coin", 0x2_03ed)));
    }
}
