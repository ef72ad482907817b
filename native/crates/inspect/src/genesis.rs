//! What a genesis blob holds, and the waypoint that names it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ledger_authenticated::{StateChange, StateTree, event_root};
use ledger_bcs::{Decode, Reader};
use ledger_types::{
    Address, BlockInfo, ChangeSet, ContractEvent, EpochState, ExecutionStatus, HashValue, LedgerInfo, Path,
    StateKey, StructTag, Transaction, TransactionInfo, ValidatorConsensusInfo, Waypoint, WriteOp,
    WriteSetPayload,
};

use crate::InspectError;

const CHAIN_ID: &str = "0x1::chain_id::ChainId";
const CONFIGURATION: &str = "0x1::reconfiguration::Configuration";
const VALIDATOR_SET: &str = "0x1::stake::ValidatorSet";

/// Counts, chain id, hashes, waypoint, then the modules with their sizes and the event types with
/// their counts.
///
/// # Errors
/// `NotATransaction`, `NotAGenesis`, `BadResource`.
pub fn genesis_text(blob: &[u8]) -> Result<String, InspectError> {
    let transaction = Transaction::from_bytes(blob).map_err(InspectError::NotATransaction)?;
    let Transaction::Genesis(WriteSetPayload::Direct(changes)) = &transaction else {
        return Err(InspectError::NotAGenesis);
    };
    let chain_id =
        Reader::new(resource(changes, CHAIN_ID)?).u8().map_err(|_| InspectError::BadResource(CHAIN_ID))?;
    let validators = validators(changes)?;
    let commitment = Commitment::new(&transaction, changes, &validators)?;
    let contents = Contents::new(changes);

    let mut text = String::new();
    let mut line = |name: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "{name:<18} {value}");
    };
    line("bytes", &blob.len());
    line("chain id", &chain_id);
    line("waypoint", &commitment.waypoint);
    line("transaction hash", &commitment.info.transaction_hash);
    line("write set hash", &commitment.info.state_change_hash);
    line("event root", &commitment.info.event_root_hash);
    line("state root", &commitment.state_root);
    line("validators", &validators.len());
    line("writes", &changes.write_set.len());
    line("  modules", &contents.modules.len());
    line("  resources", &contents.resources);
    line("  resource groups", &contents.resource_groups);
    line("  table items", &contents.table_items);
    line("  other", &contents.others);
    line("events", &changes.events.len());
    for (name, bytes) in &contents.modules {
        let _ = writeln!(text, "module {name} {bytes} bytes");
    }
    for (name, count) in &contents.events {
        let _ = writeln!(text, "event {name} {count}");
    }
    Ok(text)
}

/// What the write set and the events are made of.
#[derive(Default)]
struct Contents {
    /// Name and size in bytes, in the order of the write set.
    modules: Vec<(String, usize)>,
    resources: usize,
    resource_groups: usize,
    table_items: usize,
    others: usize,
    /// Count by type.
    events: BTreeMap<String, usize>,
}

impl Contents {
    fn new(changes: &ChangeSet) -> Self {
        let mut contents = Self::default();
        for (key, op) in changes.write_set.iter() {
            match (key.path(), key) {
                (Ok(Some(Path::Code(id))), _) => {
                    contents.modules.push((id.to_string(), op.data().map_or(0, |data| data.len())));
                }
                (Ok(Some(Path::Resource(_))), _) => contents.resources += 1,
                (Ok(Some(Path::ResourceGroup(_))), _) => contents.resource_groups += 1,
                (_, StateKey::TableItem { .. }) => contents.table_items += 1,
                _ => contents.others += 1,
            }
        }
        for event in &changes.events {
            *contents.events.entry(event.type_tag().to_string()).or_default() += 1;
        }
        contents
    }
}

/// What version 0 of the ledger commits to.
struct Commitment {
    info: TransactionInfo,
    state_root: HashValue,
    waypoint: Waypoint,
}

impl Commitment {
    fn new(
        transaction: &Transaction,
        changes: &ChangeSet,
        validators: &[ValidatorConsensusInfo],
    ) -> Result<Self, InspectError> {
        let writes = changes.write_set.iter().map(|(key, op)| StateChange {
            key: key.hash(),
            value_hash: op.state_value().map(|value| value.hash()),
        });
        let state_root = StateTree::new().update(writes.collect(), 1);
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
        let epoch = Reader::new(resource(changes, CONFIGURATION)?)
            .u64()
            .map_err(|_| InspectError::BadResource(CONFIGURATION))?;
        let ledger_info = LedgerInfo {
            commit_info: BlockInfo {
                epoch: 0,
                round: 0,
                id: HashValue::ZERO,
                executed_state_id: info.hash(),
                version: 0,
                timestamp_usecs: 0,
                next_epoch_state: Some(EpochState { epoch, validators: validators.to_vec() }),
            },
            consensus_data_hash: HashValue::ZERO,
        };
        Ok(Self { state_root, waypoint: ledger_info.waypoint(), info })
    }
}

/// Bytes of a resource of the framework's account.
fn resource<'a>(changes: &'a ChangeSet, name: &'static str) -> Result<&'a [u8], InspectError> {
    let tag: StructTag = name.parse().expect("a struct tag");
    let op = changes.write_set.get(&StateKey::resource(&Address::ONE, &tag));
    let data = op.and_then(WriteOp::data).ok_or(InspectError::BadResource(name))?;
    Ok(data)
}

/// Active validators by index.
fn validators(changes: &ChangeSet) -> Result<Vec<ValidatorConsensusInfo>, InspectError> {
    let mut reader = Reader::new(resource(changes, VALIDATOR_SET)?);
    let mut read = || {
        reader.u8()?;
        reader.sequence(|reader| {
            let address = Address(reader.array()?);
            let voting_power = reader.u64()?;
            let public_key = reader.bytes()?.to_vec();
            reader.bytes()?;
            reader.bytes()?;
            Ok((reader.u64()?, address, voting_power, public_key))
        })
    };
    let mut validators = read().map_err(|_: ledger_bcs::Error| InspectError::BadResource(VALIDATOR_SET))?;
    validators.sort_by_key(|(index, ..)| *index);
    let infos = validators.into_iter().map(|(_, address, voting_power, public_key)| {
        let public_key = public_key.try_into().map_err(|_| InspectError::BadResource(VALIDATOR_SET))?;
        Ok(ValidatorConsensusInfo { address, public_key, voting_power })
    });
    infos.collect()
}
