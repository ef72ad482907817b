//! JSON requests: every form of signature that can be submitted, and what is refused.

mod support;

use ledger_bcs::{Decode, Encode};
use ledger_executor::json::request::{signed_from_json, signing_message_from_json, view_from_json};
use ledger_executor::json::write_pending;
use ledger_executor::refusal::{QueryError, Refusal};
use ledger_types::{
    ORDERLESS_SEQUENCE_NUMBER, SignedTransaction, TransactionAuthenticator, TransactionPayload,
};
use serde_json::{Value, json};

use support::{CHAIN_ID, Chain, account};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

fn transfer_payload() -> Value {
    json!({
        "type": "entry_function_payload",
        "function": "0x1::aptos_account::transfer",
        "type_arguments": [],
        "arguments": [account(1).address.to_string(), "1000"],
    })
}

fn request(signature: Value) -> Value {
    json!({
        "sender": account(0).address.to_string(),
        "sequence_number": "7",
        "max_gas_amount": "2000",
        "gas_unit_price": "100",
        "expiration_timestamp_secs": "1893456000",
        "payload": transfer_payload(),
        "signature": signature,
    })
}

fn ed25519() -> Value {
    json!({
        "type": "ed25519_signature",
        "public_key": hex(&account(0).public_key.0),
        "signature": hex(&[0; 64]),
    })
}

fn submit(chain: &mut Chain, body: &Value) -> Result<SignedTransaction, QueryError> {
    let text = body.to_string();
    chain.machine.ask(&chain.state, |types, _| signed_from_json(text.as_bytes(), CHAIN_ID, types))
}

fn refusal<T: std::fmt::Debug>(result: Result<T, QueryError>) -> Refusal {
    match result {
        Err(QueryError::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Account signatures in both directions.
fn account_signatures() -> Vec<Value> {
    let secp256k1 = json!({"type": "secp256k1_ecdsa", "value": hex(&[4; 65])});
    let secp256k1_signature = json!({"type": "secp256k1_ecdsa", "value": hex(&[1; 64])});
    let plain = json!({"type": "ed25519", "value": hex(&[2; 32])});
    let plain_signature = json!({"type": "ed25519", "value": hex(&[3; 64])});
    // Signature form 0, then three byte strings: signature, authenticator data, client data.
    let web_authn =
        json!({"type": "web_authn", "value": hex(&[&[0, 64][..], &[5; 64], &[1, 9, 2, 123, 125]].concat())});
    let secp256r1 = json!({"type": "secp256r1_ecdsa", "value": hex(&[4; 65])});
    vec![
        ed25519(),
        json!({
            "type": "multi_ed25519_signature",
            "public_keys": [hex(&[1; 32]), hex(&[2; 32]), hex(&[3; 32])],
            "signatures": [hex(&[4; 64]), hex(&[5; 64])],
            "threshold": 2,
            "bitmap": "0xa0000000",
        }),
        json!({"type": "single_key_signature", "public_key": secp256k1, "signature": secp256k1_signature}),
        json!({"type": "single_key_signature", "public_key": secp256r1, "signature": web_authn}),
        json!({
            "type": "multi_key_signature",
            "public_keys": [plain, secp256k1, secp256r1],
            "signatures": [
                {"index": 0, "signature": plain_signature},
                {"index": 2, "signature": web_authn},
            ],
            "signatures_required": 2,
        }),
        json!({"type": "no_account_signature"}),
    ]
}

#[test]
fn every_form_of_signature_reads_shows_and_reads_the_same() {
    let mut chain = Chain::new();
    let accounts = account_signatures();
    let mut forms: Vec<Value> = accounts.clone();
    for signature in &accounts {
        forms.push(json!({"type": "single_sender", "sender": signature}));
        forms.push(json!({
            "type": "multi_agent_signature",
            "sender": signature,
            "secondary_signer_addresses": ["0x7"],
            "secondary_signers": [accounts[0]],
        }));
        forms.push(json!({
            "type": "fee_payer_signature",
            "sender": accounts[0],
            "secondary_signer_addresses": [],
            "secondary_signers": [],
            "fee_payer_address": "0x9",
            "fee_payer_signer": signature,
        }));
    }
    for form in forms {
        let signed =
            submit(&mut chain, &request(form.clone())).unwrap_or_else(|error| panic!("{form}: {error:?}"));
        assert_eq!(SignedTransaction::from_bytes(&signed.to_bytes()).as_ref(), Ok(&signed), "{form}");
        let mut shown = Vec::new();
        let shown_fully = chain.machine.ask(&chain.state, |types, _| {
            write_pending(&signed, types, &mut shown);
            Ok(())
        });
        assert_eq!(shown_fully, Ok(()));
        let shown: Value = serde_json::from_slice(&shown).unwrap();
        assert_eq!(shown["payload"], transfer_payload());
        let again = submit(&mut chain, &request(shown["signature"].clone()));
        assert_eq!(again.map(|again| again.authenticator), Ok(signed.authenticator), "{form}");
    }
}

#[test]
fn a_request_becomes_the_transaction_that_was_meant() {
    let mut chain = Chain::new();
    let signed = submit(&mut chain, &request(ed25519())).unwrap();
    assert_eq!(signed.raw.sender, account(0).address);
    assert_eq!((signed.raw.sequence_number, signed.raw.chain_id), (7, CHAIN_ID));
    let TransactionPayload::EntryFunction(call) = &signed.raw.payload else { panic!("an entry function") };
    assert_eq!(call.args, [account(1).address.to_bytes(), 1000u64.to_bytes()]);
    assert!(matches!(signed.authenticator, TransactionAuthenticator::Ed25519 { .. }));
    let mut orderless = request(ed25519());
    orderless["replay_protection_nonce"] = json!("991");
    let signed = submit(&mut chain, &orderless).unwrap();
    assert_eq!(signed.raw.sequence_number, ORDERLESS_SEQUENCE_NUMBER);
    assert_eq!(signed.raw.payload.replay_protection_nonce(), Some(991));
}

#[test]
fn the_bytes_to_sign_are_those_of_the_transaction() {
    let mut chain = Chain::new();
    let signed = submit(&mut chain, &request(ed25519())).unwrap();
    let mut body = request(Value::Null);
    let mut encode = |body: &Value| {
        let text = body.to_string();
        chain
            .machine
            .ask(&chain.state, |types, _| signing_message_from_json(text.as_bytes(), CHAIN_ID, types))
    };
    assert_eq!(encode(&body), Ok(signed.raw.signing_message()));
    body["secondary_signers"] = json!(["0x7"]);
    let secondary = ["0x7".parse().unwrap()];
    assert_eq!(encode(&body), Ok(signed.raw.multi_agent_signing_message(&secondary)));
    body["secondary_signers"] = json!([]);
    assert_eq!(encode(&body), Ok(signed.raw.multi_agent_signing_message(&[])));
}

#[test]
fn what_does_not_parse_and_what_does_not_fit_are_told_apart() {
    let mut chain = Chain::new();
    let with = |name: &str, value: Value| {
        let mut body = request(ed25519());
        body[name] = value;
        body
    };
    let payload = |name: &str, value: Value| {
        let mut inner = transfer_payload();
        inner[name] = value;
        with("payload", inner)
    };
    let rows = [
        ("a number that is no string", with("max_gas_amount", json!(2000)), "web_framework_error"),
        ("a negative number", with("max_gas_amount", json!("-1")), "web_framework_error"),
        ("a number above 2^64", with("max_gas_amount", json!("18446744073709551616")), "web_framework_error"),
        ("an address without digits", with("sender", json!("0x")), "web_framework_error"),
        ("no signature", with("signature", Value::Null), "web_framework_error"),
        ("a payload of no known kind", payload("type", json!("magic_payload")), "web_framework_error"),
        ("arguments that are no list", payload("arguments", json!({})), "web_framework_error"),
        ("an unknown function", payload("function", json!("0x1::aptos_account::nothing")), "invalid_input"),
        ("an unknown module", payload("function", json!("0x1::nothing::transfer")), "invalid_input"),
        ("a name that is none", payload("function", json!("transfer")), "invalid_input"),
        ("a function that is no entry", payload("function", json!("0x1::coin::balance")), "invalid_input"),
        ("a missing argument", payload("arguments", json!(["0x1"])), "invalid_input"),
        ("an argument of another kind", payload("arguments", json!(["0x1", 7])), "invalid_input"),
        ("a type argument too many", payload("type_arguments", json!(["u8"])), "invalid_input"),
        ("a type that is none", payload("type_arguments", json!(["u9"])), "invalid_input"),
        (
            "a key of 31 bytes",
            with(
                "signature",
                json!({
                    "type": "ed25519_signature", "public_key": hex(&[1; 31]), "signature": hex(&[0; 64])
                }),
            ),
            "invalid_input",
        ),
        (
            "hex of odd length",
            with(
                "signature",
                json!({
                    "type": "ed25519_signature", "public_key": "0x1", "signature": hex(&[0; 64])
                }),
            ),
            "web_framework_error",
        ),
        (
            "a bitmap for another number of signatures",
            with(
                "signature",
                json!({
                    "type": "multi_ed25519_signature", "public_keys": [hex(&[1; 32])], "threshold": 1,
                    "signatures": [hex(&[0; 64])], "bitmap": "0xc0000000"
                }),
            ),
            "invalid_input",
        ),
        (
            "a key with another scheme's signature",
            with(
                "signature",
                json!({
                    "type": "single_key_signature", "public_key": {"type": "ed25519", "value": hex(&[1; 32])},
                    "signature": {"type": "secp256k1_ecdsa", "value": hex(&[1; 64])}
                }),
            ),
            "invalid_input",
        ),
        (
            "keyless keys",
            with(
                "signature",
                json!({
                    "type": "single_key_signature", "public_key": {"type": "keyless", "value": "0x00"},
                    "signature": {"type": "keyless", "value": "0x00"}
                }),
            ),
            "invalid_input",
        ),
        (
            "a multi-agent signature of one",
            with(
                "signature",
                json!({
                    "type": "multi_agent_signature", "sender": ed25519(),
                    "secondary_signer_addresses": [], "secondary_signers": []
                }),
            ),
            "invalid_input",
        ),
    ];
    for (name, body, code) in rows {
        let refused = refusal(submit(&mut chain, &body));
        assert_eq!(refused.code, code, "{name}: {}", refused.message);
    }
}

#[test]
fn an_argument_that_does_not_fit_is_named_with_what_was_expected() {
    let mut chain = Chain::new();
    let mut body = request(ed25519());
    body["payload"]["arguments"][1] = json!(1000);
    let refused = refusal(submit(&mut chain, &body));
    assert!(refused.message.contains("arguments[1]"), "{}", refused.message);
    assert!(refused.message.contains("u64"), "{}", refused.message);
}

#[test]
fn bodies_that_are_no_json_or_too_deep_are_refused() {
    let mut chain = Chain::new();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut deep_argument = request(ed25519()).to_string();
    deep_argument = deep_argument.replace("\"1000\"", &deep);
    for body in ["", "{", "null", "[]", "\u{0}", &deep, &deep_argument] {
        let submitted =
            chain.machine.ask(&chain.state, |types, _| signed_from_json(body.as_bytes(), CHAIN_ID, types));
        refusal(submitted);
        let viewed = chain.machine.ask(&chain.state, |types, _| view_from_json(body.as_bytes(), types));
        refusal(viewed);
    }
    let not_text =
        chain.machine.ask(&chain.state, |types, _| signed_from_json(&[0xff, 0xfe], CHAIN_ID, types));
    assert_eq!(refusal(not_text).code, "web_framework_error");
}
