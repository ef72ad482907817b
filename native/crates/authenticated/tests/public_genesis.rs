//! The waypoint computed from a public genesis blob is the one its network published.
//!
//! The blobs are not part of the checkout. `LEDGER_NODE_GENESIS_BLOBS` names a folder whose
//! sub-folders hold a `genesis.blob` and the published waypoint each; without it the test says that
//! it was skipped.

use std::path::Path;

use ledger_authenticated::{StateChange, StateTree, event_root};
use ledger_bcs::{Decode, Encode, Reader};
use ledger_types::{
    Address, BlockInfo, ChangeSet, ContractEvent, EpochState, ExecutionStatus, HashValue, LedgerInfo,
    StateKey, StructTag, Transaction, TransactionInfo, ValidatorConsensusInfo, WriteOp, WriteSetPayload,
};

fn resource(changes: &ChangeSet, tag: &str) -> Vec<u8> {
    let tag: StructTag = tag.parse().expect("a struct tag");
    let key = StateKey::resource(&Address::ONE, &tag);
    changes.write_set.get(&key).and_then(WriteOp::data).expect("the resource is in the blob").to_vec()
}

/// Active validators of `0x1::stake::ValidatorSet`, by index.
fn validators(changes: &ChangeSet) -> Vec<ValidatorConsensusInfo> {
    let set = resource(changes, "0x1::stake::ValidatorSet");
    let mut reader = Reader::new(&set);
    reader.u8().expect("the consensus scheme");
    let mut validators = reader
        .sequence(|reader| {
            let address = Address(reader.array()?);
            let voting_power = reader.u64()?;
            let public_key = reader.bytes()?.try_into().expect("48 bytes of key");
            reader.bytes()?;
            reader.bytes()?;
            let index = reader.u64()?;
            Ok((index, ValidatorConsensusInfo { address, public_key, voting_power }))
        })
        .expect("validators");
    validators.sort_by_key(|(index, _)| *index);
    validators.into_iter().map(|(_, validator)| validator).collect()
}

fn waypoint(blob: &[u8]) -> String {
    let transaction = Transaction::from_bytes(blob).expect("a transaction");
    assert!(transaction.to_bytes() == blob, "written differently than read");
    let Transaction::Genesis(WriteSetPayload::Direct(changes)) = &transaction else {
        panic!("the blob holds another kind of transaction");
    };
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
    let configuration = resource(changes, "0x1::reconfiguration::Configuration");
    let epoch = Reader::new(&configuration).u64().expect("the next epoch");
    let ledger_info = LedgerInfo {
        commit_info: BlockInfo {
            epoch: 0,
            round: 0,
            id: HashValue::ZERO,
            executed_state_id: info.hash(),
            version: 0,
            timestamp_usecs: 0,
            next_epoch_state: Some(EpochState { epoch, validators: validators(changes) }),
        },
        consensus_data_hash: HashValue::ZERO,
    };
    ledger_info.waypoint().to_string()
}

#[test]
fn waypoints_of_public_networks_are_the_published_ones() {
    let Some(folder) = std::env::var_os("LEDGER_NODE_GENESIS_BLOBS") else {
        println!("skipped: no genesis blobs");
        return;
    };
    let mut networks: Vec<_> = std::fs::read_dir(Path::new(&folder))
        .expect("the folder")
        .map(|entry| entry.unwrap().path())
        .collect();
    networks.sort();
    let mut compared = 0;
    for network in networks {
        let blob = std::fs::read(network.join("genesis.blob")).unwrap_or_default();
        // Networks that moved on keep the first waypoint in a file of its own.
        let published = ["genesis_waypoint.txt", "waypoint.txt"]
            .iter()
            .find_map(|name| std::fs::read_to_string(network.join(name)).ok());
        let (false, Some(published)) = (blob.is_empty(), published) else { continue };
        let computed = waypoint(&blob);
        println!("{}: {computed}", network.display());
        assert_eq!(computed, published.trim(), "{}", network.display());
        compared += 1;
    }
    assert!(compared > 0, "no blob found");
    println!("{compared} waypoints equal the published ones");
}
