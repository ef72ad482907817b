//! BLS12-381 and ristretto255 against published values and an implementation of other authors.
//!
//! `bls12381.json` and `ristretto255.json` were written by `@noble/curves` 1.9.7 (`bls12-381`, `ed25519`).
//! Their first signature is the first of the public Ethereum consensus vectors; the multiples of the
//! generator are those of RFC 9496, appendix A.1.

use ledger_crypto::bls12381;
use ledger_crypto::ristretto255::{Point, Scalar};
use proptest::prelude::*;
use serde_json::Value;

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn field(value: &Value, name: &str) -> Vec<u8> {
    hex(value[name].as_str().unwrap_or_else(|| panic!("{name} is missing")))
}

fn fields(value: &Value, name: &str) -> Vec<Vec<u8>> {
    value[name].as_array().unwrap().iter().map(|item| hex(item.as_str().unwrap())).collect()
}

fn slices(list: &[Vec<u8>]) -> Vec<&[u8]> {
    list.iter().map(Vec::as_slice).collect()
}

fn bls() -> Value {
    serde_json::from_str(include_str!("bls12381.json")).unwrap()
}

fn ristretto() -> Value {
    serde_json::from_str(include_str!("ristretto255.json")).unwrap()
}

/// The identity of G1 or G2, compressed.
fn infinity(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    bytes[0] = 0xc0;
    bytes
}

#[test]
fn signatures_verify_for_their_key_and_message_alone() {
    let bls = bls();
    let (keys, messages) = (fields(&bls, "public_keys"), fields(&bls, "messages"));
    let signatures = fields(&bls, "signatures");
    assert_eq!(
        keys[0],
        hex(
            "a491d1b0ecd9bb917989f0e74f0dea0422eac4a873e5e2644f368dffb9a6e20fd6e10c1b77654d067c0618f6e5a7f79a"
        )
    );
    for (i, signature) in signatures.iter().enumerate() {
        for (j, key) in keys.iter().enumerate() {
            for (k, message) in messages.iter().enumerate() {
                for check_key in [true, false] {
                    let verdict = bls12381::verify(signature, key, check_key, message);
                    assert_eq!(verdict, i == j && j == k, "signature {i}, key {j}, message {k}");
                }
            }
        }
    }
    // The domain of proofs is another: no signature over the key is a proof, and no proof a signature.
    let proofs = fields(&bls, "proofs");
    assert!(!bls12381::verify(&proofs[0], &keys[0], true, &keys[0]));
    for (i, proof) in proofs.iter().enumerate() {
        for (j, key) in keys.iter().enumerate() {
            assert_eq!(bls12381::verify_proof_of_possession(proof, key), i == j);
        }
    }
}

#[test]
fn sums_of_keys_and_signatures_verify_together() {
    let bls = bls();
    let (keys, messages) = (fields(&bls, "public_keys"), fields(&bls, "messages"));
    let (keys, messages) = (slices(&keys), slices(&messages));
    let signatures = fields(&bls, "signatures");
    let aggregate = bls12381::aggregate_signatures(&slices(&signatures)).unwrap();
    assert_eq!(aggregate.to_vec(), field(&bls, "aggregate_signature"));
    assert!(bls12381::verify_aggregate(&aggregate, &keys, &messages));
    assert!(!bls12381::verify_aggregate(&aggregate, &keys[..2], &messages[..2]));
    assert!(!bls12381::verify_aggregate(&aggregate, &keys, &messages[..2]));
    assert!(!bls12381::verify_aggregate(&aggregate, &[keys[1], keys[0], keys[2]], &messages));
    assert!(!bls12381::verify_aggregate(&infinity(96), &[], &[]));

    let key = bls12381::aggregate_public_keys(&keys).unwrap();
    assert_eq!(key.to_vec(), field(&bls, "aggregate_public_key"));
    let shares = fields(&bls, "same_message_signatures");
    let multisignature = bls12381::aggregate_signatures(&slices(&shares)).unwrap();
    assert_eq!(multisignature.to_vec(), field(&bls, "multisignature"));
    assert!(bls12381::verify(&multisignature, &key, false, &field(&bls, "same_message")));
    assert!(!bls12381::verify(&multisignature, &key, false, messages[0]));

    assert_eq!(bls12381::aggregate_public_keys(&[]), None);
    assert_eq!(bls12381::aggregate_signatures(&[]), None);
    assert_eq!(bls12381::aggregate_public_keys(&[keys[0], &[0; 48]]), None);
    assert_eq!(bls12381::aggregate_signatures(&[&signatures[0], &[0; 96]]), None);
}

#[test]
fn points_outside_the_group_decode_and_are_not_accepted() {
    let bls = bls();
    let (key, signature) =
        (field(&bls, "public_key_outside_the_group"), field(&bls, "signature_outside_the_group"));
    assert!(bls12381::is_public_key(&key) && !bls12381::is_valid_public_key(&key));
    assert!(bls12381::is_signature(&signature) && !bls12381::is_in_subgroup(&signature));
    assert!(!bls12381::verify(&signature, &fields(&bls, "public_keys")[0], false, b""));
    let good = &fields(&bls, "public_keys")[0];
    assert!(bls12381::is_valid_public_key(good));
    assert!(bls12381::is_in_subgroup(&fields(&bls, "signatures")[0]));
    assert!(!bls12381::is_valid_public_key(&infinity(48)), "the identity is no key");
    assert!(bls12381::is_in_subgroup(&infinity(96)), "the identity has the group's order");
    assert!(!bls12381::verify(&infinity(96), &infinity(48), false, b""), "and proves nothing");
    assert!(
        !bls12381::is_public_key(&good[..47]) && !bls12381::is_public_key(&[good.as_slice(), &[0]].concat())
    );
}

fn canonical(row: &Value, name: &str) -> Scalar {
    Scalar::from_canonical(&field(row, name)).unwrap()
}

#[test]
fn multiples_of_the_generator_have_their_published_encodings() {
    let multiples = fields(&ristretto(), "multiples");
    assert_eq!(multiples[1], hex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"));
    assert_eq!(multiples[2], hex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"));
    let one = Point::decompress(&multiples[1]).unwrap();
    let mut sum = Point::identity();
    for (i, encoding) in multiples.iter().enumerate() {
        assert_eq!(sum.compress().to_vec(), *encoding);
        assert_eq!(Point::generated_by(&Scalar::from_u128(i as u128)), sum);
        assert_eq!(Point::decompress(encoding), Some(sum));
        sum = sum.add(&one);
    }
}

#[test]
fn texts_map_to_their_published_element() {
    let mapped = Point::from_sha512(b"Ristretto is traditionally a short shot of espresso coffee");
    let expected = "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46";
    assert_eq!(mapped.compress().to_vec(), hex(expected));
}

/// Kinds of encodings that RFC 9496, appendix A.2, lists: not canonical, negative, not square.
#[test]
fn encodings_that_are_not_canonical_are_refused() {
    for text in [
        "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
        "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ] {
        assert_eq!(Point::decompress(&hex(text)), None, "{text}");
    }
    assert_eq!(Point::decompress(&[0; 31]), None);
    assert_eq!(Point::decompress(&[0; 33]), None);
    assert_eq!(Scalar::from_canonical(&field(&ristretto(), "order")), None, "the order itself");
    assert_eq!(Scalar::from_canonical(&[0; 31]), None);
}

#[test]
fn scalars_and_points_compute_as_elsewhere() {
    let file = ristretto();
    let rows = file["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    for row in rows {
        let (a, b) = (canonical(row, "a"), canonical(row, "b"));
        let uniform: [u8; 64] = field(row, "uniform").try_into().unwrap();
        let text = row["text"].as_str().unwrap().as_bytes();
        assert_eq!((Scalar::from_uniform(&uniform), Scalar::from_sha512(text)), (a, a));
        let low: [u8; 32] = uniform[..32].try_into().unwrap();
        assert_eq!(Scalar::reduced(low).to_bytes().to_vec(), field(row, "reduced"));
        assert_eq!(a.add(&b).to_bytes().to_vec(), field(row, "sum"));
        assert_eq!(a.subtract(&b).to_bytes().to_vec(), field(row, "difference"));
        assert_eq!(a.multiply(&b).to_bytes().to_vec(), field(row, "product"));
        assert_eq!(a.negate().to_bytes().to_vec(), field(row, "negated"));
        assert_eq!(a.invert().to_bytes().to_vec(), field(row, "inverse"));

        let (point, generated) = (Point::from_uniform(&uniform), Point::generated_by(&b));
        assert_eq!(Point::from_sha512(text), point);
        assert_eq!(point.compress().to_vec(), field(row, "point"));
        assert_eq!(generated.compress().to_vec(), field(row, "base_times_b"));
        assert_eq!(point.multiply(&a).compress().to_vec(), field(row, "point_times_a"));
        assert_eq!(point.add(&generated).compress().to_vec(), field(row, "point_plus"));
        assert_eq!(point.subtract(&generated).compress().to_vec(), field(row, "point_minus"));
        assert_eq!(point.negate().compress().to_vec(), field(row, "negated_point"));
        let combined = field(row, "combined");
        assert_eq!(Point::combine_with_generator(&a, &point, &b).compress().to_vec(), combined);
        let generator = Point::generated_by(&Scalar::from_u128(1));
        assert_eq!(Point::combine(&[(point, a), (generator, b)]).compress().to_vec(), combined);
    }
    assert_eq!(Point::combine(&[]), Point::identity());
    assert_eq!(Scalar::from_u128(0).invert(), Scalar::from_u128(0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_bytes_are_refused_without_panic(
        a in prop::collection::vec(any::<u8>(), 0..130),
        b in prop::collection::vec(any::<u8>(), 0..130),
    ) {
        prop_assert!(!bls12381::verify(&a, &b, true, &a));
        prop_assert!(!bls12381::verify_proof_of_possession(&a, &b));
        prop_assert!(!bls12381::verify_aggregate(&a, &[&b], &[&a]));
        prop_assert_eq!(bls12381::aggregate_public_keys(&[&a, &b]), None);
        prop_assert_eq!(bls12381::aggregate_signatures(&[&a, &b]), None);
        if let Some(point) = Point::decompress(&a) {
            prop_assert_eq!(point.compress().to_vec(), a);
        } else if let Some(scalar) = Scalar::from_canonical(&b) {
            prop_assert_eq!(scalar.to_bytes().to_vec(), b);
        }
    }

    #[test]
    fn bytes_of_the_right_length_never_panic(key in any::<[u8; 32]>(), more in any::<[u8; 32]>(), flags in 0u8..8) {
        let mut bytes = [key.as_slice(), &more[..16]].concat();
        bytes[0] = bytes[0] & 0x1f | flags << 5;
        let on_curve = bls12381::is_public_key(&bytes);
        prop_assert!(on_curve || !bls12381::is_valid_public_key(&bytes));
        if let Some(point) = Point::decompress(&key) {
            prop_assert_eq!(point.compress(), key);
        }
    }
}
