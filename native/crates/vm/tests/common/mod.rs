//! A state in a map, and a machine over the test modules. Each test file uses its part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::sync::Arc;

use ledger_bytecode::CompiledModule;
use ledger_types::{Address, HashValue, Identifier, ModuleId, SessionId, StateKey, StateValue};
use ledger_vm::{ChangeSet, Engine, GasParameters, Lowering, SessionContext, StateError, StateSource, Vm};

/// State in memory.
#[derive(Default)]
pub struct MapState {
    pub values: BTreeMap<StateKey, StateValue>,
}

impl StateSource for MapState {
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
        Ok(self.values.get(key).cloned())
    }

    fn code_version(&self) -> Option<u64> {
        Some(1)
    }
}

impl MapState {
    pub fn apply(&mut self, changes: &ChangeSet) {
        for change in &changes.writes {
            assert_eq!(change.existed, self.values.contains_key(&change.key), "{:?}", change.key);
            match &change.new {
                Some(bytes) => self.values.insert(change.key.clone(), StateValue::new(bytes.clone())),
                None => self.values.remove(&change.key),
            };
        }
    }
}

/// Modules of a folder of compiled files.
pub fn modules(folder: &str) -> Vec<Vec<u8>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// A state that holds these modules, and a machine that trusts them.
pub fn machine(modules: &[Vec<u8>]) -> (MapState, Vm) {
    machine_with(modules, Lowering::default())
}

/// The same, lowering as told.
pub fn machine_with(modules: &[Vec<u8>], lowering: Lowering) -> (MapState, Vm) {
    let mut state = MapState::default();
    for bytes in modules {
        let id = CompiledModule::deserialize(bytes).unwrap().id();
        state.values.insert(StateKey::module(&id), StateValue::new(bytes.clone()));
    }
    let trusted = modules.iter().map(|bytes| HashValue::sha3_256(bytes).0);
    let engine = Engine::with_lowering(trusted, lowering);
    (state, Vm::new(engine))
}

pub fn context() -> SessionContext {
    SessionContext {
        session_id: SessionId::Void,
        chain_id: 4,
        script_hash: Vec::new(),
        timestamp_usecs: 0,
        user: None,
    }
}

pub fn gas() -> Arc<GasParameters> {
    Arc::new(GasParameters::from_entries(52, &[("txn.memory_quota".into(), 1 << 25)]))
}

pub fn module_id(address: Address, name: &str) -> ModuleId {
    ModuleId { address, name: Identifier::new(name).unwrap() }
}

/// The built-in framework, as its bundle holds it.
pub struct Framework {
    pub modules: Vec<Vec<u8>>,
    pub packages: Vec<Vec<u8>>,
    pub gas_schedule: Vec<u8>,
    pub features: Vec<u64>,
}

/// Reads the committed bundle; its layout is drawn in the framework's README.
pub fn framework() -> Framework {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../framework/build/framework.bundle");
    let bytes = std::fs::read(path).unwrap();
    let mut reader = ledger_bcs::Reader::new(bytes.strip_prefix(b"LNFRAME1").unwrap());
    reader.string().unwrap();
    let modules = reader
        .sequence(|reader| {
            reader.take(32)?;
            reader.string()?;
            Ok(reader.bytes()?.to_vec())
        })
        .unwrap();
    let packages = reader
        .sequence(|reader| {
            reader.string()?;
            Ok(reader.bytes()?.to_vec())
        })
        .unwrap();
    let gas_schedule = reader.bytes().unwrap().to_vec();
    let features = reader.sequence(|reader| reader.u64()).unwrap();
    reader.finish().unwrap();
    Framework { modules, packages, gas_schedule, features }
}
