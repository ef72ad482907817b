//! Transactions that the chain makes itself, transaction infos, statuses, events, and what is known
//! of public genesis blobs without the blobs.

use ledger_bcs::{Decode, Encode};
use ledger_types::{
    AbortInfo, AbortLocation, BlockEndInfo, BlockEpilogue, BlockMetadata, BlockMetadataExt, ContractEvent,
    EventKey, ExecutionStatus, HashValue, StateKey, Transaction, TransactionInfo, Waypoint,
};
use serde_json::Value;

use crate::vector_file::{bytes, cases, number, text, to_hex};
use crate::{address, hash, optional_hash};

fn block_metadata(fields: &Value) -> BlockMetadata {
    let failed = fields["failed"].as_array().expect("an array");
    BlockMetadata {
        id: hash(fields, "id"),
        epoch: number(fields, "epoch"),
        round: number(fields, "round"),
        proposer: address(fields, "proposer"),
        previous_block_votes_bitvec: bytes(fields, "bitvec"),
        failed_proposer_indices: failed
            .iter()
            .map(|index| index.as_u64().expect("a number") as u32)
            .collect(),
        timestamp_usecs: number(fields, "ts"),
    }
}

fn block_epilogue(fields: &Value) -> BlockEpilogue {
    let fees = fields["fee_distribution"].as_array().map(|entries| {
        let octas = |value: &Value| value.as_str().expect("a string").parse().expect("decimal");
        entries.iter().map(|entry| (octas(&entry[0]), octas(&entry[1]))).collect()
    });
    BlockEpilogue {
        block_id: hash(fields, "block_id"),
        block_end_info: BlockEndInfo {
            block_gas_limit_reached: fields["block_gas_limit_reached"] == true,
            block_output_limit_reached: fields["block_output_limit_reached"] == true,
            block_effective_block_gas_units: number(fields, "block_effective_block_gas_units"),
            block_approx_output_size: number(fields, "block_approx_output_size"),
        },
        fee_distribution: fees,
    }
}

fn execution_status(fields: &Value) -> ExecutionStatus {
    let location = || match fields["module"].as_str() {
        Some(module) => AbortLocation::Module(module.parse().expect("a module")),
        None => AbortLocation::Script,
    };
    match text(fields, "status") {
        "success" => ExecutionStatus::Success,
        "out_of_gas" => ExecutionStatus::OutOfGas,
        "move_abort" => ExecutionStatus::MoveAbort {
            location: location(),
            code: number(fields, "code"),
            info: fields["reason_name"].as_str().map(|reason| AbortInfo {
                reason_name: reason.to_owned(),
                description: text(fields, "description").to_owned(),
            }),
        },
        "execution_failure" => ExecutionStatus::ExecutionFailure {
            location: location(),
            function: number(fields, "function") as u16,
            code_offset: number(fields, "code_offset") as u16,
        },
        "miscellaneous_error" => {
            let code = &fields["status_code"];
            ExecutionStatus::MiscellaneousError((!code.is_null()).then(|| number(fields, "status_code")))
        }
        status => panic!("unknown status {status}"),
    }
}

fn check<T: Encode + Decode + PartialEq + std::fmt::Debug>(name: &str, case: &Value, built: &T) {
    assert_eq!(to_hex(&built.to_bytes()), text(case, "bcs"), "{name}");
    assert_eq!(T::from_bytes(&bytes(case, "bcs")).as_ref(), Ok(built), "{name}");
}

#[test]
fn system_transactions_are_built_from_their_fields() {
    for case in cases("system-transactions.json", 18) {
        let (name, fields) = (text(&case, "name"), &case["fields"]);
        let transaction = match text(&case, "kind") {
            "block_metadata" => Transaction::BlockMetadata(block_metadata(fields)),
            "block_metadata_ext" => {
                assert!(fields["randomness"].is_null(), "{name}");
                let metadata = block_metadata(fields);
                Transaction::BlockMetadataExt(BlockMetadataExt::V1 { metadata, randomness: None })
            }
            "state_checkpoint" => Transaction::StateCheckpoint(hash(fields, "block_id")),
            "block_epilogue" => Transaction::BlockEpilogue(block_epilogue(fields)),
            "transaction_info" => {
                let info = TransactionInfo {
                    gas_used: number(fields, "gas_used"),
                    status: execution_status(fields),
                    transaction_hash: hash(fields, "transaction_hash"),
                    event_root_hash: hash(fields, "event_root_hash"),
                    state_change_hash: hash(fields, "state_change_hash"),
                    state_checkpoint_hash: optional_hash(fields, "state_checkpoint_hash"),
                    auxiliary_info_hash: optional_hash(fields, "auxiliary_info_hash"),
                };
                check(name, &case, &info);
                assert_eq!(info.hash(), hash(&case, "hash"), "{name}");
                continue;
            }
            "execution_status" => {
                check(name, &case, &execution_status(fields));
                continue;
            }
            "contract_event" => {
                let (type_tag, data) =
                    (text(fields, "type").parse().expect("a type"), bytes(fields, "data").into());
                let event = if fields["creation_number"].is_null() {
                    ContractEvent::V2 { type_tag, data }
                } else {
                    ContractEvent::V1 {
                        key: EventKey {
                            creation_number: number(fields, "creation_number"),
                            account: address(fields, "account"),
                        },
                        sequence_number: number(fields, "sequence_number"),
                        type_tag,
                        data,
                    }
                };
                check(name, &case, &event);
                assert_eq!(event.hash(), hash(&case, "hash"), "{name}");
                continue;
            }
            kind => panic!("{name}: unknown kind {kind}"),
        };
        check(name, &case, &transaction);
        assert_eq!(transaction.hash(), hash(&case, "hash"), "{name}");
    }
}

#[test]
fn parts_of_public_genesis_blobs_have_their_hashes() {
    let (mut keys, mut events) = (0, 0);
    for case in cases("genesis.json", 7) {
        let name = text(&case, "name");
        let info = TransactionInfo {
            gas_used: 0,
            status: ExecutionStatus::Success,
            transaction_hash: hash(&case, "transaction_hash"),
            event_root_hash: hash(&case, "event_root_hash"),
            state_change_hash: hash(&case, "state_change_hash"),
            state_checkpoint_hash: Some(hash(&case, "state_checkpoint_hash")),
            auxiliary_info_hash: None,
        };
        assert_eq!(to_hex(&info.to_bytes()), text(&case, "transaction_info_bcs"), "{name}");
        // One leaf: the accumulator's root is the leaf.
        assert_eq!(info.hash(), hash(&case, "accumulator_root_hash"), "{name}");
        for row in case["first_state_keys"].as_array().expect("an array") {
            let key = StateKey::from_bytes(&bytes(row, "state_key_bcs")).expect("a state key");
            assert_eq!(to_hex(&key.to_bytes()), text(row, "state_key_bcs"), "{name}");
            assert_eq!(key.hash(), hash(row, "state_key_hash"), "{name}");
            keys += 1;
        }
        for row in case["first_events"].as_array().expect("an array") {
            let event = ContractEvent::from_bytes(&bytes(row, "bcs")).expect("an event");
            assert_eq!(to_hex(&event.to_bytes()), text(row, "bcs"), "{name}");
            assert_eq!(event.hash(), hash(row, "hash"), "{name}");
            events += 1;
        }
        let waypoint: Waypoint = text(&case, "waypoint_published").parse().expect("a waypoint");
        assert_eq!(waypoint.version, 0, "{name}");
        assert_eq!(waypoint.to_string(), text(&case, "waypoint"), "{name}");
        assert_ne!(waypoint.value, HashValue::ZERO, "{name}");
    }
    assert!(keys >= 7 && events >= 7, "{keys} keys and {events} events");
}
