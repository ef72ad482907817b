//! Code that nobody vouches for runs if the verifier accepts it, and not otherwise.

mod common;

use common::{MapState, context, gas, module_id};
use ledger_bytecode::{ReadLimits, StatusCode};
use ledger_testkit::{assemble, assemble_script};
use ledger_types::{Address, StateKey, StateValue, TypeTag};
use ledger_verifier::Limits;
use ledger_vm::{CallMode, Engine, GasMeter, LocationModule, ScriptCode, Vm, VmError, status};

const GOOD: &str = "module 0x42::m version 6
    public fun double(u64): u64 { MoveLoc 0 LdU64 2 Mul Ret }
    friend fun hidden(): u64 { LdU64 1 Ret }";

/// A state with these modules, and a machine that trusts none.
fn untrusting(modules: &[&str]) -> (MapState, Vm) {
    let mut state = MapState::default();
    for text in modules {
        let module = assemble(text);
        state.values.insert(StateKey::module(&module.id()), StateValue::new(module.serialize()));
    }
    (state, Vm::new(Engine::new([])))
}

fn call(modules: &[&str], name: &str, function: &str) -> Result<u64, VmError> {
    let (state, mut vm) = untrusting(modules);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let id = module_id(Address::from_low_byte(0x42), name);
    let argument = 21u64.to_le_bytes();
    let mut meter = GasMeter::unmetered();
    let values = session.call(&id, function, &[], &[&argument], CallMode::Bypass, &mut meter)?;
    Ok(u64::from_le_bytes(values[0].bytes.clone().try_into().unwrap()))
}

#[test]
fn verified_code_runs() {
    assert_eq!(call(&[GOOD], "m", "double"), Ok(42));
}

#[test]
fn refused_code_does_not_run_and_the_status_says_why() {
    let uses = "module 0x42::n version 6";
    let import = "import fun 0x42::m";
    let rows = [
        (
            "a boolean for a number",
            StatusCode::RET_TYPE_MISMATCH_ERROR,
            "fun f(u64): u64 { LdTrue Ret }".to_owned(),
        ),
        (
            "an unbalanced stack",
            StatusCode::NEGATIVE_STACK_SIZE_WITHIN_BLOCK,
            "fun f(u64): u64 { Ret }".to_owned(),
        ),
        (
            "a function with another type",
            StatusCode::TYPE_MISMATCH,
            format!(
                "{import}::double(u64): bool\n fun f(u64): u64 {{ CopyLoc 0 Call 0x42::m::double Pop MoveLoc 0 Ret }}"
            ),
        ),
        (
            "a function of friends",
            StatusCode::LOOKUP_FAILED,
            format!("{import}::hidden(): u64\n fun f(u64): u64 {{ Call 0x42::m::hidden Ret }}"),
        ),
    ];
    for (name, expected, body) in rows {
        let error = call(&[GOOD, &format!("{uses}\n{body}")], "n", "f").unwrap_err();
        assert_eq!(StatusCode(error.status), expected, "{name}: {error}");
    }
}

#[test]
fn a_refused_dependency_refuses_what_needs_it() {
    let bad = "module 0x42::m version 6 public fun double(u64): u64 { LdTrue Ret }";
    let user = "module 0x42::n version 6
        import fun 0x42::m::double(u64): u64
        fun f(u64): u64 { MoveLoc 0 Call 0x42::m::double Ret }";
    assert!(call(&[bad, user], "n", "f").is_err());
    assert_eq!(call(&[GOOD, user], "n", "f"), Ok(42));
}

#[test]
fn modules_in_a_circle_do_not_link() {
    let one = "module 0x42::m version 6 import fun 0x42::n::g()
        public fun f() { Call 0x42::n::g Ret }";
    let other = "module 0x42::n version 6 import fun 0x42::m::f()
        public fun g() { Call 0x42::m::f Ret }";
    let error = call(&[one, other], "m", "f").unwrap_err();
    assert_eq!(error.status, status::CYCLIC_MODULE_DEPENDENCY);
}

/// Code at `0x42` changes though the version of the framework's code does not.
#[test]
fn an_upgrade_is_seen_by_the_next_session() {
    let (mut state, mut vm) = untrusting(&[GOOD]);
    let gas = gas();
    let id = module_id(Address::from_low_byte(0x42), "m");
    let argument = 21u64.to_le_bytes();
    for (factor, expected) in [(2, 42), (3, 63), (2, 42)] {
        let module = assemble(&GOOD.replace("LdU64 2", &format!("LdU64 {factor}")));
        state.values.insert(StateKey::module(&id), StateValue::new(module.serialize()));
        let mut session = vm.session(&state, &gas, context());
        let mut meter = GasMeter::unmetered();
        let values = session.call(&id, "double", &[], &[&argument], CallMode::Bypass, &mut meter).unwrap();
        assert_eq!(values[0].bytes, u64::to_le_bytes(expected));
    }
}

fn run_script(text: &str, types: &[TypeTag], arguments: &[&[u8]], version: u32) -> Result<(), VmError> {
    let (state, mut vm) = untrusting(&[GOOD]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let bytes = assemble_script(text).serialize();
    let read_limits = ReadLimits { version_max: version, ..ReadLimits::default() };
    let script = ScriptCode { bytes: &bytes, read_limits: &read_limits, limits: &Limits::default() };
    let signers = [Address::from_low_byte(7)];
    session.call_script(&script, types, arguments, &signers, &mut GasMeter::unmetered())
}

const DOUBLES: &str = "script version 6
    import fun 0x42::m::double(u64): u64
    fun main(&signer, u64) { MoveLoc 1 Call 0x42::m::double LdU64 42 Eq BrTrue ok LdU64 9 Abort ok: Ret }";

#[test]
fn a_script_runs_and_its_place_is_the_script() {
    assert_eq!(run_script(DOUBLES, &[], &[&21u64.to_le_bytes()], 6), Ok(()));
    let error = run_script(DOUBLES, &[], &[&20u64.to_le_bytes()], 6).unwrap_err();
    assert_eq!((error.status, error.abort_code), (status::ABORTED, Some(9)));
    assert_eq!(error.location.unwrap().module, LocationModule::Script);
}

#[test]
fn scripts_are_held_to_the_rules() {
    let generic = "script version 6 fun main<T0: copy>() { Ret }";
    assert_eq!(run_script(generic, &[TypeTag::U8], &[], 6), Ok(()));
    let status = |text: &str, types: &[TypeTag], arguments: &[&[u8]], version| {
        run_script(text, types, arguments, version).unwrap_err().status
    };
    assert_eq!(status(generic, &[], &[], 6), status::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH);
    assert_eq!(status(generic, &[TypeTag::Signer], &[], 6), status::CONSTRAINT_NOT_SATISFIED);
    assert_eq!(status(DOUBLES, &[], &[], 6), status::NUMBER_OF_ARGUMENTS_MISMATCH);
    assert_eq!(status(DOUBLES, &[], &[&[1]], 6), status::FAILED_TO_DESERIALIZE_ARGUMENT);
    assert_eq!(status(DOUBLES, &[], &[&[0; 8]], 5), status::CODE_DESERIALIZATION_ERROR);
    assert_eq!(
        status("script version 6 fun main() { LdTrue Ret }", &[], &[], 6),
        StatusCode::POSITIVE_STACK_SIZE_AT_BLOCK_END.0
    );
    let hidden = "script version 6 import fun 0x42::m::hidden(): u64
        fun main() { Call 0x42::m::hidden Pop Ret }";
    assert_eq!(status(hidden, &[], &[], 6), StatusCode::LOOKUP_FAILED.0);
}
