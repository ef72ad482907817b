//! Time per transfer of a block executor on a map in memory, by stage. Prints one line per measure.
//!
//! `cargo bench -p ledger-executor --bench transfers [-- BLOCKS TRANSFERS_PER_BLOCK]`

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use ledger_bcs::{Decode, Encode};
use ledger_executor::admission::validate;
use ledger_executor::genesis::GenesisOptions;
use ledger_executor::resources;
use ledger_executor::state_view::{BlockState, StateCache};
use ledger_executor::view::{Form, view};
use ledger_types::{SignedTransaction, StateKey, StructTag, TypeTag};
use ledger_vm::StateSource;

use support::{Chain, START_OCTAS, account, genesis_options};

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let blocks = numbers.first().copied().unwrap_or(5);
    let per_block = numbers.get(1).copied().unwrap_or(200) as usize;
    let accounts = 100u8;
    let mut chain = Chain::with_options(&GenesisOptions {
        accounts: (0..accounts).map(|n| (account(n).address, START_OCTAS)).collect(),
        ..genesis_options()
    });
    chain.run(&[]);
    let mut sent = 0u64;
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..blocks {
        let batch: Vec<SignedTransaction> = (0..per_block)
            .map(|_| {
                let sender = (sent % u64::from(accounts)) as u8;
                let to = account((sender + 1) % accounts).address;
                let transaction = chain.transfer(account(sender), sent / u64::from(accounts), &to, 1);
                sent += 1;
                transaction
            })
            .collect();
        let block = chain.next_block(&batch);
        let start = Instant::now();
        let executed = chain
            .executor
            .execute(&mut chain.machine, &block, &chain.state, chain.ledger.usage())
            .expect("the block");
        let execute = start.elapsed().as_secs_f64() * 1e6 / per_block as f64;
        assert_eq!((executed.discarded.len(), executed.transactions.len()), (0, per_block + 2));
        let start = Instant::now();
        chain.commit(executed);
        let seal = start.elapsed().as_secs_f64() * 1e6 / per_block as f64;
        best = (best.0.min(execute), best.1.min(seal));
    }
    println!("{blocks} blocks of {per_block} transfers between {accounts} accounts, best block");
    println!("execute {:8.2} us per transfer", best.0);
    println!("seal    {:8.2} us per transfer (hashes, state tree, accumulator)", best.1);
    questions(&mut chain);
    decode(&mut chain);
    reads(&chain);
}

/// Prints the best of five rounds of `call`.
fn time(name: &str, mut call: impl FnMut()) {
    const CALLS: u32 = 2_000;
    let round = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
    };
    let best = (0..5).map(|_| round(&mut call)).fold(f64::MAX, f64::min);
    println!("{name:7} {best:8.2} us per call");
}

fn questions(chain: &mut Chain) {
    let Chain { machine, state, .. } = chain;
    let address = account(0).address;
    let tag: StructTag = "0x1::account::Account".parse().expect("a struct");
    let data = state.0[&StateKey::resource(&address, &tag)].data.clone();
    let tag = TypeTag::from(tag);
    time("render", || {
        let text = machine.ask(state, |types, _| resources::write_data(&tag, &data, types));
        assert!(text.is_ok_and(|text| text.starts_with(b"{\"authentication_key\"")));
    });
    let request = format!(
        r#"{{"function":"0x1::coin::balance","type_arguments":["0x1::aptos_coin::AptosCoin"],"arguments":["{address}"]}}"#
    );
    time("view", || {
        let answer = view(machine, state, request.as_bytes(), Form::Json, Form::Json, 1_000_000);
        assert!(answer.is_ok());
    });
    let signed = chain.transfer(account(0), chain.sequence_number(&address), &account(1).address, 1);
    let now_secs = chain.timestamp_usecs / 1_000_000;
    time("admit", || {
        let outcome = validate(&mut chain.machine, &chain.state, &signed, now_secs);
        assert_eq!(outcome, Ok(Ok(())));
    });
}

fn decode(chain: &mut Chain) {
    let bytes = chain.transfer(account(0), 0, &account(1).address, 1).to_bytes();
    let start = Instant::now();
    for _ in 0..10_000 {
        assert!(SignedTransaction::from_bytes(&bytes).is_ok());
    }
    println!("decode  {:8.2} us per transaction", start.elapsed().as_secs_f64() * 1e6 / 1e4);
}

fn reads(chain: &Chain) {
    let keys: Vec<StateKey> = chain.state.0.keys().cloned().collect();
    let mut cache = StateCache::default();
    for name in ["cold", "hot"] {
        let state = BlockState::new(&chain.state, &mut cache);
        let start = Instant::now();
        for key in &keys {
            assert!(state.get(key).is_ok_and(|value| value.is_some()));
        }
        let nanos = start.elapsed().as_secs_f64() * 1e9 / keys.len() as f64;
        println!("read {name:4} {nanos:7.0} ns ({} keys, a map beneath)", keys.len());
    }
}
