//! State keys, values, write sets and the seeds of hashes.

use ledger_bcs::{Decode, Encode};
use ledger_types::{
    HashDomain, HashValue, ModuleId, Path, StateKey, StateValue, StateValueMetadata, WriteSet,
};

use crate::vector_file::{bytes, cases, number, text, to_hex};
use crate::{address, hash};

#[test]
fn state_keys_have_their_three_encodings() {
    for case in cases("state-keys.json", 15) {
        let name = text(&case, "name");
        let key = match text(&case, "kind") {
            "resource" => StateKey::resource(
                &address(&case, "address"),
                &text(&case, "type").parse().expect("a struct"),
            ),
            "resource_group" => StateKey::resource_group(
                &address(&case, "address"),
                &text(&case, "type").parse().expect("a struct"),
            ),
            "module" => StateKey::module(&ModuleId {
                address: address(&case, "address"),
                name: text(&case, "name_of_module").parse().expect("an identifier"),
            }),
            "table_item" => StateKey::table_item(&address(&case, "handle"), bytes(&case, "key")),
            "raw" => StateKey::raw(bytes(&case, "key")),
            kind => panic!("{name}: unknown kind {kind}"),
        };
        assert_eq!(to_hex(&key.to_bytes()), text(&case, "bcs"), "{name}");
        assert_eq!(to_hex(&key.to_storage()), text(&case, "encoded"), "{name}");
        assert_eq!(key.hash(), hash(&case, "hash"), "{name}");
        assert_eq!(StateKey::from_bytes(&bytes(&case, "bcs")).as_ref(), Ok(&key), "{name}");
        assert_eq!(StateKey::from_storage(&bytes(&case, "encoded")).as_ref(), Ok(&key), "{name}");
        let path = key.path().expect("a path of our own decodes");
        let shape = match &path {
            Some(Path::Code(_)) => "module",
            Some(Path::Resource(_)) => "resource",
            Some(Path::ResourceGroup(_)) => "resource_group",
            None if matches!(key, StateKey::TableItem { .. }) => "table_item",
            None => "raw",
        };
        assert_eq!(shape, text(&case, "kind"), "{name}");
    }
}

fn domain(salt: &str) -> HashDomain {
    let all = [
        HashDomain::Transaction,
        HashDomain::TransactionInfo,
        HashDomain::ContractEvent,
        HashDomain::WriteSet,
        HashDomain::RawTransaction,
        HashDomain::RawTransactionWithData,
        HashDomain::AASigningData,
        HashDomain::LedgerInfo,
        HashDomain::Ledger2WaypointConverter,
        HashDomain::StateKey,
        HashDomain::StateValue,
        HashDomain::SparseMerkleLeafNode,
        HashDomain::SparseMerkleInternal,
        HashDomain::TransactionAccumulator,
        HashDomain::EventAccumulator,
        HashDomain::SessionId,
        HashDomain::TransactionAuxiliaryData,
    ];
    all.into_iter()
        .find(|domain| salt.strip_prefix("APTOS::") == Some(domain.name()))
        .unwrap_or_else(|| panic!("no domain for {salt}"))
}

#[test]
fn seeds_placeholders_and_value_hashes_are_the_published_ones() {
    // Accumulators and trees are tested where they live.
    let mut elsewhere = 0;
    for case in cases("hashing.json", 59) {
        let name = text(&case, "name");
        match text(&case, "kind") {
            "seed" => assert_eq!(domain(text(&case, "input")).seed(), hash(&case, "output"), "{name}"),
            "placeholder" => {
                let placeholder = match text(&case, "input") {
                    "ACCUMULATOR_PLACEHOLDER_HASH" => HashValue::ACCUMULATOR_PLACEHOLDER,
                    "SPARSE_MERKLE_PLACEHOLDER_HASH" => HashValue::SPARSE_MERKLE_PLACEHOLDER,
                    "PRE_GENESIS_BLOCK_ID" => HashValue::PRE_GENESIS_BLOCK_ID,
                    input => panic!("{name}: unknown placeholder {input}"),
                };
                assert_eq!(placeholder, hash(&case, "output"), "{name}");
            }
            "state_value" => {
                let metadata = &case["metadata"];
                let value = StateValue {
                    data: bytes(&case, "data").into(),
                    metadata: (!metadata.is_null()).then(|| match number(metadata, "variant") {
                        0 => StateValueMetadata {
                            slot_deposit: number(metadata, "deposit"),
                            bytes_deposit: 0,
                            creation_time_usecs: number(metadata, "creation_time_usecs"),
                        },
                        _ => StateValueMetadata {
                            slot_deposit: number(metadata, "slot_deposit"),
                            bytes_deposit: number(metadata, "bytes_deposit"),
                            creation_time_usecs: number(metadata, "creation_time_usecs"),
                        },
                    }),
                };
                assert_eq!(to_hex(&value.to_bytes()), text(&case, "bcs"), "{name}");
                assert_eq!(StateValue::from_bytes(&bytes(&case, "bcs")).as_ref(), Ok(&value), "{name}");
                assert_eq!(value.hash(), hash(&case, "hash"), "{name}");
            }
            "write_set" => {
                let write_set = WriteSet::from_bytes(&bytes(&case, "bcs")).expect("a write set");
                assert!(write_set.is_empty(), "{name}");
                assert_eq!(write_set.hash(), hash(&case, "hash"), "{name}");
            }
            "accumulator" | "sparse_merkle" | "sparse_merkle_proof" => elsewhere += 1,
            kind => panic!("{name}: unknown kind {kind}"),
        }
    }
    assert!(elsewhere < 50, "cases tested here: {}", 59 - elsewhere);
}
