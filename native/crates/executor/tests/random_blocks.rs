//! Many blocks of random transactions, good and bad: the invariants hold after each.
//!
//! `SEED=n` repeats a run.

mod support;

use ledger_bcs::{Decode, Encode};
use ledger_executor::block::BlockExecutor;
use ledger_executor::machine::Machine;
use ledger_types::{SignedTransaction, Transaction, TransactionInfo};

use support::{Account, CHAIN_ID, Chain, START_OCTAS, account};

/// Accounts that take part; the first four exist at genesis.
const ACCOUNTS: u64 = 7;

/// A small generator of its own, so that a seed gives the same run everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn account(&mut self) -> Account {
        account(self.below(ACCOUNTS) as u8)
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

fn random_transaction(chain: &Chain, random: &mut Random) -> SignedTransaction {
    let (sender, receiver) = (random.account(), random.account().address);
    let next = if chain.resource(&sender.address, "0x1::account::Account").is_some() {
        chain.sequence_number(&sender.address)
    } else {
        0
    };
    let rarely = |random: &mut Random| random.below(12) == 0;
    let used_or_early = random.one_of(&[next + 1, next.wrapping_sub(1)]);
    let sequence_number = if rarely(random) { used_or_early } else { next };
    let octas = random.one_of(&[0, 1, 1_000, START_OCTAS / 3, u64::MAX]);
    let mut transaction = match random.below(8) {
        0 => {
            let args = vec![[receiver, account(5).address].to_vec().to_bytes(), vec![octas, 1].to_bytes()];
            chain.call(sender, sequence_number, "0x1::aptos_account::batch_transfer", args)
        }
        1 => chain.call(sender, sequence_number, "0x1::aptos_account::no_such_function", vec![]),
        2 => chain.call(sender, sequence_number, "0x1::aptos_account::transfer", vec![vec![1, 2, 3]]),
        _ => chain.transfer(sender, sequence_number, &receiver, octas),
    };
    let raw = &mut transaction.raw;
    if random.below(4) == 0 {
        raw.max_gas_amount = random.one_of(&[2_000_000, 100, 10, 5, 1]);
    }
    if rarely(random) {
        raw.gas_unit_price = random.one_of(&[150, 99, 1_000_000]);
    }
    if rarely(random) {
        raw.chain_id = CHAIN_ID + 1;
    }
    transaction
}

fn check(chain: &Chain, before: (u128, usize), seed: u64) {
    let place = format!("SEED={seed}, round {}", chain.round);
    let (supply_before, versions_before) = before;
    let mut fees = 0u128;
    for sealed in &chain.sealed[versions_before..] {
        let info = TransactionInfo::from_bytes(&sealed.info).expect("an info");
        let Ok(Transaction::User(signed)) = Transaction::from_bytes(&sealed.transaction) else { continue };
        fees += u128::from(info.gas_used) * u128::from(signed.raw.gas_unit_price);
        assert!(info.gas_used <= signed.raw.max_gas_amount, "{place}");
    }
    assert_eq!(chain.supply(), chain.coins(), "{place}: coins in stores are the supply");
    assert_eq!(chain.supply(), supply_before - fees, "{place}: fees are burned and nothing else");
    assert_eq!(chain.ledger.usage().items, chain.state.0.len() as u64, "{place}");
    assert_eq!(chain.ledger.versions(), chain.sealed.len() as u64, "{place}");
}

#[test]
fn random_blocks_conserve_coins_and_do_not_depend_on_what_the_executor_remembers() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0x5eed_1e55);
    let blocks = if std::env::var_os("LONG").is_some() { 2_000 } else { 40 };
    let mut random = Random(seed);
    let mut chain = Chain::new();
    let (mut kept, mut discarded) = (0, 0);
    for _ in 0..blocks {
        let batch: Vec<SignedTransaction> =
            (0..random.below(12)).map(|_| random_transaction(&chain, &mut random)).collect();
        let before = (chain.supply(), chain.sealed.len());
        let block = chain.next_block(&batch);
        let usage = chain.ledger.usage();
        let remembering = chain.executor.execute(&mut chain.machine, &block, &chain.state, usage).unwrap();
        let fresh = BlockExecutor::new().execute(&mut Machine::new(), &block, &chain.state, usage).unwrap();
        assert_eq!(remembering.discarded, fresh.discarded, "SEED={seed}");
        let mut twin = chain.ledger.clone();
        twin.seal(fresh, 1);
        kept += remembering.transactions.len() - 2;
        discarded += remembering.discarded.len();
        chain.commit(remembering);
        assert_eq!(twin.peaks(), chain.ledger.peaks(), "SEED={seed}, round {}", chain.round);
        check(&chain, before, seed);
    }
    assert!(kept > blocks && discarded > blocks, "{kept} kept, {discarded} discarded: both kinds are tried");
}
