//! Framework flows on our own machine: what the compiler's test machine has no natives for.
//!
//! Tokens with their counters and derived names, the native coin and its pair, objects, multisig
//! accounts up to the vote.

mod support;

use ledger_bcs::{Encode, Reader};
use ledger_executor::block::ExecutedTransaction;
use ledger_types::{
    Address, EntryFunction, ExecutionStatus, HashValue, Identifier, ModuleId, RawTransaction,
    SignedTransaction, StateKey, StructTag, TransactionExecutable, TransactionExtraConfig,
    TransactionPayload, TransactionPayloadInner, TypeTag,
};

use support::{Account, CHAIN_ID, Chain, START_OCTAS, account, event_types, sign};

/// The pair of the native coin.
const NATIVE_PAIR: &str = "0xa";

fn string(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec().to_bytes()
}

/// A call with type arguments.
fn generic(
    chain: &Chain,
    sender: Account,
    sequence_number: u64,
    function: &str,
    types: &[&str],
    args: Vec<Vec<u8>>,
) -> SignedTransaction {
    let (module, function) = function.rsplit_once("::").unwrap();
    let call = EntryFunction {
        module: module.parse::<ModuleId>().unwrap(),
        function: Identifier::new(function).unwrap(),
        type_args: types.iter().map(|text| text.parse::<TypeTag>().unwrap()).collect(),
        args,
    };
    sign(
        sender,
        RawTransaction {
            sender: sender.address,
            sequence_number,
            payload: TransactionPayload::EntryFunction(call),
            max_gas_amount: 200_000,
            gas_unit_price: 100,
            expiration_timestamp_secs: chain.expiration_secs(),
            chain_id: CHAIN_ID,
        },
    )
}

fn succeed(chain: &mut Chain, transaction: SignedTransaction) -> ExecutedTransaction {
    let done = chain.run_one(transaction);
    assert_eq!(done.output.status, ExecutionStatus::Success);
    done
}

fn abort_code(chain: &mut Chain, transaction: SignedTransaction) -> u64 {
    match chain.run_one(transaction).output.status {
        ExecutionStatus::MoveAbort { code, .. } => code,
        other => panic!("expected an abort, got {other:?}"),
    }
}

/// The bytes of the whole resource group of an object.
fn group(chain: &Chain, object: &Address) -> Option<Vec<u8>> {
    let tag: StructTag = "0x1::object::ObjectGroup".parse().unwrap();
    chain.state.0.get(&StateKey::resource_group(object, &tag)).map(|value| value.data.to_vec())
}

/// One resource of an object, out of its group: a map from struct tag to bytes.
fn member(chain: &Chain, object: &Address, tag: &str) -> Option<Vec<u8>> {
    let wanted = tag.parse::<StructTag>().unwrap().to_bytes();
    let bytes = group(chain, object)?;
    let mut reader = Reader::new(&bytes);
    let members = reader
        .sequence(|reader| {
            let tag = <StructTag as ledger_bcs::Decode>::decode(reader)?;
            Ok((tag.to_bytes(), reader.bytes()?.to_vec()))
        })
        .unwrap();
    members.into_iter().find(|(tag, _)| *tag == wanted).map(|(_, bytes)| bytes)
}

fn derived(scheme: u8, parts: &[&[u8]]) -> Address {
    let mut bytes = parts.concat();
    bytes.push(scheme);
    Address(HashValue::sha3_256(&bytes).0)
}

fn primary_store(owner: &Address, metadata: &str) -> Address {
    derived(0xfc, &[&owner.0, &metadata.parse::<Address>().unwrap().0])
}

fn store_balance(chain: &Chain, store: &Address) -> u64 {
    let bytes = member(chain, store, "0x1::fungible_asset::FungibleStore").unwrap_or_default();
    if bytes.is_empty() {
        return 0;
    }
    let mut reader = Reader::new(&bytes);
    reader.take(32).unwrap();
    reader.u64().unwrap()
}

fn create_collection(
    chain: &Chain,
    creator: Account,
    sequence_number: u64,
    max_supply: u64,
) -> SignedTransaction {
    let mut args =
        vec![string("about birds"), max_supply.to_bytes(), string("Birds"), string("https://birds.example")];
    args.extend((0..9).map(|_| true.to_bytes()));
    args.extend([1u64.to_bytes(), 100u64.to_bytes()]);
    chain.call(creator, sequence_number, "0x4::aptos_token::create_collection", args)
}

fn mint(chain: &Chain, creator: Account, sequence_number: u64, name: &str) -> SignedTransaction {
    let args = vec![
        string("Birds"),
        string("a bird"),
        string(name),
        string("https://birds.example/1"),
        vec!["wings".to_owned()].to_bytes(),
        vec!["u64".to_owned()].to_bytes(),
        vec![2u64.to_bytes()].to_bytes(),
    ];
    chain.call(creator, sequence_number, "0x4::aptos_token::mint", args)
}

/// The object that a mint event names: collection, number, token.
fn minted_token(done: &ExecutedTransaction) -> (Address, u64, Address) {
    let event = done
        .output
        .events
        .iter()
        .find(|event| event.type_tag().to_string() == "0x4::collection::Mint")
        .expect("a mint event");
    let data = event.data().clone();
    let mut reader = Reader::new(&data);
    let collection = Address(reader.array().unwrap());
    let number = reader.u64().unwrap();
    (collection, number, Address(reader.array().unwrap()))
}

#[test]
fn a_token_is_minted_changed_moved_and_burnt() {
    let mut chain = Chain::new();
    let (alice, bob) = (account(0), account(1));
    let transaction = create_collection(&chain, alice, 0, 2);
    succeed(&mut chain, transaction);
    let collection = derived(0xfe, &[&alice.address.0, b"Birds"]);
    assert!(member(&chain, &collection, "0x4::collection::Collection").is_some());
    assert!(member(&chain, &collection, "0x4::royalty::Royalty").is_some());

    let transaction = mint(&chain, alice, 1, "Wren");
    let done = succeed(&mut chain, transaction);
    let (minted_in, number, token) = minted_token(&done);
    assert_eq!((minted_in, number), (collection, 1));
    let identifiers = member(&chain, &token, "0x4::token::TokenIdentifiers").unwrap();
    assert_eq!(identifiers[..8], 1u64.to_le_bytes());
    assert_eq!(&identifiers[9..13], b"Wren");

    let object = "0x4::aptos_token::AptosToken";
    let args = vec![token.to_bytes(), string("wings"), 3u64.to_bytes()];
    let transaction =
        generic(&chain, alice, 2, "0x4::aptos_token::update_typed_property", &[object, "u64"], args);
    succeed(&mut chain, transaction);
    let properties = member(&chain, &token, "0x4::property_map::PropertyMap").unwrap();
    assert_eq!(properties[properties.len() - 8..], 3u64.to_le_bytes());

    let args = vec![token.to_bytes(), bob.address.to_bytes()];
    let transaction = generic(&chain, alice, 3, "0x1::object::transfer", &[object], args.clone());
    let done = succeed(&mut chain, transaction);
    assert!(event_types(&done.output.events).contains(&"0x1::object::Transfer".to_owned()));
    // It is no longer Alice's to give.
    let transaction = generic(&chain, alice, 4, "0x1::object::transfer", &[object], args);
    assert_eq!(abort_code(&mut chain, transaction), 0x5_0004);

    // The creator may burn it all the same: the collection was made so.
    let transaction = generic(&chain, alice, 5, "0x4::aptos_token::burn", &[object], vec![token.to_bytes()]);
    let done = succeed(&mut chain, transaction);
    assert!(event_types(&done.output.events).contains(&"0x4::collection::Burn".to_owned()));
    assert_eq!(group(&chain, &token), None);
}

#[test]
fn a_collection_holds_no_more_than_its_limit() {
    let mut chain = Chain::new();
    let alice = account(0);
    let transaction = create_collection(&chain, alice, 0, 1);
    succeed(&mut chain, transaction);
    let transaction = mint(&chain, alice, 1, "Wren");
    succeed(&mut chain, transaction);
    let transaction = mint(&chain, alice, 2, "Robin");
    assert_eq!(abort_code(&mut chain, transaction), 0x2_0002);
}

#[test]
fn an_account_that_moves_to_the_pair_keeps_all_it_has_and_still_pays() {
    let mut chain = Chain::new();
    let (alice, bob) = (account(0), account(1));
    let coin = "0x1::aptos_coin::AptosCoin";
    let transaction = generic(&chain, alice, 0, "0x1::coin::migrate_to_fungible_store", &[coin], Vec::new());
    let first = succeed(&mut chain, transaction);
    let store = primary_store(&alice.address, NATIVE_PAIR);
    let fee = first.output.gas_used * 100;
    assert_eq!(chain.balance(&alice.address), 0);
    assert_eq!(store_balance(&chain, &store), START_OCTAS - fee);

    // A payment in coins comes out of the pair, and so does its fee.
    let transaction = chain.transfer(alice, 1, &bob.address, 1_000);
    let second = succeed(&mut chain, transaction);
    let fee = fee + second.output.gas_used * 100;
    assert_eq!(store_balance(&chain, &store), START_OCTAS - fee - 1_000);
    assert_eq!(chain.balance(&bob.address), START_OCTAS + 1_000);

    // Payments to the account arrive as the pair.
    let transaction = chain.transfer(bob, 0, &alice.address, 500);
    succeed(&mut chain, transaction);
    assert_eq!(store_balance(&chain, &store), START_OCTAS - fee - 500);

    // As the pair itself it moves to anybody's primary store.
    let metadata: Address = NATIVE_PAIR.parse().unwrap();
    let args = vec![metadata.to_bytes(), bob.address.to_bytes(), 70u64.to_bytes()];
    let types = ["0x1::fungible_asset::Metadata"];
    let transaction =
        generic(&chain, alice, 2, "0x1::primary_fungible_store::transfer", &types, args.clone());
    let done = succeed(&mut chain, transaction);
    let types_of_events = event_types(&done.output.events);
    assert!(types_of_events.contains(&"0x1::fungible_asset::Withdraw".to_owned()));
    assert!(types_of_events.contains(&"0x1::fungible_asset::Deposit".to_owned()));
    assert_eq!(store_balance(&chain, &primary_store(&bob.address, NATIVE_PAIR)), 70);

    // Bob has 70 of the pair: one more is too much.
    let args = vec![metadata.to_bytes(), alice.address.to_bytes(), 71u64.to_bytes()];
    let transaction = generic(&chain, bob, 1, "0x1::primary_fungible_store::transfer", &types, args);
    assert_eq!(abort_code(&mut chain, transaction), 0x1_0004);
}

#[test]
fn owners_of_a_multisig_account_propose_and_vote() {
    let mut chain = Chain::new();
    let (alice, bob, carol) = (account(0), account(1), account(2));
    let args = vec![
        vec![bob.address].to_bytes(),
        2u64.to_bytes(),
        Vec::<String>::new().to_bytes(),
        Vec::<Vec<u8>>::new().to_bytes(),
    ];
    let transaction = chain.call(alice, 0, "0x1::multisig_account::create_with_owners", args);
    succeed(&mut chain, transaction);
    let mut seed = b"aptos_framework::multisig_account".to_vec();
    seed.extend(0u64.to_le_bytes());
    let multisig = derived(0xff, &[&alice.address.0, &seed]);
    assert!(chain.resource(&multisig, "0x1::multisig_account::MultisigAccount").is_some());

    let args = vec![multisig.to_bytes(), vec![1u8, 2, 3].to_bytes()];
    let transaction = chain.call(alice, 1, "0x1::multisig_account::create_transaction", args.clone());
    succeed(&mut chain, transaction);
    let transaction = chain.call(carol, 0, "0x1::multisig_account::create_transaction", args);
    assert_eq!(abort_code(&mut chain, transaction), 0x5_07d3);

    // One rejection of two is not enough; with Alice's own it is.
    let args = vec![multisig.to_bytes(), 1u64.to_bytes()];
    let transaction = chain.call(bob, 0, "0x1::multisig_account::approve_transaction", args.clone());
    succeed(&mut chain, transaction);
    let args_execute = vec![multisig.to_bytes()];
    let transaction =
        chain.call(alice, 2, "0x1::multisig_account::execute_rejected_transaction", args_execute.clone());
    assert_eq!(abort_code(&mut chain, transaction), 0x3_000a);
    let transaction = chain.call(bob, 1, "0x1::multisig_account::reject_transaction", args);
    succeed(&mut chain, transaction);
    let transaction =
        chain.call(alice, 3, "0x1::multisig_account::execute_rejected_transaction", args_execute);
    succeed(&mut chain, transaction);
}

/// A transfer of one octa that a nonce protects.
fn orderless(chain: &Chain, sender: Account, nonce: u64, expires_in_secs: u64) -> SignedTransaction {
    let plain = chain.transfer(sender, u64::MAX, &account(1).address, 1);
    let TransactionPayload::EntryFunction(call) = plain.raw.payload.clone() else { unreachable!() };
    let payload = TransactionPayload::Inner(TransactionPayloadInner {
        executable: TransactionExecutable::EntryFunction(call),
        extra_config: TransactionExtraConfig { multisig_address: None, replay_protection_nonce: Some(nonce) },
    });
    let expiration_timestamp_secs = chain.timestamp_usecs / 1_000_000 + expires_in_secs;
    sign(sender, RawTransaction { payload, expiration_timestamp_secs, ..plain.raw })
}

#[test]
fn a_nonce_is_used_once_and_leaves_the_sequence_number_alone() {
    let mut chain = Chain::new();
    let alice = account(0);
    let used = |chain: &mut Chain, transaction| {
        let executed = chain.run(&[transaction]);
        executed.discarded.iter().map(|(_, status)| status.0).collect::<Vec<_>>()
    };
    let transaction = orderless(&chain, alice, 7, 60);
    let done = succeed(&mut chain, transaction.clone());
    assert!(done.output.gas_used > 0);
    assert_eq!(chain.sequence_number(&alice.address), 0);
    // The same again, and another transaction with the same nonce.
    assert_eq!(used(&mut chain, transaction), [42]);
    let transaction = orderless(&chain, alice, 7, 90);
    assert_eq!(used(&mut chain, transaction), [42]);
    // Other nonces and other senders are free, in any order.
    for (sender, nonce) in [(alice, 6), (alice, u64::MAX), (account(2), 7)] {
        let transaction = orderless(&chain, sender, nonce, 60);
        succeed(&mut chain, transaction);
    }
    // Nobody may bind the chain to remember for long.
    let transaction = orderless(&chain, alice, 8, 102);
    assert_eq!(used(&mut chain, transaction), [44]);
    // Once the first can no longer run, its nonce is free for one that expires well after it.
    chain.timestamp_usecs += 200_000_000;
    let transaction = orderless(&chain, alice, 7, 60);
    succeed(&mut chain, transaction);
    let transaction = chain.transfer(alice, 0, &account(1).address, 1);
    succeed(&mut chain, transaction);
}
