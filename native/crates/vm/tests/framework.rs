//! The built-in framework: every function lowers, genesis runs, money moves and nothing is lost.

#[path = "common/chain.rs"]
mod chain;
mod common;

use std::sync::Arc;

use chain::{ALICE, BOB, Chain, context, genesis, meter, schedule, transaction};
use common::{MapState, framework, machine, module_id};
use ledger_bytecode::CompiledModule;
use ledger_types::{Address, ContractEvent, SessionId, TypeTag};
use ledger_vm::{CallMode, GasLimits, GasMeter, GasParameters, Vm, status};

fn chain() -> (MapState, Vm, Arc<GasParameters>) {
    let Chain { state, vm, gas } = Chain::new();
    (state, vm, gas)
}

fn balance(state: &MapState, vm: &mut Vm, gas: &Arc<GasParameters>, owner: Address) -> u64 {
    let mut session = vm.session(state, gas, context(SessionId::Void));
    let coin: TypeTag = "0x1::aptos_coin::AptosCoin".parse().unwrap();
    let values = session
        .call(
            &module_id(Address::ONE, "coin"),
            "balance",
            &[coin],
            &[&owner.0],
            CallMode::View,
            &mut GasMeter::unmetered(),
        )
        .unwrap();
    u64::from_le_bytes(values[0].bytes[..].try_into().unwrap())
}

#[test]
fn every_function_without_type_parameters_lowers() {
    let framework = framework();
    let (state, mut vm) = machine(&framework.modules);
    let gas = schedule(&framework);
    let mut session = vm.session(&state, &gas, context(SessionId::Void));
    let mut lowered = 0;
    for bytes in &framework.modules {
        let module = CompiledModule::deserialize(bytes).unwrap();
        for (index, _) in module.function_defs() {
            let handle = module.handle_of(index);
            // A coin has key only where it is asked for; a plain integer satisfies the rest.
            let coin: TypeTag = "0x1::aptos_coin::AptosCoin".parse().unwrap();
            let arguments: Vec<TypeTag> = handle
                .type_parameters
                .iter()
                .map(|abilities| if abilities.has_key() { coin.clone() } else { TypeTag::U64 })
                .collect();
            let name = module[handle.name].as_str();
            session
                .function_signature(&module.id(), name, &arguments)
                .unwrap_or_else(|error| panic!("{}::{name}: {error}", module.id()));
            lowered += 1;
        }
    }
    assert!(lowered > 300, "only {lowered} functions");
}

#[test]
fn genesis_ends_with_the_events_a_chain_starts_with() {
    let framework = framework();
    let (state, mut vm) = machine(&framework.modules);
    let gas = schedule(&framework);
    let changes = genesis(&framework, &state, &mut vm, &gas);
    let count =
        |name: &str| changes.events.iter().filter(|event| event.type_tag().to_string() == name).count();
    assert_eq!(count("0x1::reconfiguration::NewEpochEvent"), 1);
    assert_eq!(count("0x1::block::NewBlockEvent"), 1);
    let key = |number: u64| {
        changes.events.iter().any(|event| {
            matches!(event, ContractEvent::V1 { key, .. }
                if key.creation_number == number && key.account == Address::ONE)
        })
    };
    assert!(key(2) && key(3));
    assert!(changes.writes.iter().all(|change| !change.existed && change.new.is_some()));
    let again = genesis(&framework, &state, &mut vm, &gas);
    assert_eq!(changes, again, "genesis is a function of its inputs");
}

#[test]
fn a_transfer_moves_exactly_its_amount_and_creates_the_receiver() {
    let (mut state, mut vm, gas) = chain();
    assert_eq!(balance(&state, &mut vm, &gas, ALICE), 5_000_000_000);
    for round in 1..=3u64 {
        let mut gas_meter = meter(2_000_000);
        let mut session = vm.session(&state, &gas, context(transaction(round)));
        session
            .call(
                &module_id(Address::ONE, "aptos_account"),
                "transfer",
                &[],
                &[&BOB.0, &100u64.to_le_bytes()],
                CallMode::Entry { signers: &[ALICE] },
                &mut gas_meter,
            )
            .unwrap();
        let changes = session.finish().unwrap();
        assert_eq!(changes.events.len(), 2 + usize::from(round == 1), "{:?}", changes.events);
        state.apply(&changes);
        assert!(gas_meter.execution_used() > 0 && gas_meter.io_used() > 0);
        assert_eq!(balance(&state, &mut vm, &gas, ALICE), 5_000_000_000 - 100 * round);
        assert_eq!(balance(&state, &mut vm, &gas, BOB), 100 * round);
    }
}

#[test]
fn used_gas_is_enough_and_one_less_is_not() {
    let (state, mut vm, gas) = chain();
    let mut run = |balance: u64| {
        let limits = GasLimits { balance, execution_max: u64::MAX, io_max: u64::MAX };
        let mut gas_meter = GasMeter::new(limits);
        let mut session = vm.session(&state, &gas, context(transaction(0)));
        let result = session.call(
            &module_id(Address::ONE, "aptos_account"),
            "transfer",
            &[],
            &[&BOB.0, &100u64.to_le_bytes()],
            CallMode::Entry { signers: &[ALICE] },
            &mut gas_meter,
        );
        (result, balance - gas_meter.balance())
    };
    let (result, used) = run(1 << 40);
    result.unwrap();
    assert_eq!(run(used).1, used);
    run(used).0.unwrap();
    assert_eq!(run(used - 1).0.unwrap_err().status, status::OUT_OF_GAS);
    for share in 1..50 {
        let error = run(used * share / 50).0.unwrap_err();
        assert_eq!(error.status, status::OUT_OF_GAS, "{error}");
    }
}

#[test]
fn an_overdraft_aborts_with_its_code_and_place() {
    let (state, mut vm, gas) = chain();
    let mut session = vm.session(&state, &gas, context(transaction(0)));
    let error = session
        .call(
            &module_id(Address::ONE, "aptos_account"),
            "transfer",
            &[],
            &[&BOB.0, &u64::MAX.to_le_bytes()],
            CallMode::Entry { signers: &[ALICE] },
            &mut meter(2_000_000),
        )
        .unwrap_err();
    assert_eq!((error.status, error.abort_code), (status::ABORTED, Some(0x1_0006)), "{error}");
    let location = error.location.unwrap();
    assert_eq!(location.module, ledger_vm::LocationModule::Module(module_id(Address::ONE, "coin")));
}

/// Function, arguments, signers and the status.
type EntryRow<'a> = (&'a str, &'a [&'a [u8]], &'a [Address], u64);

#[test]
fn entry_calls_keep_the_rules_of_transactions() {
    let (state, mut vm, gas) = chain();
    let account = module_id(Address::ONE, "aptos_account");
    let mut call = |function: &str, arguments: &[&[u8]], signers: &[Address]| {
        let mut session = vm.session(&state, &gas, context(transaction(0)));
        let mode = CallMode::Entry { signers };
        session
            .call(&account, function, &[], arguments, mode, &mut meter(2_000_000))
            .map_or_else(|error| error.status, |_| 0)
    };
    let amount = 1u64.to_le_bytes();
    let rows: [EntryRow; 8] = [
        ("transfer", &[&BOB.0, &amount], &[ALICE], 0),
        ("transfer", &[&BOB.0], &[ALICE], status::NUMBER_OF_ARGUMENTS_MISMATCH),
        ("transfer", &[&BOB.0, &amount], &[ALICE, BOB], status::NUMBER_OF_SIGNER_ARGUMENTS_MISMATCH),
        ("transfer", &[&BOB.0, &amount[..7]], &[ALICE], status::FAILED_TO_DESERIALIZE_ARGUMENT),
        ("transfer", &[&BOB.0, &[0; 9]], &[ALICE], status::FAILED_TO_DESERIALIZE_ARGUMENT),
        ("nothing", &[], &[ALICE], status::FUNCTION_RESOLUTION_FAILURE),
        (
            "assert_account_exists",
            &[&ALICE.0],
            &[ALICE],
            status::EXECUTE_ENTRY_FUNCTION_CALLED_ON_NON_ENTRY_FUNCTION,
        ),
        ("create_account", &[&ALICE.0[..]], &[ALICE], status::ABORTED),
    ];
    for (function, arguments, signers, expected) in rows {
        assert_eq!(call(function, arguments, signers), expected, "{function} {}", arguments.len());
    }
}

#[test]
fn prologue_and_epilogue_check_and_charge() {
    let mut chain = Chain::new();
    let prologue = chain.prologue(0);
    assert_eq!(chain.run(&prologue, CallMode::Bypass).writes, [], "a prologue only looks");
    let early = chain.prologue(1);
    let error = chain.try_run(&early, CallMode::Bypass, &mut GasMeter::unmetered()).unwrap_err();
    assert_eq!(error.abort_code.map(|code| code & 0xffff), Some(1003), "{error}");
    let epilogue = chain.epilogue();
    let changes = chain.run(&epilogue, CallMode::Bypass);
    chain.state.apply(&changes);
    let next = chain.prologue(1);
    chain.run(&next, CallMode::Bypass);
    let Chain { state, mut vm, gas } = chain;
    assert_eq!(balance(&state, &mut vm, &gas, ALICE), 5_000_000_000 - 100 * 1000);
}

#[test]
fn a_block_starts_with_its_event_and_the_clock_moves() {
    let mut chain = Chain::new();
    let first = chain.block_prologue(1_000_000);
    let changes = chain.run(&first, CallMode::Bypass);
    assert!(changes.events.iter().any(|event| event.type_tag().to_string() == "0x1::block::NewBlockEvent"));
    chain.state.apply(&changes);
    let now: chain::Call = ("timestamp", "now_microseconds", vec![]);
    let (values, _) = chain.try_run(&now, CallMode::View, &mut GasMeter::unmetered()).unwrap();
    assert_eq!(values[0].bytes, 1_000_000u64.to_le_bytes());
}

#[test]
fn every_native_the_framework_declares_is_done() {
    let mut natives = 0;
    for bytes in &framework().modules {
        let module = CompiledModule::deserialize(bytes).unwrap();
        for (index, definition) in module.function_defs() {
            let name = module[module.handle_of(index).name].as_str();
            // Compilers turn calls of these into instructions.
            let is_instruction = module.name().as_str() == "vector" && name != "move_range";
            if definition.is_native() && !is_instruction {
                assert!(ledger_vm::has_native(&module.id(), name), "{}::{name}", module.name());
                natives += 1;
            }
        }
    }
    assert!(natives > 40, "only {natives} natives");
}

#[test]
fn every_resource_of_genesis_shows_by_its_layout() {
    let Chain { state, mut vm, gas } = Chain::new();
    let mut session = vm.session(&state, &gas, context(SessionId::Void));
    let mut shown = 0;
    for (key, value) in &state.values {
        let Ok(Some(ledger_types::Path::Resource(tag))) = key.path() else { continue };
        let layout = session.layout_of(&TypeTag::Struct(Box::new(tag.clone()))).unwrap();
        let mut json = Vec::new();
        ledger_bcs::layout::render_json(&layout, &value.data, 1 << 24, &mut json)
            .unwrap_or_else(|error| panic!("{tag}: {error:?}"));
        shown += 1;
    }
    assert!(shown > 30, "only {shown} resources");
}

#[test]
fn arbitrary_arguments_end_in_a_status() {
    let mut chain = Chain::new();
    let mut seed = 11u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let targets: [(&str, &str, usize); 5] = [
        ("aptos_account", "transfer", 2),
        ("aptos_account", "batch_transfer", 2),
        ("code", "publish_package_txn", 2),
        ("account", "rotate_authentication_key", 6),
        ("aptos_coin", "mint", 2),
    ];
    let mut outcomes = std::collections::BTreeSet::new();
    for turn in 0..3000 {
        let (module, function, count) = targets[turn % targets.len()];
        let arguments = (0..count)
            .map(|_| {
                let length = [0, 1, 8, 32, 33, 40, 70][next() % 7];
                // Small bytes make plausible lengths.
                (0..length).map(|_| if next() % 3 == 0 { next() as u8 } else { (next() % 4) as u8 }).collect()
            })
            .collect();
        let call: chain::Call = (module, function, arguments);
        let mode = CallMode::Entry { signers: &[ALICE] };
        let result = chain.try_run(&call, mode, &mut meter(10_000));
        outcomes.insert(result.map_or_else(|error| error.status, |_| 0));
    }
    assert!(outcomes.contains(&status::FAILED_TO_DESERIALIZE_ARGUMENT));
    assert!(outcomes.iter().all(|status| !(2000..3000).contains(status)), "{outcomes:?}");
}

#[test]
fn calls_with_ever_new_types_do_not_grow_the_engine_without_end() {
    let Chain { state, mut vm, gas } = Chain::new();
    // Eight primitives inside up to four vectors or options: 248 types, 61,504 pairs, which is more than
    // the instances an engine keeps.
    let mut parts: Vec<String> =
        ["bool", "u8", "u16", "u32", "u64", "u128", "u256", "address"].map(String::from).to_vec();
    let mut from = 0;
    for _ in 0..4 {
        let level = parts[from..].to_vec();
        from = parts.len();
        for part in level {
            parts.push(format!("vector<{part}>"));
            parts.push(format!("0x1::option::Option<{part}>"));
        }
    }
    assert_eq!(parts.len(), 248);
    let tags: Vec<TypeTag> = parts.iter().map(|part| part.parse().unwrap()).collect();
    let map: TypeTag = "0x1::simple_map::SimpleMap<u8, u8>".parse().unwrap();
    let TypeTag::Struct(map) = map else { unreachable!() };
    let id = module_id(Address::ONE, "type_info");
    for key in &tags {
        for value in &tags {
            let mut pair = map.clone();
            pair.type_args = vec![key.clone(), value.clone()];
            let tag = TypeTag::Struct(pair);
            let mut session = vm.session(&state, &gas, context(SessionId::Void));
            let name = tag.to_string();
            let values = session
                .call(&id, "type_name", &[tag], &[], CallMode::Bypass, &mut GasMeter::unmetered())
                .unwrap();
            assert!(values[0].bytes.ends_with(name.as_bytes()));
        }
    }
    assert!(vm.engine().instance_count() < 50_001, "{}", vm.engine().instance_count());
    assert_eq!(balance(&state, &mut vm, &gas, ALICE), 5_000_000_000);
}
