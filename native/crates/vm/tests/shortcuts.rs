//! Every combination of lowering's shortcuts gives the same results, gas, places and changes.

#[path = "common/chain.rs"]
mod chain;
mod common;

use chain::{ALICE, BOB, Chain, meter};
use common::{context, gas, machine_with, modules};
use ledger_bytecode::{CompiledModule, Visibility};
use ledger_vm::{CallMode, GasLimits, GasMeter, Lowering};

/// Internal gas: enough for most programs, and so little that they run dry all over the place.
const BALANCES: [u64; 8] = [40_000_000, 9_000, 33_333, 55_000, 98_765, 177_777, 400_001, 1_234_567];

/// All combinations, the plainest first.
fn combinations() -> Vec<Lowering> {
    let mut all = Vec::new();
    for bits in 0..16u8 {
        let on = |bit: u8| bits >> bit & 1 == 1;
        all.push(Lowering { forward: on(0), fuse: on(1), copy_heads: on(2), far: on(3) });
    }
    all
}

/// Every function of the test modules that takes nothing, or numbers: what it does, in words.
fn outcomes(lowering: Lowering) -> Vec<String> {
    let modules = modules("tests/fixtures");
    let (state, mut vm) = machine_with(&modules, lowering);
    let gas = gas();
    let mut outcomes = Vec::new();
    for bytes in &modules {
        let module = CompiledModule::deserialize(bytes).unwrap();
        for (index, definition) in module.function_defs() {
            let handle = module.handle_of(index);
            let name = module[handle.name].as_str();
            let parameters = &module[handle.parameters].0;
            let plain = |ty: &ledger_bytecode::Type| {
                matches!(ty.root(), ledger_bytecode::TypeNode::U64 | ledger_bytecode::TypeNode::Bool)
            };
            let callable = definition.code.is_some()
                && definition.visibility == Visibility::Public
                && handle.type_parameters.is_empty()
                && parameters.iter().all(plain);
            if !callable {
                continue;
            }
            for size in [0u64, 1, 7, 40] {
                let arguments: Vec<Vec<u8>> = parameters
                    .iter()
                    .map(|ty| match ty.root() {
                        ledger_bytecode::TypeNode::Bool => vec![(size & 1) as u8],
                        _ => size.to_le_bytes().to_vec(),
                    })
                    .collect();
                let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
                for balance in BALANCES {
                    let limits = GasLimits { balance, execution_max: 1 << 60, io_max: 1 << 60 };
                    let mut meter = GasMeter::new(limits);
                    let mut session = vm.session(&state, &gas, context());
                    let result =
                        session.call(&module.id(), name, &[], &arguments, CallMode::Bypass, &mut meter);
                    let used = meter.execution_used();
                    let id = module.id();
                    outcomes.push(format!("{id}::{name}({size}) {used} of {balance}: {result:?}"));
                }
            }
        }
    }
    outcomes
}

#[test]
fn every_combination_of_shortcuts_gives_the_same_outcomes() {
    let combinations = combinations();
    let plainest = outcomes(combinations[0]);
    assert!(plainest.len() > 1500, "only {} programs", plainest.len());
    assert!(plainest.iter().any(|outcome| outcome.contains("status: 4002")));
    assert!(plainest.iter().filter(|outcome| outcome.contains("Ok(")).count() > 80);
    for lowering in &combinations[1..] {
        for (expected, found) in plainest.iter().zip(outcomes(*lowering)) {
            assert_eq!(*expected, found, "{lowering:?}");
        }
    }
}

#[test]
fn every_combination_of_shortcuts_moves_the_same_money() {
    let run = |lowering: Lowering| {
        let mut chain = Chain::with_lowering(lowering);
        let transfer: chain::Call =
            ("aptos_account", "transfer", vec![BOB.0.to_vec(), 5u64.to_le_bytes().to_vec()]);
        let mut all = Vec::new();
        let steps = [
            (chain.block_prologue(5), CallMode::Bypass),
            (chain.prologue(0), CallMode::Bypass),
            (transfer, CallMode::Entry { signers: &[ALICE] }),
            (chain.epilogue(), CallMode::Bypass),
        ];
        for (call, mode) in steps {
            let mut meter = meter(2_000_000);
            let (_, changes) = chain.try_run(&call, mode, &mut meter).unwrap();
            chain.state.apply(&changes);
            all.push((changes, meter.execution_used(), meter.io_used()));
        }
        (chain.state.values, all)
    };
    let combinations = combinations();
    let plainest = run(combinations[0]);
    for lowering in &combinations[1..] {
        assert!(run(*lowering) == plainest, "{lowering:?}");
    }
}
