//! Workers share one engine and disagree about nothing.

#[path = "common/chain.rs"]
mod chain;
mod common;

use std::sync::Arc;

use chain::{genesis, schedule};
use common::{framework, machine};
use ledger_vm::{ChangeSet, Engine, Vm};

fn can_cross_threads<T: Send>() {}
fn can_be_shared<T: Send + Sync>() {}

#[test]
fn engines_are_shared_and_machines_move() {
    can_be_shared::<Arc<Engine>>();
    can_cross_threads::<Vm>();
}

#[test]
fn workers_that_start_together_compute_the_same() {
    let framework = framework();
    let (state, vm) = machine(&framework.modules);
    let gas = schedule(&framework);
    let engine = vm.engine().clone();
    let work = || -> Vec<ChangeSet> {
        let mut vm = Vm::new(engine.clone());
        (0..3).map(|_| genesis(&framework, &state, &mut vm, &gas)).collect()
    };
    let results: Vec<Vec<ChangeSet>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for result in &results {
        assert_eq!(*result, results[0]);
    }
}
