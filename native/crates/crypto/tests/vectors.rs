//! The shared vectors of keys and signatures, and what the rules say beyond them.

#[path = "../../bcs/tests/vector_file/mod.rs"]
mod vector_file;

use ledger_bcs::Decode;
use ledger_crypto::{
    SignatureError, digest, ed25519, multi_ed25519, secp256k1, verify_account, verify_transaction,
};
use ledger_types::{
    AccountAuthenticator, Address, AnyPublicKey, AnySignature, EcdsaPublicKey, EcdsaSignature,
    Ed25519PublicKey, Ed25519Signature, MultiKey, SignedTransaction, TransactionAuthenticator,
    WebAuthnSignature,
};
use proptest::prelude::*;
use vector_file::{bytes, cases, text};

fn fixed<const N: usize>(bytes: Vec<u8>) -> [u8; N] {
    bytes.try_into().unwrap_or_else(|bytes: Vec<u8>| panic!("{} bytes, not {N}", bytes.len()))
}

#[test]
fn private_keys_lead_to_their_public_keys() {
    let (mut ed25519_keys, mut valid_keys) = (0, 0);
    for case in cases("keys.json", 28) {
        let name = text(&case, "name");
        match text(&case, "kind") {
            "ed25519" => {
                let key = ed25519::public_key(&fixed(bytes(&case, "private_key")));
                assert_eq!(key.to_vec(), bytes(&case, "public_key"), "{name}");
                ed25519_keys += 1;
            }
            "single_key/ed25519" => {
                let key = AnyPublicKey::from_bytes(&bytes(&case, "any_public_key_bcs")).expect("a key");
                let private_key = fixed(bytes(&case, "private_key"));
                assert_eq!(key, AnyPublicKey::Ed25519(Ed25519PublicKey(ed25519::public_key(&private_key))));
                ed25519_keys += 1;
            }
            "multi_ed25519" => {
                assert!(multi_ed25519::is_valid_public_key(&bytes(&case, "public_key")), "{name}");
                valid_keys += 1;
            }
            "single_key/secp256k1_ecdsa" => {
                let key: [u8; 65] = fixed(bytes(&case, "public_key"));
                let secret =
                    k256::SecretKey::from_slice(&bytes(&case, "private_key")).expect("a private key");
                use k256::elliptic_curve::sec1::ToEncodedPoint as _;
                assert_eq!(secret.public_key().to_encoded_point(false).as_bytes(), key, "{name}");
                valid_keys += 1;
            }
            "single_key/secp256r1_ecdsa" => {
                let key: [u8; 65] = fixed(bytes(&case, "public_key"));
                let secret =
                    p256::SecretKey::from_slice(&bytes(&case, "private_key")).expect("a private key");
                use p256::elliptic_curve::sec1::ToEncodedPoint as _;
                assert_eq!(secret.public_key().to_encoded_point(false).as_bytes(), key, "{name}");
                valid_keys += 1;
            }
            // A list of keys that occur above; its authentication key is `ledger-types`' to test.
            "multi_key" => valid_keys += 1,
            kind => panic!("{name}: unknown kind {kind}"),
        }
    }
    assert_eq!(ed25519_keys + valid_keys, 28);
    assert!(ed25519_keys > 0);
}

#[test]
fn raw_signatures_have_the_given_verdicts() {
    let (mut accepted, mut refused) = (0, 0);
    for case in cases("signatures.json", 20) {
        let (name, message) = (text(&case, "name"), bytes(&case, "message"));
        let signature = fixed(bytes(&case, "signature"));
        let verdict = match text(&case, "scheme") {
            "ed25519" => ed25519::verify(&fixed(bytes(&case, "public_key")), &message, &signature),
            "secp256k1_ecdsa" => {
                secp256k1::verify(&fixed(bytes(&case, "public_key")), &digest::sha3_256(&message), &signature)
            }
            scheme => panic!("{name}: unknown scheme {scheme}"),
        };
        assert_eq!(verdict.is_ok(), case["valid"] == true, "{name}: {verdict:?}");
        *if verdict.is_ok() { &mut accepted } else { &mut refused } += 1;
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

#[test]
fn signed_transactions_have_the_given_verdicts() {
    let (mut accepted, mut refused) = (0, 0);
    for case in cases("signed-transactions.json", 57) {
        let name = text(&case, "name");
        let transaction = SignedTransaction::from_bytes(&bytes(&case, "bcs")).expect("a signed transaction");
        let verdict = verify_transaction(&transaction);
        if text(&case, "kind") == "single_sender/abstraction" {
            // Only the Move function can tell; here it is refused by name.
            assert_eq!(verdict, Err(SignatureError::Unsupported("account abstraction")), "{name}");
            continue;
        }
        assert_eq!(verdict.is_ok(), case["signature_valid"] == true, "{name}: {verdict:?}");
        *if verdict.is_ok() { &mut accepted } else { &mut refused } += 1;
    }
    assert_eq!((accepted, refused), (50, 6));
}

#[test]
fn refusals_say_what_is_wrong() {
    let expected = [
        ("ed25519: signature over another message", SignatureError::BadSignature),
        ("multi-ed25519: 2-of-3 signed by 1", SignatureError::TooFewSignatures),
        ("single-key webauthn, challenge of another message", SignatureError::BadWebAuthn),
        ("multi-key mixed too few: 2-of-3 signed by 1", SignatureError::TooFewSignatures),
        ("simulation: no account authenticator", SignatureError::NoSignature),
    ];
    for (name, error) in expected {
        assert_eq!(verify_transaction(&transaction(name)), Err(error), "{name}");
    }
}

#[test]
fn rotation_proofs_carry_two_valid_signatures() {
    for case in cases("rotation-proofs.json", 2) {
        let (name, message) = (text(&case, "name"), bytes(&case, "bcs"));
        let new_key = fixed(bytes(&case, "new_public_key"));
        ed25519::verify(&new_key, &message, &fixed(bytes(&case, "new_key_signature")))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        // The current key is the one whose authentication key the proof names.
        let current_key = cases("keys.json", 28)
            .into_iter()
            .find(|key| key["auth_key"].as_str() == text(&case, "current_auth_key").strip_prefix("0x"))
            .map(|key| fixed(bytes(&key, "public_key")))
            .unwrap_or_else(|| panic!("{name}: no key of that authentication key"));
        ed25519::verify(&current_key, &message, &fixed(bytes(&case, "current_key_signature")))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn transaction(name: &str) -> SignedTransaction {
    let cases = cases("signed-transactions.json", 57);
    let case = cases.iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("no case {name}"));
    SignedTransaction::from_bytes(&bytes(case, "bcs")).expect("a signed transaction")
}

#[test]
fn every_signature_counts_even_above_the_threshold() {
    let mut transaction = transaction("multi-key mixed: 2-of-3 signed by 0,1,2");
    assert_eq!(verify_transaction(&transaction), Ok(()));
    let TransactionAuthenticator::SingleSender { sender: AccountAuthenticator::MultiKey { signatures, .. } } =
        &mut transaction.authenticator
    else {
        panic!("a multi-key transaction")
    };
    signatures[2] = AnySignature::Ed25519(Ed25519Signature([1; 64]));
    assert_eq!(verify_transaction(&transaction), Err(SignatureError::BadSignature));
}

#[test]
fn keys_and_signatures_of_different_schemes_do_not_pair() {
    let transaction = transaction("single-key ed25519: entry function aptos_account::transfer");
    let TransactionAuthenticator::SingleSender { sender: AccountAuthenticator::SingleKey { signature, .. } } =
        &transaction.authenticator
    else {
        panic!("a single-key transaction")
    };
    let authenticator = AccountAuthenticator::SingleKey {
        public_key: AnyPublicKey::Secp256k1Ecdsa(EcdsaPublicKey([4; 65])),
        signature: signature.clone(),
    };
    let transaction = SignedTransaction {
        authenticator: TransactionAuthenticator::SingleSender { sender: authenticator },
        ..transaction
    };
    assert_eq!(verify_transaction(&transaction), Err(SignatureError::SchemeMismatch));
}

#[test]
fn parties_must_be_distinct_and_complete() {
    let original = transaction("multi-agent: one ed25519 secondary");
    let TransactionAuthenticator::MultiAgent { sender, secondary_signer_addresses, secondary_signers } =
        original.authenticator.clone()
    else {
        panic!("a multi-agent transaction")
    };
    let with = |addresses: Vec<Address>, signers: Vec<AccountAuthenticator>| SignedTransaction {
        raw: original.raw.clone(),
        authenticator: TransactionAuthenticator::MultiAgent {
            sender: sender.clone(),
            secondary_signer_addresses: addresses,
            secondary_signers: signers,
        },
    };
    assert_eq!(
        verify_transaction(&with(vec![original.raw.sender], secondary_signers.clone())),
        Err(SignatureError::DuplicateSigners)
    );
    assert_eq!(
        verify_transaction(&with(secondary_signer_addresses.clone(), vec![])),
        Err(SignatureError::SecondarySignerCount)
    );
    let many: Vec<Address> = (1..=32).map(Address::from_low_byte).collect();
    assert_eq!(
        verify_transaction(&with(many, vec![secondary_signers[0].clone(); 32])),
        Err(SignatureError::TooManySignatures)
    );
}

#[test]
fn a_fee_payer_signs_its_real_address_only() {
    let original = transaction("fee payer: sender signed with fee payer 0x0");
    assert_eq!(verify_transaction(&original), Ok(()));
    // Swap the parties' proofs: the sender's, over 0x0, does not do for the payer.
    let TransactionAuthenticator::FeePayer {
        sender,
        secondary_signer_addresses,
        secondary_signers,
        fee_payer_address,
        ..
    } = original.authenticator.clone()
    else {
        panic!("a fee-payer transaction")
    };
    let swapped = SignedTransaction {
        raw: original.raw.clone(),
        authenticator: TransactionAuthenticator::FeePayer {
            sender: sender.clone(),
            secondary_signer_addresses,
            secondary_signers,
            fee_payer_address,
            fee_payer_signer: sender,
        },
    };
    assert_eq!(verify_transaction(&swapped), Err(SignatureError::BadSignature));
}

#[test]
fn a_multi_key_of_unsupported_keys_verifies_by_the_others() {
    let private_key = [9; 32];
    let keys = MultiKey {
        public_keys: vec![
            AnyPublicKey::SlhDsaSha2_128s([1; 32]),
            AnyPublicKey::Ed25519(Ed25519PublicKey(ed25519::public_key(&private_key))),
        ],
        signatures_required: 1,
    };
    let mut transaction = transaction("ed25519: key 1");
    let signature = ed25519::sign(&private_key, &transaction.raw.signing_message());
    transaction.authenticator = TransactionAuthenticator::SingleSender {
        sender: AccountAuthenticator::MultiKey {
            public_keys: keys,
            signatures: vec![AnySignature::Ed25519(Ed25519Signature(signature))],
            signatures_bitmap: vec![0x40],
        },
    };
    assert_eq!(verify_transaction(&transaction), Ok(()));
}

#[test]
fn small_order_keys_are_not_valid() {
    let mut identity = [0; 32];
    identity[0] = 1;
    assert!(!ed25519::is_valid_public_key(&identity));
    assert!(ed25519::is_valid_public_key(&ed25519::public_key(&[3; 32])));
    let mut keys = [&ed25519::public_key(&[3; 32])[..], &identity, &[1]].concat();
    assert!(!multi_ed25519::is_valid_public_key(&keys));
    keys.drain(32..64);
    assert!(multi_ed25519::is_valid_public_key(&keys));
}

#[test]
fn keys_are_recovered_from_either_half_of_s() {
    let case = cases("signatures.json", 20)
        .into_iter()
        .find(|case| case["scheme"] == "secp256k1_ecdsa" && case["valid"] == true)
        .expect("a valid secp256k1 case");
    let key = bytes(&case, "public_key");
    let digest = digest::sha3_256(&bytes(&case, "message"));
    let signature: [u8; 64] = fixed(bytes(&case, "signature"));
    let recovering: Vec<u8> = (0..4)
        .filter(|id| secp256k1::recover(&digest, *id, &signature).is_some_and(|found| found == key[1..]))
        .collect();
    assert_eq!(recovering.len(), 1, "one recovery id names the key");
    let parsed = k256::ecdsa::Signature::from_slice(&signature).expect("a signature");
    let high = k256::ecdsa::Signature::from_scalars(*parsed.r(), -*parsed.s()).expect("the other half");
    let high: [u8; 64] = high.to_bytes().into();
    let found = secp256k1::recover(&digest, recovering[0] ^ 1, &high).expect("recovers");
    assert_eq!(found, key[1..]);
    assert_eq!(secp256k1::verify(&fixed(key), &digest, &high), Err(SignatureError::BadSignature));
    assert_eq!(secp256k1::recover(&digest, 4, &signature), None);
}

/// A passkey's answer to `message`, with `padding` bytes of authenticator data.
fn passkey_answer(message: &[u8], padding: usize) -> (EcdsaPublicKey, WebAuthnSignature) {
    use p256::ecdsa::signature::Signer as _;
    use p256::elliptic_curve::sec1::ToEncodedPoint as _;

    let key = p256::ecdsa::SigningKey::from_slice(&[5; 32]).expect("a private key");
    let point = p256::PublicKey::from(key.verifying_key()).to_encoded_point(false);
    let authenticator_data = vec![0xa5; padding];
    let challenge = base64url(&digest::sha3_256(message));
    let client_data_json =
        format!(r#"{{"type":"webauthn.get","challenge":"{challenge}","origin":"http://localhost"}}"#)
            .into_bytes();
    let signed = [&authenticator_data[..], &digest::sha2_256(&client_data_json)].concat();
    let signature: p256::ecdsa::Signature = key.sign(&signed);
    let signature = signature.normalize_s().unwrap_or(signature);
    let response = WebAuthnSignature {
        signature: EcdsaSignature(signature.to_bytes().into()),
        authenticator_data,
        client_data_json,
    };
    (EcdsaPublicKey(fixed(point.as_bytes().to_vec())), response)
}

/// Base64 by a definition that shares nothing with the crate's: six bits at a time from a bit string.
fn base64url(bytes: &[u8]) -> String {
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['-', '_']).collect();
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let group = |chunk: &[u8]| {
        let text = std::str::from_utf8(chunk).expect("ASCII");
        alphabet[usize::from_str_radix(&format!("{text:0<6}"), 2).expect("binary digits")]
    };
    bits.as_bytes().chunks(6).map(group).collect()
}

fn verify_passkey(
    key: EcdsaPublicKey,
    response: WebAuthnSignature,
    message: &[u8],
) -> Result<(), SignatureError> {
    let authenticator = AccountAuthenticator::SingleKey {
        public_key: AnyPublicKey::Secp256r1Ecdsa(key),
        signature: AnySignature::WebAuthn(response),
    };
    verify_account(&authenticator, message)
}

#[test]
fn passkey_answers_are_limited_to_1024_bytes() {
    let (_, unpadded) = passkey_answer(b"message", 0);
    let room = 1024 - 64 - unpadded.client_data_json.len();
    let (key, response) = passkey_answer(b"message", room);
    assert_eq!(verify_passkey(key, response, b"message"), Ok(()));
    let (key, response) = passkey_answer(b"message", room + 1);
    assert_eq!(verify_passkey(key, response, b"message"), Err(SignatureError::BadWebAuthn));
}

#[test]
fn passkey_signatures_with_high_s_are_refused() {
    let (key, mut response) = passkey_answer(b"message", 37);
    let low = p256::ecdsa::Signature::from_slice(&response.signature.0).expect("a signature");
    let high = p256::ecdsa::Signature::from_scalars(*low.r(), -*low.s()).expect("the other half");
    response.signature = EcdsaSignature(high.to_bytes().into());
    assert_eq!(verify_passkey(key, response, b"message"), Err(SignatureError::BadSignature));
}

#[test]
fn client_data_that_is_not_json_is_refused() {
    for text in ["", "{", "[]", "{\"challenge\":5}", "{\"type\":\"webauthn.get\"}"] {
        let (key, mut response) = passkey_answer(b"message", 37);
        response.client_data_json = text.as_bytes().to_vec();
        assert_eq!(verify_passkey(key, response, b"message"), Err(SignatureError::BadWebAuthn), "{text}");
    }
}

proptest! {
    #[test]
    fn a_signature_of_one_message_is_none_of_another(
        private_key in any::<[u8; 32]>(),
        message in prop::collection::vec(any::<u8>(), 1..64),
        flip in any::<prop::sample::Index>(),
    ) {
        let (key, signature) = (ed25519::public_key(&private_key), ed25519::sign(&private_key, &message));
        prop_assert_eq!(ed25519::verify(&key, &message, &signature), Ok(()));
        let mut other = message.clone();
        other[flip.index(message.len())] ^= 1;
        prop_assert_eq!(ed25519::verify(&key, &other, &signature), Err(SignatureError::BadSignature));
    }

    #[test]
    fn random_keys_and_signatures_are_refused_without_panic(
        key in prop::collection::vec(any::<u8>(), 65),
        signature in prop::collection::vec(any::<u8>(), 64),
        id in any::<u8>(),
    ) {
        let signature: [u8; 64] = fixed(signature);
        let short: [u8; 32] = fixed(key[..32].to_vec());
        prop_assert!(ed25519::verify(&short, b"message", &signature).is_err());
        prop_assert!(secp256k1::verify(&fixed(key), &[1; 32], &signature).is_err());
        let _ = secp256k1::recover(&[1; 32], id, &signature);
    }
}
