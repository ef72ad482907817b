//! What is said of a public genesis blob is what independent tools computed of it, and what its network
//! published.
//!
//! The blobs are not part of the checkout. `LEDGER_NODE_GENESIS_BLOBS` names a folder whose sub-folders
//! hold a `genesis.blob` each; without it the test says that it was skipped.

use std::collections::BTreeMap;
use std::path::Path;

use ledger_inspect::{InspectError, genesis_text};
use serde_json::Value;

/// Chain ids that the public networks announce.
const CHAIN_IDS: [(&str, &str); 2] = [("mainnet", "1"), ("testnet", "2")];

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../test/vectors/genesis.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The lines of name and value, up to the modules.
fn facts(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().take_while(|line| !line.starts_with("module "));
    lines
        .filter_map(|line| {
            let (name, value) = line.trim_end().rsplit_once(' ')?;
            Some((name.trim().to_owned(), value.to_owned()))
        })
        .collect()
}

#[test]
fn public_blobs_are_told_as_others_tell_them() {
    let Some(folder) = std::env::var_os("LEDGER_NODE_GENESIS_BLOBS") else {
        println!("skipped: no genesis blobs");
        return;
    };
    let mut compared = 0;
    for case in vectors()["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let Ok(blob) = std::fs::read(Path::new(&folder).join(name).join("genesis.blob")) else { continue };
        let text = genesis_text(&blob).unwrap_or_else(|error| panic!("{name}: {error}"));
        let facts = facts(&text);
        let number = |value: &Value| value.as_u64().unwrap_or(0).to_string();
        let text_of = |value: &Value| value.as_str().unwrap().to_owned();
        let kinds = &case["key_kinds"];
        let expected = [
            ("bytes", number(&case["blob_len"])),
            ("waypoint", text_of(&case["waypoint_published"])),
            ("writes", number(&case["write_ops"])),
            ("events", number(&case["events"])),
            ("validators", number(&case["validators"])),
            ("modules", number(&kinds["module"])),
            ("resources", number(&kinds["resource"])),
            ("table items", number(&kinds["table_item"])),
        ];
        for (fact, value) in expected {
            assert_eq!(facts[fact], value, "{name}: {fact}");
        }
        for (fact, field) in [
            ("transaction hash", "transaction_hash"),
            ("write set hash", "state_change_hash"),
            ("event root", "event_root_hash"),
            ("state root", "state_checkpoint_hash"),
        ] {
            assert!(facts[fact].ends_with(case[field].as_str().unwrap()), "{name}: {fact} {}", facts[fact]);
        }
        for (_, id) in CHAIN_IDS.iter().filter(|(network, _)| *network == name) {
            assert_eq!(facts["chain id"], *id);
        }
        let listed = text.lines().filter(|line| line.starts_with("module ")).count();
        assert_eq!(listed.to_string(), facts["modules"]);
        compared += 1;
    }
    assert!(compared > 0, "no blob found");
    println!("{compared} genesis blobs told as others tell them");
}

#[test]
fn other_bytes_are_refused() {
    assert!(matches!(genesis_text(b""), Err(InspectError::NotATransaction(_))));
    assert!(matches!(genesis_text(&[0xff; 100]), Err(InspectError::NotATransaction(_))));
    // A state checkpoint: variant 3 and a hash.
    let mut checkpoint = vec![3];
    checkpoint.extend([7; 32]);
    assert_eq!(genesis_text(&checkpoint), Err(InspectError::NotAGenesis));
    // A genesis that changes nothing: direct, a write set of the first form without writes, no events.
    assert!(matches!(genesis_text(&[1, 0, 0, 0, 0]), Err(InspectError::BadResource(_))));
}
