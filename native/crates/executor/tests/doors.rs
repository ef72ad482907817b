//! Doors that are shut are shut from whichever side they are tried; behind open ones stands the verifier.

mod support;

use ledger_bcs::{Decode, Encode};
use ledger_bytecode::{CompiledModule, StatusCode};
use ledger_executor::admission::validate;
use ledger_executor::doors::{self, Door};
use ledger_executor::framework::Framework;
use ledger_executor::json::request::{signed_from_json, signing_message_from_json};
use ledger_executor::refusal::QueryError;
use ledger_executor::simulate::{SimulationOptions, simulate};
use ledger_executor::view::{Form, view};
use ledger_types::{
    Address, EntryFunction, HashValue, Identifier, ModuleId, Multisig, MultisigPayload, RawTransaction,
    Script, StateKey, StateValue, TransactionExecutable, TransactionExtraConfig, TransactionPayload,
    TransactionPayloadInner,
};

use support::{CHAIN_ID, Chain, account, sign};

fn script() -> Script {
    Script { code: vec![0xa1, 0x1c, 0xeb, 0x0b], type_args: Vec::new(), args: Vec::new() }
}

fn call(module: &str, function: &str) -> EntryFunction {
    EntryFunction {
        module: module.parse::<ModuleId>().unwrap(),
        function: Identifier::new(function).unwrap(),
        type_args: Vec::new(),
        args: vec![vec![0], vec![0]],
    }
}

fn inner(executable: TransactionExecutable, multisig_address: Option<Address>) -> TransactionPayload {
    let extra_config = TransactionExtraConfig { multisig_address, replay_protection_nonce: None };
    TransactionPayload::Inner(TransactionPayloadInner { executable, extra_config })
}

/// Every payload behind a shut door.
fn payloads() -> Vec<(&'static str, TransactionPayload)> {
    let address = Address::from_low_byte(0x77);
    let account = Some(address);
    let multisig = |payload| TransactionPayload::Multisig(Multisig { multisig_address: address, payload });
    let transfer = || call("0x1::aptos_account", "transfer");
    vec![
        ("multisig script", multisig(Some(MultisigPayload::Script(script())))),
        ("multisig call", multisig(Some(MultisigPayload::EntryFunction(transfer())))),
        ("multisig with nothing", multisig(None)),
        ("versioned multisig script", inner(TransactionExecutable::Script(script()), account)),
        ("versioned multisig call", inner(TransactionExecutable::EntryFunction(transfer()), account)),
        ("versioned multisig with nothing", inner(TransactionExecutable::Empty, account)),
    ]
}

fn transaction(chain: &Chain, payload: TransactionPayload) -> ledger_types::SignedTransaction {
    let sender = account(0);
    let raw = RawTransaction {
        sender: sender.address,
        sequence_number: 0,
        payload,
        max_gas_amount: 200_000,
        gas_unit_price: 100,
        expiration_timestamp_secs: chain.expiration_secs(),
        chain_id: CHAIN_ID,
    };
    sign(sender, raw)
}

const OPTIONS: SimulationOptions = SimulationOptions {
    form: Form::Json,
    gas_unit_price: None,
    estimate_max_gas: false,
    version: 0,
    timestamp_usecs: support::START_USECS,
};

fn assert_not_implemented<T: std::fmt::Debug>(result: Result<T, QueryError>, what: &str) {
    match result {
        Err(QueryError::Refused(refusal)) => {
            assert_eq!(refusal.code, "invalid_input", "{what}");
            assert!(refusal.message.contains("not implemented"), "{what}: {}", refusal.message);
        }
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn no_payload_gets_through_submit_simulate_validate_or_a_block() {
    for (name, payload) in payloads() {
        let mut chain = Chain::new();
        assert!(doors::check_payload(&payload).is_err(), "{name}");
        let signed = transaction(&chain, payload);
        assert_not_implemented(simulate(&mut chain.machine, &chain.state, signed.clone(), &OPTIONS), name);
        let valid = validate(&mut chain.machine, &chain.state, &signed, 0).unwrap();
        assert_eq!(valid, Err(StatusCode::FEATURE_UNDER_GATING), "{name}");
        let executed = chain.run(&[signed]);
        assert_eq!(executed.discarded, [(0, StatusCode::FEATURE_UNDER_GATING)], "{name}");
    }
}

#[test]
fn no_json_request_gets_through_submit_or_encode() {
    let script =
        r#"{"type":"script_payload","code":{"bytecode":"0xa11ceb0b"},"type_arguments":[],"arguments":[]}"#;
    let multisig =
        format!(r#"{{"type":"multisig_payload","multisig_address":"0x77","transaction_payload":{script}}}"#);
    let bundle = r#"{"type":"module_bundle_payload","modules":[]}"#;
    let chain = &mut Chain::new();
    let json = request(&multisig);
    let submitted =
        chain.machine.ask(&chain.state, |types, _| signed_from_json(json.as_bytes(), CHAIN_ID, types));
    assert_not_implemented(submitted, &multisig);
    let encoded = chain
        .machine
        .ask(&chain.state, |types, _| signing_message_from_json(json.as_bytes(), CHAIN_ID, types));
    assert_not_implemented(encoded, &multisig);
    let json = request(bundle);
    let submitted =
        chain.machine.ask(&chain.state, |types, _| signed_from_json(json.as_bytes(), CHAIN_ID, types));
    assert!(submitted.is_err(), "module bundles are gone for good");
}

fn request(payload: &str) -> String {
    let (key, signature) = ("00".repeat(32), "00".repeat(64));
    format!(
        r#"{{"sender":"0x1","sequence_number":"0","max_gas_amount":"1","gas_unit_price":"1",
        "expiration_timestamp_secs":"1","payload":{payload},
        "signature":{{"type":"ed25519_signature","public_key":"0x{key}","signature":"0x{signature}"}}}}"#
    )
}

#[test]
fn what_is_open_and_what_is_shut() {
    let doors = [Door::Script, Door::Publishing, Door::Multisig, Door::GenesisFile];
    assert_eq!(doors.map(|door| doors::pass(door).is_ok()), [true, true, false, true]);
}

/// The text of what a view answers when `code` stands where the framework's coin module was.
fn view_with_coin_module(code: Vec<u8>) -> Result<String, String> {
    let mut chain = Chain::new();
    let coin = Framework::built_in().modules.iter().find(|module| module.id.name == *"coin").unwrap();
    let digest = HashValue::sha3_256(&code);
    chain.state.0.insert(StateKey::module(&coin.id), StateValue::new(code));
    // Another registry stands for other code.
    let key = StateKey::resource(&Address::ONE, &"0x1::code::PackageRegistry".parse().unwrap());
    let mut bytes = chain.state.0[&key].data.to_vec();
    bytes.extend(digest.0);
    chain.state.0.insert(key, StateValue::new(bytes));
    let body = br#"{"function":"0x1::coin::balance","type_arguments":["0x1::aptos_coin::AptosCoin"],"arguments":["0x1"]}"#;
    match view(&mut chain.machine, &chain.state, body, Form::Json, Form::Json, 1_000_000) {
        Ok(metered) => Ok(String::from_utf8(metered.body).unwrap()),
        Err(QueryError::Refused(refusal)) => Err(refusal.message),
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn code_that_is_not_the_frameworks_runs_if_the_verifier_accepts_it() {
    let coin = Framework::built_in().modules.iter().find(|module| module.id.name == *"coin").unwrap();
    let good = CompiledModule::deserialize(coin.code).unwrap();
    // A text that nothing refers to: as code the module is what it was, yet its hash is unknown.
    let mut changed = good.clone();
    changed.tables.identifiers.push(Identifier::new("unused_name").unwrap());
    assert_eq!(view_with_coin_module(changed.serialize()), Ok("[\"0\"]".to_owned()));
    // A stack that does not balance.
    let mut broken = good;
    let body = broken.tables.function_defs.iter_mut().find_map(|def| def.code.as_mut()).unwrap();
    body.code.insert(0, ledger_bytecode::Bytecode::LdTrue);
    let refused = view_with_coin_module(broken.serialize()).unwrap_err();
    assert!(refused.contains("STACK"), "{refused}");
    assert!(view_with_coin_module(coin.code[..coin.code.len() - 1].to_vec()).is_err());
}

#[test]
fn every_payload_here_is_one_that_clients_can_send() {
    let chain = Chain::new();
    for (name, payload) in payloads() {
        let bytes = transaction(&chain, payload).to_bytes();
        assert!(ledger_types::SignedTransaction::from_bytes(&bytes).is_ok(), "{name}");
    }
}
