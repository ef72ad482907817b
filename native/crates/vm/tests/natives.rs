//! Natives of curves against values of other authors, paid before they work, given any bytes.

#[path = "common/calls.rs"]
mod calls;
mod common;

use calls::{assembled, bcs, bcs_list, call, call_paid};
use common::{context, gas, module_id};
use ledger_types::{Address, TypeTag};
use ledger_vm::{CallMode, GasLimits, GasMeter, status};
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
        assert_eq!(one("scalar_from_sha512_internal", std::slice::from_ref(&text)), a);
        assert_eq!(one("scalar_uniform_from_64_bytes_internal", &[get("uniform")]), a);
        let low = bcs(&field(row, "uniform")[..32]);
        assert_eq!(one("scalar_reduced_from_32_bytes_internal", &[low]), get("reduced"));
        assert_eq!(one("scalar_is_canonical_internal", &both[..1]), YES);

        let point = one("new_point_from_sha512_internal", &[text]);
        let same = one("new_point_from_64_uniform_bytes_internal", &[get("uniform")]);
        let generated = one("basepoint_mul_internal", &both[1..]);
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
        let copy = one("point_clone_internal", std::slice::from_ref(&same));
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
