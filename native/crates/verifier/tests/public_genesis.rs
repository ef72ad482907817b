//! Modules that real networks boot from are read to the last byte, written again byte for byte, and
//! accepted by every pass.
//!
//! The blobs are not part of the checkout. `LEDGER_NODE_GENESIS_BLOBS` names a folder whose
//! sub-folders hold a `genesis.blob` each; without it the test says that it was skipped.

use std::collections::BTreeMap;
use std::path::Path;

use ledger_bcs::Decode;
use ledger_bytecode::CompiledModule;
use ledger_types::{ModuleId, Path as StatePath, StateKey, Transaction, WriteSetPayload};
use ledger_verifier::{Limits, publish, verify_acyclic, verify_dependencies, verify_module};

/// Code items of the blob in state-key order.
fn code_of(blob: &[u8]) -> Vec<(ModuleId, Vec<u8>)> {
    let Transaction::Genesis(WriteSetPayload::Direct(changes)) =
        Transaction::from_bytes(blob).expect("a genesis transaction")
    else {
        panic!("the blob holds another kind of transaction");
    };
    let mut code = Vec::new();
    for (key, op) in changes.write_set.iter() {
        if let Ok(Some(StatePath::Code(id))) = StateKey::path(key) {
            code.push((id, op.data().expect("genesis creates modules").to_vec()));
        }
    }
    code
}

fn check(name: &str, blob: &[u8]) -> usize {
    let code = code_of(blob);
    let mut modules = BTreeMap::new();
    for (id, bytes) in &code {
        let module =
            CompiledModule::deserialize(bytes).unwrap_or_else(|error| panic!("{name} {id}: {error}"));
        assert_eq!(&module.id(), id, "{name}");
        assert!(module.serialize() == *bytes, "{name} {id}: written differently than read");
        modules.insert(id.clone(), module);
    }
    for (id, module) in &modules {
        let fail = |error| -> ! { panic!("{name} {id}: {error}") };
        verify_module(module, &Limits::default()).unwrap_or_else(|error| fail(error));
        verify_dependencies(module, &modules).unwrap_or_else(|error| fail(error));
        verify_acyclic(module, &modules).unwrap_or_else(|error| fail(error));
        publish::verify_initializer(module).unwrap_or_else(|error| fail(error));
    }
    modules.len()
}

#[test]
fn modules_of_public_networks_are_accepted() {
    let Some(folder) = std::env::var_os("LEDGER_NODE_GENESIS_BLOBS") else {
        println!("skipped: no genesis blobs");
        return;
    };
    let mut total = 0;
    let mut networks: Vec<_> = std::fs::read_dir(Path::new(&folder))
        .expect("the folder")
        .map(|entry| entry.unwrap().path())
        .collect();
    networks.sort();
    for network in networks {
        let name = network.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let blob = std::fs::read(network.join("genesis.blob")).unwrap_or_default();
        if blob.is_empty() {
            println!("{name}: no blob");
            continue;
        }
        let count = check(&name, &blob);
        println!("{name}: {count} modules read, rewritten byte for byte, verified and linked");
        total += count;
    }
    assert!(total > 0, "no blob found");
    println!("{total} modules in all");
}
