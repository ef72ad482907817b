//! Modules of the public compiler are accepted, alone and against each other.

use std::collections::BTreeMap;

use ledger_bytecode::{CompiledModule, disassemble_module};
use ledger_testkit::{fixtures, framework};
use ledger_types::ModuleId;
use ledger_verifier::{
    CompatibilityRules, Limits, check_compatibility, publish, verify_acyclic, verify_dependencies,
    verify_module,
};

fn by_id(modules: impl IntoIterator<Item = CompiledModule>) -> BTreeMap<ModuleId, CompiledModule> {
    modules.into_iter().map(|module| (module.id(), module)).collect()
}

fn accept_all(modules: &BTreeMap<ModuleId, CompiledModule>) {
    for (id, module) in modules {
        if let Err(error) = verify_module(module, &Limits::default()) {
            panic!("{id}: {error}\n{}", disassemble_module(module));
        }
        verify_dependencies(module, modules).unwrap_or_else(|error| panic!("{id}: {error}"));
        verify_acyclic(module, modules).unwrap_or_else(|error| panic!("{id}: {error}"));
        check_compatibility(module, module, &CompatibilityRules::default())
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        publish::verify_initializer(module).unwrap_or_else(|error| panic!("{id}: {error}"));
    }
}

#[test]
fn compiled_fixtures_are_accepted() {
    for version in ["v6", "v7"] {
        let of_version = fixtures::ALL.iter().filter(|fixture| fixture.name.starts_with(version));
        let modules = by_id(of_version.map(|fixture| CompiledModule::deserialize(fixture.bytes).unwrap()));
        assert!(modules.len() >= 3);
        accept_all(&modules);
    }
}

/// Code of old compilers is held to the rules about the order of instructions; straight loops pass
/// both.
#[test]
fn compiled_fixtures_without_new_features_are_accepted_as_version_5() {
    for name in ["v6/signer", "v6/vector"] {
        let mut module = CompiledModule::deserialize(fixtures::module(name)).unwrap();
        module.version = 5;
        let module = CompiledModule::deserialize(&module.serialize()).unwrap();
        verify_module(&module, &Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn the_framework_is_accepted() {
    let modules = framework::modules().into_iter().map(|code| {
        let module = CompiledModule::deserialize(&code).expect("a module");
        assert_eq!(module.serialize(), code, "{}", module.id());
        module
    });
    let modules = by_id(modules);
    assert!(modules.len() >= 10, "{} modules", modules.len());
    accept_all(&modules);
    for (id, module) in &modules {
        publish::verify_natives(module).unwrap_or_else(|error| panic!("{id}: {error}"));
        publish::verify_events(module).unwrap_or_else(|error| panic!("{id}: {error}"));
        publish::verify_resource_groups(module, &modules).unwrap_or_else(|error| panic!("{id}: {error}"));
        publish::verify_metadata(module).unwrap_or_else(|error| panic!("{id}: {error}"));
    }
}
