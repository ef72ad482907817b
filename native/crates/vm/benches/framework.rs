//! What a payment costs in the machine: prologue, payload and epilogue of the built-in framework, each a
//! session of its own over a map, in microseconds. Prices and code are those of the bundle.
//!
//! `cargo bench -p ledger-vm --bench framework`.

#[path = "../tests/common/chain.rs"]
mod chain;
#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Instant;

use chain::{ALICE, BOB, Chain};
use ledger_vm::CallMode;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let turns = if quick { 1 } else { 2000 };
    let mut chain = Chain::new();
    let amount = 100u64.to_le_bytes();
    let transfer: (&str, &str, Vec<Vec<u8>>) =
        ("aptos_account", "transfer", vec![BOB.0.to_vec(), amount.to_vec()]);
    // The receiver exists from now on, and the sender has a coin store.
    let changes = chain.run(&transfer, CallMode::Entry { signers: &[ALICE] });
    chain.state.apply(&changes);
    let rows = [
        ("prologue", chain.prologue(0), CallMode::Bypass),
        ("transfer", transfer, CallMode::Entry { signers: &[ALICE] }),
        ("epilogue", chain.epilogue(), CallMode::Bypass),
        ("block prologue", chain.block_prologue(1_000_000), CallMode::Bypass),
    ];
    for (name, call, mode) in rows {
        let mut best = f64::MAX;
        for _ in 0..7 {
            let start = Instant::now();
            for _ in 0..turns {
                black_box(chain.run(&call, mode));
            }
            best = best.min(start.elapsed().as_nanos() as f64 / 1000.0 / f64::from(turns));
        }
        println!("{name:<20} {best:>9.3} us");
    }
}
