//! Calls left to functions named at run time, and who may draw random values.

#[path = "common/calls.rs"]
mod calls;
mod common;

use calls::{assembled, bcs, call, call_paid, meter, string};
use common::{context, gas, module_id};
use ledger_types::Address;
use ledger_vm::{CallMode, GasLimits, GasMeter, status};

const INFO: &str = "module 0x1::function_info
struct FunctionInfo has copy+drop+store {
  module_address: address, module_name: vector<u8>, function_name: vector<u8>
}
native fun check_dispatch_type_compatibility_impl(&FunctionInfo, &FunctionInfo): bool
native fun load_function_impl(&FunctionInfo)";

const HOOKS: &str = "module 0x1::dispatchable_fungible_asset
import struct 0x1::function_info::FunctionInfo has copy+drop+store
struct Asset has drop { amount: u64 }
native fun dispatchable_derived_balance(u64, &0x1::function_info::FunctionInfo): u64
native fun dispatchable_withdraw<T0: drop>(T0, vector<u8>, &0x1::function_info::FunctionInfo): u64
public fun balance(u64, &0x1::function_info::FunctionInfo): u64 {
  MoveLoc 0
  MoveLoc 1
  Call dispatchable_derived_balance
  LdU64 1
  Add
  Ret
}
public fun twice(u64, &0x1::function_info::FunctionInfo): u64 {
  CopyLoc 0
  CopyLoc 1
  Call balance
  MoveLoc 0
  MoveLoc 1
  Call balance
  Add
  Ret
}
public fun withdraw<T0: drop>(T0, vector<u8>, &0x1::function_info::FunctionInfo): u64 {
  MoveLoc 0
  MoveLoc 1
  MoveLoc 2
  CallGeneric dispatchable_withdraw<T0>
  Ret
}
public fun plain(u64): u64 { MoveLoc 0 Ret }";

const TARGETS: &str = "module 0xcafe::m
import struct 0x1::function_info::FunctionInfo has copy+drop+store
import fun 0x1::dispatchable_fungible_asset::plain(u64): u64
import fun 0x1::dispatchable_fungible_asset::balance(u64, &0x1::function_info::FunctionInfo): u64
public fun double(u64): u64 { CopyLoc 0 MoveLoc 0 Add Ret }
public fun calls_back(u64): u64 { MoveLoc 0 Call 0x1::dispatchable_fungible_asset::plain Ret }
public fun fails(u64): u64 { MoveLoc 0 Abort }
public fun other(bool): u64 { LdU64 1 Ret }
public fun two(u64): u64, u64 { CopyLoc 0 MoveLoc 0 Ret }
fun hidden(u64): u64 { MoveLoc 0 Ret }
public fun generic<T0: drop>(T0, vector<u8>): u64 { LdU64 5 Ret }
public fun picky<T0: copy+drop>(T0, vector<u8>): u64 { LdU64 6 Ret }
public fun fixed<T0: drop>(u64, vector<u8>): u64 { LdU64 7 Ret }
public fun starts(u64, &0x1::function_info::FunctionInfo): u64 {
  MoveLoc 0
  MoveLoc 1
  Call 0x1::dispatchable_fungible_asset::balance
  Ret
}";

fn info(address: &str, module: &str, function: &str) -> Vec<u8> {
    let address: Address = address.parse().unwrap();
    [address.0.to_vec(), string(module), string(function)].concat()
}

fn target(function: &str) -> Vec<u8> {
    info("0xcafe", "m", function)
}

#[test]
fn calls_go_to_the_function_that_is_named() {
    let (state, mut vm) = assembled(&[INFO, HOOKS, TARGETS]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let mut run = |function: &str, target: Vec<u8>| {
        let arguments = [21u64.to_le_bytes().to_vec(), target];
        let (outcome, paid) =
            call_paid(&mut session, "dispatchable_fungible_asset", function, &[], &arguments);
        let value = outcome.map(|mut values| u64::from_le_bytes(values.remove(0).try_into().unwrap()));
        (value, paid)
    };
    let (value, paid) = run("balance", target("double"));
    assert_eq!(value.unwrap(), 43);
    let (direct, less) = run("dispatchable_derived_balance", target("double"));
    assert_eq!(direct.unwrap(), 42);
    assert!(paid > less);
    assert_eq!(run("twice", target("double")).0.unwrap(), 86);
    for (name, expected) in [
        ("calls_back", status::RUNTIME_DISPATCH_ERROR),
        ("other", status::RUNTIME_DISPATCH_ERROR),
        ("two", status::RUNTIME_DISPATCH_ERROR),
        ("hidden", status::RUNTIME_DISPATCH_ERROR),
        ("generic", status::RUNTIME_DISPATCH_ERROR),
        ("nothing", status::FUNCTION_RESOLUTION_FAILURE),
        ("fails", status::ABORTED),
    ] {
        assert_eq!(run("balance", target(name)).0.unwrap_err().status, expected, "{name}");
    }
    let missing = info("0xcafe", "absent", "double");
    assert_eq!(run("balance", missing).0.unwrap_err().status, status::FUNCTION_RESOLUTION_FAILURE);
    let own = info("0x1", "dispatchable_fungible_asset", "plain");
    assert_eq!(run("balance", own).0.unwrap_err().status, status::RUNTIME_DISPATCH_ERROR);
    let failed = run("balance", target("fails")).0.unwrap_err();
    assert_eq!(failed.abort_code, Some(21));
    let place = failed.location.unwrap();
    assert!(format!("{:?}", place.module).contains('m'), "{place:?}");
}

#[test]
fn a_dispatched_call_runs_dry_anywhere_and_ends_well_with_what_it_used() {
    let (state, mut vm) = assembled(&[INFO, HOOKS, TARGETS]);
    let gas = gas();
    let id = module_id(Address::ONE, "dispatchable_fungible_asset");
    let (amount, target) = (21u64.to_le_bytes(), target("double"));
    let mut run = |balance: u64| {
        let mut session = vm.session(&state, &gas, context());
        let limits = GasLimits { balance, execution_max: u64::MAX, io_max: u64::MAX };
        let mut meter = GasMeter::new(limits);
        let arguments: [&[u8]; 2] = [&amount, &target];
        let outcome = session.call(&id, "twice", &[], &arguments, CallMode::Bypass, &mut meter);
        (outcome.map(|values| values[0].bytes.clone()), meter.execution_used())
    };
    let (outcome, used) = run(1 << 40);
    assert_eq!(outcome.unwrap(), 86u64.to_le_bytes());
    assert_eq!(run(used).0.unwrap(), 86u64.to_le_bytes());
    for balance in (0..used).step_by(997).chain([used - 1]) {
        assert_eq!(run(balance).0.unwrap_err().status, status::OUT_OF_GAS, "{balance} of {used}");
    }
}

#[test]
fn a_module_is_not_entered_again_while_it_is_active() {
    let (state, mut vm) = assembled(&[INFO, HOOKS, TARGETS]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let id = module_id("0xcafe".parse().unwrap(), "m");
    let (amount, target) = (21u64.to_le_bytes(), target("double"));
    let outcome = session.call(&id, "starts", &[], &[&amount, &target], CallMode::Bypass, &mut meter());
    assert_eq!(outcome.unwrap_err().status, status::RUNTIME_DISPATCH_ERROR);
}

#[test]
fn type_arguments_go_along() {
    let (state, mut vm) = assembled(&[INFO, HOOKS, TARGETS]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let mut run = |tag: &str, value: Vec<u8>, name: &str| {
        let arguments = [value, bcs(b"bytes"), target(name)];
        let tags = [tag.parse().unwrap()];
        call_paid(&mut session, "dispatchable_fungible_asset", "withdraw", &tags, &arguments).0
    };
    let number = 3u64.to_le_bytes().to_vec();
    let asset = "0x1::dispatchable_fungible_asset::Asset";
    assert_eq!(run("u64", number.clone(), "generic").unwrap(), [5u64.to_le_bytes()]);
    assert_eq!(run(asset, number.clone(), "generic").unwrap(), [5u64.to_le_bytes()]);
    assert_eq!(run("vector<u8>", bcs(b"more"), "generic").unwrap(), [5u64.to_le_bytes()]);
    assert_eq!(run("u64", number.clone(), "picky").unwrap(), [6u64.to_le_bytes()]);
    let refused = run(asset, number.clone(), "picky").unwrap_err();
    assert_eq!(refused.status, status::RUNTIME_DISPATCH_ERROR, "an asset cannot be copied");
    assert_eq!(run("bool", vec![1], "fixed").unwrap_err().status, status::RUNTIME_DISPATCH_ERROR);
}

#[test]
fn compatible_functions_are_told_from_others() {
    let (state, mut vm) = assembled(&[INFO, HOOKS, TARGETS]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let mut fits = |hook: &str, target: Vec<u8>| {
        let hook = info("0x1", "dispatchable_fungible_asset", hook);
        let name = "check_dispatch_type_compatibility_impl";
        call_paid(&mut session, "function_info", name, &[], &[hook, target]).0
    };
    for (hook, name, expected) in [
        ("dispatchable_derived_balance", "double", true),
        ("dispatchable_derived_balance", "calls_back", true),
        ("dispatchable_derived_balance", "other", false),
        ("dispatchable_derived_balance", "two", false),
        ("dispatchable_derived_balance", "hidden", false),
        ("dispatchable_derived_balance", "generic", false),
        ("dispatchable_withdraw", "generic", true),
        ("dispatchable_withdraw", "picky", false),
        ("dispatchable_withdraw", "fixed", false),
        ("dispatchable_withdraw", "double", false),
    ] {
        assert_eq!(fits(hook, target(name)).unwrap(), [[u8::from(expected)]], "{hook} {name}");
    }
    let itself = info("0x1", "dispatchable_fungible_asset", "dispatchable_derived_balance");
    assert_eq!(fits("dispatchable_derived_balance", itself).unwrap(), [[0]]);
    let gone = fits("dispatchable_derived_balance", target("nothing")).unwrap_err();
    assert_eq!(gone.abort_code, Some(2));
    let mut load =
        |info: Vec<u8>| call_paid(&mut session, "function_info", "load_function_impl", &[], &[info]).0;
    assert_eq!(load(target("double")).unwrap(), Vec::<Vec<u8>>::new());
    assert_eq!(load(target("absent")).unwrap_err().abort_code, Some(2));
    assert_eq!(load(info("0xbeef", "m", "double")).unwrap_err().abort_code, Some(2));
}

#[test]
fn only_guarded_entry_functions_may_draw() {
    let randomness = "module 0x1::randomness
native public fun fetch_and_increment_txn_counter(): vector<u8>
native public fun is_unbiasable(): bool";
    // Attributes: no errors, no structs, `draws` and `open` of kind 5 without arguments.
    let metadata = "0x6170746f733a3a6d657461646174615f7631 0x000002056472617773010500046f70656e010500";
    let user = format!(
        "module 0xcafe::m
metadata {metadata}
import fun 0x1::randomness::is_unbiasable(): bool
entry fun draws() {{ Call 0x1::randomness::is_unbiasable BrTrue ok LdU64 9 Abort ok: Ret }}
public entry fun open() {{ Call 0x1::randomness::is_unbiasable BrTrue ok LdU64 9 Abort ok: Ret }}
entry fun silent() {{ Call 0x1::randomness::is_unbiasable BrTrue ok LdU64 9 Abort ok: Ret }}"
    );
    let (state, mut vm) = assembled(&[randomness, &user]);
    let gas = gas();
    let id = module_id("0xcafe".parse().unwrap(), "m");
    for (function, mode, may) in [
        ("draws", CallMode::Entry { signers: &[] }, true),
        ("draws", CallMode::Bypass, false),
        ("open", CallMode::Entry { signers: &[] }, false),
        ("silent", CallMode::Entry { signers: &[] }, false),
    ] {
        let mut session = vm.session(&state, &gas, context());
        let outcome = session.call(&id, function, &[], &[], mode, &mut meter());
        assert_eq!(outcome.map_err(|error| error.abort_code).err(), (!may).then_some(Some(9)), "{function}");
    }
    let mut session = vm.session(&state, &gas, context());
    for expected in 0u64..3 {
        let counter = call(&mut session, "randomness", "fetch_and_increment_txn_counter", &[]).remove(0);
        assert_eq!(counter, bcs(&expected.to_le_bytes()));
    }
}
