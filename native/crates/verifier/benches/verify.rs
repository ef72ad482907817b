//! Reading, verifying and linking the framework: ns per byte and per instruction.
//!
//! `cargo bench -p ledger-verifier`. Best of several rounds, since a busy machine only ever adds time;
//! `--test` does one. The yardstick says how fast the machine was meanwhile.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use ledger_bytecode::CompiledModule;
use ledger_testkit::framework;
use ledger_verifier::{Limits, verify_dependencies, verify_module};

/// Native xorshift64, ns a step.
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

fn best_ns(rounds: usize, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_nanos() as f64);
    }
    best
}

fn main() {
    let rounds = if std::env::args().any(|argument| argument == "--test") { 1 } else { 30 };
    let code = framework::modules();
    let bytes: usize = code.iter().map(Vec::len).sum();
    let modules: BTreeMap<_, _> = code
        .iter()
        .map(|code| CompiledModule::deserialize(code).expect("the framework is readable"))
        .map(|module| (module.id(), module))
        .collect();
    let bodies =
        modules.values().flat_map(|module| module.function_defs.iter()).filter_map(|def| def.code.as_ref());
    let instructions: usize = bodies.map(|unit| unit.code.len()).sum();
    println!("{} modules, {bytes} bytes, {instructions} instructions", modules.len());
    println!("yardstick {:.2} ns (xorshift64 step)", yardstick());

    let read = best_ns(rounds, || {
        for code in &code {
            black_box(CompiledModule::deserialize(black_box(code)).expect("the framework is readable"));
        }
    });
    println!("read      {:8.1} ns a byte", read / bytes as f64);
    let write = best_ns(rounds, || {
        for module in modules.values() {
            black_box(black_box(module).serialize());
        }
    });
    println!("write     {:8.1} ns a byte", write / bytes as f64);
    let verify = best_ns(rounds, || {
        for module in modules.values() {
            verify_module(black_box(module), &Limits::default()).expect("the framework is good");
        }
    });
    println!("verify    {:8.1} ns an instruction", verify / instructions as f64);
    let link = best_ns(rounds, || {
        for module in modules.values() {
            verify_dependencies(black_box(module), &modules).expect("the framework links");
        }
    });
    println!("link      {:8.1} us a module", link / 1e3 / modules.len() as f64);
}
