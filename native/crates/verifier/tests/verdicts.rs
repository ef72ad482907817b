//! Verdicts of an independent Move VM over changed modules: ours must be the same, status for status.
//!
//! The rows are in `vectors/verdicts.txt`, which says where they come from.

use std::collections::{BTreeMap, BTreeSet};

use ledger_bytecode::{CompiledModule, ReadLimits, StatusCode, read_module};
use ledger_testkit::fixtures;
use ledger_types::ModuleId;
use ledger_verifier::{Limits, verify_dependencies, verify_module};

const VECTORS: &str = include_str!("vectors/verdicts.txt");

/// Newest version that VM knows.
const LIMITS: ReadLimits = ReadLimits { version_max: 7, identifier_length_max: 255 };

/// Applies `offset:count:bytes` changes, given by rising offset.
fn change(original: &[u8], changes: &str) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for edit in changes.split(',').rev() {
        let [offset, count, hex] = edit.split(':').collect::<Vec<_>>()[..] else { panic!("{edit}") };
        let (offset, count): (usize, usize) = (offset.parse().unwrap(), count.parse().unwrap());
        let pairs = (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap());
        bytes.splice(offset..offset + count, pairs);
    }
    bytes
}

/// Publishes the pair with one of them changed: both are read, verified, and linked to each other.
fn publish(name: &str, changed: &[u8]) -> Result<(), StatusCode> {
    let other = if name == "v7/shapes" { "v7/vault" } else { "v7/shapes" };
    let module = read_module(changed, &LIMITS).map_err(|error| error.status)?;
    let others = [other, "v7/signer", "v7/vector"];
    let others = others.map(|name| CompiledModule::deserialize(fixtures::module(name)).unwrap());
    let companion = others[0].clone();
    verify_module(&module, &Limits::default()).map_err(|error| error.status)?;
    let mut world: BTreeMap<ModuleId, CompiledModule> =
        others.into_iter().map(|module| (module.id(), module)).collect();
    world.insert(module.id(), module.clone());
    for linked in [&module, &companion] {
        verify_dependencies(linked, &world).map_err(|error| error.status)?;
    }
    Ok(())
}

#[test]
fn verdicts_agree_with_an_independent_machine() {
    let mut statuses = BTreeSet::new();
    let mut wrong = Vec::new();
    let rows = VECTORS.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let [name, changes, expected] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let given = match publish(name, &change(fixtures::module(name), changes)) {
            Ok(()) => "OK".to_owned(),
            Err(status) => status.to_string(),
        };
        if given != expected {
            wrong.push(format!("{name} {changes}: expected {expected}, got {given}"));
        }
        statuses.insert(expected);
        count += 1;
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 700 && statuses.len() >= 45, "{count} rows, {} statuses", statuses.len());
}
