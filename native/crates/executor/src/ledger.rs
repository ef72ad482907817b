//! Sealing: from what transactions did to the hashes that the ledger commits to.
//!
//! ```text
//! write set ─► state change hash ─┐
//! events ────► event root ────────┼─► transaction info ─► accumulator leaf ─► root
//! state tree ► checkpoint hash ───┘   (checkpoint at the last version of a block only)
//! ```

use ledger_authenticated::{Accumulator, AccumulatorKind, StateChange, StateTree, event_root};
use ledger_bcs::Encode;
use ledger_types::{
    ContractEvent, HashDomain, HashValue, StateKey, StateValue, Transaction, TransactionInfo, WriteSet,
};
use ledger_vm::StateUsage;

use crate::block::{ExecutedBlock, ExecutedTransaction};
use crate::changes::key_bytes;
use crate::transaction::TransactionOutput;

/// One version as it is stored.
#[derive(Clone, Debug)]
pub struct SealedTransaction {
    /// Hash of the transaction.
    pub hash: HashValue,
    /// Root of the transaction accumulator after it.
    pub accumulator_root: HashValue,
    /// BCS `Transaction`.
    pub transaction: Vec<u8>,
    /// Sender and sequence number, where the transaction has one.
    pub replay: Option<(ledger_types::Address, u64)>,
    /// BCS `TransactionInfo`.
    pub info: Vec<u8>,
    /// Gas units.
    pub gas_used: u64,
    /// Its events.
    pub events: Vec<ContractEvent>,
    /// BCS of the list of events.
    pub events_bytes: Vec<u8>,
    /// Its changes.
    pub write_set: WriteSet,
    /// BCS `WriteSet`.
    pub write_set_bytes: Vec<u8>,
}

/// The running hashes of one ledger, and the size of its state.
#[derive(Clone, Debug)]
pub struct Ledger {
    accumulator: Accumulator,
    tree: StateTree,
    usage: StateUsage,
}

/// What was handed over does not continue a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenPeaks;

impl std::fmt::Display for BrokenPeaks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the number of accumulator peaks does not fit the number of versions")
    }
}

impl std::error::Error for BrokenPeaks {}

impl Default for Ledger {
    fn default() -> Self {
        Self::new()
    }
}

impl Ledger {
    /// A ledger without versions.
    pub fn new() -> Ledger {
        let accumulator = Accumulator::new(AccumulatorKind::Transaction);
        Ledger { accumulator, tree: StateTree::new(), usage: StateUsage::default() }
    }

    /// Continues a ledger of `versions` versions: adds nothing to the state tree yet.
    ///
    /// # Errors
    /// [`BrokenPeaks`].
    pub fn resume(&mut self, versions: u64, peaks: Vec<HashValue>) -> Result<(), BrokenPeaks> {
        self.accumulator =
            Accumulator::from_peaks(AccumulatorKind::Transaction, versions, peaks).ok_or(BrokenPeaks)?;
        Ok(())
    }

    /// Adds live items to the state tree. Each key is loaded once.
    pub fn load(&mut self, items: &[(StateKey, StateValue)], threads: usize) {
        let change = |(key, value): &(StateKey, StateValue)| StateChange {
            key: key.hash(),
            value_hash: Some(value.hash()),
        };
        self.tree.update(items.iter().map(change).collect(), threads);
        self.usage.items += items.len() as u64;
        self.usage.bytes +=
            items.iter().map(|(key, value)| key_bytes(key) + value.data.len() as u64).sum::<u64>();
    }

    /// Size of the state.
    pub fn usage(&self) -> StateUsage {
        self.usage
    }

    /// Root of the state tree.
    pub fn state_root(&self) -> HashValue {
        self.tree.root()
    }

    /// Number of versions.
    pub fn versions(&self) -> u64 {
        self.accumulator.leaf_count()
    }

    /// Roots of the accumulator's full subtrees, largest first.
    pub fn peaks(&self) -> &[HashValue] {
        self.accumulator.peaks()
    }

    /// Seals a block: its last version becomes the checkpoint.
    pub fn seal(&mut self, block: ExecutedBlock, threads: usize) -> Vec<SealedTransaction> {
        let mut changes = Vec::new();
        for executed in &block.transactions {
            let delta = executed.output.usage;
            self.usage.items = self.usage.items.saturating_add_signed(delta.items);
            self.usage.bytes = self.usage.bytes.saturating_add_signed(delta.bytes);
            changes.extend(executed.output.write_set.iter().map(|(key, op)| StateChange {
                key: key.hash(),
                value_hash: op.state_value().map(|value| value.hash()),
            }));
        }
        let state_root = self.tree.update(changes, threads);
        let last = block.transactions.len().saturating_sub(1);
        block
            .transactions
            .into_iter()
            .enumerate()
            .map(|(index, executed)| self.seal_one(executed, (index == last).then_some(state_root)))
            .collect()
    }

    fn seal_one(
        &mut self,
        executed: ExecutedTransaction,
        checkpoint: Option<HashValue>,
    ) -> SealedTransaction {
        let ExecutedTransaction { transaction, output } = executed;
        let TransactionOutput { status, gas_used, write_set, events, .. } = output;
        let replay = match &transaction {
            Transaction::User(signed) if signed.raw.payload.replay_protection_nonce().is_none() => {
                Some((signed.raw.sender, signed.raw.sequence_number))
            }
            _ => None,
        };
        let transaction = transaction.to_bytes();
        let hash = HashDomain::Transaction.hash(&transaction);
        let event_hashes: Vec<HashValue> = events.iter().map(ContractEvent::hash).collect();
        let (events_bytes, write_set_bytes) = (events.to_bytes(), write_set.to_bytes());
        let info = TransactionInfo {
            gas_used,
            status,
            transaction_hash: hash,
            event_root_hash: event_root(&event_hashes),
            state_change_hash: HashDomain::WriteSet.hash(&write_set_bytes),
            state_checkpoint_hash: checkpoint,
            auxiliary_info_hash: None,
        }
        .to_bytes();
        self.accumulator.append(HashDomain::TransactionInfo.hash(&info));
        let accumulator_root = self.accumulator.root();
        SealedTransaction {
            hash,
            accumulator_root,
            transaction,
            replay,
            info,
            gas_used,
            events,
            events_bytes,
            write_set,
            write_set_bytes,
        }
    }
}
