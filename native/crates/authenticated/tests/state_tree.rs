//! The state tree against a plain twin: a recursive root over a sorted map.

use std::collections::BTreeMap;

use ledger_authenticated::{ProofError, SparseMerkleLeaf, SparseMerkleProof, StateChange, StateTree};
use ledger_types::{HashDomain, HashValue};
use proptest::prelude::*;

/// The root by its definition.
fn root_of(leaves: &[SparseMerkleLeaf], depth: usize) -> HashValue {
    match leaves {
        [] => HashValue::SPARSE_MERKLE_PLACEHOLDER,
        [leaf] => leaf.hash(),
        _ => {
            let split = leaves.partition_point(|leaf| leaf.key.0[depth / 8] >> (7 - depth % 8) & 1 == 0);
            let left = root_of(&leaves[..split], depth + 1);
            let right = root_of(&leaves[split..], depth + 1);
            HashDomain::SparseMerkleInternal.hash_parts(&[&left.0, &right.0])
        }
    }
}

fn leaves_of(map: &BTreeMap<HashValue, HashValue>) -> Vec<SparseMerkleLeaf> {
    map.iter().map(|(key, value_hash)| SparseMerkleLeaf { key: *key, value_hash: *value_hash }).collect()
}

/// Keys that collide in long prefixes, at the front, across the subtree boundary and at the end.
fn key() -> impl Strategy<Value = HashValue> {
    prop_oneof![
        (0..4u8).prop_map(|byte| {
            let mut key = [0; 32];
            key[31] = byte;
            HashValue(key)
        }),
        (any::<u8>(), 0..3u8).prop_map(|(first, second)| {
            let mut key = [0; 32];
            key[0] = first;
            key[1] = second << 6;
            HashValue(key)
        }),
        (0..64u64).prop_map(|n| HashValue::sha3_256(&n.to_le_bytes())),
    ]
}

fn batches() -> impl Strategy<Value = Vec<Vec<(HashValue, Option<u8>)>>> {
    let change = (key(), prop::option::weighted(0.6, any::<u8>()));
    prop::collection::vec(prop::collection::vec(change, 0..30), 1..6)
}

proptest! {
    #[test]
    fn any_batches_lead_to_the_root_of_what_is_left(batches in batches(), threads in 1..5usize) {
        let mut tree = StateTree::new();
        let mut twin = BTreeMap::new();
        for batch in batches {
            let mut changes = Vec::new();
            for (key, value) in batch {
                let value_hash = value.map(|value| HashValue::sha3_256(&[value]));
                changes.push(StateChange { key, value_hash });
                match value_hash {
                    Some(value_hash) => drop(twin.insert(key, value_hash)),
                    None => drop(twin.remove(&key)),
                }
            }
            let leaves = leaves_of(&twin);
            prop_assert_eq!(tree.update(changes, threads), root_of(&leaves, 0));
            prop_assert_eq!(tree.len(), leaves.len());
            prop_assert_eq!(tree.leaves().collect::<Vec<_>>(), leaves);
        }
        for key in twin.keys().copied().chain((0..64u64).map(|n| HashValue::sha3_256(&n.to_be_bytes()))) {
            let value_hash = twin.get(&key);
            prop_assert_eq!(tree.get(&key), value_hash.copied());
            prop_assert_eq!(tree.prove(&key).verify(&tree.root(), &key, value_hash), Ok(()));
        }
    }
}

#[test]
fn the_root_does_not_depend_on_the_number_of_threads() {
    let changes = |count: u64| -> Vec<StateChange> {
        let change = |n: u64| StateChange {
            key: HashValue::sha3_256(&n.to_le_bytes()),
            value_hash: Some(HashValue::sha3_256(&[1])),
        };
        (0..count).map(change).collect()
    };
    let mut alone = StateTree::new();
    let expected = alone.update(changes(3000), 1);
    assert_eq!(expected, root_of(&alone.leaves().collect::<Vec<_>>(), 0));
    for threads in [2, 3, 7, 16, 1000] {
        assert_eq!(StateTree::new().update(changes(3000), threads), expected, "{threads} threads");
    }
    // All keys under one first byte leave nothing to share.
    let one_side: Vec<StateChange> =
        changes(3000).into_iter().filter(|change| change.key.0[0] < 16).collect();
    assert_eq!(StateTree::new().update(one_side.clone(), 8), StateTree::new().update(one_side, 1));
}

#[test]
fn deleting_everything_leads_back_to_the_empty_root() {
    let keys: Vec<HashValue> = (0..500u64).map(|n| HashValue::sha3_256(&n.to_le_bytes())).collect();
    let change = |value_hash| keys.iter().map(|key| StateChange { key: *key, value_hash }).collect();
    let mut tree = StateTree::new();
    for _ in 0..3 {
        tree.update(change(Some(HashValue::ZERO)), 1);
        assert_eq!(tree.len(), 500);
        assert_eq!(tree.update(change(None), 1), HashValue::SPARSE_MERKLE_PLACEHOLDER);
        assert!(tree.is_empty());
    }
}

/// Two keys that differ in their last bit stand 256 levels down; a thread with little stack gets there.
#[test]
fn the_deepest_tree_needs_no_deep_stack() {
    let build = || {
        let mut last = [0; 32];
        last[31] = 1;
        let put = |key| StateChange { key: HashValue(key), value_hash: Some(HashValue::ZERO) };
        let mut tree = StateTree::new();
        tree.update(vec![put([0; 32]), put(last)], 1);
        assert_eq!(tree.prove(&HashValue(last)).siblings.len(), 256);
        tree.update(vec![StateChange { key: HashValue(last), value_hash: None }], 1);
        assert_eq!(tree.prove(&HashValue(last)).siblings.len(), 0);
    };
    let thread = std::thread::Builder::new().stack_size(192 * 1024).spawn(build).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn damaged_proofs_say_what_is_wrong() {
    let put = |n: u64| StateChange {
        key: HashValue::sha3_256(&n.to_le_bytes()),
        value_hash: Some(HashValue::sha3_256(&[1])),
    };
    let mut tree = StateTree::new();
    let root = tree.update((0..20).map(put).collect(), 1);
    let (present, value_hash) = (put(3).key, put(3).value_hash);
    let proof = tree.prove(&present);
    let verify =
        |proof: &SparseMerkleProof, key, value: Option<HashValue>| proof.verify(&root, key, value.as_ref());
    assert_eq!(verify(&proof, &present, value_hash), Ok(()));
    assert_eq!(verify(&proof, &present, Some(HashValue::ZERO)), Err(ProofError::OtherLeaf));
    assert_eq!(verify(&proof, &present, None), Err(ProofError::KeyPresent));
    let mut opposite = present;
    opposite.0[0] ^= 0x80;
    assert_eq!(verify(&proof, &opposite, None), Err(ProofError::OtherPath));
    let mut swapped = proof.clone();
    swapped.siblings[0] = HashValue::ZERO;
    assert_eq!(verify(&swapped, &present, value_hash), Err(ProofError::OtherRoot));
    let mut long = proof.clone();
    long.siblings.resize(257, HashValue::ZERO);
    assert_eq!(verify(&long, &present, value_hash), Err(ProofError::TooManySiblings));
    let empty = SparseMerkleProof { leaf: None, siblings: proof.siblings };
    assert_eq!(verify(&empty, &present, value_hash), Err(ProofError::OtherLeaf));
    assert_eq!(verify(&empty, &present, None), Err(ProofError::OtherRoot));
}
