//! Computation: results of the benchmark module against values that another machine computed.

mod common;

use common::{context, gas, machine, module_id, modules};
use ledger_types::Address;
use ledger_vm::{CallMode, GasMeter};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Calls `compute::<function>(n)`; the returned bytes as little-endian hex.
fn compute(function: &str, n: u64) -> Vec<u8> {
    let modules = modules("tests/fixtures");
    let (state, mut vm) = machine(&modules);
    let gas = gas();
    let id = module_id(bench_address(&modules), "compute");
    let mut session = vm.session(&state, &gas, context());
    let mut meter = GasMeter::unmetered();
    let values = session
        .call(&id, function, &[], &[&n.to_le_bytes()], CallMode::Bypass, &mut meter)
        .unwrap_or_else(|error| panic!("{function}: {error}"));
    values[0].bytes.clone()
}

fn bench_address(modules: &[Vec<u8>]) -> Address {
    modules
        .iter()
        .map(|bytes| ledger_bytecode::CompiledModule::deserialize(bytes).unwrap().id())
        .find(|id| id.name.as_str() == "compute")
        .unwrap()
        .address
}

#[test]
fn workloads_return_what_another_machine_returned() {
    // Check values printed by the Move VM of @initia/builder.js 0.2.12 for the same bytecode.
    let rows: [(&str, u64, u128); 14] = [
        ("fib", 25, 75025),
        ("add_loop", 1_000_000, 499_999_500_000),
        ("lcg_loop", 1_000_000, 25_484_522),
        ("bits_loop", 1_000_000, 5_634_729_642_814_518_236),
        ("call_loop", 1_000_000, 1_000_000),
        ("generic_call_loop", 1_000_000, 1_000_000),
        ("vec_push_sum", 100_000, 4_999_950_000),
        ("vec_sort", 100_000, 265_869_406),
        ("sieve", 100_000, 9592),
        ("u128_loop", 1_000_000, 4_665_637_031_879_902_077),
        ("u256_loop", 1_000_000, 211_370_272_920_508_985_146_152_154_918_385_691_001),
        ("struct_loop", 1_000_000, 1_018_752_500),
        ("pack_loop", 1_000_000, 1_000_003),
        ("struct_vec", 100, 53_075_199),
    ];
    for (function, n, expected) in rows {
        let bytes = compute(function, n);
        let mut value = [0; 16];
        let width = bytes.len().min(16);
        value[..width].copy_from_slice(&bytes[..width]);
        assert_eq!(u128::from_le_bytes(value), expected, "{function}({n})");
        assert!(bytes[width..].iter().all(|byte| *byte == 0), "{function}({n})");
    }
}

#[test]
fn hash_workloads_return_what_another_machine_returned() {
    for (function, n, start, end) in [
        ("sha3_loop", 10_000, "a3c12ea1", "1e42b4"),
        ("sha2_loop", 10_000, "fc6cea61", "d2a9"),
        ("sha3_4k", 1000, "40e655a0", "cda2"),
    ] {
        let bytes = compute(function, n);
        let text = hex(&bytes[1..]);
        assert!(text.starts_with(start) && text.ends_with(end), "{function}: {text}");
    }
}
