//! Limits that only programs written to find them meet.

mod common;

use std::fmt::Write as _;

use common::{context, gas, machine};
use ledger_vm::{CallMode, GasLimits, GasMeter, VmError, status};

fn run(source: &str) -> Result<Vec<Vec<u8>>, VmError> {
    let module = ledger_testkit::assemble(source);
    ledger_verifier::verify_module(&module, &ledger_verifier::Limits::default()).expect("a good module");
    let (state, mut vm) = machine(&[module.serialize()]);
    let gas = gas();
    let limits = GasLimits { balance: 1 << 50, execution_max: 1 << 50, io_max: 1 << 50 };
    let mut session = vm.session(&state, &gas, context());
    let values = session.call(&module.id(), "run", &[], &[], CallMode::Bypass, &mut GasMeter::new(limits))?;
    Ok(values.into_iter().map(|value| value.bytes).collect())
}

#[test]
fn a_chain_of_calls_cannot_double_a_type_without_end() {
    let mut source = String::from(
        "module 0x7::m struct Both<phantom T0, phantom T1> has drop { x: u8 }
        public fun run(): u64 { CallGeneric f0<u64> Ret } ",
    );
    for level in 0..40 {
        let next = level + 1;
        write!(source, "fun f{level}<T0>(): u64 {{ CallGeneric f{next}<Both<T0, T0>> Ret }} ").unwrap();
    }
    source.push_str("fun f40<T0>(): u64 { LdU64 7 Ret }");
    let error = run(&source).unwrap_err();
    assert_eq!(error.status, status::VM_MAX_TYPE_NODES_REACHED, "{error}");
    assert!(error.location.is_some());
}

#[test]
fn a_chain_of_calls_cannot_nest_a_type_without_end() {
    let mut source = String::from("module 0x7::m public fun run(): u64 { CallGeneric f0<u64> Ret } ");
    for level in 0..40 {
        let next = level + 1;
        write!(source, "fun f{level}<T0>(): u64 {{ CallGeneric f{next}<vector<T0>> Ret }} ").unwrap();
    }
    source.push_str("fun f40<T0>(): u64 { LdU64 7 Ret }");
    assert_eq!(run(&source).unwrap_err().status, status::VM_MAX_TYPE_DEPTH_REACHED);
}

#[test]
fn code_too_long_for_short_jumps_runs_the_same() {
    // A loop whose body is 31,600 instructions after lowering, in blocks of 4,000.
    let mut source = String::from(
        "module 0x7::m public fun run(): u64 { locals u64, u64
        LdU64 0 StLoc 0 LdU64 0 StLoc 1
        head: CopyLoc 1 LdU64 3 Lt BrFalse out ",
    );
    for at in 0..31_600 {
        if at % 4_000 == 0 {
            write!(source, "Branch b{at} b{at}: ").unwrap();
        }
        write!(source, "LdU64 {at} StLoc 0 ").unwrap();
    }
    source.push_str("CopyLoc 1 LdU64 1 Add StLoc 1 Branch head out: MoveLoc 0 Ret }");
    assert_eq!(run(&source).unwrap()[0], 31_599u64.to_le_bytes());
}

#[test]
fn memory_that_a_program_hoards_is_limited() {
    let source = "module 0x7::m public fun run(): u64 { locals vector<u64>
        VecPack u64 0 StLoc 0
        head: MutBorrowLoc 0 LdU64 7 VecPushBack u64 Branch head }";
    assert_eq!(run(source).unwrap_err().status, status::MEMORY_LIMIT_EXCEEDED);
}

#[test]
fn temporaries_do_not_add_up() {
    // 100,000 vectors of 300 bytes, one after another.
    let source = "module 0x7::m
        public fun run(): u64 { locals u64, vector<u8>
        LdU64 0 StLoc 0
        head: CopyLoc 0 LdU64 100_000 Lt BrFalse out
        LdU8 1 LdU8 2 LdU8 3 VecPack u8 3 StLoc 1
        CopyLoc 1 Pop
        CopyLoc 0 LdU64 1 Add StLoc 0 Branch head
        out: MoveLoc 0 Ret }";
    assert_eq!(run(source).unwrap()[0], 100_000u64.to_le_bytes());
}

#[test]
fn a_transaction_cannot_order_lowering_without_end() {
    // A long generic function, asked for with ever new type arguments: 250 of 9,000 bytecodes each.
    let mut source = String::from("module 0x7::m struct Both<phantom T0, phantom T1> has drop { x: u8 } ");
    source.push_str("fun long<T0>() { ");
    for at in 0..4_500 {
        if at % 2_000 == 0 {
            write!(source, "Branch b{at} b{at}: ").unwrap();
        }
        source.push_str("LdTrue Pop ");
    }
    source.push_str("Ret } ");
    let primitives = ["bool", "u8", "u16", "u32", "u64", "u128", "u256", "address"];
    let mut kinds: Vec<String> = primitives.map(String::from).to_vec();
    for one in primitives {
        for other in primitives {
            kinds.push(format!("Both<{one}, {other}>"));
            kinds.push(format!("Both<vector<{one}>, {other}>"));
            kinds.push(format!("Both<{one}, vector<{other}>>"));
            kinds.push(format!("vector<Both<{one}, {other}>>"));
        }
    }
    let calls = |count: usize| {
        let calls: String = kinds[..count].iter().map(|kind| format!("CallGeneric long<{kind}> ")).collect();
        format!("{source} public fun run(): u64 {{ {calls} LdU64 7 Ret }}")
    };
    assert_eq!(run(&calls(200)).unwrap()[0], 7u64.to_le_bytes());
    assert_eq!(run(&calls(250)).unwrap_err().status, status::EXECUTION_LIMIT_REACHED);
}
