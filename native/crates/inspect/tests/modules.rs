//! Every module of the built-in framework has its three forms, and bytes that are no module have none.

use ledger_bytecode::CompiledModule;
use ledger_executor::framework::Framework;
use ledger_inspect::{InspectError, abi_text, bytecode_text, lowered_text};
use ledger_types::Address;
use serde_json::Value;

#[test]
fn every_function_of_the_framework_is_in_all_forms_it_belongs_to() {
    let mut functions = 0;
    let mut instructions = 0;
    for module in &Framework::built_in().modules {
        let id = &module.id;
        let bytecode = bytecode_text(module.code).unwrap();
        let lowered = lowered_text(module.code, &[]).unwrap_or_else(|error| panic!("{id}: {error}"));
        let abi: Value = serde_json::from_str(&abi_text(module.code).unwrap()).unwrap();
        assert!(bytecode.starts_with(&format!("module {id}\n")));
        assert!(lowered.starts_with(&format!("module {id}\n")));
        assert_eq!(abi["name"], id.name.as_str());
        let read = CompiledModule::deserialize(module.code).unwrap();
        let listings: Vec<_> = lowered.split("\nfun ").skip(1).collect();
        assert_eq!(listings.len(), read.function_defs().count(), "{id}");
        for ((index, definition), listing) in read.function_defs().zip(listings) {
            let name = read[read.handle_of(index).name].as_str();
            assert!(listing.starts_with(name), "{id}: {listing}");
            assert!(bytecode.contains(&format!("fun {name}")), "{id}::{name}");
            assert_eq!(listing.contains("native\n"), definition.is_native(), "{id}::{name}: {listing}");
            functions += 1;
            instructions += listing.lines().filter(|line| line.contains(" @")).count();
        }
    }
    assert!(functions > 500 && instructions > 5000, "{functions} functions, {instructions} instructions");
    println!("{functions} functions, {instructions} lowered instructions");
}

#[test]
fn bytes_that_are_no_module_are_refused() {
    for bytes in [&b""[..], b"not a module", &[0xa1, 0x1c, 0xeb, 0x0b]] {
        assert!(matches!(bytecode_text(bytes), Err(InspectError::NotAModule(_))));
        assert!(matches!(abi_text(bytes), Err(InspectError::NotAModule(_))));
        assert!(matches!(lowered_text(bytes, &[]), Err(InspectError::NotAModule(_))));
    }
}

#[test]
fn code_that_the_verifier_refuses_is_not_lowered() {
    let module =
        Framework::built_in().modules.iter().find(|module| module.id.name.as_str() == "signer").unwrap();
    let mut broken = CompiledModule::deserialize(module.code).unwrap();
    let code = broken.function_defs.iter_mut().find_map(|definition| definition.code.as_mut()).unwrap();
    // A function that returns without its result.
    code.code.drain(..code.code.len() - 1);
    let bytes = broken.serialize();
    assert!(matches!(lowered_text(&bytes, &[]), Err(InspectError::Refused { .. })));
    assert!(bytecode_text(&bytes).is_ok());
}

#[test]
fn a_module_is_lowered_with_its_neighbours_or_not_at_all() {
    let fixture = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vm/tests/differential/modules");
        std::fs::read(format!("{folder}/{name}.mv")).unwrap()
    };
    // Both move to an address where the framework has nothing: one calls the other there.
    let moved = |bytes: &[u8]| {
        let mut module = CompiledModule::deserialize(bytes).unwrap();
        for address in module.tables.addresses.iter_mut().filter(|address| **address == Address::ONE) {
            *address = "0xaa".parse().unwrap();
        }
        module.serialize()
    };
    let caller = fixture("resources");
    assert!(lowered_text(&caller, &[]).is_ok(), "the framework has what it needs");
    let (caller, callee) = (moved(&caller), moved(&fixture("signer")));
    assert!(matches!(lowered_text(&caller, &[]), Err(InspectError::NotLinked(_))));
    assert!(matches!(lowered_text(&caller, &[b"no module"]), Err(InspectError::NotLinked(_))));
    assert!(lowered_text(&caller, &[b"no module", &callee]).unwrap().contains("fun stored_and_read\n"));
}
