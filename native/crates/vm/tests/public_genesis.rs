//! Every function of the modules of public genesis blobs lowers, and every resource shows by its layout.
//!
//! The blobs are not part of the checkout. `LEDGER_NODE_GENESIS_BLOBS` names a folder whose sub-folders
//! hold a `genesis.blob` each; without it the test says that it was skipped.

mod common;

use std::collections::BTreeMap;

use common::{MapState, context, gas};
use ledger_bcs::Decode;
use ledger_bytecode::CompiledModule;
use ledger_types::{HashValue, Path, StateKey, Transaction, TypeTag, WriteOp, WriteSetPayload};
use ledger_vm::{CallMode, Engine, GasMeter, Vm, status};

/// State and modules of a blob; `None` if it is no genesis transaction (a pointer to large-file storage).
fn open(blob: &[u8]) -> Option<(MapState, Vec<Vec<u8>>)> {
    let Ok(Transaction::Genesis(WriteSetPayload::Direct(changes))) = Transaction::from_bytes(blob) else {
        return None;
    };
    let mut state = MapState::default();
    let mut modules = Vec::new();
    for (key, op) in changes.write_set.iter() {
        let Some(value) = WriteOp::state_value(op) else { continue };
        if matches!(key.path(), Ok(Some(Path::Code(_)))) {
            modules.push(value.data.to_vec());
        }
        state.values.insert(key.clone(), value);
    }
    Some((state, modules))
}

/// Something for each type parameter that its abilities allow.
fn arguments(abilities: &[ledger_bytecode::AbilitySet]) -> Vec<TypeTag> {
    let resource: TypeTag = "0x1::chain_id::ChainId".parse().unwrap();
    abilities.iter().map(|set| if set.has_key() { resource.clone() } else { TypeTag::U64 }).collect()
}

#[test]
fn modules_of_public_chains_lower_and_their_resources_show() {
    let Some(folder) = std::env::var_os("LEDGER_NODE_GENESIS_BLOBS") else {
        eprintln!("skipped: LEDGER_NODE_GENESIS_BLOBS names no folder of genesis blobs");
        return;
    };
    let mut blobs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(blob) = std::fs::read(path.join("genesis.blob")) else { continue };
        let Some((state, modules)) = open(&blob) else {
            println!("{}: no genesis transaction", path.display());
            continue;
        };
        let mut vm = Vm::new(Engine::new(modules.iter().map(|bytes| HashValue::sha3_256(bytes).0)));
        let gas = gas();
        let mut session = vm.session(&state, &gas, context());
        let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
        for bytes in &modules {
            let module = CompiledModule::deserialize(bytes).unwrap();
            for (index, _) in module.function_defs() {
                let handle = module.handle_of(index);
                let name = module[handle.name].as_str();
                let arguments = arguments(&handle.type_parameters);
                let outcome = match session.function_signature(&module.id(), name, &arguments) {
                    Ok(_) => "lowered".to_owned(),
                    Err(error) => {
                        // Function values are known not to be done; anything else is a mistake.
                        let known = error.status == status::UNIMPLEMENTED_FUNCTIONALITY
                            || error.status == status::CONSTRAINT_NOT_SATISFIED;
                        assert!(known, "{}: {}::{name}: {error}", path.display(), module.id());
                        error.to_string()
                    }
                };
                *outcomes.entry(outcome).or_default() += 1;
            }
        }
        let mut shown = 0;
        for (key, value) in &state.values {
            let Ok(Some(Path::Resource(tag))) = StateKey::path(key) else { continue };
            let layout = match session.layout_of(&TypeTag::Struct(Box::new(tag.clone()))) {
                Ok(layout) => layout,
                Err(error) => {
                    *outcomes.entry(format!("layout: {error}")).or_default() += 1;
                    continue;
                }
            };
            let mut json = Vec::new();
            ledger_bcs::layout::render_json(&layout, &value.data, 1 << 24, &mut json)
                .unwrap_or_else(|error| panic!("{}: {tag}: {error:?}", path.display()));
            shown += 1;
        }
        // The chain's own code says what its state says.
        let one = ledger_types::Address::ONE;
        let mut call = |module: &str, function: &str, types: &[TypeTag], arguments: &[&[u8]]| {
            let id = common::module_id(one, module);
            session
                .call(&id, function, types, arguments, CallMode::Bypass, &mut GasMeter::unmetered())
                .unwrap_or_else(|error| panic!("{}: {module}::{function}: {error}", path.display()))
                .remove(0)
                .bytes
        };
        let chain_id = StateKey::resource(&one, &"0x1::chain_id::ChainId".parse().unwrap());
        assert_eq!(call("chain_id", "get", &[], &[]), state.values[&chain_id].data);
        let coin: TypeTag = "0x1::aptos_coin::AptosCoin".parse().unwrap();
        assert_eq!(call("coin", "decimals", std::slice::from_ref(&coin), &[]), [8]);
        let supply = call("coin", "supply", &[coin], &[]);
        assert_eq!((supply.len(), supply[0]), (17, 1), "a supply is known");
        let holder = call("account", "exists_at", &[], &[&one.0]);
        assert_eq!(holder, [1]);
        drop(session);
        let (writes, events) = block_prologue(&state, &mut vm, &path.display().to_string());
        assert!(writes >= 2 && events >= 1, "{}: {writes} writes, {events} events", path.display());
        println!("{}: {} modules, {shown} resources, {outcomes:#?}", path.display(), modules.len());
        blobs += 1;
    }
    assert!(blobs > 0, "no blobs in the folder");
}

/// Starts a block of the first validator; how much it writes and emits.
fn block_prologue(state: &MapState, vm: &mut Vm, name: &str) -> (usize, usize) {
    let gas = gas();
    let one = ledger_types::Address::ONE;
    let set = StateKey::resource(&one, &"0x1::stake::ValidatorSet".parse().unwrap());
    // The consensus scheme, the number of validators, the first one's address.
    let validator = &state.values[&set].data[2..34];
    let (vm_address, number) = ([0u8; 32], 1u64.to_le_bytes());
    let timestamp_usecs = 2_000_000_000_000_000u64.to_le_bytes();
    let arguments: [&[u8]; 8] =
        [&vm_address, &[5; 32], &number, &number, validator, &[0], &[0], &timestamp_usecs];
    let id = common::module_id(one, "block");
    let mut session = vm.session(state, &gas, context());
    session
        .call(&id, "block_prologue", &[], &arguments, CallMode::Bypass, &mut GasMeter::unmetered())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let changes = session.finish().unwrap();
    (changes.writes.len(), changes.events.len())
}
