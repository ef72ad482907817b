//! Modules against the modules they name, the versions they replace, and the rules of publishing.

use std::collections::BTreeMap;

use ledger_bytecode::metadata::{
    Attribute, CompilationMetadata, KEY_COMPILATION, KEY_V0, KEY_V1, ModuleMetadata,
};
use ledger_bytecode::{CompiledModule, Metadata, StatusCode as S};
use ledger_testkit::{assemble, assemble_script};
use ledger_types::ModuleId;
use ledger_verifier::{
    CompatibilityRules, Verdict, check_compatibility, publish, verify_acyclic, verify_dependencies,
    verify_script_dependencies,
};

fn status(verdict: Verdict) -> Option<S> {
    verdict.err().map(|error| error.status)
}

fn world(texts: &[&str]) -> BTreeMap<ModuleId, CompiledModule> {
    texts.iter().map(|text| assemble(text)).map(|module| (module.id(), module)).collect()
}

const LIBRARY: &str = "module 0x42::lib version 9
    friend 0x42::near
    struct S<T0: copy> has copy+drop { t: T0 }
    struct P<phantom T0> has store { x: u64 }
    public fun open(u64): u64 { MoveLoc 0 Ret }
    public fun bound() attributes [module_lock] { Ret }
    public fun generic<T0: drop>(T0, &S<u8>) { MoveLoc 1 Pop Ret }
    public fun function(|u64|(u64) has drop) { Ret }
    friend fun near(u64) { Ret }
    fun hidden(u64) { Ret }
    fun lasting() attributes [persistent] { Ret }
    entry fun start() { Ret }";

#[test]
fn imports_must_be_there_visible_and_alike() {
    let world = world(&[LIBRARY]);
    let lib = "0x42::lib";
    let s = "import struct 0x42::lib::S<T0: copy> has copy+drop";
    let rows = [
        ("nothing imported", None, String::new()),
        ("module not there", Some(S::MISSING_DEPENDENCY), "import fun 0x42::gone::f()".to_owned()),
        ("struct", None, s.to_owned()),
        ("struct with fewer abilities", None, format!("import struct {lib}::S<T0: copy> has copy")),
        (
            "struct with more abilities",
            Some(S::TYPE_MISMATCH),
            format!("import struct {lib}::S<T0: copy> has copy+drop+store"),
        ),
        (
            "struct with looser constraints",
            Some(S::TYPE_MISMATCH),
            format!("import struct {lib}::S<T0> has copy+drop"),
        ),
        (
            "struct with stricter constraints",
            None,
            format!("import struct {lib}::S<T0: copy+drop> has copy+drop"),
        ),
        (
            "struct with other type parameters",
            Some(S::TYPE_MISMATCH),
            format!("import struct {lib}::S has copy+drop"),
        ),
        (
            "phantom where it is not",
            Some(S::TYPE_MISMATCH),
            format!("import struct {lib}::S<phantom T0: copy> has copy+drop"),
        ),
        ("not phantom where it is", None, format!("import struct {lib}::P<T0> has store")),
        ("struct not there", Some(S::LOOKUP_FAILED), format!("import struct {lib}::Gone has copy")),
        ("function", None, format!("import fun {lib}::open(u64): u64")),
        ("function not there", Some(S::LOOKUP_FAILED), format!("import fun {lib}::gone()")),
        ("private function", Some(S::LOOKUP_FAILED), format!("import fun {lib}::hidden(u64)")),
        ("private entry function", Some(S::LOOKUP_FAILED), format!("import fun {lib}::start()")),
        ("friend function by a stranger", Some(S::LOOKUP_FAILED), format!("import fun {lib}::near(u64)")),
        ("other parameters", Some(S::TYPE_MISMATCH), format!("import fun {lib}::open(u8): u64")),
        ("other results", Some(S::TYPE_MISMATCH), format!("import fun {lib}::open(u64)")),
        (
            "struct in a parameter",
            None,
            format!("{s} import fun {lib}::generic<T0: drop>(T0, &{lib}::S<u8>)"),
        ),
        (
            "other type argument in a parameter",
            Some(S::TYPE_MISMATCH),
            format!("{s} import fun {lib}::generic<T0: drop>(T0, &{lib}::S<u64>)"),
        ),
        (
            "looser constraints",
            Some(S::TYPE_MISMATCH),
            format!("{s} import fun {lib}::generic<T0>(T0, &{lib}::S<u8>)"),
        ),
        (
            "function type with other abilities",
            Some(S::TYPE_MISMATCH),
            format!("import fun {lib}::function(|u64|(u64) has copy+drop)"),
        ),
        (
            "public counts as persistent",
            None,
            format!("import fun {lib}::open(u64): u64 attributes [persistent]"),
        ),
        (
            "public with another attribute does not",
            Some(S::LINKER_ERROR),
            format!("import fun {lib}::bound() attributes [persistent]"),
        ),
    ];
    for (name, expected, imports) in rows {
        let module = assemble(&format!("module 0x42::far version 9 {imports}"));
        assert_eq!(status(verify_dependencies(&module, &world)), expected, "{name}");
        let script = assemble_script(&format!("script version 9 {imports} fun main() {{ Ret }}"));
        assert_eq!(status(verify_script_dependencies(&script, &world)), expected, "{name}, by a script");
    }
    let friend = assemble("module 0x42::near version 9 import fun 0x42::lib::near(u64)");
    assert_eq!(status(verify_dependencies(&friend, &world)), None);
}

#[test]
fn dependencies_may_not_go_in_circles() {
    let a = "module 0x42::a import fun 0x42::b::f()";
    let b = "module 0x42::b import fun 0x42::c::f()";
    let open = world(&[a, b, "module 0x42::c"]);
    let closed = world(&[a, b, "module 0x42::c import fun 0x42::a::f()"]);
    for id in open.keys() {
        assert_eq!(status(verify_acyclic(&open[id], &open)), None);
        assert_eq!(status(verify_acyclic(&closed[id], &closed)), Some(S::CYCLIC_MODULE_DEPENDENCY));
    }
    // what is being published stands for itself
    let upgraded = assemble("module 0x42::c import fun 0x42::a::f()");
    assert_eq!(status(verify_acyclic(&upgraded, &open)), Some(S::CYCLIC_MODULE_DEPENDENCY));
    // a way with two arms is no circle
    let diamond = world(&[
        "module 0x42::a import fun 0x42::b::f() import fun 0x42::c::f()",
        "module 0x42::b import fun 0x42::d::f()",
        "module 0x42::c import fun 0x42::d::f()",
        "module 0x42::d",
    ]);
    assert_eq!(status(verify_acyclic(diamond.values().next().expect("a"), &diamond)), None);
}

#[test]
fn upgrades_keep_promises() {
    let rules = CompatibilityRules::default();
    let strict = CompatibilityRules { check_friends: true, ..rules };
    let loose = CompatibilityRules { check_struct_layout: false, treat_entry_as_public: false, ..rules };
    let (yes, no) = (None, Some(S::BACKWARD_INCOMPATIBLE_MODULE_UPDATE));
    // name, old, new, by default, with friends, loose
    let rows = [
        ("nothing changes", "struct A { x: u64 }", "struct A { x: u64 }", yes, yes, yes),
        ("struct added", "", "struct A { x: u64 }", yes, yes, yes),
        ("struct gone", "struct A { x: u64 }", "", no, no, no),
        ("field added", "struct A { x: u64 }", "struct A { x: u64, y: u64 }", no, no, yes),
        ("field renamed", "struct A { x: u64 }", "struct A { y: u64 }", no, no, yes),
        ("field of another type", "struct A { x: u64 }", "struct A { x: u8 }", no, no, yes),
        ("struct turned enum", "struct A { x: u64 }", "enum A { X { x: u64 } }", no, no, yes),
        ("variant added at the end", "enum A { X }", "enum A { X, Y }", yes, yes, yes),
        ("variant added in front", "enum A { X }", "enum A { Y, X }", no, no, yes),
        ("variant gone", "enum A { X, Y }", "enum A { X }", no, no, yes),
        ("ability added", "struct A { x: u64 }", "struct A has copy { x: u64 }", yes, yes, yes),
        ("ability lost", "struct A has copy { x: u64 }", "struct A { x: u64 }", no, no, no),
        ("constraint added", "struct A<T0> { x: u64 }", "struct A<T0: copy> { x: u64 }", no, no, no),
        ("constraint lost", "struct A<T0: copy> { x: u64 }", "struct A<T0> { x: u64 }", yes, yes, yes),
        ("phantom added", "struct A<T0> { x: u64 }", "struct A<phantom T0> { x: u64 }", yes, yes, yes),
        ("phantom lost", "struct A<phantom T0> { x: u64 }", "struct A<T0> { x: u64 }", no, no, no),
        ("public function gone", "public fun f() { Ret }", "", no, no, no),
        ("public function made friend", "public fun f() { Ret }", "friend fun f() { Ret }", no, no, no),
        (
            "public function with another parameter",
            "public fun f() { Ret }",
            "public fun f(u8) { Ret }",
            no,
            no,
            no,
        ),
        (
            "public function with another result",
            "public fun f(u8) { Ret }",
            "public fun f(u8): u8 { MoveLoc 0 Ret }",
            no,
            no,
            no,
        ),
        (
            "constraint of a function added",
            "public fun f<T0>() { Ret }",
            "public fun f<T0: copy>() { Ret }",
            no,
            no,
            no,
        ),
        (
            "constraint of a function lost",
            "public fun f<T0: copy>() { Ret }",
            "public fun f<T0>() { Ret }",
            yes,
            yes,
            yes,
        ),
        ("private function gone", "fun f() { Ret }", "", yes, yes, yes),
        ("private function made public", "fun f() { Ret }", "public fun f() { Ret }", yes, yes, yes),
        ("persistent private function gone", "fun f() attributes [persistent] { Ret }", "", no, no, no),
        ("persistence lost", "fun f() attributes [persistent] { Ret }", "fun f() { Ret }", no, no, no),
        ("friend function gone", "friend fun f() { Ret }", "", yes, no, yes),
        ("friend function made private", "friend fun f() { Ret }", "fun f() { Ret }", yes, no, yes),
        ("friend gone", "friend 0x42::n", "", yes, no, yes),
        ("private entry function gone", "entry fun f() { Ret }", "", no, no, no),
        ("friend entry function gone", "friend entry fun f() { Ret }", "", no, no, yes),
        (
            "public entry function no entry",
            "public entry fun f() { Ret }",
            "public fun f() { Ret }",
            no,
            no,
            no,
        ),
        (
            "public function made entry",
            "public fun f() { Ret }",
            "public entry fun f() { Ret }",
            yes,
            yes,
            yes,
        ),
    ];
    for (name, old, new, by_default, with_friends, loosely) in rows {
        let make = |text: &str| assemble(&format!("module 0x42::m version 9 {text}"));
        let (old, new) = (make(old), make(new));
        assert_eq!(status(check_compatibility(&old, &new, &rules)), by_default, "{name}");
        assert_eq!(status(check_compatibility(&old, &new, &strict)), with_friends, "{name}, with friends");
        assert_eq!(status(check_compatibility(&old, &new, &loose)), loosely, "{name}, loosely");
    }
    let (here, elsewhere) = (assemble("module 0x42::m"), assemble("module 0x43::m"));
    assert_eq!(status(check_compatibility(&here, &elsewhere, &rules)), no);
}

fn with_metadata(text: &str, metadata: &ModuleMetadata) -> CompiledModule {
    let mut module = assemble(text);
    module.tables.metadata.push(Metadata { key: KEY_V1.to_vec(), value: metadata.encode_v1() });
    module
}

fn of_function(name: &str, attribute: Attribute) -> ModuleMetadata {
    ModuleMetadata { function_attributes: [(name.to_owned(), vec![attribute])].into(), ..Default::default() }
}

fn of_struct(name: &str, attribute: Attribute) -> ModuleMetadata {
    ModuleMetadata { struct_attributes: [(name.to_owned(), vec![attribute])].into(), ..Default::default() }
}

#[test]
fn attributes_stand_only_where_they_may() {
    let text = "module 0x42::m version 9
        struct Plain { x: u64 } struct Key has key { x: u64 } struct Two { x: u64, y: u64 }
        struct Able has drop { x: u64 }
        fun nothing() { Ret } fun one(u64): u64 { MoveLoc 0 Ret } entry fun start() { Ret }
        public entry fun both() { Ret }";
    let plain = Attribute::plain;
    let group = Attribute::with_argument(Attribute::RESOURCE_GROUP, "global");
    let member = Attribute::with_argument(Attribute::RESOURCE_GROUP_MEMBER, "0x42::m::Plain");
    let refused = Some(S::CONSTRAINT_NOT_SATISFIED);
    let rows = [
        ("view", None, of_function("one", plain(Attribute::VIEW))),
        ("view by its old code", None, of_function("one", plain(Attribute::LEGACY_VIEW))),
        ("view without result", refused, of_function("nothing", plain(Attribute::VIEW))),
        ("view of nothing", refused, of_function("gone", plain(Attribute::VIEW))),
        ("randomness", None, of_function("start", plain(Attribute::RANDOMNESS))),
        (
            "randomness with gas",
            None,
            of_function("start", Attribute::with_argument(Attribute::RANDOMNESS, "100")),
        ),
        (
            "randomness with words",
            refused,
            of_function("start", Attribute::with_argument(Attribute::RANDOMNESS, "all")),
        ),
        ("randomness on no entry", refused, of_function("one", plain(Attribute::RANDOMNESS))),
        ("randomness in public", refused, of_function("both", plain(Attribute::RANDOMNESS))),
        ("event", None, of_struct("Plain", plain(Attribute::EVENT))),
        ("event that is a function", refused, of_function("one", plain(Attribute::EVENT))),
        ("event of nothing", refused, of_struct("Gone", plain(Attribute::EVENT))),
        ("group", None, of_struct("Plain", group.clone())),
        ("group with two fields", refused, of_struct("Two", group.clone())),
        ("group with an ability", refused, of_struct("Able", group)),
        ("member", None, of_struct("Key", member.clone())),
        ("member that is no resource", refused, of_struct("Plain", member)),
        ("unknown attribute", refused, of_struct("Plain", plain(6))),
    ];
    for (name, expected, metadata) in rows {
        assert_eq!(status(publish::verify_metadata(&with_metadata(text, &metadata))), expected, "{name}");
    }
    let mut twice = of_struct("Plain", plain(Attribute::EVENT));
    twice.struct_attributes.get_mut("Plain").expect("put there").push(plain(Attribute::EVENT));
    let given = status(publish::verify_metadata(&with_metadata(text, &twice)));
    assert_eq!(given, Some(S::EVENT_METADATA_VALIDATION_ERROR));
}

#[test]
fn metadata_has_known_keys_once_and_can_be_read() {
    let empty = ModuleMetadata::default().encode_v1();
    let said = CompilationMetadata {
        is_unstable: true,
        compiler_version: "2.0".into(),
        language_version: "2.5".into(),
    };
    type Entries<'a> = &'a [(&'a [u8], &'a [u8])];
    let rows: [(&str, Option<S>, Entries<'_>); 7] = [
        ("none", None, &[]),
        ("all", None, &[(KEY_V1, &empty), (KEY_COMPILATION, &said.encode_value())]),
        ("both versions", Some(S::CONSTRAINT_NOT_SATISFIED), &[(KEY_V1, &empty), (KEY_V0, &[0])]),
        ("twice", Some(S::CONSTRAINT_NOT_SATISFIED), &[(KEY_V1, &empty), (KEY_V1, &empty)]),
        ("unknown", Some(S::CONSTRAINT_NOT_SATISFIED), &[(b"other", &[])]),
        ("not BCS", Some(S::CONSTRAINT_NOT_SATISFIED), &[(KEY_V1, &[1])]),
        ("bytes left over", Some(S::CONSTRAINT_NOT_SATISFIED), &[(KEY_V0, &[0, 0])]),
    ];
    for (name, expected, entries) in rows {
        let mut module = assemble("module 0x42::m");
        for (key, value) in entries {
            module.tables.metadata.push(Metadata { key: key.to_vec(), value: value.to_vec() });
        }
        assert_eq!(status(publish::verify_metadata(&module)), expected, "{name}");
        let unstable = entries.iter().any(|(key, _)| *key == KEY_COMPILATION);
        let rejected = unstable.then_some(S::UNSTABLE_BYTECODE_REJECTED);
        assert_eq!(status(publish::verify_stable(&module)), rejected, "{name}");
    }
}

#[test]
fn only_own_events_are_emitted() {
    let emit = |which: &str| {
        format!(
            "module 0x42::m import fun 0x1::event::emit<T0: drop+store>(T0)
             import struct 0x1::x::Other has drop+store
             struct Mine has drop+store {{ x: u64 }}
             fun f({which}) {{ MoveLoc 0 CallGeneric 0x1::event::emit<{which}> Ret }}"
        )
    };
    let event = of_struct("Mine", Attribute::plain(Attribute::EVENT));
    let refused = Some(S::EVENT_METADATA_VALIDATION_ERROR);
    assert_eq!(status(publish::verify_events(&with_metadata(&emit("Mine"), &event))), None);
    assert_eq!(status(publish::verify_events(&assemble(&emit("Mine")))), refused);
    assert_eq!(status(publish::verify_events(&with_metadata(&emit("0x1::x::Other"), &event))), refused);
    assert_eq!(status(publish::verify_events(&with_metadata(&emit("u64"), &event))), refused);

    let (with, without) = (with_metadata(&emit("Mine"), &event), assemble(&emit("Mine")));
    assert_eq!(status(publish::verify_metadata_upgrade(&with, &without)), refused);
    assert_eq!(status(publish::verify_metadata_upgrade(&without, &with)), None);

    let script = assemble_script(
        "script import fun 0x1::event::emit<T0: drop+store>(T0)
         fun main(u64) { MoveLoc 0 CallGeneric 0x1::event::emit<u64> Ret }",
    );
    assert_eq!(status(publish::verify_script_events(&script)), Some(S::INVALID_OPERATION_IN_SCRIPT));
}

#[test]
fn groups_admit_members_by_scope_and_stay_as_they_are() {
    let group = |scope: &str| {
        let attribute = Attribute::with_argument(Attribute::RESOURCE_GROUP, scope);
        with_metadata("module 0x42::g struct G { x: u64 }", &of_struct("G", attribute))
    };
    let member = |place: &str| {
        let attribute = Attribute::with_argument(Attribute::RESOURCE_GROUP_MEMBER, "0x42::g::G");
        with_metadata(&format!("module {place} struct M has key {{ x: u64 }}"), &of_struct("M", attribute))
    };
    let refused = Some(S::CONSTRAINT_NOT_SATISFIED);
    let rows = [
        ("global", "0x43::m", None),
        ("address", "0x42::m", None),
        ("address", "0x43::m", refused),
        ("module_", "0x42::m", refused),
        ("sometimes", "0x42::m", refused),
    ];
    for (scope, place, expected) in rows {
        let group = group(scope);
        let world = BTreeMap::from([(group.id(), group)]);
        let given = status(publish::verify_resource_groups(&member(place), &world));
        assert_eq!(given, expected, "{scope} from {place}");
    }
    let nowhere: BTreeMap<ModuleId, CompiledModule> = BTreeMap::new();
    assert_eq!(status(publish::verify_resource_groups(&member("0x42::m"), &nowhere)), refused);

    let upgrade = publish::verify_resource_groups_upgrade;
    assert_eq!(status(upgrade(&group("address"), &group("global"))), None);
    assert_eq!(status(upgrade(&group("global"), &group("address"))), refused);
    let bare = assemble("module 0x42::g struct G { x: u64 }");
    assert_eq!(status(upgrade(&group("global"), &bare)), refused);
    assert_eq!(status(upgrade(&bare, &group("global"))), refused);
    let bare = assemble("module 0x42::m struct M has key { x: u64 }");
    assert_eq!(status(upgrade(&bare, &member("0x42::m"))), refused);
    assert_eq!(status(upgrade(&assemble("module 0x42::m"), &member("0x42::m"))), None);
}

#[test]
fn natives_and_initialisers() {
    let native =
        |place: &str, item: &str| publish::verify_natives(&assemble(&format!("module {place} {item}")));
    let refused = Some(S::USER_DEFINED_NATIVE_NOT_ALLOWED);
    assert_eq!(status(native("0x1::m", "native public fun f()")), None);
    assert_eq!(status(native("0xf::m", "native public fun f()")), None);
    assert_eq!(status(native("0x10::m", "native public fun f()")), refused);
    assert_eq!(status(native("0x10::m", "native struct N")), refused);
    assert_eq!(status(native("0x1::m", "native public entry fun f()")), refused);

    let refused = Some(S::INVALID_INIT_MODULE);
    let rows = [
        ("none", None, ""),
        ("signer", None, "fun init_module(signer) { Ret }"),
        ("&signer", None, "fun init_module(&signer) { Ret }"),
        ("private entry", None, "entry fun init_module(&signer) { Ret }"),
        ("&mut signer", refused, "fun init_module(&mut signer) { Ret }"),
        ("nothing", refused, "fun init_module() { Ret }"),
        ("too much", refused, "fun init_module(&signer, u64) { Ret }"),
        ("public", refused, "public fun init_module(&signer) { Ret }"),
        ("generic", refused, "fun init_module<T0>(&signer) { Ret }"),
        ("a result", refused, "fun init_module(&signer): u64 { LdU64 1 Ret }"),
    ];
    for (name, expected, text) in rows {
        let module = assemble(&format!("module 0x42::m {text}"));
        assert_eq!(status(publish::verify_initializer(&module)), expected, "{name}");
    }
}
