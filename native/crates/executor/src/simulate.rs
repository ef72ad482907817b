//! Simulation: what a transaction would do if it were committed now, without its signatures.

use ledger_bcs::{Decode, Encode, Reader, Writer};
use ledger_bytecode::StatusCode;
use ledger_types::{ExecutionStatus, HashValue, SignedTransaction, Transaction, TransactionInfo};
use ledger_vm::StateSource;

use crate::chain::{ChainConfig, coin_store_key};
use crate::changes::TransactionChanges;
use crate::doors;
use crate::facts::TransactionFacts;
use crate::json::status::status_text;
use crate::json::{CommittedTransaction, SimulatedTransaction, write_simulated};
use crate::machine::Machine;
use crate::reasons::StateReasons;
use crate::refusal::{QueryError, Refusal, status_name};
use crate::state_view::{BlockState, StateCache, StateView};
use crate::transaction::{self, TransactionEnvironment, TransactionOutput};
use crate::view::{Form, Metered};

/// What a simulation may change and where it claims to stand.
#[derive(Clone, Copy, Debug)]
pub struct SimulationOptions {
    /// How the answer is written.
    pub form: Form,
    /// Replaces the gas unit price.
    pub gas_unit_price: Option<u64>,
    /// Raises the maximum of gas to what chain and sender's balance allow.
    pub estimate_max_gas: bool,
    /// Newest ledger version.
    pub version: u64,
    /// Timestamp of its block, microseconds.
    pub timestamp_usecs: u64,
}

/// Simulates a transaction.
///
/// # Errors
/// A transaction that carries a valid signature (it could be submitted by whoever sees it), a payload
/// behind a shut door, a state that cannot be read.
pub fn simulate(
    machine: &mut Machine,
    view: &dyn StateView,
    mut signed: SignedTransaction,
    options: &SimulationOptions,
) -> Result<Metered, QueryError> {
    doors::check_payload(&signed.raw.payload)?;
    if ledger_crypto::verify_transaction(&signed).is_ok() {
        return Err(Refusal::invalid_input("a simulated transaction must not carry a valid signature").into());
    }
    let mut cache = StateCache::default();
    let state = BlockState::new(view, &mut cache);
    let chain = machine.prepare(&state)?;
    adjust_gas(&mut signed, options, &chain, &state)?;
    let environment = TransactionEnvironment {
        chain: &chain,
        state: &state,
        reasons: &StateReasons { state: &state, cache: &machine.reasons },
        timestamp_usecs: options.timestamp_usecs,
        transaction_index: 0,
        is_simulation: true,
    };
    let outcome = transaction::execute(&mut machine.vm, &environment, &TransactionFacts::of(&signed));
    if let Some(error) = state.failure() {
        return Err(error.into());
    }
    let simulated =
        describe(signed, outcome, options, &StateReasons { state: &state, cache: &machine.reasons });
    let gas_units = simulated.committed.info.gas_used;
    let body = match options.form {
        Form::Bcs => on_chain_data(&simulated.committed),
        Form::Json => {
            let mut out = vec![b'['];
            write_simulated(&simulated, &mut machine.types(&state, &chain), &mut out);
            out.push(b']');
            out
        }
    };
    Ok(Metered { gas_units, body })
}

fn adjust_gas(
    signed: &mut SignedTransaction,
    options: &SimulationOptions,
    chain: &ChainConfig,
    state: &dyn StateSource,
) -> Result<(), QueryError> {
    let raw = &mut signed.raw;
    if let Some(price) = options.gas_unit_price {
        raw.gas_unit_price = price;
    }
    if options.estimate_max_gas {
        let balance = match state.get(&coin_store_key(&raw.sender))? {
            Some(store) => Reader::new(&store.data).u64().unwrap_or(0),
            None => 0,
        };
        let affordable = balance.checked_div(raw.gas_unit_price).unwrap_or(balance);
        let gas = &chain.transaction_gas;
        let least = gas.intrinsic_units(raw.to_bytes().len() as u64);
        raw.max_gas_amount = affordable.max(least).min(gas.max_gas_units);
    }
    Ok(())
}

fn describe(
    signed: SignedTransaction,
    outcome: Result<TransactionOutput, StatusCode>,
    options: &SimulationOptions,
    reasons: &StateReasons<'_>,
) -> SimulatedTransaction {
    let (output, vm_status) = match outcome {
        Ok(output) => {
            let mut text = status_text(&output.status, reasons);
            if let Some(message) = &output.message {
                text.push_str(&format!("\nExecution failed with message: {message}"));
            }
            (output, text)
        }
        Err(status) => {
            let discarded = ExecutionStatus::MiscellaneousError(Some(status.0));
            let output = TransactionOutput {
                status: discarded,
                ..TransactionOutput::system(TransactionChanges::default())
            };
            (output, status_name(status.0).to_owned())
        }
    };
    let transaction_hash = signed.hash();
    let TransactionOutput { status, gas_used, write_set, events, .. } = output;
    let info = TransactionInfo {
        gas_used,
        status,
        transaction_hash,
        event_root_hash: HashValue::ZERO,
        state_change_hash: HashValue::ZERO,
        state_checkpoint_hash: None,
        auxiliary_info_hash: None,
    };
    let committed = CommittedTransaction {
        version: options.version,
        transaction: Transaction::User(Box::new(signed)),
        info,
        events,
        write_set,
        accumulator_root: HashValue::ZERO,
        timestamp_usecs: options.timestamp_usecs,
    };
    SimulatedTransaction { committed, vm_status }
}

/// BCS of a transaction with what the ledger says of it.
fn on_chain_data(committed: &CommittedTransaction) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.u64(committed.version);
    committed.transaction.encode(&mut writer);
    committed.info.encode(&mut writer);
    committed.events.encode(&mut writer);
    committed.accumulator_root.encode(&mut writer);
    committed.write_set.encode(&mut writer);
    writer.into_bytes()
}

/// Reads the BCS body of a simulation request.
///
/// # Errors
/// When the bytes are not a signed transaction.
pub fn signed_from_bcs(bytes: &[u8]) -> Result<SignedTransaction, QueryError> {
    SignedTransaction::from_bytes(bytes)
        .map_err(|error| Refusal::invalid_input(format!("not a signed transaction: {error}")).into())
}
