//! One block, executed in order: metadata, user transactions, checkpoint.
//!
//! Promises: the outcome depends on the block and the state alone. An epoch that ends stops the block
//! after the transaction that ended it; the rest is handed back. A block whose own prologue fails, or a
//! store that fails, yields an error and no output.

use ledger_bcs::{Decode, Encode};
use ledger_bytecode::StatusCode;
use ledger_types::{
    Address, BlockMetadata, ChangeSet, ContractEvent, EventKey, HashValue, SessionId, SignedTransaction,
    StateKey, StateValueMetadata, Transaction, WriteOp, WriteSetPayload,
};
use ledger_vm::{SessionContext, StateError, StateSource, StateUsage, Vm, VmError};

use crate::chain::{
    ChainConfig, account_key, coin_store_key, framework_module, framework_resource, framework_struct,
};
use crate::changes::{TransactionChanges, UsageDelta, key_bytes};
use crate::doors;
use crate::facts::TransactionFacts;
use crate::features::Feature;
use crate::machine::Machine;
use crate::prologue::call_system;
use crate::reasons::StateReasons;
use crate::state_view::{BlockState, StateCache, StateView};
use crate::transaction::{self, TransactionEnvironment, TransactionOutput};

/// Creation number of the stream of new epochs at `0x1`.
const NEW_EPOCH_STREAM: u64 = 2;

/// A block as the proposer cut it.
#[derive(Clone, Debug)]
pub struct Block {
    /// Names the block.
    pub id: HashValue,
    /// Epoch in force.
    pub epoch: u64,
    /// Rises with every block of an epoch.
    pub round: u64,
    /// Microseconds; later than the block before.
    pub timestamp_usecs: u64,
    /// Who proposes; `None` takes the first validator of the chain.
    pub proposer: Option<Address>,
    /// BCS `SignedTransaction` each; signatures were checked.
    pub transactions: Vec<Vec<u8>>,
}

/// Why a block could not be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockError {
    /// The store did not answer.
    State(StateError),
    /// The framework refused the block itself, for example its timestamp.
    Prologue(Box<VmError>),
    /// Nobody may propose: the validator set is empty or missing.
    NoValidator,
}

impl std::fmt::Display for BlockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BlockError::State(error) => error.fmt(f),
            BlockError::Prologue(error) => write!(f, "the block prologue failed: {error}"),
            BlockError::NoValidator => write!(f, "the chain has no validator to propose a block"),
        }
    }
}

impl std::error::Error for BlockError {}

impl From<StateError> for BlockError {
    fn from(error: StateError) -> Self {
        BlockError::State(error)
    }
}

/// One version of the ledger before it is sealed with hashes.
#[derive(Clone, Debug)]
pub struct ExecutedTransaction {
    /// What was executed.
    pub transaction: Transaction,
    /// What came of it.
    pub output: TransactionOutput,
}

/// What came of a block.
#[derive(Clone, Debug, Default)]
pub struct ExecutedBlock {
    /// Versions in order: metadata, kept user transactions, checkpoint.
    pub transactions: Vec<ExecutedTransaction>,
    /// Input positions that enter no version, with the reason.
    pub discarded: Vec<(usize, StatusCode)>,
    /// Input positions that were not attempted.
    pub retried: Vec<usize>,
    /// Whether the block ended its epoch; its last transaction is then the checkpoint.
    pub ends_epoch: bool,
}

/// Executes blocks one after another, on one thread.
#[derive(Default)]
pub struct BlockExecutor {
    cache: StateCache,
}

impl BlockExecutor {
    /// An executor that knows nothing of any state yet.
    pub fn new() -> BlockExecutor {
        BlockExecutor::default()
    }

    /// Forgets what is known of the state: needed when the next block does not follow the last one.
    pub fn forget_state(&mut self) {
        self.cache = StateCache::default();
    }

    /// Executes `block` on the state that `view` shows. `usage` is the size of that state, which the first
    /// block of an epoch records.
    ///
    /// # Errors
    /// [`BlockError`]; what is known of the state is forgotten then.
    pub fn execute(
        &mut self,
        machine: &mut Machine,
        block: &Block,
        view: &dyn StateView,
        usage: StateUsage,
    ) -> Result<ExecutedBlock, BlockError> {
        self.cache.trim();
        let result = self.execute_remembering(machine, block, view, usage);
        if result.is_err() {
            self.forget_state();
        }
        result
    }

    fn execute_remembering(
        &mut self,
        machine: &mut Machine,
        block: &Block,
        view: &dyn StateView,
        usage: StateUsage,
    ) -> Result<ExecutedBlock, BlockError> {
        let mut state = BlockState::new(view, &mut self.cache);
        state.set_usage(usage);
        let decoded: Vec<Option<SignedTransaction>> =
            block.transactions.iter().map(|bytes| SignedTransaction::from_bytes(bytes).ok()).collect();
        state.prefetch(known_reads(&decoded))?;
        let chain = machine.prepare(&state)?;

        let mut executed = ExecutedBlock::default();
        let metadata = block_metadata(block, &state)?;
        let output = run_block_prologue(&mut machine.vm, &chain, &state, &metadata)?;
        executed.push(Transaction::BlockMetadata(metadata), output, &state);

        let reasons = StateReasons { state: &state, cache: &machine.reasons };
        for (index, signed) in decoded.into_iter().enumerate() {
            if executed.ends_epoch {
                executed.retried.push(index);
                continue;
            }
            let Some(signed) = signed else {
                executed.discarded.push((index, StatusCode::MALFORMED));
                continue;
            };
            let environment = TransactionEnvironment {
                chain: &chain,
                state: &state,
                reasons: &reasons,
                timestamp_usecs: block.timestamp_usecs,
                transaction_index: index as u32,
                is_simulation: false,
            };
            let outcome = run_user(&mut machine.vm, &environment, &signed);
            if let Some(error) = state.failure() {
                return Err(error.into());
            }
            match outcome {
                Ok(output) => executed.push(Transaction::User(Box::new(signed)), output, &state),
                Err(status) => executed.discarded.push((index, status)),
            }
        }
        if !executed.ends_epoch {
            let checkpoint = TransactionOutput::system(TransactionChanges::default());
            executed.push(Transaction::StateCheckpoint(block.id), checkpoint, &state);
        }
        Ok(executed)
    }
}

impl ExecutedBlock {
    /// Version 0 as a block of its own.
    pub fn genesis(change_set: ChangeSet) -> ExecutedBlock {
        let ChangeSet { write_set, events } = change_set.clone();
        let transaction = Transaction::Genesis(WriteSetPayload::Direct(change_set));
        let data = |op: &WriteOp| op.data().map_or(0, |data| data.len() as u64);
        let bytes: u64 = write_set.iter().map(|(key, op)| key_bytes(key) + data(op)).sum();
        let usage = UsageDelta { items: write_set.len() as i64, bytes: bytes as i64 };
        let empty = TransactionOutput::system(TransactionChanges::default());
        let output = TransactionOutput { write_set, events, usage, ..empty };
        let transactions = vec![ExecutedTransaction { transaction, output }];
        ExecutedBlock { transactions, ends_epoch: true, ..ExecutedBlock::default() }
    }

    /// Epoch that the block leaves in force, if it changed it.
    pub fn new_epoch(&self) -> Option<u64> {
        let key = StateKey::resource(&Address::ONE, &framework_struct("reconfiguration", "Configuration"));
        let newest = self.transactions.iter().rev().find_map(|one| one.output.write_set.get(&key))?;
        ledger_bcs::Reader::new(newest.data()?).u64().ok()
    }

    fn push(&mut self, transaction: Transaction, output: TransactionOutput, state: &BlockState<'_>) {
        for (key, op) in &output.write_set {
            state.write(key.clone(), op.state_value());
        }
        self.ends_epoch |= output.events.iter().any(is_new_epoch);
        self.transactions.push(ExecutedTransaction { transaction, output });
    }
}

fn run_user(
    vm: &mut Vm,
    environment: &TransactionEnvironment<'_>,
    signed: &SignedTransaction,
) -> Result<TransactionOutput, StatusCode> {
    doors::check_payload(&signed.raw.payload).map_err(|_| StatusCode::FEATURE_UNDER_GATING)?;
    transaction::execute(vm, environment, &TransactionFacts::of(signed))
}

/// Whether an event says that an epoch began.
fn is_new_epoch(event: &ContractEvent) -> bool {
    match event {
        ContractEvent::V1 { key, .. } => {
            *key == EventKey { creation_number: NEW_EPOCH_STREAM, account: Address::ONE }
        }
        ContractEvent::V2 { type_tag, .. } => type_tag.as_struct().is_some_and(|tag| {
            tag.address == Address::ONE && tag.module == *"reconfiguration" && tag.name == *"NewEpoch"
        }),
    }
}

/// Keys that the transactions of a block are sure or likely to read: accounts and native coins of all
/// signers, and of every argument that could be an address.
fn known_reads(transactions: &[Option<SignedTransaction>]) -> Vec<StateKey> {
    let mut addresses = Vec::new();
    for signed in transactions.iter().flatten() {
        addresses.push(signed.raw.sender);
        addresses.extend(signed.authenticator.secondary_signer_addresses());
        addresses.extend(signed.authenticator.fee_payer_address());
        if let Some(call) = signed.raw.payload.entry_function() {
            let address = |bytes: &Vec<u8>| <[u8; 32]>::try_from(bytes.as_slice()).ok().map(Address);
            addresses.extend(call.args.iter().filter_map(address));
        }
    }
    addresses.sort_unstable();
    addresses.dedup();
    addresses.iter().flat_map(|address| [account_key(address), coin_store_key(address)]).collect()
}

fn block_metadata(block: &Block, state: &dyn StateSource) -> Result<BlockMetadata, BlockError> {
    let proposer = match block.proposer {
        Some(proposer) => proposer,
        None => first_validator(state)?,
    };
    Ok(BlockMetadata {
        id: block.id,
        epoch: block.epoch,
        round: block.round,
        proposer,
        previous_block_votes_bitvec: Vec::new(),
        failed_proposer_indices: Vec::new(),
        timestamp_usecs: block.timestamp_usecs,
    })
}

/// First active validator: `ValidatorSet` begins with a scheme byte and the active list, each entry with
/// its address.
fn first_validator(state: &dyn StateSource) -> Result<Address, BlockError> {
    let set = framework_resource(state, "stake", "ValidatorSet")?.ok_or(BlockError::NoValidator)?;
    let mut reader = ledger_bcs::Reader::new(&set);
    let first = (|| {
        reader.u8()?;
        match reader.length()? {
            0 => Err(ledger_bcs::Error::UnexpectedEnd),
            _ => Address::decode(&mut reader),
        }
    })();
    first.map_err(|_| BlockError::NoValidator)
}

fn run_block_prologue(
    vm: &mut Vm,
    chain: &ChainConfig,
    state: &BlockState<'_>,
    metadata: &BlockMetadata,
) -> Result<TransactionOutput, BlockError> {
    let context = SessionContext {
        session_id: SessionId::BlockMetadata(metadata.id),
        chain_id: chain.chain_id,
        script_hash: Vec::new(),
        timestamp_usecs: metadata.timestamp_usecs,
        user: None,
    };
    let failed_proposers: Vec<u64> =
        metadata.failed_proposer_indices.iter().map(|index| (*index).into()).collect();
    let arguments = [
        Address::ZERO.to_bytes(),
        metadata.id.to_bytes(),
        metadata.epoch.to_bytes(),
        metadata.round.to_bytes(),
        metadata.proposer.to_bytes(),
        failed_proposers.to_bytes(),
        metadata.previous_block_votes_bitvec.to_bytes(),
        metadata.timestamp_usecs.to_bytes(),
    ];
    let mut session = vm.session(state, &chain.gas, context);
    let called = call_system(&mut session, &framework_module("block"), "block_prologue", &arguments);
    let finished = called.and_then(|()| session.finish());
    if let Some(error) = state.failure() {
        return Err(error.into());
    }
    let session_changes = finished.map_err(|error| BlockError::Prologue(Box::new(error)))?;
    let new_slot = chain.features.is_on(Feature::StorageSlotMetadata).then_some(StateValueMetadata {
        slot_deposit: 0,
        bytes_deposit: 0,
        creation_time_usecs: metadata.timestamp_usecs,
    });
    let mut changes = TransactionChanges::default();
    changes.add(session_changes, new_slot);
    Ok(TransactionOutput::system(changes))
}
