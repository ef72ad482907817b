//! Functions with random arguments: of the seeds, and of seeds whose code was changed and still verifies.

use std::collections::HashMap;
use std::sync::Arc;

use ledger_bytecode::{AbilitySet, CompiledModule};
use ledger_types::{HashValue, SessionId, StateKey, StateValue, TypeTag};
use ledger_verifier::{Limits, verify_module};
use ledger_vm::{
    CallMode, Engine, GasLimits, GasMeter, GasParameters, SessionContext, StateError, StateSource, Vm, status,
};

use crate::Depth;
use crate::mutate::{self, Dice};

/// Internal gas of one call.
const GAS_MAX: u64 = 3_000_000;

/// Calls of one changed module.
const CALLS: usize = 4;

struct State(HashMap<StateKey, StateValue>);

impl StateSource for State {
    fn get(&self, key: &StateKey) -> Result<Option<StateValue>, StateError> {
        Ok(self.0.get(key).cloned())
    }
}

/// A call ends with results, or with a status that is not one of ours alone.
pub fn target(seeds: &[Vec<u8>]) -> impl FnMut(&mut Dice) -> Result<Depth, String> + '_ {
    let limits = Limits::default();
    let read: Vec<_> = seeds.iter().map(|seed| CompiledModule::deserialize(seed).expect("a seed")).collect();
    let digests: Vec<_> = seeds.iter().map(|seed| HashValue::sha3_256(seed).0).collect();
    let gas = Arc::new(GasParameters::from_entries(52, &[("txn.memory_quota".into(), 1 << 20)]));
    let mut state = State(
        read.iter()
            .zip(seeds)
            .map(|(module, seed)| (StateKey::module(&module.id()), StateValue::new(seed.clone())))
            .collect(),
    );
    let mut unchanged = Vm::new(Engine::new(digests.iter().copied()));
    move |dice| {
        let which = dice.below(read.len());
        let key = StateKey::module(&read[which].id());
        if dice.below(8) != 0 {
            return call(dice, &mut unchanged, &state, &gas, &read[which]).map(|()| Depth::Passed);
        }
        let mut module = read[which].clone();
        mutate::code(dice, &mut module);
        if verify_module(&module, &limits).is_err() {
            return Ok(Depth::Refused);
        }
        let bytes = module.serialize();
        let digest = HashValue::sha3_256(&bytes).0;
        let mut vm = Vm::new(Engine::new(digests.iter().copied().chain([digest])));
        let original = state.0.insert(key.clone(), StateValue::new(bytes));
        let outcome = (0..CALLS).try_for_each(|_| call(dice, &mut vm, &state, &gas, &module));
        state.0.insert(key, original.expect("every seed is in the state"));
        outcome.map(|()| Depth::Passed)
    }
}

fn call(
    dice: &mut Dice,
    vm: &mut Vm,
    state: &State,
    gas: &Arc<GasParameters>,
    module: &CompiledModule,
) -> Result<(), String> {
    let functions: Vec<_> =
        module.function_defs().filter(|(_, definition)| !definition.is_native()).collect();
    if functions.is_empty() {
        return Ok(());
    }
    let handle = module.handle_of(functions[dice.below(functions.len())].0);
    if handle.type_parameters.iter().any(|constraint| !constraint.is_subset_of(AbilitySet::PRIMITIVES)) {
        return Ok(());
    }
    let types: Vec<_> = handle
        .type_parameters
        .iter()
        .map(|_| match dice.below(4) {
            0 => TypeTag::U8,
            1 => TypeTag::U256,
            2 => TypeTag::Vector(Box::new(TypeTag::Bool)),
            _ => TypeTag::Address,
        })
        .collect();
    let name = module[handle.name].as_str();
    let context = SessionContext {
        session_id: SessionId::Void,
        chain_id: 4,
        script_hash: Vec::new(),
        timestamp_usecs: 0,
        user: None,
    };
    let mut session = vm.session(state, gas, context);
    let Ok(signature) = session.function_signature(&module.id(), name, &types) else { return Ok(()) };
    let arguments: Vec<Vec<u8>> =
        signature.parameters.iter().map(|parameter| argument(dice, parameter.tag.as_ref())).collect();
    let borrowed: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    let mut meter = GasMeter::new(GasLimits { balance: GAS_MAX, execution_max: GAS_MAX, io_max: GAS_MAX });
    let outcome = session.call(&module.id(), name, &types, &borrowed, CallMode::Bypass, &mut meter);
    let outcome = outcome.and_then(|_| session.finish().map(|_| ()));
    match outcome {
        Err(error) if error.status == status::UNKNOWN_INVARIANT_VIOLATION_ERROR => Err(format!(
            "{}::{name} {types:?} {arguments:02x?}: {error}\n{:02x?}",
            module.id(),
            module.serialize()
        )),
        _ => Ok(()),
    }
}

/// Bytes that are often a value of the type.
fn argument(dice: &mut Dice, tag: Option<&TypeTag>) -> Vec<u8> {
    let mut wide = |width: usize| -> Vec<u8> {
        (0..width.div_ceil(8)).flat_map(|_| dice.edge().to_le_bytes()).take(width).collect()
    };
    match tag {
        Some(TypeTag::Bool) => vec![(dice.next() & 1) as u8],
        Some(TypeTag::U8) => wide(1),
        Some(TypeTag::U16) => wide(2),
        Some(TypeTag::U32) => wide(4),
        Some(TypeTag::U64) => wide(8),
        Some(TypeTag::U128) => wide(16),
        Some(TypeTag::U256) => wide(32),
        Some(TypeTag::Address | TypeTag::Signer) => {
            let mut address = vec![0; 32];
            address[31] = dice.next() as u8 & 7;
            address
        }
        _ => {
            // A length, and bytes that may or may not fill it.
            let length = dice.below(12);
            let mut bytes = vec![length as u8];
            let count = if dice.below(3) == 0 { dice.below(100) } else { length };
            bytes.extend((0..count).map(|_| dice.edge() as u8 & 0x7f));
            bytes
        }
    }
}
