//! View calls: a function run over a snapshot, whose effects are thrown away.

use ledger_bcs::{Decode, Writer};
use ledger_types::{AbortLocation, EntryFunction, ExecutionStatus};
use ledger_vm::{CallMode, GasLimits, GasMeter, ReturnValue, StateError, VmError};

use crate::features::Features;
use crate::json::request::{ViewCall, view_from_json};
use crate::json::status::status_text;
use crate::json::write;
use crate::keep::{Disposition, disposition};
use crate::machine::{Machine, void_context};
use crate::reasons::StateReasons;
use crate::refusal::{QueryError, Refusal};
use crate::state_view::{BlockState, StateCache, StateView};

/// How a request or an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSON text.
    Json,
    /// BCS.
    Bcs,
}

/// An answer that cost gas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metered {
    /// Gas units, rounded up.
    pub gas_units: u64,
    /// The answer.
    pub body: Vec<u8>,
}

/// Runs a view request.
///
/// # Errors
/// Refusals (`invalid_input`, with the status code where the machine stopped), and a state that cannot
/// be read.
pub fn view(
    machine: &mut Machine,
    view: &dyn StateView,
    request: &[u8],
    request_form: Form,
    answer_form: Form,
    gas_units_max: u64,
) -> Result<Metered, QueryError> {
    let mut cache = StateCache::default();
    let state = BlockState::new(view, &mut cache);
    let result = run(machine, &state, request, request_form, answer_form, gas_units_max);
    state.failure().map_or(result, |error: StateError| Err(error.into()))
}

fn run(
    machine: &mut Machine,
    state: &BlockState<'_>,
    request: &[u8],
    request_form: Form,
    answer_form: Form,
    gas_units_max: u64,
) -> Result<Metered, QueryError> {
    let chain = machine.prepare(state)?;
    let call = match request_form {
        Form::Json => view_from_json(request, &mut machine.types(state, &chain))?,
        Form::Bcs => view_from_bcs(request)?,
    };
    let gas = &chain.transaction_gas;
    let mut meter = GasMeter::new(GasLimits {
        balance: gas_units_max.saturating_mul(gas.scaling_factor),
        execution_max: u64::MAX,
        io_max: u64::MAX,
    });
    let start = meter.balance();
    let mut session = machine.vm.session(state, &chain.gas, void_context(&chain));
    let arguments: Vec<&[u8]> = call.arguments.iter().map(Vec::as_slice).collect();
    let (module, function) = (&call.module, call.function.as_str());
    let values = session.call(module, function, &call.type_arguments, &arguments, CallMode::View, &mut meter);
    drop(session);
    let values = values.map_err(|error| failure(machine, state, &error))?;
    let gas_units = (start - meter.balance()).div_ceil(gas.scaling_factor);
    let body = match answer_form {
        Form::Json => json_body(machine, state, &chain, &values)?,
        Form::Bcs => bcs_body(&values),
    };
    Ok(Metered { gas_units, body })
}

fn view_from_bcs(request: &[u8]) -> Result<ViewCall, QueryError> {
    let call = EntryFunction::from_bytes(request)
        .map_err(|error| Refusal::invalid_input(format!("not a view function: {error}")))?;
    let EntryFunction { module, function, type_args, args } = call;
    Ok(ViewCall { module, function, type_arguments: type_args, arguments: args })
}

fn bcs_body(values: &[ReturnValue]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.sequence(values, |writer, value| writer.raw(&value.bytes));
    writer.into_bytes()
}

fn json_body(
    machine: &mut Machine,
    state: &BlockState<'_>,
    chain: &crate::chain::ChainConfig,
    values: &[ReturnValue],
) -> Result<Vec<u8>, QueryError> {
    let mut types = machine.types(state, chain);
    let mut out = Vec::new();
    let mut outcome = Ok(());
    write::array(values, &mut out, |value, out| {
        if outcome.is_ok() {
            outcome = types.write_value(&value.tag, &value.bytes, out);
        }
    });
    outcome.map(|()| out)
}

/// The refusal for a call that the machine stopped: for an abort the text that its transaction would
/// have shown.
fn failure(machine: &Machine, state: &BlockState<'_>, error: &VmError) -> QueryError {
    let reasons = StateReasons { state, cache: &machine.reasons };
    match disposition(error, &Features::default(), &reasons) {
        Disposition::Keep(
            status @ (ExecutionStatus::MoveAbort { location: AbortLocation::Module(_), .. }
            | ExecutionStatus::ExecutionFailure { location: AbortLocation::Module(_), .. }
            | ExecutionStatus::OutOfGas),
        ) => {
            let message = status_text(&status, &reasons);
            Refusal { code: "invalid_input", message, vm_status: Some(error.status) }.into()
        }
        _ => error.clone().into(),
    }
}
