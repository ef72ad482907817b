//! Calls of natives one by one, on modules that may do no more than declare them. Each test file uses its
//! part of it.
#![allow(dead_code)]

use ledger_testkit::assemble;
use ledger_types::{Address, TypeTag};
use ledger_vm::{CallMode, GasLimits, GasMeter, Session, Vm, VmError};

use crate::common::{MapState, machine, module_id};

/// The BCS of bytes.
pub fn bcs(bytes: &[u8]) -> Vec<u8> {
    let mut writer = ledger_bcs::Writer::new();
    writer.bytes(bytes);
    writer.as_bytes().to_vec()
}

/// The BCS of a list of byte vectors, or of structs around them.
pub fn bcs_list(list: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = ledger_bcs::Writer::new();
    writer.sequence(list, |writer, bytes| writer.bytes(bytes));
    writer.as_bytes().to_vec()
}

/// A state with modules written in assembly, and a machine that trusts them.
pub fn assembled(texts: &[&str]) -> (MapState, Vm) {
    let modules: Vec<Vec<u8>> = texts.iter().map(|text| assemble(text).serialize()).collect();
    machine(&modules)
}

/// As much gas as anything needs.
pub fn meter() -> GasMeter {
    GasMeter::new(GasLimits { balance: 1 << 60, execution_max: 1 << 60, io_max: 1 << 60 })
}

/// Values in BCS.
pub type Outcome = Result<Vec<Vec<u8>>, VmError>;

/// A native or function of `module` at 0x1 in a session, everything checked off, and its gas.
pub fn call_paid(
    session: &mut Session<'_>,
    module: &str,
    function: &str,
    tags: &[TypeTag],
    arguments: &[Vec<u8>],
) -> (Outcome, u64) {
    let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    let id = module_id(Address::ONE, module);
    let mut meter = meter();
    let values = session.call(&id, function, tags, &arguments, CallMode::Bypass, &mut meter);
    (values.map(|values| values.into_iter().map(|value| value.bytes).collect()), meter.execution_used())
}

/// The same, where it must succeed and cost something.
pub fn call(session: &mut Session<'_>, module: &str, function: &str, arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let (outcome, gas) = call_paid(session, module, function, &[], arguments);
    assert!(gas > 0, "{function} is free");
    outcome.unwrap_or_else(|error| panic!("{function}: {error}"))
}

/// The BCS of a string.
pub fn string(text: &str) -> Vec<u8> {
    bcs(text.as_bytes())
}
