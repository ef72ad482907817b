//! Scripts through submit, simulate, JSON and a block.

mod support;

use ledger_bcs::Encode;
use ledger_bytecode::StatusCode;
use ledger_executor::admission::validate;
use ledger_executor::json::request::{signed_from_json, signing_message_from_json};
use ledger_executor::simulate::{SimulationOptions, simulate};
use ledger_executor::view::Form;
use ledger_testkit::assemble_script;
use ledger_types::{
    AbortLocation, Address, ExecutionStatus, RawTransaction, Script, ScriptArgument, SignedTransaction,
    TransactionPayload, TypeTag,
};

use support::{CHAIN_ID, Chain, START_OCTAS, account, sign};

/// Sends coins; aborts with 77 if there are none to send.
const PAY: &str = "script version 6
    import fun 0x1::aptos_account::transfer(&signer, address, u64)
    fun main(&signer, address, u64) {
        CopyLoc 2 LdU64 0 Neq BrTrue go
        MoveLoc 0 Pop LdU64 77 Abort
        go: MoveLoc 0 MoveLoc 1 MoveLoc 2 Call 0x1::aptos_account::transfer Ret
    }";

fn transaction(chain: &Chain, number: u64, text: &str, args: Vec<ScriptArgument>) -> SignedTransaction {
    let sender = account(0);
    let code = assemble_script(text).serialize();
    let raw = RawTransaction {
        sender: sender.address,
        sequence_number: number,
        payload: TransactionPayload::Script(Script { code, type_args: Vec::<TypeTag>::new(), args }),
        max_gas_amount: 200_000,
        gas_unit_price: 100,
        expiration_timestamp_secs: chain.expiration_secs(),
        chain_id: CHAIN_ID,
    };
    sign(sender, raw)
}

fn pay(chain: &Chain, number: u64, to: Address, octas: u64) -> SignedTransaction {
    transaction(chain, number, PAY, vec![ScriptArgument::Address(to), ScriptArgument::U64(octas)])
}

fn run(chain: &mut Chain, transaction: SignedTransaction) -> ExecutionStatus {
    assert_eq!(validate(&mut chain.machine, &chain.state, &transaction, 0).unwrap(), Ok(()));
    let executed = chain.run(&[transaction]);
    assert_eq!(executed.discarded, []);
    executed.transactions[1].output.status.clone()
}

#[test]
fn a_script_pays_and_is_charged() {
    let mut chain = Chain::new();
    let (payer, payee) = (account(0).address, account(1).address);
    let paying = pay(&chain, 0, payee, 5);
    assert_eq!(run(&mut chain, paying), ExecutionStatus::Success);
    assert_eq!(chain.balance(&payee), START_OCTAS + 5);
    assert!(chain.balance(&payer) < START_OCTAS - 5, "gas was paid");
    assert_eq!(chain.sequence_number(&payer), 1);
}

#[test]
fn a_script_that_fails_is_kept_and_its_place_is_the_script() {
    let mut chain = Chain::new();
    let payee = account(1).address;
    let aborting = pay(&chain, 0, payee, 0);
    let expected = ExecutionStatus::MoveAbort { location: AbortLocation::Script, code: 77, info: None };
    assert_eq!(run(&mut chain, aborting), expected);
    let bad = transaction(&chain, 1, "script version 6 fun main() { LdTrue Ret }", Vec::new());
    let status = StatusCode::POSITIVE_STACK_SIZE_AT_BLOCK_END;
    assert_eq!(run(&mut chain, bad), ExecutionStatus::MiscellaneousError(Some(status.0)));
    let newer = transaction(&chain, 2, "script version 10 fun main() { Ret }", Vec::new());
    let status = StatusCode::CODE_DESERIALIZATION_ERROR;
    assert_eq!(run(&mut chain, newer), ExecutionStatus::MiscellaneousError(Some(status.0)));
    assert_eq!(chain.balance(&payee), START_OCTAS);
    assert_eq!(chain.sequence_number(&account(0).address), 3);
}

#[test]
fn arguments_without_a_type_wait_for_their_feature() {
    let mut chain = Chain::new();
    let args = vec![ScriptArgument::Serialized(vec![0; 32]), ScriptArgument::U64(1)];
    let transaction = transaction(&chain, 0, PAY, args);
    let valid = validate(&mut chain.machine, &chain.state, &transaction, 0).unwrap();
    assert_eq!(valid, Err(StatusCode::FEATURE_UNDER_GATING));
}

#[test]
fn json_and_simulation_know_scripts() {
    let mut chain = Chain::new();
    let payee = account(1).address;
    let wanted = pay(&chain, 0, payee, 5);
    let TransactionPayload::Script(script) = &wanted.raw.payload else { unreachable!() };
    let code: String = script.code.iter().map(|byte| format!("{byte:02x}")).collect();
    let raw = &wanted.raw;
    let (key, zeros) = (account(0).public_key.0, "00".repeat(64));
    let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let json = format!(
        r#"{{"sender":"{}","sequence_number":"0","max_gas_amount":"{}","gas_unit_price":"{}",
        "expiration_timestamp_secs":"{}","payload":{{"type":"script_payload",
        "code":{{"bytecode":"0x{code}"}},"type_arguments":[],"arguments":["{payee}","5"]}},
        "signature":{{"type":"ed25519_signature","public_key":"0x{key}","signature":"0x{zeros}"}}}}"#,
        raw.sender, raw.max_gas_amount, raw.gas_unit_price, raw.expiration_timestamp_secs,
    );
    let signed = chain
        .machine
        .ask(&chain.state, |types, _| signed_from_json(json.as_bytes(), CHAIN_ID, types))
        .unwrap();
    assert_eq!(signed, wanted);
    let message = chain
        .machine
        .ask(&chain.state, |types, _| signing_message_from_json(json.as_bytes(), CHAIN_ID, types))
        .unwrap();
    assert!(message.ends_with(&raw.to_bytes()));
    let short = json.replace(r#","5"]"#, "]");
    let refused =
        chain.machine.ask(&chain.state, |types, _| signed_from_json(short.as_bytes(), CHAIN_ID, types));
    assert!(refused.is_err(), "an argument is missing");

    let options = SimulationOptions {
        form: Form::Json,
        gas_unit_price: None,
        estimate_max_gas: false,
        version: 0,
        timestamp_usecs: chain.timestamp_usecs,
    };
    let simulated = simulate(&mut chain.machine, &chain.state, signed, &options).unwrap();
    let body = String::from_utf8(simulated.body).unwrap();
    assert!(body.contains(r#""success":true"#) && body.contains("script_payload"), "{body}");
}
