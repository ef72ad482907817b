//! Version 0 of a chain of our own: the framework's genesis functions, run once over nothing.
//!
//! The order of the calls and their arguments are the framework's (framework/README.md). The result is
//! a plain write set, so that whoever replays the chain needs no genesis code.

use std::sync::Arc;

use bytes::Bytes;
use ledger_bcs::{Encode, Writer};
use ledger_types::{
    Address, ChangeSet, ContractEvent, EventKey, HashValue, SessionId, StateKey, StateValue, WriteOp,
    WriteSet,
};
use ledger_vm::{GasParameters, Overlay, SessionContext, StateChange, StateError, StateSource, Vm, VmError};

use crate::chain::framework_module;
use crate::framework::{Framework, engine};
use crate::gas_schedule::GasSchedule;
use crate::prologue::call_system;

/// Creation number of the stream of new epochs at `0x1`.
const NEW_EPOCH_STREAM: u64 = 2;

/// Creation number of the stream of new blocks at `0x1`.
const NEW_BLOCK_STREAM: u64 = 3;

/// Octas of the development minter at genesis: enough for its own fees and to lend from.
const MINTER_OCTAS: u64 = 1_000_000_000_000_000_000;

/// The chain has no consensus, so nothing is ever signed with the validator's key. The validator set
/// still shows one of the usual length.
const CONSENSUS_KEY: [u8; 48] = [0; 48];

/// What an operator chooses.
#[derive(Clone, Debug)]
pub struct GenesisOptions {
    /// Chain id.
    pub chain_id: u8,
    /// Microseconds between epochs; above zero.
    pub epoch_interval_usecs: u64,
    /// Authentication key of the development minter `0xa550c18`; `None` makes a chain without one.
    pub minter_key: Option<[u8; 32]>,
    /// Accounts that exist from the start, with their octas.
    pub accounts: Vec<(Address, u64)>,
}

/// The one validator of a chain of our own.
pub fn validator_address() -> Address {
    Address(HashValue::sha3_256(b"ledger-node::validator").0)
}

/// Nothing.
struct EmptyState;

impl StateSource for EmptyState {
    fn get(&self, _: &StateKey) -> Result<Option<StateValue>, StateError> {
        Ok(None)
    }
}

/// Why a genesis could not be made: a framework that does not fit this core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenesisError {
    /// One of the genesis functions failed.
    Call(&'static str, Box<VmError>),
    /// The write set could not be collected.
    Finish(Box<VmError>),
    /// No new-block or no new-epoch event was emitted.
    MissingEvent,
    /// The bundle's gas schedule does not decode.
    GasSchedule,
}

impl std::fmt::Display for GenesisError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GenesisError::Call(function, error) => write!(f, "0x1::genesis::{function} failed: {error}"),
            GenesisError::Finish(error) => write!(f, "genesis could not be written: {error}"),
            GenesisError::MissingEvent => write!(f, "genesis emitted no new-block or no new-epoch event"),
            GenesisError::GasSchedule => write!(f, "the bundle's gas schedule does not decode"),
        }
    }
}

impl std::error::Error for GenesisError {}

fn prefixed(value: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.bytes(value);
    writer.into_bytes()
}

/// The genesis calls in order, with their arguments.
fn calls(framework: &Framework, options: &GenesisOptions) -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let addresses: Vec<Address> = options.accounts.iter().map(|(address, _)| *address).collect();
    let balances: Vec<u64> = options.accounts.iter().map(|(_, octas)| *octas).collect();
    let mut packages = Writer::new();
    packages.sequence(&framework.packages, |writer, package| writer.bytes(package));
    let mut calls = vec![
        (
            "initialize",
            vec![
                prefixed(&framework.gas_schedule),
                options.chain_id.to_bytes(),
                framework.features.to_bytes(),
                options.epoch_interval_usecs.to_bytes(),
            ],
        ),
        ("initialize_aptos_coin", Vec::new()),
    ];
    if let Some(key) = &options.minter_key {
        calls.push(("initialize_core_resources", vec![prefixed(key), MINTER_OCTAS.to_bytes()]));
    }
    calls.extend([
        ("create_accounts", vec![addresses.to_bytes(), balances.to_bytes()]),
        ("create_validator", vec![validator_address().to_bytes(), prefixed(&CONSENSUS_KEY), 1u64.to_bytes()]),
        ("initialize_packages", vec![packages.into_bytes()]),
        ("set_genesis_end", Vec::new()),
    ]);
    calls
}

/// Makes the change set of version 0.
///
/// # Errors
/// Only for a framework that does not fit this core.
pub fn make_genesis(framework: &Framework, options: &GenesisOptions) -> Result<ChangeSet, GenesisError> {
    let mut state = Overlay::new(&EmptyState);
    for module in &framework.modules {
        let code = StateValue::new(Bytes::from_static(module.code));
        state.set(StateKey::module(&module.id), Some(code));
    }
    let schedule =
        GasSchedule::from_resource(&framework.gas_schedule).map_err(|_| GenesisError::GasSchedule)?;
    let gas = Arc::new(GasParameters::from_entries(schedule.feature_version, &schedule.entries));
    let context = SessionContext {
        session_id: SessionId::Genesis(HashValue::ZERO),
        chain_id: options.chain_id,
        script_hash: Vec::new(),
        timestamp_usecs: 0,
        user: None,
    };
    let mut vm = Vm::new(engine());
    let mut session = vm.session(&state, &gas, context);
    let module = framework_module("genesis");
    for (function, arguments) in calls(framework, options) {
        call_system(&mut session, &module, function, &arguments)
            .map_err(|error| GenesisError::Call(function, Box::new(error)))?;
    }
    let changes = session.finish().map_err(|error| GenesisError::Finish(Box::new(error)))?;
    if !has_stream(&changes.events, NEW_BLOCK_STREAM) || !has_stream(&changes.events, NEW_EPOCH_STREAM) {
        return Err(GenesisError::MissingEvent);
    }
    Ok(ChangeSet { write_set: write_set(framework, changes.writes), events: changes.events })
}

fn has_stream(events: &[ContractEvent], creation_number: u64) -> bool {
    let wanted = EventKey { creation_number, account: Address::ONE };
    events.iter().any(|event| matches!(event, ContractEvent::V1 { key, .. } if *key == wanted))
}

/// Values of genesis carry no deposits, since nobody paid any.
fn write_set(framework: &Framework, writes: Vec<StateChange>) -> WriteSet {
    let creation = |data: Bytes| WriteOp::Creation { data, metadata: None };
    let modules = framework
        .modules
        .iter()
        .map(|module| (StateKey::module(&module.id), creation(Bytes::from_static(module.code))));
    let resources =
        writes.into_iter().filter_map(|change| change.new.map(|data| (change.key, creation(data))));
    modules.chain(resources).collect()
}
