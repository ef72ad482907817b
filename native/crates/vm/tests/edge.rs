//! Edge cases of lowering, written in Move with their own asserts (`tests/move/edge`). The same
//! tests pass on the compiler's own machine, which is what makes the asserts worth something.

mod common;

use common::{context, gas, machine, module_id, modules};
use ledger_types::Address;
use ledger_vm::{CallMode, GasLimits, GasMeter, LocationModule, VmError, status};

fn edge() -> Address {
    "0xed6e".parse().unwrap()
}

fn metered() -> GasMeter {
    GasMeter::new(GasLimits { balance: 1 << 60, execution_max: 1 << 60, io_max: 1 << 60 })
}

fn call(module: &str, function: &str, arguments: &[&[u8]]) -> (Result<Vec<Vec<u8>>, VmError>, u64) {
    let modules = modules("tests/fixtures");
    let (state, mut vm) = machine(&modules);
    let gas = gas();
    let mut meter = metered();
    let mut session = vm.session(&state, &gas, context());
    let id = module_id(edge(), module);
    let result = session.call(&id, function, &[], arguments, CallMode::Bypass, &mut meter);
    (result.map(|values| values.into_iter().map(|value| value.bytes).collect()), meter.execution_used())
}

#[test]
fn programs_that_check_themselves_end_well() {
    for (module, function) in [
        ("locals", "copy_before_borrow"),
        ("locals", "swapped_parts"),
        ("locals", "nested_fields"),
        ("locals", "replaced_in_a_loop"),
        ("locals", "short_circuit"),
        ("locals", "generics_and_recursion"),
        ("locals", "references_from_functions"),
        ("locals", "loops_with_exits"),
        ("numbers", "narrow_places"),
        ("numbers", "wide"),
        ("numbers", "casts"),
        ("shapes", "enums"),
        ("shapes", "wide_structs"),
        ("shapes", "vectors"),
    ] {
        let (result, gas) = call(module, function, &[]);
        result.unwrap_or_else(|error| panic!("{module}::{function}: {error}"));
        assert!(gas > 0);
    }
}

/// Module, function, arguments, status and sub-status.
type Row<'a> = (&'a str, &'a str, &'a [&'a [u8]], (u64, Option<u64>));

#[test]
fn programs_that_fail_name_what_and_where() {
    let zero = 0u64.to_le_bytes();
    let arithmetic = (status::ARITHMETIC_ERROR, None);
    let rows: [Row; 18] = [
        ("locals", "overflow_in_a_loop", &[], arithmetic),
        ("locals", "aborts_in_a_callee", &[&zero], (status::ABORTED, None)),
        ("locals", "runs_too_deep", &[&zero], (status::CALL_STACK_OVERFLOW, None)),
        ("numbers", "add_u8", &[], arithmetic),
        ("numbers", "sub_u16", &[], arithmetic),
        ("numbers", "mul_u32", &[], arithmetic),
        ("numbers", "add_u64", &[], arithmetic),
        ("numbers", "mul_u128", &[], arithmetic),
        ("numbers", "add_u256", &[], arithmetic),
        ("numbers", "mul_u256", &[], arithmetic),
        ("numbers", "div_zero", &[], arithmetic),
        ("numbers", "mod_zero_u256", &[], arithmetic),
        ("numbers", "cast_down", &[], arithmetic),
        ("numbers", "shift_too_far", &[], arithmetic),
        ("shapes", "index_out", &[], (status::VECTOR_OPERATION_ERROR, Some(1))),
        ("shapes", "pop_empty", &[], (status::VECTOR_OPERATION_ERROR, Some(2))),
        ("shapes", "wrong_variant", &[], (status::STRUCT_VARIANT_MISMATCH, None)),
        ("shapes", "wrong_field", &[], (status::STRUCT_VARIANT_MISMATCH, None)),
    ];
    for (module, function, arguments, (expected, sub)) in rows {
        let (result, _) = call(module, function, arguments);
        let error = result.expect_err(function);
        assert_eq!((error.status, error.sub_status), (expected, sub), "{module}::{function}: {error}");
        let location = error.location.expect(function);
        assert_eq!(location.module, LocationModule::Module(module_id(edge(), module)), "{function}");
    }
}

#[test]
fn resources_are_written_when_written_and_not_when_looked_at() {
    let modules = modules("tests/fixtures");
    let (mut state, mut vm) = machine(&modules);
    let gas = gas();
    let owner: Address = "0x77".parse().unwrap();
    let id = module_id(edge(), "shapes");
    let mut run = |state: &common::MapState, function: &str| {
        let mut session = vm.session(state, &gas, context());
        let result = session.call(&id, function, &[], &[&owner.0], CallMode::Bypass, &mut metered());
        result.and_then(|values| Ok((values, session.finish()?)))
    };
    let absent = run(&state, "absent").unwrap_err();
    assert_eq!(absent.status, status::MISSING_DATA);
    let (_, opened) = run(&state, "open").unwrap();
    assert_eq!(opened.writes.len(), 2);
    state.apply(&opened);
    assert_eq!(run(&state, "twice").unwrap_err().status, status::RESOURCE_ALREADY_EXISTS);
    let (_, changed) = run(&state, "change").unwrap();
    assert_eq!(changed.writes.len(), 2);
    assert!(changed.writes.iter().all(|change| change.existed && change.new.is_some()));
    state.apply(&changed);
    let (values, looked) = run(&state, "look").unwrap();
    assert_eq!(values[0].bytes, 1040u64.to_le_bytes());
    assert_eq!(looked.writes, [], "a borrow for writing is no write");
}

#[test]
fn a_small_native_stack_is_enough() {
    let run = || {
        for (module, function) in
            [("locals", "runs_too_deep"), ("shapes", "wide_structs"), ("shapes", "enums")]
        {
            let zero = 0u64.to_le_bytes();
            let arguments: &[&[u8]] = if function == "runs_too_deep" { &[&zero] } else { &[] };
            let (result, _) = call(module, function, arguments);
            assert_eq!(result.is_ok(), function != "runs_too_deep");
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap();
    thread.join().unwrap();
}
