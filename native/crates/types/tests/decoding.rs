//! Untrusted bytes and text: nothing panics, what decodes re-encodes identically, limits hold at
//! their edge, and what is not handled is refused by name.

#[path = "../../bcs/tests/vector_file/mod.rs"]
mod vector_file;

use ledger_bcs::{Decode, Encode, Error, Writer};
use ledger_types::{
    AccountAuthenticator, Address, AnyPublicKey, AnySignature, ChangeSet, ContractEvent, ExecutionStatus,
    HashValue, Identifier, LedgerInfo, MultiEd25519PublicKey, MultiEd25519Signature, MultiKey, Path,
    SessionId, SignedTransaction, StateKey, StateValue, StateValueMetadata, StructTag, Transaction,
    TransactionInfo, TransactionPayload, TypeParseError, TypeTag, WriteOp, WriteSet, is_valid_name,
};
use proptest::prelude::*;
use proptest::sample::Index;

fn re_encodes<T: Encode + Decode>(bytes: &[u8]) -> Result<(), TestCaseError> {
    match T::from_bytes(bytes) {
        Ok(value) => {
            prop_assert_eq!(value.to_bytes(), bytes, "{}", std::any::type_name::<T>());
            Ok(())
        }
        Err(_) => Ok(()),
    }
}

fn every_type_re_encodes(bytes: &[u8]) -> Result<(), TestCaseError> {
    re_encodes::<SignedTransaction>(bytes)?;
    re_encodes::<Transaction>(bytes)?;
    re_encodes::<TransactionPayload>(bytes)?;
    re_encodes::<AccountAuthenticator>(bytes)?;
    re_encodes::<AnyPublicKey>(bytes)?;
    re_encodes::<AnySignature>(bytes)?;
    re_encodes::<MultiKey>(bytes)?;
    re_encodes::<TypeTag>(bytes)?;
    re_encodes::<StateKey>(bytes)?;
    re_encodes::<Path>(bytes)?;
    re_encodes::<StateValue>(bytes)?;
    re_encodes::<WriteSet>(bytes)?;
    re_encodes::<ChangeSet>(bytes)?;
    re_encodes::<ContractEvent>(bytes)?;
    re_encodes::<ExecutionStatus>(bytes)?;
    re_encodes::<TransactionInfo>(bytes)?;
    re_encodes::<LedgerInfo>(bytes)
}

fn real_transactions() -> Vec<Vec<u8>> {
    let cases = vector_file::cases("signed-transactions.json", 57);
    cases.iter().map(|case| vector_file::bytes(case, "bcs")).collect()
}

proptest! {
    #[test]
    fn random_bytes_decode_to_themselves_or_not_at_all(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        every_type_re_encodes(&bytes)?;
        if let Ok(key) = StateKey::from_storage(&bytes) {
            prop_assert_eq!(key.to_storage(), bytes);
        }
    }

    #[test]
    fn damaged_transactions_decode_to_themselves_or_not_at_all(
        which in any::<Index>(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4),
        cut in prop::option::of(any::<Index>()),
    ) {
        let transactions = real_transactions();
        let mut bytes = transactions[which.index(transactions.len())].clone();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        re_encodes::<SignedTransaction>(&bytes)?;
    }

    #[test]
    fn random_text_parses_or_is_refused(text in r"(0x[0-9a-fA-F]{1,3}|::|<|>|, ?|[a-z]{1,3}|vector|u8|&| ){0,24}") {
        if let Ok(tag) = text.parse::<TypeTag>() {
            prop_assert_eq!(tag.to_string().parse::<TypeTag>(), Ok(tag.clone()));
            prop_assert_eq!(TypeTag::from_bytes(&tag.to_bytes()), Ok(tag.clone()));
        }
    }

    #[test]
    fn any_tag_survives_text_and_bytes(tag in type_tag()) {
        prop_assume!(tag.depth() <= 8);
        prop_assert_eq!(tag.to_string().parse::<TypeTag>(), Ok(tag.clone()));
        prop_assert_eq!(TypeTag::from_bytes(&tag.to_bytes()), Ok(tag.clone()));
    }

    #[test]
    fn keys_sort_as_their_bytes_do(a in state_key(), b in state_key()) {
        prop_assert_eq!(a.cmp(&b), a.to_bytes().cmp(&b.to_bytes()));
        prop_assert_eq!(a == b, a.to_bytes() == b.to_bytes());
    }

    #[test]
    fn write_sets_sort_what_they_are_given(entries in prop::collection::vec((state_key(), any::<u8>()), 0..20)) {
        let op = |value: u8| WriteOp::Creation { data: vec![value].into(), metadata: None };
        let write_set: WriteSet = entries.iter().map(|(key, value)| (key.clone(), op(*value))).collect();
        prop_assert_eq!(WriteSet::from_bytes(&write_set.to_bytes()), Ok(write_set.clone()));
        for (key, _) in &entries {
            let last = entries.iter().rfind(|(other, _)| other == key).map(|(_, value)| op(*value));
            prop_assert_eq!(write_set.get(key), last.as_ref());
        }
    }

    #[test]
    fn addresses_survive_each_text_form(bytes in prop_oneof![any::<[u8; 32]>(), any::<u8>().prop_map(|low| { let mut bytes = [0; 32]; bytes[31] = low; bytes })]) {
        let address = Address(bytes);
        for text in [address.to_long(), address.to_short(), address.to_standard(), address.to_long()[2..].to_uppercase()] {
            prop_assert_eq!(text.parse::<Address>(), Ok(address));
        }
        prop_assert_eq!(Address::parse_strict(&address.to_standard()), Ok(address));
    }
}

fn identifier() -> impl Strategy<Value = Identifier> {
    "[a-zA-Z][a-zA-Z0-9_]{0,8}".prop_map(|name| Identifier::new(&name).expect("a valid name"))
}

fn type_tag() -> impl Strategy<Value = TypeTag> {
    let leaf = prop_oneof![
        Just(TypeTag::Bool),
        Just(TypeTag::U8),
        Just(TypeTag::U256),
        Just(TypeTag::Address),
        Just(TypeTag::Signer),
        Just(TypeTag::I64),
    ];
    leaf.prop_recursive(7, 30, 3, |inner| {
        let args = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            inner.prop_map(|tag| TypeTag::Vector(Box::new(tag))),
            (any::<[u8; 32]>(), identifier(), identifier(), args).prop_map(
                |(address, module, name, type_args)| {
                    StructTag { address: Address(address), module, name, type_args }.into()
                }
            ),
        ]
    })
}

fn state_key() -> impl Strategy<Value = StateKey> {
    // Few addresses and lengths around 127, so that keys often differ in the length alone.
    let account = (0..2u8).prop_map(Address::from_low_byte);
    let content = prop_oneof![
        prop::collection::vec(0..2u8, 0..4),
        prop::collection::vec(0..2u8, 126..130),
        prop::collection::vec(0..2u8, 254..258),
    ];
    (0..3u8, account, content).prop_map(|(kind, address, content)| match kind {
        0 => StateKey::AccessPath { address, path: content.into() },
        1 => StateKey::table_item(&address, content),
        _ => StateKey::raw(content),
    })
}

fn nested_text(depth: usize) -> String {
    format!("{}u8{}", "vector<".repeat(depth), ">".repeat(depth))
}

fn nested_structs(depth: usize) -> String {
    format!("{}u8{}", "0x1::m::S<".repeat(depth), ">".repeat(depth))
}

#[test]
fn tags_nest_eight_levels_and_no_deeper() {
    for nested in [nested_text, nested_structs] {
        let deepest: TypeTag = nested(8).parse().expect("eight levels parse");
        assert_eq!(deepest.depth(), 8);
        assert_eq!(TypeTag::from_bytes(&deepest.to_bytes()), Ok(deepest.clone()));
        assert_eq!(nested(9).parse::<TypeTag>(), Err(TypeParseError::TooDeep));
        let deeper = TypeTag::Vector(Box::new(deepest));
        assert_eq!(deeper.depth(), 9);
        assert_eq!(TypeTag::from_bytes(&deeper.to_bytes()), Err(Error::DepthExceeded));
    }
    assert_eq!("vector<".repeat(50_000).parse::<TypeTag>(), Err(TypeParseError::TooLong));
    assert_eq!(TypeTag::from_bytes(&[6; 60_000]), Err(Error::DepthExceeded));
}

#[test]
fn deep_tags_are_refused_on_a_small_stack() {
    let decode = || {
        let deepest: TypeTag = nested_structs(8).parse().expect("eight levels parse");
        assert_eq!(TypeTag::from_bytes(&deepest.to_bytes()), Ok(deepest));
        assert_eq!(nested_structs(5000).parse::<TypeTag>(), Err(TypeParseError::TooDeep));
        assert_eq!(TypeTag::from_bytes(&[6; 60_000]), Err(Error::DepthExceeded));
    };
    let thread = std::thread::Builder::new().stack_size(64 * 1024).spawn(decode).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn a_struct_tag_of_its_own_leaves_eight_levels_for_its_arguments() {
    let inner: TypeTag = nested_text(8).parse().expect("eight levels");
    let tag = StructTag {
        address: Address::ONE,
        module: Identifier::new("m").expect("a name"),
        name: Identifier::new("S").expect("a name"),
        type_args: vec![inner],
    };
    assert_eq!(StructTag::from_bytes(&tag.to_bytes()), Ok(tag));
}

#[test]
fn type_text_is_read_leniently_and_printed_one_way() {
    let rows = [
        (
            " 0x01 :: coin :: CoinStore < 0x1::aptos_coin::AptosCoin , u8 > ",
            "0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin, u8>",
        ),
        ("0x1::m::S::<u8>", "0x1::m::S<u8>"),
        ("vector< vector <bool> >", "vector<vector<bool>>"),
        ("0xAB::M::N", "0xab::M::N"),
    ];
    for (text, canonical) in rows {
        assert_eq!(text.parse::<TypeTag>().map(|tag| tag.to_string()), Ok(canonical.to_owned()), "{text}");
    }
    for text in [
        "",
        "u9",
        "0x1::m",
        "0x1::m::S<",
        "0x1::m::S<>",
        "0x1::m::S::",
        "vector",
        "vector<u8",
        "u8 u8",
        "0x1::1m::S",
        "0x1::_::S",
        "T0",
        "1::m::S",
        "0x1::m::S<u8>>",
    ] {
        assert!(text.parse::<TypeTag>().is_err(), "{text}");
    }
    assert_eq!("&u8".parse::<TypeTag>(), Err(TypeParseError::Reference));
    assert_eq!("u8".parse::<StructTag>(), Err(TypeParseError::NotAStruct));
}

#[test]
fn names_follow_the_rule() {
    for (name, valid) in [
        ("a", true),
        ("A1_$", true),
        ("_a", true),
        ("$a", true),
        ("__", true),
        ("<SELF>", true),
        ("<SELF>_12", true),
        ("", false),
        ("_", false),
        ("$", false),
        ("1a", false),
        ("a-b", false),
        ("é", false),
        ("<SELF>_", false),
        ("<SELF>x", false),
    ] {
        assert_eq!(is_valid_name(name), valid, "{name}");
    }
}

#[test]
fn variants_that_are_not_handled_are_refused_by_name() {
    let unsupported = |bytes: &[u8]| match Transaction::from_bytes(bytes) {
        Err(Error::Unsupported(what)) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(unsupported(&[4]), "a validator transaction");
    let refused = |bytes: &[u8]| TransactionPayload::from_bytes(bytes).expect_err("not handled");
    assert_eq!(refused(&[1, 0, 0, 0, 0, 0, 0, 0, 0]), Error::Unsupported("a module bundle payload"));
    assert_eq!(refused(&[5]), Error::Unsupported("an encrypted payload"));
    assert_eq!(refused(&[4, 0, 3]), Error::Unsupported("an encrypted executable"));
    assert_eq!(refused(&[6]), Error::UnknownVariant { of: "TransactionPayload", index: 6 });
    assert_eq!(AnySignature::from_bytes(&[3]), Err(Error::Unsupported("a keyless signature")));
    assert_eq!(AnySignature::from_bytes(&[4]), Err(Error::Unsupported("an SLH-DSA signature")));
    assert_eq!(TransactionInfo::from_bytes(&[1]), Err(Error::Unsupported("transaction info V1")));
}

#[test]
fn multi_key_limits_hold_at_their_edges() {
    let keys = |count: usize, threshold: u8| {
        let mut raw = vec![7; 32 * count];
        raw.push(threshold);
        MultiEd25519PublicKey::from_raw(&raw).is_ok()
    };
    let rows = [
        (1, 1, true),
        (1, 0, false),
        (1, 2, false),
        (32, 32, true),
        (32, 33, false),
        (33, 1, false),
        (0, 0, false),
        (0, 1, false),
    ];
    for (count, threshold, accepted) in rows {
        assert_eq!(keys(count, threshold), accepted, "{threshold} of {count} ed25519 keys");
        let mut writer = Writer::new();
        writer.sequence(vec![(); count], |writer, ()| {
            writer.variant(0);
            writer.bytes(&[7; 32]);
        });
        writer.u8(threshold);
        assert_eq!(MultiKey::from_bytes(writer.as_bytes()).is_ok(), accepted, "{threshold} of {count} keys");
    }
    for (length, accepted) in [
        (4, false),
        (68, true),
        (67, false),
        (64 * 32 + 4, true),
        (64 * 33 + 4, false),
        (3, false),
        (0, false),
    ] {
        assert_eq!(MultiEd25519Signature::from_raw(&vec![1; length]).is_ok(), accepted, "{length} bytes");
    }
}

#[test]
fn newer_metadata_without_a_bytes_deposit_is_refused() {
    let mut bytes = vec![1];
    bytes.extend([0; 24]);
    assert!(StateValueMetadata::from_bytes(&bytes).is_err());
    bytes[9] = 1;
    assert_eq!(
        StateValueMetadata::from_bytes(&bytes),
        Ok(StateValueMetadata { slot_deposit: 0, bytes_deposit: 1, creation_time_usecs: 0 })
    );
}

#[test]
fn unordered_write_sets_are_refused() {
    let entry = |key: u8| [2, 1, key, 2];
    let write_set = |keys: [u8; 2]| [&[0, 2][..], &entry(keys[0]), &entry(keys[1])].concat();
    assert!(WriteSet::from_bytes(&write_set([1, 2])).is_ok());
    assert_eq!(WriteSet::from_bytes(&write_set([2, 1])), Err(Error::NonCanonicalMap));
    assert_eq!(WriteSet::from_bytes(&write_set([1, 1])), Err(Error::NonCanonicalMap));
}

/// Handles and addresses that public networks made at genesis begin and end with these digits.
#[test]
fn the_genesis_session_leads_to_published_handles() {
    let session = SessionId::Genesis(HashValue::ZERO).hash();
    let numbered = |n: u32| HashValue::sha3_256(&[&session.0[..], &n.to_be_bytes()].concat()).to_hex();
    let aggregator_factory = numbered(1);
    assert!(aggregator_factory.starts_with("1b854694") && aggregator_factory.ends_with("52fdca"));
    let supply_key = numbered(0);
    assert!(supply_key.starts_with("0619dc29") && supply_key.ends_with("1e6935"));
    assert!(Address::unique(&session, 1).to_long().starts_with("0x5d35f415"));
    assert_ne!(session, SessionId::BlockMetadata(HashValue::ZERO).hash());
}
