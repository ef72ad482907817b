//! A chain in memory: genesis, blocks, and a map for state.
//!
//! Signatures are made of zeros: the block executor leaves them to whoever admits transactions, and the
//! prologue compares authentication keys only.
#![allow(dead_code, reason = "each test file uses its own part of the support")]

use std::collections::BTreeMap;

use ledger_bcs::{Encode, Reader};
use ledger_executor::block::{Block, BlockExecutor, ExecutedBlock, ExecutedTransaction};
use ledger_executor::framework::Framework;
use ledger_executor::genesis::{GenesisOptions, make_genesis};
use ledger_executor::ledger::{Ledger, SealedTransaction};
use ledger_executor::machine::Machine;
use ledger_executor::state_view::StateView;
use ledger_types::{
    Address, ContractEvent, Ed25519PublicKey, Ed25519Signature, EntryFunction, HashValue, Identifier,
    ModuleId, RawTransaction, SignedTransaction, StateKey, StateValue, StructTag, TransactionAuthenticator,
    TransactionPayload,
};
use ledger_vm::StateError;

/// Octas each development account starts with.
pub const START_OCTAS: u64 = 100_000_000_000;

/// Time of the first block, microseconds.
pub const START_USECS: u64 = 1_700_000_000_000_000;

/// Chain id of all tests.
pub const CHAIN_ID: u8 = 4;

/// State by key.
#[derive(Clone, Debug, Default)]
pub struct MapState(pub BTreeMap<StateKey, StateValue>);

impl StateView for MapState {
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
        Ok(self.0.get(key).cloned())
    }
}

/// A key pair of which only the public half is needed.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    pub public_key: Ed25519PublicKey,
    pub address: Address,
}

/// The n-th account.
pub fn account(n: u8) -> Account {
    let public_key = Ed25519PublicKey(HashValue::sha3_256(&[n]).0);
    Account { public_key, address: public_key.authentication_key() }
}

/// A chain after genesis.
pub struct Chain {
    pub machine: Machine,
    pub executor: BlockExecutor,
    pub ledger: Ledger,
    pub state: MapState,
    pub epoch: u64,
    pub round: u64,
    pub timestamp_usecs: u64,
    pub sealed: Vec<SealedTransaction>,
}

pub fn genesis_options() -> GenesisOptions {
    GenesisOptions {
        chain_id: CHAIN_ID,
        epoch_interval_usecs: 3_600_000_000,
        minter_key: Some(account(200).address.0),
        accounts: (0..4).map(|n| (account(n).address, START_OCTAS)).collect(),
    }
}

impl Chain {
    /// A chain whose first block is behind it: that block ends the epoch of genesis, since the clock
    /// leaps from zero to now.
    pub fn new() -> Chain {
        let mut chain = Chain::with_options(&genesis_options());
        chain.run(&[]);
        chain
    }

    /// A chain right after genesis.
    pub fn with_options(options: &GenesisOptions) -> Chain {
        let change_set = make_genesis(Framework::built_in(), options).expect("the bundle makes a genesis");
        let mut chain = Chain::empty();
        chain.commit(ExecutedBlock::genesis(change_set));
        chain
    }

    /// A chain without a version.
    pub fn empty() -> Chain {
        Chain {
            machine: Machine::new(),
            executor: BlockExecutor::new(),
            ledger: Ledger::new(),
            state: MapState::default(),
            epoch: 0,
            round: 0,
            timestamp_usecs: START_USECS,
            sealed: Vec::new(),
        }
    }

    pub fn commit(&mut self, executed: ExecutedBlock) {
        self.epoch = executed.new_epoch().unwrap_or(self.epoch);
        for sealed in self.ledger.seal(executed, 1) {
            for (key, op) in &sealed.write_set {
                match op.state_value() {
                    Some(value) => self.state.0.insert(key.clone(), value),
                    None => self.state.0.remove(key),
                };
            }
            self.sealed.push(sealed);
        }
    }

    pub fn next_block(&mut self, transactions: &[SignedTransaction]) -> Block {
        self.round += 1;
        self.timestamp_usecs += 1_000_000;
        Block {
            id: HashValue::sha3_256(&self.round.to_le_bytes()),
            epoch: self.epoch,
            round: self.round,
            timestamp_usecs: self.timestamp_usecs,
            proposer: None,
            transactions: transactions.iter().map(Encode::to_bytes).collect(),
        }
    }

    /// Executes and commits one block.
    pub fn run(&mut self, transactions: &[SignedTransaction]) -> ExecutedBlock {
        let block = self.next_block(transactions);
        let executed = self
            .executor
            .execute(&mut self.machine, &block, &self.state, self.ledger.usage())
            .expect("the block executes");
        self.commit(executed.clone());
        executed
    }

    /// Executes a block with one transaction that must be kept.
    pub fn run_one(&mut self, transaction: SignedTransaction) -> ExecutedTransaction {
        let executed = self.run(&[transaction]);
        assert_eq!(executed.discarded, [], "the transaction was discarded");
        assert_eq!(executed.transactions.len(), 3, "metadata, the transaction, checkpoint");
        executed.transactions[1].clone()
    }

    pub fn resource(&self, address: &Address, tag: &str) -> Option<Vec<u8>> {
        let tag: StructTag = tag.parse().expect("a struct tag");
        self.state.0.get(&StateKey::resource(address, &tag)).map(|value| value.data.to_vec())
    }

    pub fn balance(&self, address: &Address) -> u64 {
        let store = self.resource(address, "0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>");
        store.map_or(0, |bytes| Reader::new(&bytes).u64().expect("a coin store starts with its coins"))
    }

    pub fn sequence_number(&self, address: &Address) -> u64 {
        let bytes = self.resource(address, "0x1::account::Account").expect("the account exists");
        let mut reader = Reader::new(&bytes);
        reader.bytes().expect("an authentication key");
        reader.u64().expect("a sequence number")
    }

    /// The native coin's supply, as its aggregator says.
    pub fn supply(&self) -> u128 {
        let info =
            self.resource(&Address::ONE, "0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>").expect("coin");
        let mut reader = Reader::new(&info);
        reader.string().expect("name");
        reader.string().expect("symbol");
        reader.u8().expect("decimals");
        assert_eq!(reader.array::<2>().expect("options"), [1, 1], "the supply is an aggregator");
        let handle = Address(reader.array().expect("handle"));
        let key: [u8; 32] = reader.array().expect("key");
        let item = &self.state.0[&StateKey::table_item(&handle, key.to_vec())];
        Reader::new(&item.data).u128().expect("the value of the aggregator")
    }

    /// Coins in all stores together.
    pub fn coins(&self) -> u128 {
        let is_store = |key: &StateKey| format!("{key:?}").contains("::coin::CoinStore<");
        let stores = self.state.0.iter().filter(|(key, _)| is_store(key));
        stores.map(|(_, value)| u128::from(Reader::new(&value.data).u64().expect("a coin store"))).sum()
    }

    pub fn expiration_secs(&self) -> u64 {
        self.timestamp_usecs / 1_000_000 + 600
    }

    /// A signed call with usual gas settings.
    pub fn call(
        &self,
        sender: Account,
        sequence_number: u64,
        function: &str,
        args: Vec<Vec<u8>>,
    ) -> SignedTransaction {
        let (module, function) = function.rsplit_once("::").expect("a function");
        let call = EntryFunction {
            module: module.parse::<ModuleId>().expect("a module"),
            function: Identifier::new(function).expect("a name"),
            type_args: Vec::new(),
            args,
        };
        sign(
            sender,
            RawTransaction {
                sender: sender.address,
                sequence_number,
                payload: TransactionPayload::EntryFunction(call),
                max_gas_amount: 200_000,
                gas_unit_price: 100,
                expiration_timestamp_secs: self.expiration_secs(),
                chain_id: CHAIN_ID,
            },
        )
    }

    pub fn transfer(
        &self,
        sender: Account,
        sequence_number: u64,
        to: &Address,
        octas: u64,
    ) -> SignedTransaction {
        let args = vec![to.to_bytes(), octas.to_bytes()];
        self.call(sender, sequence_number, "0x1::aptos_account::transfer", args)
    }
}

/// Wraps a transaction with a signature of zeros.
pub fn sign(sender: Account, raw: RawTransaction) -> SignedTransaction {
    let authenticator = TransactionAuthenticator::Ed25519 {
        public_key: sender.public_key,
        signature: Ed25519Signature([0; 64]),
    };
    SignedTransaction { raw, authenticator }
}

/// Canonical type texts of events.
pub fn event_types(events: &[ContractEvent]) -> Vec<String> {
    events.iter().map(|event| event.type_tag().to_string()).collect()
}
