//! Natives called one by one, on modules that only declare them: curves against values of other authors,
//! texts as the public framework's own tests want them, calls left to functions named at run time.

mod common;

use common::{MapState, context, framework, gas, machine, module_id};
use ledger_testkit::assemble;
use ledger_types::{Address, TypeTag};
use ledger_vm::{CallMode, GasLimits, GasMeter, Session, Vm, VmError, status};
use proptest::prelude::*;
use serde_json::Value;

const BLS: &str = "module 0x1::bls12381
struct PublicKeyWithPoP has copy+drop+store { bytes: vector<u8> }
struct Signature has copy+drop+store { bytes: vector<u8> }
native fun aggregate_pubkeys_internal(vector<PublicKeyWithPoP>): vector<u8>, bool
native fun aggregate_signatures_internal(vector<Signature>): vector<u8>, bool
native fun signature_subgroup_check_internal(vector<u8>): bool
native fun validate_pubkey_internal(vector<u8>): bool
native fun verify_aggregate_signature_internal(vector<u8>, vector<PublicKeyWithPoP>, vector<vector<u8>>): bool
native fun verify_multisignature_internal(vector<u8>, vector<u8>, vector<u8>): bool
native fun verify_normal_signature_internal(vector<u8>, vector<u8>, vector<u8>): bool
native fun verify_proof_of_possession_internal(vector<u8>, vector<u8>): bool
native fun verify_signature_share_internal(vector<u8>, vector<u8>, vector<u8>): bool";

const RISTRETTO: &str = "module 0x1::ristretto255
struct RistrettoPoint has drop { handle: u64 }
struct Scalar has copy+drop+store { data: vector<u8> }
native fun basepoint_double_mul_internal(vector<u8>, &RistrettoPoint, vector<u8>): u64
native fun basepoint_mul_internal(vector<u8>): u64
native fun double_scalar_mul_internal(u64, u64, vector<u8>, vector<u8>): u64
native fun multi_scalar_mul_internal<T0, T1>(&vector<T0>, &vector<T1>): u64
native fun new_point_from_64_uniform_bytes_internal(vector<u8>): u64
native fun new_point_from_sha512_internal(vector<u8>): u64
native fun point_add_internal(&RistrettoPoint, &RistrettoPoint, bool): u64
native fun point_clone_internal(u64): u64
native fun point_compress_internal(&RistrettoPoint): vector<u8>
native fun point_decompress_internal(vector<u8>): u64, bool
native fun point_equals(&RistrettoPoint, &RistrettoPoint): bool
native fun point_identity_internal(): u64
native fun point_is_canonical_internal(vector<u8>): bool
native fun point_mul_internal(&RistrettoPoint, vector<u8>, bool): u64
native fun point_neg_internal(&RistrettoPoint, bool): u64
native fun point_sub_internal(&RistrettoPoint, &RistrettoPoint, bool): u64
native fun scalar_add_internal(vector<u8>, vector<u8>): vector<u8>
native fun scalar_from_sha512_internal(vector<u8>): vector<u8>
native fun scalar_from_u128_internal(u128): vector<u8>
native fun scalar_from_u64_internal(u64): vector<u8>
native fun scalar_invert_internal(vector<u8>): vector<u8>
native fun scalar_is_canonical_internal(vector<u8>): bool
native fun scalar_mul_internal(vector<u8>, vector<u8>): vector<u8>
native fun scalar_neg_internal(vector<u8>): vector<u8>
native fun scalar_reduced_from_32_bytes_internal(vector<u8>): vector<u8>
native fun scalar_sub_internal(vector<u8>, vector<u8>): vector<u8>
native fun scalar_uniform_from_64_bytes_internal(vector<u8>): vector<u8>";

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn field(value: &Value, name: &str) -> Vec<u8> {
    hex(value[name].as_str().unwrap_or_else(|| panic!("{name} is missing")))
}

fn fields(value: &Value, name: &str) -> Vec<Vec<u8>> {
    value[name].as_array().unwrap().iter().map(|item| hex(item.as_str().unwrap())).collect()
}

/// The BCS of bytes.
fn bcs(bytes: &[u8]) -> Vec<u8> {
    let mut writer = ledger_bcs::Writer::new();
    writer.bytes(bytes);
    writer.as_bytes().to_vec()
}

/// The BCS of a list of byte vectors, or of structs around them.
fn bcs_list(list: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = ledger_bcs::Writer::new();
    writer.sequence(list, |writer, bytes| writer.bytes(bytes));
    writer.as_bytes().to_vec()
}

fn assembled(texts: &[&str]) -> (MapState, Vm) {
    let modules: Vec<Vec<u8>> = texts.iter().map(|text| assemble(text).serialize()).collect();
    machine(&modules)
}

fn meter() -> GasMeter {
    GasMeter::new(GasLimits { balance: 1 << 60, execution_max: 1 << 60, io_max: 1 << 60 })
}

type Outcome = Result<Vec<Vec<u8>>, VmError>;

/// A native or function of `module` at 0x1 in a session, everything checked off, and its gas.
fn call_paid(
    session: &mut Session<'_>,
    module: &str,
    function: &str,
    tags: &[TypeTag],
    arguments: &[Vec<u8>],
) -> (Outcome, u64) {
    let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    let id = module_id(Address::ONE, module);
    let mut meter = meter();
    let values = session.call(&id, function, tags, &arguments, CallMode::Bypass, &mut meter);
    (values.map(|values| values.into_iter().map(|value| value.bytes).collect()), meter.execution_used())
}

fn call(session: &mut Session<'_>, module: &str, function: &str, arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let (outcome, gas) = call_paid(session, module, function, &[], arguments);
    assert!(gas > 0, "{function} is free");
    outcome.unwrap_or_else(|error| panic!("{function}: {error}"))
}

const YES: &[u8] = &[1];
const NO: &[u8] = &[0];

#[test]
fn bls_natives_agree_with_another_implementation() {
    let file: Value = serde_json::from_str(include_str!("../../crypto/tests/bls12381.json")).unwrap();
    let (state, mut vm) = assembled(&[BLS]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let mut is = |function: &str, arguments: &[Vec<u8>]| {
        let result = call(&mut session, "bls12381", function, arguments);
        assert!(result == [YES] || result == [NO], "{function}");
        result == [YES]
    };
    let (keys, messages) = (fields(&file, "public_keys"), fields(&file, "messages"));
    let (signatures, proofs) = (fields(&file, "signatures"), fields(&file, "proofs"));
    for i in 0..3 {
        for j in 0..3 {
            let arguments = [bcs(&signatures[i]), bcs(&keys[j]), bcs(&messages[i])];
            assert_eq!(is("verify_normal_signature_internal", &arguments), i == j);
            assert_eq!(is("verify_signature_share_internal", &arguments), i == j);
            let arguments = [bcs(&keys[i]), bcs(&proofs[j])];
            assert_eq!(is("verify_proof_of_possession_internal", &arguments), i == j);
        }
        assert!(is("validate_pubkey_internal", &[bcs(&keys[i])]));
        assert!(is("signature_subgroup_check_internal", &[bcs(&signatures[i])]));
    }
    assert!(!is("validate_pubkey_internal", &[bcs(&field(&file, "public_key_outside_the_group"))]));
    assert!(!is("validate_pubkey_internal", &[bcs(b"")]));
    let outside = bcs(&field(&file, "signature_outside_the_group"));
    assert!(!is("signature_subgroup_check_internal", &[outside]));
    let together = bcs(&field(&file, "aggregate_signature"));
    let verify = "verify_aggregate_signature_internal";
    assert!(is(verify, &[together.clone(), bcs_list(&keys), bcs_list(&messages)]));
    assert!(!is(verify, &[together.clone(), bcs_list(&keys[..2]), bcs_list(&messages)]));
    assert!(!is(verify, &[together, bcs_list(&[]), bcs_list(&[])]));
    let multisignature = [
        bcs(&field(&file, "multisignature")),
        bcs(&field(&file, "aggregate_public_key")),
        bcs(&field(&file, "same_message")),
    ];
    assert!(is("verify_multisignature_internal", &multisignature));
    let sum = call(&mut session, "bls12381", "aggregate_pubkeys_internal", &[bcs_list(&keys)]);
    assert_eq!(sum, [bcs(&field(&file, "aggregate_public_key")), YES.to_vec()]);
    let sum = call(&mut session, "bls12381", "aggregate_signatures_internal", &[bcs_list(&signatures)]);
    assert_eq!(sum, [bcs(&field(&file, "aggregate_signature")), YES.to_vec()]);
    let none = call(&mut session, "bls12381", "aggregate_pubkeys_internal", &[bcs_list(&[])]);
    assert_eq!(none, [bcs(b""), NO.to_vec()]);
}

#[test]
fn ristretto_natives_agree_with_another_implementation() {
    let file: Value = serde_json::from_str(include_str!("../../crypto/tests/ristretto255.json")).unwrap();
    let (state, mut vm) = assembled(&[RISTRETTO]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let mut one = |function: &str, arguments: &[Vec<u8>]| {
        call(&mut session, "ristretto255", function, arguments).remove(0)
    };
    let no = || NO.to_vec();
    for row in file["rows"].as_array().unwrap() {
        let get = |name: &str| bcs(&field(row, name));
        let (a, b) = (get("a"), get("b"));
        let both = [a.clone(), b.clone()];
        let text = bcs(row["text"].as_str().unwrap().as_bytes());
        assert_eq!(one("scalar_add_internal", &both), get("sum"));
        assert_eq!(one("scalar_sub_internal", &both), get("difference"));
        assert_eq!(one("scalar_mul_internal", &both), get("product"));
        assert_eq!(one("scalar_neg_internal", &both[..1]), get("negated"));
        assert_eq!(one("scalar_invert_internal", &both[..1]), get("inverse"));
        assert_eq!(one("scalar_from_sha512_internal", &[text.clone()]), a);
        assert_eq!(one("scalar_uniform_from_64_bytes_internal", &[get("uniform")]), a);
        let low = bcs(&field(row, "uniform")[..32]);
        assert_eq!(one("scalar_reduced_from_32_bytes_internal", &[low]), get("reduced"));
        assert_eq!(one("scalar_is_canonical_internal", &both[..1]), YES);

        let point = one("new_point_from_sha512_internal", &[text]);
        let same = one("new_point_from_64_uniform_bytes_internal", &[get("uniform")]);
        let generated = one("basepoint_mul_internal", &[b.clone()]);
        assert_ne!(point, same, "each has a handle of its own");
        assert_eq!(one("point_equals", &[point.clone(), same.clone()]), YES);
        assert_eq!(one("point_equals", &[point.clone(), generated.clone()]), NO);
        let mut is = |point: Vec<u8>, name: &str| {
            assert_eq!(one("point_compress_internal", &[point]), get(name), "{name}");
        };
        is(point.clone(), "point");
        is(generated.clone(), "base_times_b");
        let sum = one("point_add_internal", &[point.clone(), generated.clone(), no()]);
        let difference = one("point_sub_internal", &[point.clone(), generated.clone(), no()]);
        let product = one("point_mul_internal", &[point.clone(), a.clone(), no()]);
        let inverse = one("point_neg_internal", &[point.clone(), no()]);
        let combined = one("basepoint_double_mul_internal", &[a.clone(), point.clone(), b.clone()]);
        let unit = one("scalar_from_u64_internal", &[1u64.to_le_bytes().to_vec()]);
        assert_eq!(one("scalar_from_u128_internal", &[1u128.to_le_bytes().to_vec()]), unit);
        let generator = one("basepoint_mul_internal", &[unit]);
        let two = one("double_scalar_mul_internal", &[point.clone(), generator, a.clone(), b.clone()]);
        for (point, name) in [
            (sum, "point_plus"),
            (difference, "point_minus"),
            (product, "point_times_a"),
            (inverse, "negated_point"),
            (combined, "combined"),
            (two, "combined"),
        ] {
            assert_eq!(one("point_compress_internal", &[point]), get(name), "{name}");
        }
        // In place the handle stays and its copy does not follow.
        let copy = one("point_clone_internal", &[same.clone()]);
        assert_eq!(one("point_add_internal", &[same.clone(), generated, YES.to_vec()]), same);
        assert_eq!(one("point_compress_internal", &[same]), get("point_plus"));
        assert_eq!(one("point_compress_internal", &[copy]), get("point"));
    }
    let identity = one("point_identity_internal", &[]);
    assert_eq!(one("point_compress_internal", &[identity]), bcs(&[0; 32]));
    assert_eq!(one("point_is_canonical_internal", &[bcs(&[0; 32])]), YES);
    assert_eq!(one("point_is_canonical_internal", &[bcs(&[255; 32])]), NO);
    assert_eq!(one("scalar_is_canonical_internal", &[bcs(&field(&file, "order"))]), NO);
    assert_eq!(one("scalar_is_canonical_internal", &[bcs(&[0; 31])]), NO);
    let bad = call(&mut session, "ristretto255", "point_decompress_internal", &[bcs(&[255; 32])]);
    assert_eq!(bad, [u64::MAX.to_le_bytes().to_vec(), NO.to_vec()]);
}

#[test]
fn many_points_combine_and_points_are_limited() {
    let file: Value = serde_json::from_str(include_str!("../../crypto/tests/ristretto255.json")).unwrap();
    let (state, mut vm) = assembled(&[RISTRETTO]);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let tags: Vec<TypeTag> = ["RistrettoPoint", "Scalar"]
        .map(|name| format!("0x1::ristretto255::{name}").parse().unwrap())
        .to_vec();
    // 1·(1·B) + 2·(2·B) + 3·(3·B) = 14·B
    let scalar = |n: u8| {
        let mut bytes = vec![0; 32];
        bytes[0] = n;
        bytes
    };
    let mut handles = vec![3];
    for n in 1..=3 {
        handles.extend(
            call(&mut session, "ristretto255", "basepoint_mul_internal", &[bcs(&scalar(n))]).remove(0),
        );
    }
    let scalars = bcs_list(&[scalar(1), scalar(2), scalar(3)]);
    let arguments = [handles.clone(), scalars];
    let (sum, paid) = call_paid(&mut session, "ristretto255", "multi_scalar_mul_internal", &tags, &arguments);
    assert!(paid > 3 * 10_000_000);
    let sum = call(&mut session, "ristretto255", "point_compress_internal", &sum.unwrap());
    assert_eq!(sum[0], bcs(&fields(&file, "multiples")[14]));

    let arguments = [handles, bcs_list(&[scalar(1)])];
    let (unequal, _) =
        call_paid(&mut session, "ristretto255", "multi_scalar_mul_internal", &tags, &arguments);
    assert_eq!(unequal.unwrap_err().status, status::VM_EXTENSION_ERROR);
    let never = vec![(1u64 << 40).to_le_bytes().to_vec()];
    let (unknown, _) = call_paid(&mut session, "ristretto255", "point_clone_internal", &[], &never);
    assert_eq!(unknown.unwrap_err().status, status::VM_EXTENSION_ERROR);
    let refused = (0..10_001)
        .find_map(|_| call_paid(&mut session, "ristretto255", "point_identity_internal", &[], &[]).0.err());
    assert_eq!(refused.and_then(|error| error.abort_code), Some(0x9_0004));
}

#[test]
fn natives_are_paid_before_they_work() {
    let (state, mut vm) = assembled(&[BLS, RISTRETTO]);
    let gas = gas();
    for (module, function, arguments) in [
        ("bls12381", "verify_normal_signature_internal", vec![bcs(&[0; 96]), bcs(&[0; 48]), bcs(b"text")]),
        ("bls12381", "verify_proof_of_possession_internal", vec![bcs(&[0; 48]), bcs(&[0; 96])]),
        ("ristretto255", "basepoint_mul_internal", vec![bcs(&[0; 32])]),
        ("ristretto255", "point_identity_internal", vec![]),
    ] {
        let mut session = vm.session(&state, &gas, context());
        let (_, paid) = call_paid(&mut session, module, function, &[], &arguments);
        let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
        let limits = GasLimits { balance: paid - 1, execution_max: u64::MAX, io_max: u64::MAX };
        let mut meter = GasMeter::new(limits);
        let id = module_id(Address::ONE, module);
        let outcome = session.call(&id, function, &[], &arguments, CallMode::Bypass, &mut meter);
        assert_eq!(outcome.unwrap_err().status, status::OUT_OF_GAS, "{function}");
    }
}

/// How the flags `type_tag, canonicalize, single_line, include_int_types` stand.
type Flags = [bool; 4];
const LINE: Flags = [false, false, true, false];
const TYPED: Flags = [false, true, true, true];
const DEBUG: Flags = [true, false, false, false];

fn string(text: &str) -> Vec<u8> {
    bcs(text.as_bytes())
}

#[test]
fn values_become_text() {
    let framework = framework();
    let (state, mut vm) = machine(&framework.modules);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let mut text = |ty: &str, value: &[u8], flags: Flags| {
        let mut arguments = vec![value.to_vec()];
        arguments.extend(flags.map(|flag| vec![u8::from(flag)]));
        let tags = [ty.parse().unwrap()];
        let (outcome, paid) = call_paid(&mut session, "string_utils", "native_format", &tags, &arguments);
        assert!(paid >= 11_020, "{ty}");
        String::from_utf8(outcome.unwrap_or_else(|error| panic!("{ty}: {error}")).remove(0)[1..].to_vec())
            .unwrap()
    };
    let one = 1u64.to_le_bytes();
    let numbers: Vec<u8> = [&[3][..], &one, &2u64.to_le_bytes(), &3u64.to_le_bytes()].concat();
    let address: Address = "0x1234".parse().unwrap();
    let list = [string("My string"), 2u64.to_le_bytes().to_vec()].concat();
    let cons = "0x1::string_utils::Cons<0x1::string::String, u64>";
    let nested = [&[2][..], &[1], &one, &[0]].concat();
    for (ty, value, flags, expected) in [
        ("u64", &one[..], LINE, "1"),
        ("u64", &one, TYPED, "1u64"),
        ("u8", &[255], TYPED, "255u8"),
        ("bool", &[0], LINE, "false"),
        ("bool", &[1], DEBUG, "true"),
        ("u256", &[&[1][..], &[0; 31]].concat(), LINE, "1"),
        ("u128", &[255; 16], LINE, "340282366920938463463374607431768211455"),
        ("vector<u64>", &numbers, LINE, "[ 1, 2, 3 ]"),
        ("vector<u64>", &numbers, DEBUG, "[ 1, 2, 3 ]"),
        ("vector<u16>", &[2, 16, 0, 17, 1], LINE, "[ 16, 273 ]"),
        ("vector<bool>", &[2, 1, 0], LINE, "[ true, false ]"),
        ("vector<u64>", &[0], LINE, "[]"),
        ("vector<u8>", b"\x03ABC", LINE, "0x414243"),
        ("vector<vector<u64>>", &nested, LINE, "[ [ 1 ], [] ]"),
        ("vector<vector<u64>>", &nested, DEBUG, "[\n  [ 1 ],\n  []\n]"),
        ("address", &address.0, LINE, "@0x1234"),
        ("address", &Address::default().0, LINE, "@0x0"),
        ("address", &address.0, TYPED, "@0000000000000000000000000000000000000000000000000000000000001234"),
        ("0x1::string::String", &string("a\"b"), LINE, "\"a\"b\""),
        ("0x1::option::Option<u64>", &[0], LINE, "None"),
        ("0x1::option::Option<u64>", &[&[1][..], &one].concat(), LINE, "Some(1)"),
        ("0x1::option::Option<u8>", &[1, 9], LINE, "Some(9)"),
        (cons, &list, LINE, "Cons { car: \"My string\", cdr: 2 }"),
        (
            cons,
            &list,
            DEBUG,
            "0x1::string_utils::Cons<0x1::string::String, u64> {\n  car: \"My string\",\n  cdr: 2\n}",
        ),
    ] {
        assert_eq!(text(ty, value, flags), expected, "{ty}");
    }
}

#[test]
fn formats_take_as_many_values_as_they_have_places() {
    let framework = framework();
    let (state, mut vm) = machine(&framework.modules);
    let gas = gas();
    let mut session = vm.session(&state, &gas, context());
    let text = "0x1::string::String";
    let values = [1u64.to_le_bytes().to_vec(), 2u64.to_le_bytes().to_vec(), string("My string")];
    let mut fill = |format: &str| {
        let tags: Vec<TypeTag> = ["u64", "u64", text].iter().map(|tag| tag.parse().unwrap()).collect();
        let mut arguments = vec![bcs(format.as_bytes())];
        arguments.extend(values.clone());
        let (outcome, _) = call_paid(&mut session, "string_utils", "format3", &tags, &arguments);
        outcome
            .map(|mut values| String::from_utf8(values.remove(0)[1..].to_vec()).unwrap())
            .map_err(|error| error.abort_code)
    };
    assert_eq!(fill("a = {} b = {} c = {}").unwrap(), "a = 1 b = 2 c = \"My string\"");
    assert_eq!(fill("{{{}}} {}{} é").unwrap(), "{1} 2\"My string\" é");
    for (format, code) in [
        ("{} {}", 1),
        ("{} {} {} {}", 1),
        ("{} {} {", 2),
        ("{} {} }", 2),
        ("{a} {} {}", 2),
        ("}{ {} {} {}", 2),
    ] {
        assert_eq!(fill(format), Err(Some(code)), "{format}");
    }
}

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
    assert_eq!(fits("dispatchable_derived_balance", itself).unwrap(), [NO]);
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever bytes a module hands over: an answer or a failure, and the session goes on.
    #[test]
    fn bytes_of_any_kind_are_survived(a in prop::collection::vec(any::<u8>(), 0..120), handle in any::<u64>()) {
        let (state, mut vm) = assembled(&[BLS, RISTRETTO]);
        let gas = gas();
        let mut session = vm.session(&state, &gas, context());
        let (bytes, list) = (bcs(&a), bcs_list(&[a.clone(), a.clone()]));
        let handle = (handle % 3).to_le_bytes().to_vec();
        let no = NO.to_vec();
        for (module, function, arguments) in [
            ("bls12381", "aggregate_pubkeys_internal", vec![list.clone()]),
            ("bls12381", "aggregate_signatures_internal", vec![list.clone()]),
            ("bls12381", "signature_subgroup_check_internal", vec![bytes.clone()]),
            ("bls12381", "validate_pubkey_internal", vec![bytes.clone()]),
            ("bls12381", "verify_aggregate_signature_internal", vec![bytes.clone(), list.clone(), list]),
            ("bls12381", "verify_normal_signature_internal", vec![bytes.clone(), bytes.clone(), bytes.clone()]),
            ("bls12381", "verify_proof_of_possession_internal", vec![bytes.clone(), bytes.clone()]),
            ("ristretto255", "point_decompress_internal", vec![bytes.clone()]),
            ("ristretto255", "new_point_from_sha512_internal", vec![bytes.clone()]),
            ("ristretto255", "new_point_from_64_uniform_bytes_internal", vec![bytes.clone()]),
            ("ristretto255", "scalar_reduced_from_32_bytes_internal", vec![bytes.clone()]),
            ("ristretto255", "scalar_uniform_from_64_bytes_internal", vec![bytes.clone()]),
            ("ristretto255", "scalar_mul_internal", vec![bytes.clone(), bytes.clone()]),
            ("ristretto255", "scalar_is_canonical_internal", vec![bytes.clone()]),
            ("ristretto255", "basepoint_mul_internal", vec![bytes.clone()]),
            ("ristretto255", "point_mul_internal", vec![handle.clone(), bytes, no.clone()]),
            ("ristretto255", "point_add_internal", vec![handle.clone(), handle, no]),
        ] {
            let (outcome, _) = call_paid(&mut session, module, function, &[], &arguments);
            if let Err(error) = outcome {
                prop_assert_eq!(error.status, status::VM_EXTENSION_ERROR, "{}", function);
            }
        }
    }
}
