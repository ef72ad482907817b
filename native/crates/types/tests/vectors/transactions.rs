//! Payloads, raw and signed transactions, rotation proofs.

use ledger_bcs::{Decode, Encode};
use ledger_types::{
    AbstractionAuthData, AccountAuthenticator, Address, EntryFunction, HashValue, Multisig, MultisigPayload,
    RawTransaction, ReplayProtector, Script, ScriptArgument, SignedTransaction, TransactionAuthenticator,
    TransactionExecutable, TransactionExtraConfig, TransactionPayload, TransactionPayloadInner, TypeTag,
    abstraction_signing_message, rotation_proof_challenge,
};
use serde_json::Value;

use crate::vector_file::{bytes, cases, from_hex, number, text, to_hex};
use crate::{address, hash};

fn list(case: &Value, key: &str) -> Vec<String> {
    let items = case[key].as_array().unwrap_or_else(|| panic!("{key} is an array"));
    items.iter().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

fn type_args(call: &Value) -> Vec<TypeTag> {
    list(call, "type_args").iter().map(|tag| tag.parse().expect("a type")).collect()
}

fn entry_function(call: &Value) -> EntryFunction {
    EntryFunction {
        module: text(call, "module").parse().expect("a module"),
        function: text(call, "function").parse().expect("an identifier"),
        type_args: type_args(call),
        args: list(call, "args_bcs").iter().map(|arg| from_hex(arg)).collect(),
    }
}

fn script(call: &Value) -> Script {
    Script {
        code: bytes(call, "code"),
        type_args: type_args(call),
        args: list(call, "args_bcs")
            .iter()
            .map(|arg| ScriptArgument::from_bytes(&from_hex(arg)).expect("a script argument"))
            .collect(),
    }
}

fn optional_address(case: &Value, key: &str) -> Option<Address> {
    (!case[key].is_null()).then(|| address(case, key))
}

fn payload(description: &Value) -> TransactionPayload {
    match number(description, "variant") {
        0 => TransactionPayload::Script(script(&description["script"])),
        2 => TransactionPayload::EntryFunction(entry_function(&description["entry_function"])),
        3 => TransactionPayload::Multisig(Multisig {
            multisig_address: address(description, "multisig_address"),
            payload: description["entry_function"]
                .is_object()
                .then(|| MultisigPayload::EntryFunction(entry_function(&description["entry_function"]))),
        }),
        4 => {
            let (executable, config) = (&description["executable"], &description["extra_config"]);
            TransactionPayload::Inner(TransactionPayloadInner {
                executable: if executable["script"].is_object() {
                    TransactionExecutable::Script(script(&executable["script"]))
                } else if executable["entry_function"].is_object() {
                    TransactionExecutable::EntryFunction(entry_function(&executable["entry_function"]))
                } else {
                    assert_eq!(executable["empty"], true);
                    TransactionExecutable::Empty
                },
                extra_config: TransactionExtraConfig {
                    multisig_address: optional_address(config, "multisig_address"),
                    replay_protection_nonce: (!config["replay_protection_nonce"].is_null())
                        .then(|| number(config, "replay_protection_nonce")),
                },
            })
        }
        variant => panic!("unknown payload variant {variant}"),
    }
}

#[test]
fn payloads_are_built_from_their_descriptions() {
    for case in cases("payloads.json", 20) {
        let (name, encoded) = (text(&case, "name"), bytes(&case, "bcs"));
        let description = &case["payload"];
        if description["view_function"].is_object() {
            let call = entry_function(&description["view_function"]);
            assert_eq!(to_hex(&call.to_bytes()), to_hex(&encoded), "{name}");
            assert_eq!(EntryFunction::from_bytes(&encoded), Ok(call), "{name}");
        } else {
            let payload = payload(description);
            assert_eq!(to_hex(&payload.to_bytes()), to_hex(&encoded), "{name}");
            assert_eq!(TransactionPayload::from_bytes(&encoded), Ok(payload), "{name}");
        }
    }
}

fn check_fields(name: &str, fields: &Value, raw: &RawTransaction) {
    assert_eq!(raw.sender, address(fields, "sender"), "{name}");
    assert_eq!(raw.sequence_number, number(fields, "sequence_number"), "{name}");
    assert_eq!(raw.max_gas_amount, number(fields, "max_gas_amount"), "{name}");
    assert_eq!(raw.gas_unit_price, number(fields, "gas_unit_price"), "{name}");
    assert_eq!(raw.expiration_timestamp_secs, number(fields, "expiration_timestamp_secs"), "{name}");
    assert_eq!(u64::from(raw.chain_id), number(fields, "chain_id"), "{name}");
}

#[test]
fn raw_transactions_decode_and_have_their_signing_messages() {
    let mut with_nonce = 0;
    for case in cases("raw-transactions.json", 26) {
        let name = text(&case, "name");
        let message = match text(&case, "kind") {
            "raw_transaction" => {
                let raw = RawTransaction::from_bytes(&bytes(&case, "bcs")).expect("a raw transaction");
                assert_eq!(to_hex(&raw.to_bytes()), text(&case, "bcs"), "{name}");
                assert_eq!(to_hex(&raw.payload.to_bytes()), text(&case, "payload_bcs"), "{name}");
                check_fields(name, &case["fields"], &raw);
                if let ReplayProtector::Nonce(_) = raw.replay_protector() {
                    assert_eq!(raw.sequence_number, u64::MAX, "{name}");
                    with_nonce += 1;
                }
                raw.signing_message()
            }
            "raw_transaction_with_data" => {
                let encoded = bytes(&case, "raw_transaction_bcs");
                let raw = RawTransaction::from_bytes(&encoded).expect("a raw transaction");
                check_fields(name, &case["fields"], &raw);
                let secondary: Vec<Address> = list(&case, "secondary_signer_addresses")
                    .iter()
                    .map(|text| text.parse().expect("an address"))
                    .collect();
                let message = match optional_address(&case, "fee_payer_address") {
                    Some(fee_payer) => raw.fee_payer_signing_message(&secondary, &fee_payer),
                    None => raw.multi_agent_signing_message(&secondary),
                };
                assert_eq!(to_hex(&message[32..]), text(&case, "bcs"), "{name}");
                message
            }
            kind => panic!("{name}: unknown kind {kind}"),
        };
        assert_eq!(to_hex(&message), text(&case, "signing_message"), "{name}");
    }
    assert_eq!(with_nonce, 4, "orderless cases");
}

#[test]
fn signed_transactions_decode_re_encode_and_hash() {
    for case in cases("signed-transactions.json", 57) {
        let (name, encoded) = (text(&case, "name"), bytes(&case, "bcs"));
        let signed =
            SignedTransaction::from_bytes(&encoded).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(to_hex(&signed.to_bytes()), to_hex(&encoded), "{name}");
        assert_eq!(to_hex(&signed.raw.to_bytes()), text(&case, "raw_transaction_bcs"), "{name}");
        assert_eq!(to_hex(&signed.authenticator.to_bytes()), text(&case, "authenticator_bcs"), "{name}");
        assert_eq!(signed.hash(), hash(&case, "hash"), "{name}");
        assert_eq!(SignedTransaction::hash_of_bytes(&encoded), signed.hash(), "{name}");
        check_fields(name, &case["fields"], &signed.raw);
        let shape = match &signed.authenticator {
            TransactionAuthenticator::Ed25519 { .. } => "ed25519",
            TransactionAuthenticator::MultiEd25519 { .. } => "multi_ed25519",
            TransactionAuthenticator::MultiAgent { .. } => "multi_agent",
            TransactionAuthenticator::FeePayer { .. } => "fee_payer",
            TransactionAuthenticator::SingleSender { sender } => match sender {
                AccountAuthenticator::SingleKey { .. } => "single_sender/single_key",
                AccountAuthenticator::MultiKey { .. } => "single_sender/multi_key",
                AccountAuthenticator::NoAccountAuthenticator => "single_sender/none",
                AccountAuthenticator::Abstraction { .. } => "single_sender/abstraction",
                other => panic!("{name}: {other:?}"),
            },
        };
        assert_eq!(shape, text(&case, "kind"), "{name}");
        for longer in [encoded.iter().copied().chain([0]).collect(), encoded[..encoded.len() - 1].to_vec()] {
            assert!(SignedTransaction::from_bytes(&longer).is_err(), "{name}: {} bytes", longer.len());
        }
        // The vectors' message is the plain one where an abstracted account is asked for another.
        if shape != "fee_payer" {
            assert_eq!(to_hex(&signed.signing_message()), text(&case, "signing_message"), "{name}");
        }
        if let TransactionAuthenticator::SingleSender {
            sender:
                AccountAuthenticator::Abstraction {
                    function,
                    auth_data: AbstractionAuthData::V1 { signing_message_digest, .. },
                },
        } = &signed.authenticator
        {
            let message = abstraction_signing_message(&signed.signing_message(), function);
            assert_eq!(to_hex(&message[32..]), text(&case["abstraction"], "aa_message_bcs"), "{name}");
            assert_eq!(HashValue::sha3_256(&message).0.to_vec(), *signing_message_digest, "{name}");
        }
    }
}

#[test]
fn rotation_proofs_are_the_bytes_that_keys_sign() {
    for case in cases("rotation-proofs.json", 2) {
        let challenge = rotation_proof_challenge(
            number(&case, "sequence_number"),
            &address(&case, "originator"),
            &address(&case, "current_auth_key"),
            &bytes(&case, "new_public_key"),
        );
        assert_eq!(to_hex(&challenge), text(&case, "bcs"), "{}", text(&case, "name"));
    }
}
