//! A module as the machine runs it: register code, one listing a function.

use std::collections::HashMap;
use std::sync::Arc;

use ledger_bcs::Reader;
use ledger_bytecode::{AbilitySet, CompiledModule};
use ledger_executor::framework::Framework;
use ledger_types::{HashValue, SessionId, StateKey, StateValue, TypeTag};
use ledger_verifier::{Limits, verify_module};
use ledger_vm::{Engine, GasParameters, SessionContext, StateError, StateSource, Vm};

use crate::InspectError;
use crate::module::read;

/// Lowers every function of the module with all shortcuts, as a node does.
///
/// Code depends on the types it runs with, so a generic function is shown with `u64` for every type
/// parameter; one whose parameters demand resources is named and left out. Modules the code needs are
/// taken from `neighbours`, bytes that are no modules being passed over, then from the built-in framework.
///
/// # Errors
/// `NotAModule`; `Refused` if the verifier does not accept the module or a neighbour it needs;
/// `NotLinked` if one it needs is not there.
pub fn lowered_text(code: &[u8], neighbours: &[&[u8]]) -> Result<String, InspectError> {
    let module = read(code)?;
    let state = Modules::new(code, &module, neighbours)?;
    let mut vm = Vm::new(Engine::new(state.digests()));
    let gas = built_in_gas();
    let mut text = format!("module {}\n", module.id());
    for (index, definition) in module.function_defs() {
        let handle = module.handle_of(index);
        let name = module[handle.name].as_str();
        let parameters = &handle.type_parameters;
        if definition.is_native() {
            text.push_str(&format!("\nfun {name}\nnative\n"));
            continue;
        }
        if parameters.iter().any(|constraint| !constraint.is_subset_of(AbilitySet::PRIMITIVES)) {
            text.push_str(&format!("\nfun {name}\ngeneric over resources: lowered for each on its own\n"));
            continue;
        }
        let shown = if parameters.is_empty() {
            String::new()
        } else {
            format!("<{}>", vec!["u64"; parameters.len()].join(", "))
        };
        text.push_str(&format!("\nfun {name}{shown}\n"));
        let mut session = vm.session(&state, &gas, context());
        let arguments = vec![TypeTag::U64; parameters.len()];
        let listing =
            session.lowered_text(&module.id(), name, &arguments).map_err(InspectError::NotLinked)?;
        text.push_str(&listing);
    }
    Ok(text)
}

/// The modules that may be linked, and nothing else.
struct Modules {
    code: HashMap<StateKey, StateValue>,
}

impl Modules {
    fn new(code: &[u8], module: &CompiledModule, neighbours: &[&[u8]]) -> Result<Self, InspectError> {
        let built_in = Framework::built_in().modules.iter();
        let mut modules: HashMap<StateKey, StateValue> = built_in
            .map(|module| (StateKey::module(&module.id), StateValue::new(module.code.to_vec())))
            .collect();
        // A file named earlier wins over the framework, and the module itself over all.
        let limits = Limits::default();
        for bytes in neighbours {
            let Ok(neighbour) = read(bytes) else { continue };
            if verify_module(&neighbour, &limits).is_ok() {
                modules.insert(StateKey::module(&neighbour.id()), StateValue::new(bytes.to_vec()));
            }
        }
        verify_module(module, &limits)
            .map_err(|reason| InspectError::Refused { module: module.id(), reason })?;
        modules.insert(StateKey::module(&module.id()), StateValue::new(code.to_vec()));
        Ok(Self { code: modules })
    }

    fn digests(&self) -> impl Iterator<Item = [u8; 32]> {
        self.code.values().map(|value| HashValue::sha3_256(&value.data).0)
    }
}

impl StateSource for Modules {
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
        Ok(self.code.get(key).cloned())
    }

    fn code_version(&self) -> Option<u64> {
        Some(0)
    }
}

/// The schedule that a chain of our own starts with.
fn built_in_gas() -> Arc<GasParameters> {
    let mut reader = Reader::new(&Framework::built_in().gas_schedule);
    let version = reader.u64().expect("the committed bundle has a schedule");
    let entries = reader
        .sequence(|reader| Ok((reader.string()?.to_owned(), reader.u64()?)))
        .expect("the committed bundle has a schedule");
    Arc::new(GasParameters::from_entries(version, &entries))
}

fn context() -> SessionContext {
    SessionContext {
        session_id: SessionId::Void,
        chain_id: 4,
        script_hash: Vec::new(),
        timestamp_usecs: 0,
        user: None,
    }
}
