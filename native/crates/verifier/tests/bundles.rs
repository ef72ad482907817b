//! Bundles as transactions publish them.

use std::collections::BTreeMap;

use ledger_bytecode::{CompiledModule, ReadLimits, StatusCode as S};
use ledger_testkit::assemble;
use ledger_types::{Address, ModuleId};
use ledger_verifier::publish::{BundleRules, verify_bundle};
use ledger_verifier::{CompatibilityRules, Limits};

fn rules<'a>(expected: &'a [String]) -> BundleRules<'a> {
    BundleRules {
        destination: "0x42".parse().unwrap(),
        expected_modules: expected,
        allowed_dependencies: None,
        compatibility: Some(CompatibilityRules::default()),
        rejects_unstable: true,
        read_limits: ReadLimits::default(),
        limits: Limits::default(),
    }
}

fn names(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

fn code(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| assemble(text).serialize()).collect()
}

fn world(texts: &[&str]) -> BTreeMap<ModuleId, CompiledModule> {
    texts.iter().map(|text| assemble(text)).map(|module| (module.id(), module)).collect()
}

const LIB: &str = "module 0x43::lib public fun f() { Ret }";
const OLD: &str = "module 0x42::a public fun f() { Ret } struct S { x: u64 }";

#[test]
fn bundles_are_taken_whole_or_refused() {
    let published = world(&[LIB, OLD]);
    let a = "module 0x42::a public fun f() { Ret } public fun g() { Ret } struct S { x: u64 }";
    let b =
        "module 0x42::b import fun 0x42::a::g() import fun 0x43::lib::f() fun f() { Call 0x42::a::g Ret }";
    let rows: &[(&str, Option<S>, &str, &[&str])] = &[
        ("upgrade and new module that needs it", None, "a b", &[a, b]),
        ("in the other order", None, "a b", &[b, a]),
        ("new module without the upgrade", Some(S::LOOKUP_FAILED), "b", &[b]),
        ("module not announced", Some(S::CONSTRAINT_NOT_SATISFIED), "a", &[a, b]),
        ("announced module missing", Some(S::CONSTRAINT_NOT_SATISFIED), "a b", &[a]),
        ("same module twice", Some(S::DUPLICATE_MODULE_NAME), "a", &[a, a]),
        ("other address", Some(S::MODULE_ADDRESS_DOES_NOT_MATCH_SENDER), "lib", &[LIB]),
        (
            "broken promise",
            Some(S::BACKWARD_INCOMPATIBLE_MODULE_UPDATE),
            "a",
            &["module 0x42::a struct S { x: u64 }"],
        ),
        (
            "broken code",
            Some(S::STLOC_TYPE_MISMATCH_ERROR),
            "b",
            &["module 0x42::b fun f(u8) { LdU64 1 StLoc 0 Ret }"],
        ),
        (
            "circle",
            Some(S::CYCLIC_MODULE_DEPENDENCY),
            "b c",
            &[
                "module 0x42::b import fun 0x42::c::f() public fun f() { Call 0x42::c::f Ret }",
                "module 0x42::c import fun 0x42::b::f() public fun f() { Call 0x42::b::f Ret }",
            ],
        ),
        ("native", Some(S::USER_DEFINED_NATIVE_NOT_ALLOWED), "b", &["module 0x42::b native fun f()"]),
        ("initialiser", None, "b", &["module 0x42::b fun init_module(&signer) { Ret }"]),
        (
            "wrong initialiser",
            Some(S::INVALID_INIT_MODULE),
            "b",
            &["module 0x42::b public fun init_module() { Ret }"],
        ),
        (
            "upgrade may have any initialiser",
            None,
            "a",
            &["module 0x42::a public fun f() { Ret } struct S { x: u64 } public fun init_module() { Ret }"],
        ),
    ];
    for (name, expected, announced, texts) in rows {
        let announced = names(announced);
        let given = verify_bundle(&code(texts), &rules(&announced), &published);
        assert_eq!(given.err().map(|error| error.error.status), *expected, "{name}");
    }
    let announced = names("a b");
    let staged = verify_bundle(&code(&[a, b]), &rules(&announced), &published).unwrap();
    let kinds: Vec<(&str, bool)> =
        staged.iter().map(|entry| (entry.module.name().as_str(), entry.is_new)).collect();
    assert_eq!(kinds, [("a", false), ("b", true)]);
}

#[test]
fn dependencies_must_be_announced_where_they_are_listed() {
    let published = world(&[LIB]);
    let b =
        "module 0x42::b import fun 0x43::lib::f() import fun 0x42::c::f() fun f() { Call 0x43::lib::f Ret }";
    let c = "module 0x42::c public fun f() { Ret }";
    let announced = names("b c");
    let lib: Address = "0x43".parse().unwrap();
    let rows = [
        ("by name", None, vec![(lib, "lib".to_owned())]),
        ("by address", None, vec![(lib, String::new())]),
        ("not at all", Some(S::CONSTRAINT_NOT_SATISFIED), vec![]),
        ("another of the address", Some(S::CONSTRAINT_NOT_SATISFIED), vec![(lib, "other".to_owned())]),
    ];
    for (name, expected, list) in rows {
        let rules = BundleRules { allowed_dependencies: Some(&list), ..rules(&announced) };
        let given = verify_bundle(&code(&[b, c]), &rules, &published);
        assert_eq!(given.err().map(|error| error.error.status), expected, "{name}");
    }
}

#[test]
fn what_cannot_be_read_is_told_by_its_position() {
    let announced = names("a b");
    let error = verify_bundle(
        &[assemble("module 0x42::a").serialize(), vec![1, 2, 3]],
        &rules(&announced),
        &world(&[]),
    )
    .unwrap_err();
    assert_eq!((error.position, error.error.status), (Some(1), S::CODE_DESERIALIZATION_ERROR));

    let newest = assemble("module 0x42::a version 10").serialize();
    let read_limits = ReadLimits { version_max: 9, ..ReadLimits::default() };
    let announced = names("a");
    let rules = BundleRules { read_limits, ..rules(&announced) };
    let error = verify_bundle(&[newest], &rules, &world(&[])).unwrap_err();
    assert_eq!(error.error.status, S::CODE_DESERIALIZATION_ERROR);
}
