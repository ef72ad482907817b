//! Blocks end to end on the built-in framework: what they keep, drop, charge and promise.

mod support;

use ledger_bcs::{Decode, Encode, Reader};
use ledger_bytecode::StatusCode;
use ledger_executor::block::BlockExecutor;
use ledger_executor::framework::Framework;
use ledger_executor::genesis::make_genesis;
use ledger_executor::json::status::{Modules, status_text};
use ledger_executor::ledger::Ledger;
use ledger_executor::machine::Machine;
use ledger_types::{
    AccountAuthenticator, Address, Ed25519Signature, ExecutionStatus, ModuleId, SignedTransaction,
    TransactionAuthenticator, TransactionInfo,
};

use support::{CHAIN_ID, Chain, START_OCTAS, account, event_types, genesis_options, sign};

struct NoModules;

impl Modules for NoModules {
    fn module(&self, _: &ModuleId) -> Option<ledger_bytecode::CompiledModule> {
        None
    }
}

#[test]
fn genesis_is_the_same_every_time_and_holds_every_module() {
    let first = make_genesis(Framework::built_in(), &genesis_options()).unwrap();
    let second = make_genesis(Framework::built_in(), &genesis_options()).unwrap();
    assert_eq!(first.to_bytes(), second.to_bytes());
    let code =
        |bytes: &[u8]| first.write_set.iter().any(|(_, op)| op.data().is_some_and(|data| data == bytes));
    assert!(Framework::built_in().modules.len() > 30);
    assert!(Framework::built_in().modules.iter().all(|module| code(module.code)));
}

#[test]
fn genesis_funds_its_accounts_and_counts_the_supply() {
    let chain = Chain::new();
    for n in 0..4 {
        assert_eq!(chain.balance(&account(n).address), START_OCTAS);
        assert_eq!(chain.sequence_number(&account(n).address), 0);
    }
    assert_eq!(chain.supply(), chain.coins());
    assert_eq!(Chain::with_options(&genesis_options()).epoch, 1);
}

#[test]
fn an_empty_block_is_metadata_and_checkpoint_and_moves_the_clock() {
    let mut chain = Chain::new();
    let executed = chain.run(&[]);
    assert_eq!(executed.transactions.len(), 2);
    let clock = chain.resource(&Address::ONE, "0x1::timestamp::CurrentTimeMicroseconds").unwrap();
    assert_eq!(Reader::new(&clock).u64().unwrap(), chain.timestamp_usecs);
    assert_eq!(event_types(&executed.transactions[0].output.events), ["0x1::block::NewBlockEvent"],);
}

#[test]
fn a_transfer_moves_coins_takes_the_fee_and_counts_on() {
    let mut chain = Chain::new();
    let (alice, bob) = (account(0), account(1).address);
    let transaction = chain.transfer(alice, 0, &bob, 1_000_000);
    let done = chain.run_one(transaction);
    assert_eq!(done.output.status, ExecutionStatus::Success);
    let fee = done.output.gas_used * 100;
    assert!(fee > 0);
    assert_eq!(chain.balance(&bob), START_OCTAS + 1_000_000);
    assert_eq!(chain.balance(&alice.address), START_OCTAS - 1_000_000 - fee);
    assert_eq!(chain.sequence_number(&alice.address), 1);
    let types = event_types(&done.output.events);
    assert_eq!(types.last().unwrap(), "0x1::transaction_fee::FeeStatement");
}

#[test]
fn a_transfer_to_a_new_account_pays_for_its_state() {
    let mut chain = Chain::new();
    let (alice, fresh) = (account(0), account(77).address);
    let transaction = chain.transfer(alice, 0, &fresh, 5);
    let done = chain.run_one(transaction);
    assert_eq!(done.output.status, ExecutionStatus::Success);
    assert_eq!(chain.balance(&fresh), 5);
    let statement = done.output.events.last().unwrap().data().clone();
    let mut reader = Reader::new(&statement);
    let numbers: Vec<u64> = (0..5).map(|_| reader.u64().unwrap()).collect();
    assert_eq!(numbers[0], done.output.gas_used);
    // Account and coin store: two slots of 40,000 octas and their bytes at 40.
    assert!(numbers[3] > 80_000, "storage fee {}", numbers[3]);
    assert_eq!(numbers[4], 0);
}

#[test]
fn whatever_happens_coins_and_supply_agree() {
    let mut chain = Chain::new();
    let [alice, bob, carol] = [0, 1, 2].map(account);
    let batch = [
        chain.transfer(alice, 0, &bob.address, 10),
        chain.transfer(alice, 1, &account(90).address, 1_000),
        chain.transfer(bob, 0, &alice.address, u64::MAX),
        chain.transfer(carol, 0, &carol.address, 3),
        chain.transfer(carol, 5, &carol.address, 3),
    ];
    let before = chain.supply();
    let executed = chain.run(&batch);
    assert_eq!(executed.discarded, [(4, StatusCode::SEQUENCE_NUMBER_TOO_NEW)]);
    let fees: u64 = executed.transactions.iter().map(|one| one.output.gas_used * 100).sum();
    assert_eq!(chain.supply(), chain.coins());
    assert_eq!(chain.supply(), before - u128::from(fees));
}

#[test]
fn a_transfer_of_too_much_is_kept_charged_and_says_why() {
    let mut chain = Chain::new();
    let (alice, bob) = (account(0), account(1).address);
    let transaction = chain.transfer(alice, 0, &bob, 2 * START_OCTAS);
    let done = chain.run_one(transaction);
    let text = status_text(&done.output.status, &NoModules);
    assert!(text.starts_with("Move abort in 0x1::coin: EINSUFFICIENT_BALANCE(0x10006): "), "{text}");
    assert_eq!(chain.balance(&bob), START_OCTAS);
    assert_eq!(chain.balance(&alice.address), START_OCTAS - done.output.gas_used * 100);
    assert_eq!(chain.sequence_number(&alice.address), 1);
    assert_eq!(event_types(&done.output.events), ["0x1::transaction_fee::FeeStatement"]);
}

#[test]
fn a_transaction_that_spends_its_fee_is_kept_as_a_failure() {
    let mut chain = Chain::new();
    let (alice, bob) = (account(0), account(1).address);
    let transaction = chain.transfer(alice, 0, &bob, START_OCTAS);
    let done = chain.run_one(transaction);
    assert!(!done.output.status.is_success());
    assert_eq!(chain.balance(&bob), START_OCTAS);
    assert_eq!(chain.supply(), chain.coins());
}

#[test]
fn running_out_of_gas_costs_all_of_it_and_one_unit_more_would_not_have_helped_less() {
    let mut chain = Chain::new();
    let (alice, fresh) = (account(0), account(78).address);
    let needed = {
        let mut twin = Chain::new();
        let transaction = twin.transfer(alice, 0, &fresh, 5);
        twin.run_one(transaction).output.gas_used
    };
    let with_gas = |chain: &Chain, units: u64, sequence_number: u64| {
        let mut transaction = chain.transfer(alice, sequence_number, &fresh, 5);
        transaction.raw.max_gas_amount = units;
        transaction
    };
    let short = with_gas(&chain, needed - 1, 0);
    let failed = chain.run_one(short);
    assert_eq!(failed.output.status, ExecutionStatus::OutOfGas);
    assert_eq!(failed.output.gas_used, needed - 1);
    let enough = with_gas(&chain, needed, 1);
    let done = chain.run_one(enough);
    assert_eq!((done.output.status, done.output.gas_used), (ExecutionStatus::Success, needed));
}

#[test]
fn every_fault_has_its_discard_status() {
    type Fault = fn(&Chain, &mut SignedTransaction);
    let rows: &[(&str, Fault, u64)] = &[
        ("another account's key", |_, t| *t = sign(account(1), t.raw.clone()), 2),
        ("a number too high", |_, t| t.raw.sequence_number = 9, 4),
        ("a number beyond counting", |_, t| t.raw.sequence_number = u64::MAX, 24),
        ("more gas than the sender can pay", |_, t| t.raw.gas_unit_price = 1_000_000, 5),
        ("expired", |chain, t| t.raw.expiration_timestamp_secs = chain.timestamp_usecs / 1_000_000, 6),
        ("another chain", |_, t| t.raw.chain_id = CHAIN_ID + 1, 23),
        ("too much gas", |_, t| t.raw.max_gas_amount = 2_000_001, 13),
        ("too little gas", |_, t| t.raw.max_gas_amount = 2, 14),
        ("price too low", |_, t| t.raw.gas_unit_price = 99, 15),
        ("price too high", |_, t| t.raw.gas_unit_price = 10_000_000_001, 16),
        ("itself as second signer", |_, t| t.authenticator = multi_agent(&[t.raw.sender]), 28),
        (
            "a sender that does not exist",
            |_, t| {
                let stranger = account(99);
                t.raw.sender = stranger.address;
                *t = sign(stranger, t.raw.clone());
            },
            7,
        ),
    ];
    for (name, fault, expected) in rows {
        let mut chain = Chain::new();
        chain.run(&[]);
        let mut transaction = chain.transfer(account(0), 0, &account(1).address, 1);
        fault(&chain, &mut transaction);
        let executed = chain.run(&[transaction]);
        let statuses: Vec<u64> = executed.discarded.iter().map(|(_, status)| status.0).collect();
        assert_eq!(statuses, [*expected], "{name}");
        assert_eq!(executed.transactions.len(), 2, "{name}: a discarded transaction has no version");
    }
}

fn multi_agent(secondary: &[Address]) -> TransactionAuthenticator {
    let zero =
        |public_key| AccountAuthenticator::Ed25519 { public_key, signature: Ed25519Signature([0; 64]) };
    TransactionAuthenticator::MultiAgent {
        sender: zero(account(0).public_key),
        secondary_signer_addresses: secondary.to_vec(),
        secondary_signers: secondary.iter().map(|_| zero(account(0).public_key)).collect(),
    }
}

#[test]
fn a_number_used_before_is_too_old_within_a_block_too() {
    let mut chain = Chain::new();
    let transaction = chain.transfer(account(0), 0, &account(1).address, 1);
    let executed = chain.run(&[transaction.clone(), transaction]);
    assert_eq!(executed.discarded, [(1, StatusCode::SEQUENCE_NUMBER_TOO_OLD)]);
}

#[test]
fn a_fee_payer_pays_and_the_sender_counts() {
    let mut chain = Chain::new();
    let (alice, payer) = (account(0), account(1));
    let mut transaction = chain.transfer(alice, 0, &account(2).address, 7);
    let zero =
        |public_key| AccountAuthenticator::Ed25519 { public_key, signature: Ed25519Signature([0; 64]) };
    transaction.authenticator = TransactionAuthenticator::FeePayer {
        sender: zero(alice.public_key),
        secondary_signer_addresses: Vec::new(),
        secondary_signers: Vec::new(),
        fee_payer_address: payer.address,
        fee_payer_signer: zero(payer.public_key),
    };
    let done = chain.run_one(transaction);
    assert_eq!(done.output.status, ExecutionStatus::Success);
    assert_eq!(chain.balance(&alice.address), START_OCTAS - 7);
    assert_eq!(chain.balance(&payer.address), START_OCTAS - done.output.gas_used * 100);
    assert_eq!((chain.sequence_number(&alice.address), chain.sequence_number(&payer.address)), (1, 0));
}

#[test]
fn a_sponsored_stranger_gets_an_account_even_when_its_payload_fails() {
    for octas in [0, 50] {
        let mut chain = Chain::new();
        let (stranger, payer) = (account(99), account(1));
        let mut transaction = chain.transfer(stranger, 0, &account(2).address, octas);
        let zero =
            |public_key| AccountAuthenticator::Ed25519 { public_key, signature: Ed25519Signature([0; 64]) };
        transaction.authenticator = TransactionAuthenticator::FeePayer {
            sender: zero(stranger.public_key),
            secondary_signer_addresses: Vec::new(),
            secondary_signers: Vec::new(),
            fee_payer_address: payer.address,
            fee_payer_signer: zero(payer.public_key),
        };
        let done = chain.run_one(transaction);
        assert_eq!(chain.sequence_number(&stranger.address), 1, "{octas}: {:?}", done.output.status);
        assert_eq!(chain.supply(), chain.coins());
    }
}

#[test]
fn the_same_block_on_the_same_state_gives_the_same_bytes() {
    let mut chain = Chain::new();
    let [alice, bob, carol] = [0, 1, 2].map(account);
    let batch = [
        chain.transfer(alice, 0, &bob.address, 10),
        chain.transfer(bob, 0, &account(91).address, 1_000),
        chain.transfer(carol, 0, &alice.address, u64::MAX),
        chain.transfer(alice, 1, &account(92).address, 1),
    ];
    let block = chain.next_block(&batch);
    let run = |machine: &mut Machine| {
        let executed =
            BlockExecutor::new().execute(machine, &block, &chain.state, chain.ledger.usage()).unwrap();
        let sealed = chain.ledger.clone().seal(executed, 4);
        sealed
            .into_iter()
            .map(|one| (one.info, one.write_set, one.events, one.accumulator_root))
            .collect::<Vec<_>>()
    };
    let first = run(&mut Machine::new());
    assert_eq!(first.len(), 6);
    // A machine that has run before, and one that has not.
    let mut used = Machine::new();
    run(&mut used);
    assert_eq!(run(&mut used), first);
    assert_eq!(run(&mut Machine::new()), first);
}

#[test]
fn an_epoch_that_ends_hands_the_rest_of_the_block_back() {
    let mut chain = Chain::with_options(&ledger_executor::genesis::GenesisOptions {
        epoch_interval_usecs: 5_000_000,
        ..genesis_options()
    });
    let transfer = |chain: &Chain| chain.transfer(account(0), 0, &account(1).address, 1);
    assert_eq!(chain.epoch, 1);
    let batch = [transfer(&chain)];
    let executed = chain.run(&batch);
    assert!(executed.ends_epoch);
    assert_eq!(executed.retried, [0]);
    assert_eq!(executed.transactions.len(), 1, "the metadata transaction is the checkpoint");
    assert_eq!(chain.epoch, 2);
    let info = TransactionInfo::from_bytes(&chain.sealed.last().unwrap().info).unwrap();
    assert_eq!(info.state_checkpoint_hash, Some(chain.ledger.state_root()));
    let batch = [transfer(&chain)];
    assert_eq!(chain.run(&batch).transactions.len(), 3);
}

#[test]
fn the_clock_never_runs_backwards() {
    let mut chain = Chain::new();
    chain.run(&[]);
    let mut block = chain.next_block(&[]);
    block.timestamp_usecs -= 1_000_000;
    assert!(chain.executor.execute(&mut chain.machine, &block, &chain.state, chain.ledger.usage()).is_err());
}

#[test]
fn the_first_block_of_an_epoch_records_the_size_of_the_state_beneath_it() {
    let mut chain = Chain::with_options(&genesis_options());
    let counted = |chain: &Chain| {
        let sizes = chain.state.0.iter().map(|(key, value)| (key.to_storage().len(), value.data.len()));
        let bytes: usize = sizes.map(|(key, value)| key + value).sum();
        (chain.state.0.len() as u64, bytes as u64)
    };
    let recorded = |chain: &Chain| {
        let bytes = chain.resource(&Address::ONE, "0x1::state_storage::StateStorageUsage").unwrap();
        let mut reader = Reader::new(&bytes);
        reader.u64().expect("the epoch");
        (reader.u64().unwrap(), reader.u64().unwrap())
    };
    // The first block ends the epoch of genesis; the one after it is the first of the next.
    chain.run(&[]);
    let (items, storage_bytes) = counted(&chain);
    chain.run(&[]);
    let (recorded_items, recorded_bytes) = recorded(&chain);
    assert_eq!(recorded_items, items);
    // Storage encodings add one tag byte, and to paths a length of one byte.
    assert!(recorded_bytes < storage_bytes && recorded_bytes + 2 * items >= storage_bytes);
    assert_eq!(chain.ledger.usage().items, chain.state.0.len() as u64);
}

#[test]
fn a_ledger_that_is_loaded_again_is_the_ledger_that_grew() {
    let mut chain = Chain::new();
    let transaction = chain.transfer(account(0), 0, &account(88).address, 5);
    chain.run_one(transaction);
    let items: Vec<_> = chain.state.0.clone().into_iter().collect();
    let mut loaded = Ledger::new();
    loaded.load(&items, 2);
    loaded.resume(chain.ledger.versions(), chain.ledger.peaks().to_vec()).unwrap();
    assert_eq!(loaded.state_root(), chain.ledger.state_root());
    assert_eq!(loaded.usage(), chain.ledger.usage());
    assert_eq!(loaded.peaks(), chain.ledger.peaks());
}

#[test]
fn genesis_takes_as_many_accounts_as_an_operator_may_ask_for() {
    let address = |n: u32| Address(ledger_types::HashValue::sha3_256(&n.to_le_bytes()).0);
    let accounts = (0..1000).map(|n| (address(n), START_OCTAS)).collect();
    let chain =
        Chain::with_options(&ledger_executor::genesis::GenesisOptions { accounts, ..genesis_options() });
    assert_eq!(chain.balance(&address(999)), START_OCTAS);
    assert_eq!(chain.supply(), chain.coins());
}
