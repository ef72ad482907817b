//! A chain right after genesis, made by the framework's own functions.
#![allow(dead_code)]

use std::sync::Arc;

use ledger_bcs::{Encode, Writer};
use ledger_types::{Address, HashValue, SessionId, TransactionSession};
use ledger_vm::{
    CallMode, ChangeSet, GasLimits, GasMeter, GasParameters, Lowering, ReturnValue, SessionContext, Vm,
    VmError,
};

use crate::common::{Framework, MapState, framework, machine_with, module_id};

pub const ALICE: Address = Address([0xa1; 32]);
pub const BOB: Address = Address([0xb0; 32]);
pub const VALIDATOR: Address = Address([0xee; 32]);

pub fn bytes(value: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.bytes(value);
    writer.into_bytes()
}

pub fn list<T>(values: &[T], mut item: impl FnMut(&mut Writer, &T)) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.length(values.len());
    for value in values {
        item(&mut writer, value);
    }
    writer.into_bytes()
}

pub fn schedule(framework: &Framework) -> Arc<GasParameters> {
    let mut reader = ledger_bcs::Reader::new(&framework.gas_schedule);
    let version = reader.u64().unwrap();
    let entries = reader.sequence(|reader| Ok((reader.string()?.to_owned(), reader.u64()?))).unwrap();
    Arc::new(GasParameters::from_entries(version, &entries))
}

pub fn context(session_id: SessionId) -> SessionContext {
    SessionContext { session_id, chain_id: 4, script_hash: Vec::new(), timestamp_usecs: 0, user: None }
}

pub fn genesis(framework: &Framework, state: &MapState, vm: &mut Vm, gas: &Arc<GasParameters>) -> ChangeSet {
    let steps: Vec<(&str, Vec<Vec<u8>>)> = vec![
        (
            "initialize",
            vec![
                bytes(&framework.gas_schedule),
                vec![4],
                list(&framework.features, |writer, feature| writer.u64(*feature)),
                7_200_000_000u64.to_le_bytes().to_vec(),
            ],
        ),
        ("initialize_aptos_coin", vec![]),
        ("initialize_core_resources", vec![bytes(&[7; 32]), 1_000_000_000u64.to_le_bytes().to_vec()]),
        (
            "create_accounts",
            vec![
                list(&[ALICE], |writer, address| address.encode(writer)),
                list(&[5_000_000_000u64], |writer, amount| writer.u64(*amount)),
            ],
        ),
        ("create_validator", vec![VALIDATOR.0.to_vec(), bytes(&[9; 48]), 1u64.to_le_bytes().to_vec()]),
        ("initialize_packages", vec![list(&framework.packages, |writer, package| writer.bytes(package))]),
        ("set_genesis_end", vec![]),
    ];
    let mut session = vm.session(state, gas, context(SessionId::Genesis(HashValue([0; 32]))));
    let id = module_id(Address::ONE, "genesis");
    for (function, arguments) in &steps {
        let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
        session
            .call(&id, function, &[], &arguments, CallMode::Bypass, &mut GasMeter::unmetered())
            .unwrap_or_else(|error| panic!("{function}: {error}"));
    }
    session.finish().unwrap()
}

pub fn transaction(sequence_number: u64) -> SessionId {
    SessionId::Transaction(TransactionSession { sender: ALICE, sequence_number, script_hash: Vec::new() })
}

pub fn meter(gas_units: u64) -> GasMeter {
    let balance = gas_units * 1_000_000;
    GasMeter::new(GasLimits { balance, execution_max: u64::MAX, io_max: u64::MAX })
}

/// A function of the framework: module, name, arguments.
pub type Call = (&'static str, &'static str, Vec<Vec<u8>>);

/// A state after genesis, a machine over it, and its prices.
pub struct Chain {
    pub state: MapState,
    pub vm: Vm,
    pub gas: Arc<GasParameters>,
}

impl Chain {
    pub fn new() -> Self {
        Self::with_lowering(Lowering::default())
    }

    pub fn with_lowering(lowering: Lowering) -> Self {
        let framework = framework();
        let (mut state, mut vm) = machine_with(&framework.modules, lowering);
        let gas = schedule(&framework);
        let changes = genesis(&framework, &state, &mut vm, &gas);
        state.apply(&changes);
        Self { state, vm, gas }
    }

    /// One session with one call.
    pub fn try_run(
        &mut self,
        call: &Call,
        mode: CallMode<'_>,
        meter: &mut GasMeter,
    ) -> Result<(Vec<ReturnValue>, ChangeSet), VmError> {
        let (module, function, arguments) = call;
        let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
        let mut session = self.vm.session(&self.state, &self.gas, context(transaction(0)));
        let id = module_id(Address::ONE, module);
        let values = session.call(&id, function, &[], &arguments, mode, meter)?;
        Ok((values, session.finish()?))
    }

    /// The same, with gas enough and success expected.
    pub fn run(&mut self, call: &Call, mode: CallMode<'_>) -> ChangeSet {
        match self.try_run(call, mode, &mut meter(2_000_000)) {
            Ok((_, changes)) => changes,
            Err(error) => panic!("{}::{}: {error}", call.0, call.1),
        }
    }

    /// The check before a transaction of Alice with this sequence number.
    pub fn prologue(&self, sequence_number: u64) -> Call {
        let arguments = vec![
            ALICE.0.to_vec(),
            sequence_number.to_le_bytes().to_vec(),
            bytes(&ALICE.0),
            100u64.to_le_bytes().to_vec(),
            2000u64.to_le_bytes().to_vec(),
            1000u64.to_le_bytes().to_vec(),
            vec![4],
            bytes(&[]),
        ];
        ("transaction_validation", "script_prologue", arguments)
    }

    /// The charge after a transaction of Alice that left 1000 of 2000 gas units.
    pub fn epilogue(&self) -> Call {
        let arguments = vec![
            ALICE.0.to_vec(),
            0u64.to_le_bytes().to_vec(),
            100u64.to_le_bytes().to_vec(),
            2000u64.to_le_bytes().to_vec(),
            1000u64.to_le_bytes().to_vec(),
        ];
        ("transaction_validation", "epilogue", arguments)
    }

    /// The start of a block of the one validator.
    pub fn block_prologue(&self, timestamp_usecs: u64) -> Call {
        let arguments = vec![
            Address::ZERO.0.to_vec(),
            [5; 32].to_vec(),
            1u64.to_le_bytes().to_vec(),
            1u64.to_le_bytes().to_vec(),
            VALIDATOR.0.to_vec(),
            list(&[] as &[u64], |writer, index| writer.u64(*index)),
            bytes(&[]),
            timestamp_usecs.to_le_bytes().to_vec(),
        ];
        ("block", "block_prologue", arguments)
    }
}
