//! Addresses, identifiers, type tags, keys and what derives from them.

use ledger_bcs::{Decode, Encode, Error};
use ledger_types::{
    Address, AnyPublicKey, Ed25519PublicKey, FunctionInfo, Identifier, MultiEd25519PublicKey, MultiKey,
    TypeTag,
};

use crate::address;
use crate::vector_file::{bytes, cases, number, text, to_hex};

#[test]
fn addresses_parse_and_print_in_their_forms() {
    for case in cases("addresses.json", 32) {
        let (name, input) = (text(&case, "name"), text(&case, "input"));
        let parsed = input.parse::<Address>();
        if case["valid"] == false {
            assert!(parsed.is_err(), "{name}");
            assert!(Address::parse_strict(input).is_err(), "{name}, strictly");
            continue;
        }
        let parsed = parsed.unwrap_or_else(|_| panic!("{name}: refused"));
        assert_eq!(to_hex(&parsed.to_bytes()), text(&case, "bcs"), "{name}");
        assert_eq!(parsed.to_long(), text(&case, "long"), "{name}");
        assert_eq!(parsed.to_short(), text(&case, "short"), "{name}");
        assert_eq!(parsed.to_string(), text(&case, "short"), "{name}");
        assert_eq!(parsed.to_standard(), text(&case, "standard"), "{name}");
        assert_eq!(parsed.is_special(), case["special"] == true, "{name}");
        let strict = Address::parse_strict(input).is_ok();
        assert_eq!(strict, case["accepted_by_strict_form"] == true, "{name}, strictly");
    }
}

#[test]
fn type_tags_parse_encode_and_print() {
    for case in cases("type-tags.json", 51) {
        let (name, input) = (text(&case, "name"), text(&case, "input"));
        let parsed = input.parse::<TypeTag>();
        if case["valid"] == false {
            assert!(parsed.is_err(), "{name}: parsed as {parsed:?}");
            continue;
        }
        let tag = parsed.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(to_hex(&tag.to_bytes()), text(&case, "bcs"), "{name}");
        assert_eq!(TypeTag::from_bytes(&bytes(&case, "bcs")).as_ref(), Ok(&tag), "{name}");
        assert_eq!(tag.to_string(), text(&case, "canonical"), "{name}");
    }
}

/// The cases of the BCS file that its own crate leaves to this one.
#[test]
fn bcs_cases_of_type_tags_and_identifiers_hold() {
    let mut count = 0;
    for case in cases("bcs.json", 156) {
        let (name, encoded) = (text(&case, "name"), bytes(&case, "bcs"));
        let expected = case["reason"].as_str();
        match text(&case, "type") {
            "type_tag" => match TypeTag::from_bytes(&encoded) {
                Ok(tag) => {
                    assert_eq!(Some(tag.to_string().as_str()), case["value"].as_str(), "{name}");
                    assert_eq!(tag.to_bytes(), encoded, "{name}");
                }
                Err(error) => {
                    let reason = match error {
                        Error::UnexpectedEnd => "eof",
                        Error::DepthExceeded => "type-tag-nesting",
                        Error::UnknownVariant { .. } => "unknown-variant",
                        other => panic!("{name}: {other}"),
                    };
                    assert_eq!(Some(reason), expected, "{name}");
                }
            },
            "identifier" => {
                let identifier = Identifier::from_bytes(&encoded).expect("any UTF-8 decodes");
                assert_eq!(identifier.is_valid(), case["valid"] == true, "{name}");
                assert_eq!(identifier.is_valid(), expected != Some("bad-identifier"), "{name}");
                assert_eq!(identifier.to_bytes(), encoded, "{name}");
            }
            _ => continue,
        }
        count += 1;
    }
    assert_eq!(count, 11, "cases of these types");
}

#[test]
fn keys_lead_to_their_authentication_keys() {
    for case in cases("keys.json", 28) {
        let name = text(&case, "name");
        let authentication_key = match text(&case, "kind") {
            "ed25519" => {
                let key = Ed25519PublicKey::from_bytes(&bytes(&case, "public_key_bcs")).expect("a key");
                assert_eq!(to_hex(&key.0), text(&case, "public_key"), "{name}");
                key.authentication_key()
            }
            "multi_ed25519" => {
                let key = MultiEd25519PublicKey::from_bytes(&bytes(&case, "public_key_bcs")).expect("keys");
                assert_eq!(to_hex(&key.to_raw()), text(&case, "public_key"), "{name}");
                assert_eq!(u64::from(key.threshold), number(&case, "threshold"), "{name}");
                let keys: Vec<String> = key.keys.iter().map(|key| to_hex(&key.0)).collect();
                assert_eq!(serde_json::json!(keys), case["public_keys"], "{name}");
                key.authentication_key()
            }
            "multi_key" => {
                let keys = MultiKey::from_bytes(&bytes(&case, "public_key_bcs")).expect("keys");
                assert_eq!(
                    u64::from(keys.signatures_required),
                    number(&case, "signatures_required"),
                    "{name}"
                );
                let encoded: Vec<String> =
                    keys.public_keys.iter().map(|key| to_hex(&key.to_bytes())).collect();
                assert_eq!(serde_json::json!(encoded), case["public_keys"], "{name}");
                assert_eq!(to_hex(&keys.to_bytes()), text(&case, "public_key_bcs"), "{name}");
                keys.authentication_key()
            }
            kind => {
                let key = AnyPublicKey::from_bytes(&bytes(&case, "any_public_key_bcs")).expect("a key");
                let scheme = match &key {
                    AnyPublicKey::Ed25519(_) => "single_key/ed25519",
                    AnyPublicKey::Secp256k1Ecdsa(_) => "single_key/secp256k1_ecdsa",
                    AnyPublicKey::Secp256r1Ecdsa(_) => "single_key/secp256r1_ecdsa",
                    other => panic!("{name}: {other:?}"),
                };
                assert_eq!(scheme, kind, "{name}");
                key.authentication_key()
            }
        };
        assert_eq!(to_hex(&authentication_key.0), text(&case, "auth_key"), "{name}");
        assert_eq!(authentication_key, address(&case, "address"), "{name}");
    }
}

#[test]
fn addresses_derive_by_their_formulas() {
    for case in cases("derived-addresses.json", 24) {
        let name = text(&case, "name");
        let derived = match text(&case, "kind") {
            "named_object" => address(&case, "creator").named_object(&bytes(&case, "seed_hex")),
            "resource_account" => address(&case, "creator").resource_account(&bytes(&case, "seed_hex")),
            "token" => {
                let seed = bytes(&case, "seed_hex");
                let seed = std::str::from_utf8(&seed).expect("names are text");
                match seed.split_once("::") {
                    Some((collection, token)) => address(&case, "creator").token(collection, token),
                    None => address(&case, "creator").collection(seed),
                }
            }
            "user_derived_object" => {
                address(&case, "source").object_from_object(&address(&case, "derive_from"))
            }
            "object_from_guid" => {
                address(&case, "creator").object_from_guid(number(&case, "creation_number"))
            }
            "multisig_account" => {
                address(&case, "creator").multisig_account(number(&case, "creator_sequence_number"))
            }
            "derivable_abstraction" => {
                let function: FunctionInfo = text(&case, "function").parse().expect("a function");
                Address::derivable_abstraction(&function, &bytes(&case, "identity_hex"))
            }
            "paired_fa_metadata" => {
                Address::paired_fungible_asset(&text(&case, "coin_type").parse().expect("a struct"))
            }
            kind => panic!("{name}: unknown kind {kind}"),
        };
        assert_eq!(derived, address(&case, "address"), "{name}");
    }
}
