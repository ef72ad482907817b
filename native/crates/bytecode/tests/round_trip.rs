//! Modules of the public compiler are read, mean what their sources say, and are written back byte
//! for byte.

use ledger_bytecode::{Bytecode, CompiledModule, Visibility};
use ledger_testkit::fixtures;

#[test]
fn compiled_modules_are_written_back_byte_for_byte() {
    for fixture in fixtures::ALL {
        let module = CompiledModule::deserialize(fixture.bytes).expect(fixture.name);
        assert_eq!(module.serialize(), fixture.bytes, "{}", fixture.name);
    }
}

#[test]
fn a_compiled_module_says_what_its_source_says() {
    let module = CompiledModule::deserialize(fixtures::module("v7/vault")).unwrap();
    assert_eq!(module.id().to_string(), "0xcafe::vault");
    assert_eq!(module.version, 7);

    let pay = module.find_function("pay").expect("declared in the source");
    assert!(module[pay].is_entry);
    assert_eq!(module[pay].visibility, Visibility::Public);
    assert_eq!(module.handle_of(pay).type_parameters.len(), 0);
    assert_eq!(module[module.handle_of(pay).parameters].len(), 3);
    let acquired: Vec<&str> =
        module[pay].acquires.iter().map(|def| module.struct_name(module[*def].handle).as_str()).collect();
    assert_eq!(acquired, ["Balance"]);
    let body = module.body(pay).expect("not native");
    assert_eq!(body.code.code.last(), Some(&Bytecode::Ret));

    let balance = module.find_struct("Balance").expect("declared in the source");
    let handle = module.struct_handle_of(balance);
    assert!(handle.abilities.has_key() && !handle.abilities.has_drop());
    assert!(handle.type_parameters[0].is_phantom);

    let shapes = CompiledModule::deserialize(fixtures::module("v7/shapes")).unwrap();
    let friends: Vec<String> = shapes.friend_ids().map(|id| id.to_string()).collect();
    assert_eq!(friends, ["0xcafe::vault"]);
    let shape = shapes.find_struct("Shape").expect("declared in the source");
    let variants: Vec<(&str, usize)> = shapes[shape]
        .variants()
        .iter()
        .map(|variant| (shapes[variant.name].as_str(), variant.fields.len()))
        .collect();
    assert_eq!(variants, [("Circle", 2), ("Rectangle", 3), ("Nothing", 0)]);
    let signer = CompiledModule::deserialize(fixtures::module("v7/signer")).unwrap();
    let native = signer.find_function("borrow_address").expect("declared in the source");
    assert!(signer[native].is_native());
}
