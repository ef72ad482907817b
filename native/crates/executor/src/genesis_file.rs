//! Version 0 of a chain that begins with a genesis file: the first transaction of a public network.
//!
//! The file is a write set, so no Move runs. What it creates and what it modifies alike becomes the state.
//! Its modules are bytes from outside like any others: the verifier looks at each before it runs.

use ledger_authenticated::{StateChange, StateTree, event_root};
use ledger_bcs::{Decode, Reader};
use ledger_types::{
    Address, BlockInfo, ChangeSet, ContractEvent, EpochState, EventKey, ExecutionStatus, HashValue,
    LedgerInfo, StateKey, Transaction, TransactionInfo, ValidatorConsensusInfo, Waypoint, WriteOp,
    WriteSetPayload,
};

use crate::chain::framework_struct;

/// Creation numbers of the streams of new epochs and of new blocks at `0x1`.
const NEW_EPOCH_STREAM: u64 = 2;
const NEW_BLOCK_STREAM: u64 = 3;

/// A genesis that was read.
#[derive(Clone, Debug)]
pub struct GenesisFile {
    /// What version 0 writes and emits.
    pub change_set: ChangeSet,
    /// Chain id in its state.
    pub chain_id: u8,
    /// Pins the state after it; networks publish theirs.
    pub waypoint: Waypoint,
}

/// Why a file is no genesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenesisFileError {
    /// The bytes are no transaction.
    Malformed(ledger_bcs::Error),
    /// A transaction of another kind, or a genesis that is a script.
    NoWriteSet,
    /// No new-block or no new-epoch event.
    MissingEvent,
    /// A resource that every chain has is missing or broken.
    MissingResource(&'static str),
}

impl std::fmt::Display for GenesisFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GenesisFileError::Malformed(error) => write!(f, "the genesis file is no transaction: {error}"),
            GenesisFileError::NoWriteSet => write!(f, "the genesis file holds no genesis write set"),
            GenesisFileError::MissingEvent => {
                write!(f, "the genesis file has no new-block or no new-epoch event")
            }
            GenesisFileError::MissingResource(name) => {
                write!(f, "the genesis file has no readable 0x1::{name}")
            }
        }
    }
}

impl std::error::Error for GenesisFileError {}

/// Reads a genesis file.
///
/// # Errors
/// [`GenesisFileError`].
pub fn read_genesis_file(bytes: &[u8]) -> Result<GenesisFile, GenesisFileError> {
    let transaction = Transaction::from_bytes(bytes).map_err(GenesisFileError::Malformed)?;
    let Transaction::Genesis(WriteSetPayload::Direct(change_set)) = &transaction else {
        return Err(GenesisFileError::NoWriteSet);
    };
    if !has_event(change_set, NEW_BLOCK_STREAM, "block", "NewBlock")
        || !has_event(change_set, NEW_EPOCH_STREAM, "reconfiguration", "NewEpoch")
    {
        return Err(GenesisFileError::MissingEvent);
    }
    let chain_id = resource(change_set, "chain_id", "ChainId")
        .and_then(|bytes| Reader::new(bytes).u8().ok())
        .ok_or(GenesisFileError::MissingResource("chain_id::ChainId"))?;
    let waypoint = waypoint(&transaction, change_set)?;
    Ok(GenesisFile { change_set: change_set.clone(), chain_id, waypoint })
}

fn has_event(changes: &ChangeSet, stream: u64, module: &str, name: &str) -> bool {
    let wanted = EventKey { creation_number: stream, account: Address::ONE };
    changes.events.iter().any(|event| match event {
        ContractEvent::V1 { key, .. } => *key == wanted,
        ContractEvent::V2 { type_tag, .. } => {
            type_tag.as_struct().is_some_and(|tag| *tag == framework_struct(module, name))
        }
    })
}

fn resource<'a>(changes: &'a ChangeSet, module: &str, name: &str) -> Option<&'a [u8]> {
    let key = StateKey::resource(&Address::ONE, &framework_struct(module, name));
    changes.write_set.get(&key).and_then(WriteOp::data).map(AsRef::as_ref)
}

fn waypoint(transaction: &Transaction, changes: &ChangeSet) -> Result<Waypoint, GenesisFileError> {
    let mut tree = StateTree::new();
    let writes = changes.write_set.iter().map(|(key, op)| StateChange {
        key: key.hash(),
        value_hash: op.state_value().map(|value| value.hash()),
    });
    let state_root = tree.update(writes.collect(), 1);
    let events: Vec<HashValue> = changes.events.iter().map(ContractEvent::hash).collect();
    let info = TransactionInfo {
        gas_used: 0,
        status: ExecutionStatus::Success,
        transaction_hash: transaction.hash(),
        event_root_hash: event_root(&events),
        state_change_hash: changes.write_set.hash(),
        state_checkpoint_hash: Some(state_root),
        auxiliary_info_hash: None,
    };
    let epoch = resource(changes, "reconfiguration", "Configuration")
        .and_then(|bytes| Reader::new(bytes).u64().ok())
        .ok_or(GenesisFileError::MissingResource("reconfiguration::Configuration"))?;
    let validators = resource(changes, "stake", "ValidatorSet")
        .and_then(|bytes| validators(bytes).ok())
        .ok_or(GenesisFileError::MissingResource("stake::ValidatorSet"))?;
    let commit_info = BlockInfo {
        epoch: 0,
        round: 0,
        id: HashValue::ZERO,
        executed_state_id: info.hash(),
        version: 0,
        timestamp_usecs: 0,
        next_epoch_state: Some(EpochState { epoch, validators }),
    };
    Ok(LedgerInfo { commit_info, consensus_data_hash: HashValue::ZERO }.waypoint())
}

/// Active validators of a set, by index.
fn validators(set: &[u8]) -> ledger_bcs::Result<Vec<ValidatorConsensusInfo>> {
    let mut reader = Reader::new(set);
    reader.u8()?;
    let mut validators = reader.sequence(|reader| {
        let address = Address(reader.array()?);
        let voting_power = reader.u64()?;
        let public_key =
            reader.bytes()?.try_into().map_err(|_| ledger_bcs::Error::Invalid("a key of 48 bytes"))?;
        reader.bytes()?;
        reader.bytes()?;
        Ok((reader.u64()?, ValidatorConsensusInfo { address, public_key, voting_power }))
    })?;
    validators.sort_by_key(|(index, _)| *index);
    Ok(validators.into_iter().map(|(_, validator)| validator).collect())
}

#[cfg(test)]
mod tests {
    use ledger_bcs::Encode;

    use super::*;
    use crate::framework::Framework;
    use crate::genesis::{GenesisOptions, make_genesis};

    fn own() -> ChangeSet {
        let options = GenesisOptions {
            chain_id: 9,
            epoch_interval_usecs: 1_000_000,
            minter_key: None,
            accounts: Vec::new(),
        };
        make_genesis(Framework::built_in(), &options).unwrap()
    }

    fn file(changes: ChangeSet) -> Vec<u8> {
        Transaction::Genesis(WriteSetPayload::Direct(changes)).to_bytes()
    }

    #[test]
    fn a_genesis_of_our_own_is_a_genesis_file() {
        let changes = own();
        let read = read_genesis_file(&file(changes.clone())).unwrap();
        assert_eq!((read.chain_id, read.change_set), (9, changes));
    }

    #[test]
    fn what_is_no_genesis_is_refused_by_name() {
        let bytes = file(own());
        assert!(matches!(read_genesis_file(&bytes[..9]), Err(GenesisFileError::Malformed(_))));
        let checkpoint = Transaction::StateCheckpoint(HashValue::ZERO).to_bytes();
        assert_eq!(read_genesis_file(&checkpoint).unwrap_err(), GenesisFileError::NoWriteSet);
        let mut silent = own();
        silent.events.clear();
        assert_eq!(read_genesis_file(&file(silent)).unwrap_err(), GenesisFileError::MissingEvent);
    }
}
