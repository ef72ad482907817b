//! The shared vectors of accumulators and state trees. Proofs list siblings from the leaf upward.

#[path = "../../bcs/tests/vector_file/mod.rs"]
mod vector_file;

use ledger_authenticated::{
    Accumulator, AccumulatorKind, AccumulatorProof, SparseMerkleLeaf, SparseMerkleProof, StateChange,
    StateTree, accumulator_proof, accumulator_root, event_root,
};
use ledger_types::HashValue;
use serde_json::Value;
use vector_file::{cases, text};

fn hash(case: &Value, key: &str) -> HashValue {
    text(case, key).parse().expect("a hash")
}

fn hashes(list: &Value) -> Vec<HashValue> {
    let items = list.as_array().expect("an array");
    items.iter().map(|item| item.as_str().expect("a string").parse().expect("a hash")).collect()
}

fn leaf(row: &Value) -> SparseMerkleLeaf {
    SparseMerkleLeaf { key: hash(row, "key"), value_hash: hash(row, "value_hash") }
}

fn change(leaf: SparseMerkleLeaf) -> StateChange {
    StateChange { key: leaf.key, value_hash: Some(leaf.value_hash) }
}

fn check_accumulator(case: &Value) {
    let name = text(case, "name");
    let kind = match text(case, "accumulator") {
        "TransactionAccumulator" => AccumulatorKind::Transaction,
        "EventAccumulator" => AccumulatorKind::Event,
        other => panic!("{name}: unknown accumulator {other}"),
    };
    let (leaves, root) = (hashes(&case["leaves"]), hash(case, "root"));
    assert_eq!(accumulator_root(kind, &leaves), root, "{name}");
    let proof = &case["proof_of_last"];
    if proof.is_object() {
        let index = proof["index"].as_u64().expect("a number");
        let given = AccumulatorProof { siblings: hashes(&proof["siblings"]) };
        let last = &leaves[index as usize];
        assert_eq!(accumulator_proof(kind, &leaves, index as usize), Some(given.clone()), "{name}");
        assert!(given.verify(kind, &root, last, index), "{name}");
        assert!(!given.verify(kind, &root, &HashValue::ZERO, index), "{name}: another leaf");
        assert!(!given.verify(kind, &root, last, index + 1), "{name}: another index");
    } else {
        assert!(leaves.is_empty(), "{name}: a proof is missing");
    }
}

fn check_sparse_merkle(case: &Value) -> usize {
    let name = text(case, "name");
    let leaves: Vec<SparseMerkleLeaf> =
        case["leaves"].as_array().expect("an array").iter().map(leaf).collect();
    let root = hash(case, "root");
    let mut tree = StateTree::new();
    assert_eq!(tree.update(leaves.iter().copied().map(change).collect(), 1), root, "{name}, in one batch");
    assert_eq!(tree.len(), leaves.len(), "{name}");
    let mut one_by_one = StateTree::new();
    for leaf in leaves.iter().rev() {
        one_by_one.update(vec![change(*leaf)], 1);
    }
    assert_eq!(one_by_one.root(), root, "{name}, one by one");
    let mut proofs = 0;
    let included = &case["inclusion_of_first"];
    if included.is_object() {
        let key = hash(included, "key");
        let proof = tree.prove(&key);
        assert_eq!(proof.siblings, hashes(&included["siblings"]), "{name}");
        let value_hash = tree.get(&key).expect("the key is there");
        assert_eq!(proof.verify(&root, &key, Some(&value_hash)), Ok(()), "{name}");
        assert!(proof.verify(&root, &key, None).is_err(), "{name}: absence of a present key");
        proofs += 1;
    }
    let absent = &case["non_inclusion"];
    if absent.is_object() {
        let key = hash(absent, "key");
        let proof = tree.prove(&key);
        assert_eq!(proof.siblings, hashes(&absent["siblings"]), "{name}");
        assert_eq!(proof.leaf, absent["leaf"].is_object().then(|| leaf(&absent["leaf"])), "{name}");
        assert_eq!(proof.verify(&root, &key, None), Ok(()), "{name}");
        assert!(proof.verify(&root, &key, Some(&HashValue::ZERO)).is_err(), "{name}: an absent value");
        assert!(proof.verify(&HashValue::ZERO, &key, None).is_err(), "{name}: another root");
        proofs += 1;
    }
    proofs
}

#[test]
fn roots_and_proofs_are_the_given_ones() {
    let (mut accumulators, mut trees, mut proofs, mut elsewhere) = (0, 0, 0, 0);
    for case in cases("hashing.json", 59) {
        match text(&case, "kind") {
            "accumulator" => {
                check_accumulator(&case);
                accumulators += 1;
            }
            "sparse_merkle" => {
                proofs += check_sparse_merkle(&case);
                trees += 1;
            }
            "sparse_merkle_proof" => {
                let leaf = leaf(&case);
                let proof = SparseMerkleProof { leaf: Some(leaf), siblings: hashes(&case["siblings"]) };
                assert_eq!(proof.verify(&hash(&case, "root"), &leaf.key, Some(&leaf.value_hash)), Ok(()));
                trees += 1;
            }
            // Seeds, placeholders, values and write sets are `ledger-types`' to test.
            "seed" | "placeholder" | "state_value" | "write_set" => elsewhere += 1,
            kind => panic!("unknown kind {kind}"),
        }
    }
    assert_eq!(accumulators + trees + elsewhere, 59);
    assert!(accumulators > 10 && trees > 5 && proofs > 8, "{accumulators}, {trees} and {proofs}");
}

#[test]
fn accumulators_of_public_chains_have_the_published_roots() {
    let mut count = 0;
    for case in cases("system-transactions.json", 18) {
        match text(&case, "kind") {
            "transaction_info" => {
                let mut leaves = hashes(&case["accumulator_leaves_before"]);
                leaves.push(hash(&case, "hash"));
                let root = hash(&case, "published_accumulator_root");
                assert_eq!(accumulator_root(AccumulatorKind::Transaction, &leaves), root);
                count += 1;
            }
            "contract_event" if case["published_event_root"].is_string() => {
                assert_eq!(event_root(&[hash(&case, "hash")]), hash(&case, "published_event_root"));
                count += 1;
            }
            _ => {}
        }
    }
    assert_eq!(count, 3);
}

#[test]
fn proofs_from_a_public_genesis_verify() {
    let mut count = 0;
    for case in cases("genesis.json", 7) {
        let state_root = hash(&case, "state_checkpoint_hash");
        let included = &case["sample_inclusion"];
        if included.is_object() {
            let leaf = leaf(included);
            let proof = SparseMerkleProof { leaf: Some(leaf), siblings: hashes(&included["siblings"]) };
            assert_eq!(proof.verify(&state_root, &leaf.key, Some(&leaf.value_hash)), Ok(()));
            count += 1;
        }
        let absent = &case["sample_non_inclusion"];
        if absent.is_object() {
            let other = absent["leaf"].is_object().then(|| leaf(&absent["leaf"]));
            let proof = SparseMerkleProof { leaf: other, siblings: hashes(&absent["siblings"]) };
            assert_eq!(proof.verify(&state_root, &hash(absent, "key"), None), Ok(()));
            count += 1;
        }
        let event = &case["sample_event_proof"];
        if event.is_object() {
            let proof = AccumulatorProof { siblings: hashes(&event["siblings"]) };
            let index = event["index"].as_u64().expect("a number");
            let root = hash(&case, "event_root_hash");
            assert!(proof.verify(AccumulatorKind::Event, &root, &hash(event, "leaf"), index));
            count += 1;
        }
    }
    assert_eq!(count, 3);
}

#[test]
fn an_accumulator_continues_from_its_peaks() {
    let leaf = |n: u64| HashValue::sha3_256(&n.to_le_bytes());
    let mut whole = Accumulator::new(AccumulatorKind::Transaction);
    for count in 0..70 {
        let peaks = whole.peaks().to_vec();
        let mut resumed = Accumulator::from_peaks(AccumulatorKind::Transaction, count, peaks.clone())
            .expect("its own peaks");
        assert_eq!(resumed, whole);
        let one_more = [peaks, vec![HashValue::ZERO]].concat();
        assert_eq!(Accumulator::from_peaks(AccumulatorKind::Transaction, count, one_more), None);
        whole.append(leaf(count));
        resumed.append(leaf(count));
        let leaves: Vec<HashValue> = (0..=count).map(leaf).collect();
        assert_eq!(resumed.root(), root_by_levels(leaves), "{count} leaves");
    }
}

/// The definition, level by level, as a plain twin of the incremental form.
fn root_by_levels(mut level: Vec<HashValue>) -> HashValue {
    use ledger_types::HashDomain::TransactionAccumulator;
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| {
                let right = pair.get(1).unwrap_or(&HashValue::ACCUMULATOR_PLACEHOLDER);
                TransactionAccumulator.hash_parts(&[&pair[0].0, &right.0])
            })
            .collect();
    }
    level[0]
}
