//! Computation, ns a turn, beside a native yardstick.
//!
//! `cargo bench -p ledger-vm --bench compute [-- name...]`. Each row: best of several batches, since a
//! busy machine only ever adds time. `--test` runs every workload once with a small size.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Instant;

use common::{context, gas, machine, modules};
use ledger_vm::{CallMode, GasLimits, GasMeter};

/// Name, size, turns per unit of size, and what the peer took a turn (ns).
const ROWS: [(&str, u64, f64, f64); 14] = [
    ("fib", 25, 242_785.0 / 25.0, 527.0),
    ("add_loop", 1_000_000, 1.0, 286.0),
    ("lcg_loop", 1_000_000, 1.0, 364.0),
    ("bits_loop", 500_000, 1.0, 790.0),
    ("call_loop", 500_000, 1.0, 484.0),
    ("generic_call_loop", 500_000, 1.0, 535.0),
    ("vec_push_sum", 100_000, 1.0, 733.0),
    ("vec_sort", 20_000, 1.0, 24_024.0 * 0.85),
    ("sieve", 100_000, 1.0, 1191.0),
    ("u128_loop", 500_000, 1.0, 357.0),
    ("u256_loop", 200_000, 1.0, 553.0),
    ("struct_loop", 200_000, 1.0, 2542.0),
    ("pack_loop", 500_000, 1.0, 526.0),
    ("struct_vec", 100, 1000.0, 2734.0),
];

fn yardstick() -> f64 {
    let mut x = black_box(88_172_645_463_325_252u64);
    let start = Instant::now();
    for _ in 0..10_000_000 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    black_box(x);
    start.elapsed().as_nanos() as f64 / 1e7
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let quick = arguments.iter().any(|argument| argument == "--test");
    let wanted = |name: &str| {
        let mut names = arguments.iter().filter(|argument| !argument.starts_with("--")).peekable();
        names.peek().is_none() || names.any(|argument| argument == name)
    };
    let modules = modules("tests/fixtures");
    let (state, mut vm) = machine(&modules);
    let gas = gas();
    let id = modules
        .iter()
        .map(|bytes| ledger_bytecode::CompiledModule::deserialize(bytes).unwrap().id())
        .find(|id| id.name.as_str() == "compute")
        .unwrap();
    println!("yardstick {:.2} ns (xorshift64 step)", yardstick());
    println!("{:<20} {:>10} {:>10} {:>8}", "workload", "ns a turn", "peer ns", "ratio");
    for (name, size, turns, peer) in ROWS.into_iter().filter(|row| wanted(row.0)) {
        let size = if quick { 10.min(size) } else { size };
        let mut best = f64::MAX;
        for _ in 0..if quick { 1 } else { 12 } {
            let mut session = vm.session(&state, &gas, context());
            let limits = GasLimits { balance: 1 << 62, execution_max: 1 << 62, io_max: 1 << 62 };
            let mut meter = GasMeter::new(limits);
            let start = Instant::now();
            let values =
                session.call(&id, name, &[], &[&size.to_le_bytes()], CallMode::Bypass, &mut meter).unwrap();
            let took = start.elapsed().as_nanos() as f64;
            black_box(values);
            best = best.min(took / (size as f64 * turns));
        }
        println!("{name:<20} {best:>10.2} {peer:>10.0} {:>8.1}", peer / best);
    }
    println!("yardstick {:.2} ns", yardstick());
}
