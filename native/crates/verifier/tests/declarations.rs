//! Faults outside function bodies, each beside its nearest good neighbour.

mod common;

use common::{Row, run, run_with};
use ledger_bytecode::{
    Bytecode, CompiledModule, Field, FunctionHandleIndex, IdentifierIndex, Instantiation, ModuleHandle,
    Signature, SignatureIndex, StatusCode as S, StructDefIndex, Type, TypeNode,
};
use ledger_testkit::{assemble, assemble_script};
use ledger_verifier::{FeatureSwitches, Limits, verify_module, verify_script};

#[test]
fn types_and_abilities() {
    let rows: &[Row<'_>] = &[
        (
            "field without an ability of its struct",
            Some(S::FIELD_MISSING_TYPE_ABILITY),
            "struct A has copy { n: N }",
        ),
        ("field of a parameter counts as able", None, "struct A<T0> has copy+drop { t: T0 }"),
        ("key asks store of fields", Some(S::FIELD_MISSING_TYPE_ABILITY), "struct A has key { e: E }"),
        ("reference in a field", Some(S::INVALID_SIGNATURE_TOKEN), "struct A { r: &u64 }"),
        ("reference in a vector", Some(S::INVALID_SIGNATURE_TOKEN), "fun f(vector<&u64>) { Ret }"),
        ("reference to a reference", Some(S::INVALID_SIGNATURE_TOKEN), "fun f(& &u64) { Ret }"),
        ("references in a function type", None, "fun f(|&u64|(&u64) has drop) { Ret }"),
        ("type argument without an ability", Some(S::CONSTRAINT_NOT_SATISFIED), "fun f(&Box<R>) { Ret }"),
        ("type argument with it", None, "fun f(&Box<C>) { Ret }"),
        ("parameter without an ability", Some(S::CONSTRAINT_NOT_SATISFIED), "fun f<T0>(&Box<T0>) { Ret }"),
        ("parameter with it", None, "fun f<T0: store>(&Box<T0>) { Ret }"),
        (
            "parameter of a struct without it",
            Some(S::CONSTRAINT_NOT_SATISFIED),
            "struct A<T0> { b: Box<T0> }",
        ),
        (
            "phantom parameter in a field",
            Some(S::INVALID_PHANTOM_TYPE_PARAM_POSITION),
            "struct A<phantom T0> { t: T0 }",
        ),
        (
            "phantom parameter in a vector",
            Some(S::INVALID_PHANTOM_TYPE_PARAM_POSITION),
            "struct A<phantom T0> { t: vector<T0> }",
        ),
        (
            "phantom parameter as a phantom argument",
            None,
            "struct P<phantom T0> { x: u64 } struct A<phantom T0> { p: P<T0> }",
        ),
        (
            "phantom parameter below a phantom argument",
            Some(S::INVALID_PHANTOM_TYPE_PARAM_POSITION),
            "struct P<phantom T0> { x: u64 } struct A<phantom T0> { p: P<vector<T0>> }",
        ),
        (
            "phantom arguments do not count for abilities",
            None,
            "struct P<phantom T0> has copy { x: u64 } struct A has copy { p: P<N> }",
        ),
    ];
    run(rows);
}

#[test]
fn structs_and_generic_calls_that_never_end() {
    let rows: &[Row<'_>] = &[
        ("struct in itself", Some(S::RECURSIVE_STRUCT_DEFINITION), "struct A { v: vector<A> }"),
        (
            "two structs in each other",
            Some(S::RECURSIVE_STRUCT_DEFINITION),
            "struct A { b: B } enum B { X { a: A } }",
        ),
        ("struct in its own function type", Some(S::RECURSIVE_STRUCT_DEFINITION), "struct A { f: |A|() }"),
        (
            "struct in its own type argument",
            Some(S::RECURSIVE_STRUCT_DEFINITION),
            "struct P<phantom T0> { x: u64 } struct A { p: P<A> }",
        ),
        ("struct in another twice", None, "struct A { b: B, c: B } struct B { x: u64 }"),
        (
            "growing recursion",
            Some(S::LOOP_IN_INSTANTIATION_GRAPH),
            "fun f<T0>() { CallGeneric f<vector<T0>> Ret }",
        ),
        (
            "growing recursion through two",
            Some(S::LOOP_IN_INSTANTIATION_GRAPH),
            "fun f<T0>() { CallGeneric g<vector<T0>> Ret } fun g<T0>() { CallGeneric f<T0> Ret }",
        ),
        (
            "growing recursion through a closure",
            Some(S::LOOP_IN_INSTANTIATION_GRAPH),
            "fun f<T0>() { PackClosureGeneric f<vector<T0>> 0 Pop Ret }",
        ),
        ("recursion with the same types", None, "fun f<T0>() { CallGeneric f<T0> Ret }"),
        (
            "growing without recursion",
            None,
            "fun f<T0>() { CallGeneric g<vector<T0>> Ret } fun g<T0>() { Ret }",
        ),
        ("recursion with fixed types", None, "fun f<T0>() { CallGeneric f<vector<u8>> Ret }"),
    ];
    run(rows);
}

#[test]
fn constants() {
    let constant = |text: &str| format!("fun f() {{ LdConst {text} Pop Ret }}");
    let rows = [
        ("number", None, "u64 0x0100000000000000"),
        ("signed number", None, "i8 0xff"),
        ("cut short", Some(S::MALFORMED_CONSTANT_DATA), "u64 0x01000000000000"),
        ("too long", Some(S::MALFORMED_CONSTANT_DATA), "u8 0x0100"),
        ("boolean 2", Some(S::MALFORMED_CONSTANT_DATA), "bool 0x02"),
        ("vectors", None, "vector<vector<u8>> 0x0201050100"),
        ("vector with an element missing", Some(S::MALFORMED_CONSTANT_DATA), "vector<vector<u8>> 0x02010501"),
        ("length in needless groups", Some(S::MALFORMED_CONSTANT_DATA), "vector<u8> 0x8000"),
        ("huge length", Some(S::MALFORMED_CONSTANT_DATA), "vector<u8> 0xffffffff07"),
        ("signer", Some(S::INVALID_CONSTANT_TYPE), "signer 0x00"),
        ("struct", Some(S::INVALID_CONSTANT_TYPE), "C 0x00"),
        ("vector of structs", Some(S::INVALID_CONSTANT_TYPE), "vector<C> 0x00"),
    ];
    for (name, expected, text) in rows {
        run(&[(name, expected, &constant(text))]);
    }
}

#[test]
fn friends_and_empty_things() {
    let rows: &[Row<'_>] = &[
        ("friend", None, "friend 0x42::n"),
        ("friend of itself", Some(S::INVALID_FRIEND_DECL_WITH_SELF), "friend 0x42::m"),
        (
            "friend elsewhere",
            Some(S::INVALID_FRIEND_DECL_WITH_MODULES_OUTSIDE_ACCOUNT_ADDRESS),
            "friend 0x43::n",
        ),
        ("same friend twice", Some(S::DUPLICATE_ELEMENT), "friend 0x42::n friend 0x42::n"),
        ("struct without fields", Some(S::ZERO_SIZED_STRUCT), "struct A {}"),
        ("variant without fields", None, "enum A { X, Y }"),
        ("enum without variants", Some(S::ZERO_VARIANTS_ERROR), "enum A {}"),
        ("field name twice", Some(S::DUPLICATE_ELEMENT), "struct A { x: u64, x: u8 }"),
        ("field name in two variants", None, "enum A { X { x: u64 }, Y { x: u8 } }"),
        ("variant name twice", Some(S::DUPLICATE_ELEMENT), "enum A { X, X }"),
    ];
    run(rows);
}

fn again<T: Clone>(table: &mut Vec<T>) {
    table.push(table[0].clone());
}

/// Entries of tables are doubled, or definitions misplaced, by hand: no text says such a thing.
#[test]
fn tables_that_repeat_themselves() {
    type Change = fn(&mut CompiledModule);
    let good = common::module(
        "friend 0x42::n
         fun g<T0>(T0): T0 { MoveLoc 0 Ret }
         fun f(&Box<u8>, &E): u8 { LdConst vector<u8> 0x00 Pop MoveLoc 0 ImmBorrowFieldGeneric Box<u8>.t
         ReadRef CallGeneric g<u8> MoveLoc 1 TestVariant E::A Pop Ret }",
    );
    assert_eq!(verify_module(&good, &Limits::default()), Ok(()));
    let rows: &[(&str, S, Change)] = &[
        ("identifier", S::DUPLICATE_ELEMENT, |m| again(&mut m.identifiers)),
        ("address", S::DUPLICATE_ELEMENT, |m| again(&mut m.addresses)),
        ("constant", S::DUPLICATE_ELEMENT, |m| again(&mut m.constants)),
        ("signature", S::DUPLICATE_ELEMENT, |m| again(&mut m.signatures)),
        ("module handle", S::DUPLICATE_ELEMENT, |m| again(&mut m.module_handles)),
        ("struct handle", S::DUPLICATE_ELEMENT, |m| again(&mut m.struct_handles)),
        ("function handle", S::DUPLICATE_ELEMENT, |m| again(&mut m.function_handles)),
        ("function instance", S::DUPLICATE_ELEMENT, |m| again(&mut m.function_instantiations)),
        ("field handle", S::DUPLICATE_ELEMENT, |m| again(&mut m.field_handles)),
        ("field instance", S::DUPLICATE_ELEMENT, |m| again(&mut m.field_instantiations)),
        ("variant handle", S::DUPLICATE_ELEMENT, |m| again(&mut m.struct_variant_handles)),
        ("struct definition", S::DUPLICATE_ELEMENT, |m| again(&mut m.tables.struct_defs)),
        ("function definition", S::DUPLICATE_ELEMENT, |m| again(&mut m.tables.function_defs)),
        ("struct without definition", S::UNIMPLEMENTED_HANDLE, |m| {
            let mut handle = m.struct_handles[0].clone();
            handle.name = IdentifierIndex(m.identifiers.len() as u16 - 1);
            m.struct_handles.push(handle);
        }),
        ("function without definition", S::UNIMPLEMENTED_HANDLE, |m| {
            let mut handle = m.function_handles[0].clone();
            handle.name = IdentifierIndex(m.identifiers.len() as u16 - 1);
            m.function_handles.push(handle);
        }),
        ("definition for another module", S::INVALID_MODULE_HANDLE, |m| {
            let name = m.identifiers.len() as u16 - 1;
            m.module_handles.push(ModuleHandle { address: 0.into(), name: IdentifierIndex(name) });
            m.struct_handles[0].module = (m.module_handles.len() as u16 - 1).into();
        }),
        ("struct instance of the wrong arity", S::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH, |m| {
            let owner = m.find_struct("Box").expect("in the prelude");
            let two = Signature(vec![Type::leaf(TypeNode::U8), Type::leaf(TypeNode::U8)]);
            m.signatures.push(two);
            let type_arguments = SignatureIndex(m.signatures.len() as u16 - 1);
            m.struct_instantiations.push(Instantiation { target: owner, type_arguments });
        }),
    ];
    for (name, expected, change) in rows {
        let mut module = good.clone();
        change(&mut module);
        let status = verify_module(&module, &Limits::default()).expect_err(name).status;
        assert_eq!(status, *expected, "{name}");
    }
}

#[test]
fn indices_outside_their_tables() {
    type Change = fn(&mut CompiledModule);
    let good = common::module(
        "fun g<T0>(T0): T0 { MoveLoc 0 Ret } fun f(u64): u64 { MoveLoc 0 CallGeneric g<u64> Ret }",
    );
    let code = |m: &mut CompiledModule, instruction| {
        let def = m.tables.function_defs.last_mut().expect("f");
        def.code.as_mut().expect("not native").code[0] = instruction;
    };
    let in_code: &[(&str, Bytecode)] = &[
        ("local", Bytecode::MoveLoc(1)),
        ("branch", Bytecode::Branch(3)),
        ("constant", Bytecode::LdConst(9.into())),
        ("function", Bytecode::Call(FunctionHandleIndex(9))),
        ("struct", Bytecode::Pack(StructDefIndex(99))),
        ("field", Bytecode::ImmBorrowField(9.into())),
        ("signature", Bytecode::VecLen(99.into())),
        ("variant", Bytecode::PackVariant(9.into())),
        ("closure", Bytecode::PackClosure(9.into(), 0)),
    ];
    for (name, instruction) in in_code {
        let mut module = good.clone();
        code(&mut module, *instruction);
        let status = verify_module(&module, &Limits::default()).expect_err(name).status;
        assert_eq!(status, S::INDEX_OUT_OF_BOUNDS, "{name}");
    }
    let rows: &[(&str, S, Change)] = &[
        ("no module handles", S::NO_MODULE_HANDLES, |m| m.module_handles.clear()),
        ("self handle", S::INDEX_OUT_OF_BOUNDS, |m| m.self_handle = 1.into()),
        ("name", S::INDEX_OUT_OF_BOUNDS, |m| m.struct_handles[0].name = 999.into()),
        ("type parameter of a function", S::INDEX_OUT_OF_BOUNDS, |m| {
            m.function_handles[0].type_parameters.clear();
        }),
        ("type parameter of a struct", S::INDEX_OUT_OF_BOUNDS, |m| {
            let field_type = Type::leaf(TypeNode::TypeParameter(0));
            let field = Field { name: 0.into(), field_type };
            let ledger_bytecode::StructLayout::Struct(fields) = &mut m.tables.struct_defs[0].layout else {
                panic!("R is a plain struct");
            };
            fields.push(field);
        }),
        ("type arguments of a struct", S::NUMBER_OF_TYPE_ARGUMENTS_MISMATCH, |m| {
            let owner = m.find_struct("Box").expect("in the prelude");
            let bare = TypeNode::Struct(m[owner].handle);
            m.signatures.push(Signature(vec![Type::leaf(bare)]));
        }),
        ("locals", S::TOO_MANY_LOCALS, |m| {
            m.signatures.push(Signature(vec![Type::leaf(TypeNode::U8); 255]));
            let locals = SignatureIndex(m.signatures.len() as u16 - 1);
            m.tables.function_defs[0].code.as_mut().expect("not native").locals = locals;
        }),
    ];
    for (name, expected, change) in rows {
        let mut module = good.clone();
        change(&mut module);
        let status = verify_module(&module, &Limits::default()).expect_err(name).status;
        assert_eq!(status, *expected, "{name}");
    }
}

#[test]
fn limits() {
    let nested =
        |vectors: usize| format!("fun f({}u8{}) {{ Ret }}", "vector<".repeat(vectors), ">".repeat(vectors));
    let listed = |item: &str, count: usize| vec![item; count].join(", ");
    let generic = |count: usize| format!("struct A<{}> {{ x: u64 }}", listed("phantom T0", count));
    let many = |count: usize| format!("fun f({}) {{ Ret }}", listed("u8", count));
    let function_type = |count: usize| format!("fun f(|{}|() has drop) {{ Ret }}", listed("u8", count));
    let blocks = |count: usize| format!("fun f() {{ {} Ret }}", "Ret ".repeat(count - 1));
    let rows: &[Row<'_>] = &[
        ("type 20 deep", None, &nested(19)),
        ("type 21 deep", Some(S::TOO_MANY_TYPE_NODES), &nested(20)),
        ("32 type parameters", None, &generic(32)),
        ("33 type parameters", Some(S::TOO_MANY_TYPE_PARAMETERS), &generic(33)),
        ("128 parameters", None, &many(128)),
        ("129 parameters", Some(S::TOO_MANY_PARAMETERS), &many(129)),
        ("127 parameters in a function type", None, &function_type(127)),
        ("type of 129 nodes", Some(S::TOO_MANY_TYPE_NODES), &function_type(128)),
        ("1024 blocks", None, &blocks(1024)),
        ("1025 blocks", Some(S::TOO_MANY_BASIC_BLOCKS), &blocks(1025)),
    ];
    run(rows);

    let tight = Limits {
        struct_defs_max: Some(8),
        fields_max: Some(2),
        variants_max: Some(3),
        function_defs_max: Some(1),
        back_edges_max: Some(1),
        ..Limits::default()
    };
    let rows: &[Row<'_>] = &[
        ("within caps", None, "struct A { x: u64, y: u64 } fun f() { a: Branch a }"),
        ("structs", Some(S::MAX_STRUCT_DEFINITIONS_REACHED), "struct A { x: u64 } struct B { x: u64 }"),
        ("fields", Some(S::MAX_FIELD_DEFINITIONS_REACHED), "struct A { x: u64, y: u64, z: u64 }"),
        ("variants", Some(S::MAX_STRUCT_VARIANTS_REACHED), "enum A { W, X, Y, Z }"),
        ("functions", Some(S::MAX_FUNCTION_DEFINITIONS_REACHED), "fun f() { Ret } fun g() { Ret }"),
        ("back edges", Some(S::TOO_MANY_BACK_EDGES), "fun f(bool) { a: CopyLoc 0 BrTrue a Branch a }"),
    ];
    run_with(rows, common::module, &tight);
}

#[test]
fn work_is_bounded() {
    // A thousand blocks that all borrow: quadratic in the reference pass if nothing counted.
    let block = "a{}: CopyLoc 0 MutBorrowField C.x Pop CopyLoc 1 BrTrue a{} ";
    let code: String = (0..400).map(|i| block.replace("{}", &i.to_string())).collect();
    let text = format!("fun f(&mut C, bool) {{ {code} Ret }}");
    let poor = Limits { function_units_max: 10_000, ..Limits::default() };
    run_with(&[("small budget", Some(S::PROGRAM_TOO_COMPLEX), &text)], common::module, &poor);
    run(&[("production budget", None, &text)]);
}

#[test]
fn features_switched_off() {
    let off = Limits {
        features: FeatureSwitches { enums: false, access_specifiers: false, function_values: false },
        ..Limits::default()
    };
    let make = |text: &str| assemble(&format!("module 0x42::m version 10 {text}"));
    let rows: &[Row<'_>] = &[
        ("nothing special", None, "struct A { x: u64 } fun f() { Ret }"),
        ("enum", Some(S::FEATURE_NOT_ENABLED), "enum A { X }"),
        ("function type", Some(S::FEATURE_NOT_ENABLED), "fun f(|u64|(u64) has drop) { Ret }"),
        ("function type in a field", Some(S::FEATURE_NOT_ENABLED), "struct A { f: |u64|(u64) }"),
        ("attribute", Some(S::FEATURE_NOT_ENABLED), "fun f() attributes [persistent] { Ret }"),
        ("closure", Some(S::FEATURE_NOT_ENABLED), "fun g() { Ret } fun f() { PackClosure g 0 Pop Ret }"),
    ];
    run_with(rows, make, &off);

    let mut restricted = make("fun f() { Ret }");
    restricted.function_handles[0].access = Some(vec![]);
    assert_eq!(verify_module(&restricted, &off).unwrap_err().status, S::FEATURE_NOT_ENABLED);
    assert_eq!(verify_module(&restricted, &Limits::default()), Ok(()));
}

#[test]
fn scripts() {
    let rows = [
        ("good", None, "fun main(&signer, u64) { MoveLoc 1 Pop Ret }"),
        ("type fault", Some(S::STLOC_TYPE_MISMATCH_ERROR), "fun main(u64) { LdU8 1 StLoc 0 Ret }"),
        ("value returned", Some(S::POSITIVE_STACK_SIZE_AT_BLOCK_END), "fun main(u64) { MoveLoc 0 Ret }"),
        ("parameter nested too deeply", Some(S::INVALID_SIGNATURE_TOKEN), "fun main(vector<&u64>) { Ret }"),
        (
            "wrapper of a struct",
            Some(S::INVALID_OPERATION_IN_SCRIPT),
            "import fun 0x1::m::pack$S(u64): u64 attributes [pack] fun main() { Ret }",
        ),
    ];
    for (name, expected, text) in rows {
        let script = assemble_script(&format!("script version 10 {text}"));
        let given = verify_script(&script, &Limits::default());
        assert_eq!(given.err().map(|error| error.status), expected, "{name}");
    }
}

#[test]
fn struct_wrappers() {
    let declarations = "
        struct P has copy+drop { x: u64, y: bool }
        struct Q<T0: store> has drop { t: T0 }
        enum V has drop { A { x: u64, y: bool }, B { x: u64 }, D { z: bool } }
    ";
    let make = |text: &str| assemble(&format!("module 0x42::m version 10 {declarations} {text}"));
    let rows: &[Row<'_>] = &[
        (
            "pack",
            None,
            "public fun pack$P(u64, bool): P attributes [pack] { MoveLoc 0 MoveLoc 1 Pack P Ret }",
        ),
        (
            "pack of a generic struct",
            None,
            "fun pack$Q<T0: store>(T0): Q<T0> attributes [pack] { MoveLoc 0 PackGeneric Q<T0> Ret }",
        ),
        ("unpack", None, "fun unpack$P(P): u64, bool attributes [unpack] { MoveLoc 0 Unpack P Ret }"),
        (
            "borrow",
            None,
            "fun borrow$P$1(&P): &bool attributes [borrow_field 1] { MoveLoc 0 ImmBorrowField P.y Ret }",
        ),
        (
            "borrow mutably",
            None,
            "fun borrow_mut$P$0(&mut P): &mut u64 attributes [borrow_field_mut 0] { MoveLoc 0 MutBorrowField P.x Ret }",
        ),
        (
            "pack a variant",
            None,
            "fun pack$V$B(u64): V attributes [pack_variant 1] { MoveLoc 0 PackVariant V::B Ret }",
        ),
        (
            "test a variant",
            None,
            "fun test_variant$V$B(&V): bool attributes [test_variant 1] { MoveLoc 0 TestVariant V::B Ret }",
        ),
        (
            "borrow a shared field",
            None,
            "fun borrow$V$0$0(&V): &u64 attributes [borrow_field 0] { MoveLoc 0 ImmBorrowVariantField V::{A, B}.0 Ret }",
        ),
        (
            "borrow the third distinct field",
            None,
            "fun borrow$V$0$2(&V): &bool attributes [borrow_field 0] { MoveLoc 0 ImmBorrowVariantField V::{D}.0 Ret }",
        ),
        (
            "borrow from too few variants",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun borrow$V$0$0(&V): &u64 attributes [borrow_field 0] { MoveLoc 0 ImmBorrowVariantField V::{A}.0 Ret }",
        ),
        (
            "reserved name without attribute",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun pack$P(u64, bool): P { MoveLoc 0 MoveLoc 1 Pack P Ret }",
        ),
        ("name of no struct here", None, "fun pack$Z(u64) { Ret }"),
        (
            "attribute without its name",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun make(u64, bool): P attributes [pack] { MoveLoc 0 MoveLoc 1 Pack P Ret }",
        ),
        (
            "two attributes",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun pack$P(u64, bool): P attributes [pack, unpack] { MoveLoc 0 MoveLoc 1 Pack P Ret }",
        ),
        (
            "variant that name and attribute disagree on",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun pack$V$B(u64): V attributes [pack_variant 0] { MoveLoc 0 PackVariant V::B Ret }",
        ),
        (
            "body does more",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun pack$P(u64, bool): P attributes [pack] { Nop MoveLoc 0 MoveLoc 1 Pack P Ret }",
        ),
        (
            "body does another thing",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun test_variant$V$B(&V): bool attributes [test_variant 1] { MoveLoc 0 TestVariant V::A Ret }",
        ),
        (
            "resource",
            Some(S::INVALID_STRUCT_API_CODE),
            "struct K has key { x: u64 } fun pack$K(u64): K attributes [pack] { MoveLoc 0 Pack K Ret }",
        ),
        (
            "offset with a leading zero",
            Some(S::INVALID_STRUCT_API_CODE),
            "fun borrow$P$01(&P): &bool attributes [borrow_field 1] { MoveLoc 0 ImmBorrowField P.y Ret }",
        ),
    ];
    run_with(rows, make, &Limits::default());
}
