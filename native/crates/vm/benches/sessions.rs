//! Whole sessions over a map: what a call costs before and after its code runs, in microseconds.
//!
//! `cargo bench -p ledger-vm --bench sessions`. Best of several batches. Each turn is one session:
//! start, call, change set. The state is a `BTreeMap` in this process, so reads are cheap but real.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Instant;

use common::{MapState, gas, machine, module_id, modules};
use ledger_types::{Address, HashValue, SessionId};
use ledger_vm::{CallMode, ChangeSet, GasLimits, GasMeter, SessionContext, Vm};

/// Name, what the peer took (us), operations a call, module, function, arguments.
type Row<'a> = (&'a str, f64, f64, &'a str, &'a str, &'a [&'a [u8]]);

struct Bench {
    state: MapState,
    vm: Vm,
    turns: u32,
}

const ALICE: Address = Address([0xa1; 32]);
const BOB: Address = Address([0xb0; 32]);

impl Bench {
    fn session(&mut self, module: &str, function: &str, arguments: &[&[u8]]) -> ChangeSet {
        let gas = gas();
        let bench = self.address();
        let context = SessionContext {
            session_id: SessionId::Genesis(HashValue([1; 32])),
            chain_id: 4,
            script_hash: Vec::new(),
            timestamp_usecs: 0,
            user: None,
        };
        let limits = GasLimits { balance: 1 << 60, execution_max: 1 << 60, io_max: 1 << 60 };
        let mut meter = GasMeter::new(limits);
        let mut session = self.vm.session(&self.state, &gas, context);
        let id = module_id(bench, module);
        black_box(session.call(&id, function, &[], arguments, CallMode::Bypass, &mut meter).expect(function));
        session.finish().expect(function)
    }

    fn address(&self) -> Address {
        "0xbe".parse().unwrap()
    }

    fn measure(
        &mut self,
        name: &str,
        peer_us: f64,
        per: f64,
        module: &str,
        function: &str,
        arguments: &[&[u8]],
    ) {
        let turns = self.turns;
        let gas = gas();
        let context = SessionContext {
            session_id: SessionId::Genesis(HashValue([1; 32])),
            chain_id: 4,
            script_hash: Vec::new(),
            timestamp_usecs: 0,
            user: None,
        };
        let id = module_id(self.address(), module);
        let mut best = f64::MAX;
        for _ in 0..7 {
            let start = Instant::now();
            for _ in 0..turns {
                let limits = GasLimits { balance: 1 << 60, execution_max: 1 << 60, io_max: 1 << 60 };
                let mut meter = GasMeter::new(limits);
                let mut session = self.vm.session(&self.state, &gas, context.clone());
                let mode = CallMode::Bypass;
                black_box(session.call(&id, function, &[], arguments, mode, &mut meter).expect(function));
                black_box(session.finish().expect(function));
            }
            best = best.min(start.elapsed().as_nanos() as f64 / 1000.0 / f64::from(turns) / per);
        }
        println!("{name:<28} {best:>9.3} us  peer {peer_us:>8.2} us  ratio {:>6.1}", peer_us / best);
    }
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--test");
    let (state, vm) = machine(&modules("tests/fixtures"));
    let mut bench = Bench { state, vm, turns: if quick { 1 } else { 2000 } };
    for who in [ALICE, BOB] {
        let changes = bench.session("bank", "open", &[&who.0, &1_000_000_000u64.to_le_bytes()]);
        bench.state.apply(&changes);
        let changes = bench.session("bank", "open_wide", &[&who.0]);
        bench.state.apply(&changes);
    }
    let changes = bench.session("ledger", "open", &[&ALICE.0]);
    bench.state.apply(&changes);
    let (zero, hundred, many) = (0u64.to_le_bytes(), 100u64.to_le_bytes(), 10_000u64.to_le_bytes());
    let changes = bench.session("ledger", "put", &[&ALICE.0, &zero, &hundred]);
    bench.state.apply(&changes);
    let one = 1u64.to_le_bytes();
    let rows: [Row; 8] = [
        ("empty", 3.94, 1.0, "bank", "nothing", &[]),
        ("empty, &signer", 4.99, 1.0, "bank", "nothing_signed", &[&ALICE.0]),
        ("empty, &signer, address, u64", 5.52, 1.0, "bank", "nothing_args", &[&ALICE.0, &BOB.0, &one]),
        ("transfer", 12.95, 1.0, "bank", "transfer", &[&ALICE.0, &BOB.0, &one]),
        ("transfer_many, each", 1.06, 10_000.0, "bank", "transfer_many", &[&ALICE.0, &BOB.0, &many]),
        ("touch_wide", 9.76, 1.0, "bank", "touch_wide", &[&ALICE.0]),
        ("view balance", 6.25, 1.0, "bank", "balance", &[&ALICE.0]),
        ("table bump, 100, each", 4.99, 100.0, "ledger", "bump", &[&ALICE.0, &zero, &hundred]),
    ];
    for (name, peer_us, per, module, function, arguments) in rows {
        let turns = bench.turns;
        if per > 1.0 {
            bench.turns = (turns / 50).max(1);
        }
        bench.measure(name, peer_us, per, module, function, arguments);
        bench.turns = turns;
    }
}
