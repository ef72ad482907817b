//! Bytes nobody meant to be a module: refused with the right code, never a panic.

use ledger_bytecode::{
    CompiledModule, CompiledScript, Place, ReadLimits, StatusCode, StatusKind, read_module,
};
use ledger_testkit::fixtures;
use ledger_testkit::random::Random;

/// Header of a module with one table of the given kind and content.
fn one_table(version: u32, kind: u8, content: &[u8]) -> Vec<u8> {
    let mask = if version >= 7 { 0x0A00_0000 } else { 0 };
    let mut bytes = vec![0xA1, 0x1C, 0xEB, 0x0B];
    bytes.extend_from_slice(&(version | mask).to_le_bytes());
    bytes.extend_from_slice(&[1, kind, 0, u8::try_from(content.len()).unwrap()]);
    bytes.extend_from_slice(content);
    bytes.push(0);
    bytes
}

fn status(bytes: &[u8]) -> StatusCode {
    CompiledModule::deserialize(bytes).expect_err("must be refused").status
}

#[test]
fn headers_that_lie_are_refused() {
    let good = fixtures::module("v7/signer");
    let with = |at: usize, byte: u8| {
        let mut bytes = good.to_vec();
        bytes[at] = byte;
        bytes
    };
    // magic 0..4, version 4..8, table count 8, then kind, offset, length per table
    assert_eq!(status(&with(0, 0xA2)), StatusCode::BAD_MAGIC);
    assert_eq!(status(&good[..3]), StatusCode::BAD_MAGIC);
    assert_eq!(status(&with(4, 0)), StatusCode::UNKNOWN_VERSION);
    assert_eq!(status(&with(4, 4)), StatusCode::UNKNOWN_VERSION);
    assert_eq!(status(&with(4, 11)), StatusCode::UNKNOWN_VERSION);
    assert_eq!(status(&good[..6]), StatusCode::MALFORMED);
    assert_eq!(status(&with(9, 0x09)), StatusCode::UNKNOWN_TABLE_TYPE);
    assert_eq!(status(&with(9, 0x15)), StatusCode::UNKNOWN_TABLE_TYPE);
    assert_eq!(status(&with(12, good[9])), StatusCode::DUPLICATE_TABLE);
    assert_eq!(status(&with(10, 1)), StatusCode::BAD_HEADER_TABLE);
    assert_eq!(status(&with(11, 0)), StatusCode::BAD_HEADER_TABLE);
    let mut longer = good.to_vec();
    longer.push(0);
    assert_eq!(status(&longer), StatusCode::MALFORMED);

    let six = ReadLimits { version_max: 6, ..ReadLimits::default() };
    assert_eq!(read_module(good, &six).unwrap_err().status, StatusCode::UNKNOWN_VERSION);
    assert!(read_module(fixtures::module("v6/signer"), &six).is_ok());
}

#[test]
fn entries_that_break_their_format_are_refused() {
    const IDENTIFIERS: u8 = 0x07;
    const SIGNATURES: u8 = 0x05;
    let rows: &[(&str, u32, u8, &[u8], StatusCode)] = &[
        ("name of nothing", 7, IDENTIFIERS, &[0], StatusCode::MALFORMED),
        ("name that starts with a digit", 7, IDENTIFIERS, b"\x021a", StatusCode::MALFORMED),
        ("underscore alone", 7, IDENTIFIERS, b"\x01_", StatusCode::MALFORMED),
        ("dollar before version 9", 8, IDENTIFIERS, b"\x03a$b", StatusCode::MALFORMED),
        ("dollar from version 9", 9, IDENTIFIERS, b"\x03a$b", StatusCode::NO_MODULE_HANDLES),
        ("name cut short", 7, IDENTIFIERS, b"\x03ab", StatusCode::MALFORMED),
        ("name not UTF-8", 7, IDENTIFIERS, b"\x02\xC3\x28", StatusCode::MALFORMED),
        ("length in needless groups", 7, IDENTIFIERS, b"\x82\x00ab", StatusCode::MALFORMED),
        ("instance without arguments", 7, SIGNATURES, &[1, 0x0B, 0, 0], StatusCode::MALFORMED),
        ("struct not there", 7, SIGNATURES, &[1, 0x08, 0], StatusCode::NO_MODULE_HANDLES),
        ("type byte 0", 7, SIGNATURES, &[1, 0x00], StatusCode::UNKNOWN_SERIALIZED_TYPE),
        ("type byte 17", 10, SIGNATURES, &[1, 0x17], StatusCode::UNKNOWN_SERIALIZED_TYPE),
        ("u16 before version 6", 5, SIGNATURES, &[1, 0x0D], StatusCode::MALFORMED),
        ("u16 from version 6", 6, SIGNATURES, &[1, 0x0D], StatusCode::NO_MODULE_HANDLES),
        ("function type before version 8", 7, SIGNATURES, &[1, 0x10, 0, 0, 0], StatusCode::MALFORMED),
        ("function type from version 8", 8, SIGNATURES, &[1, 0x10, 0, 0, 0], StatusCode::NO_MODULE_HANDLES),
        ("ability bit 16", 8, SIGNATURES, &[1, 0x10, 16, 0, 0], StatusCode::MALFORMED),
        ("i8 before version 9", 8, SIGNATURES, &[1, 0x11], StatusCode::MALFORMED),
        ("type parameter above u16", 7, SIGNATURES, &[1, 0x09, 0x80, 0x80, 0x04], StatusCode::MALFORMED),
        ("vector of nothing", 7, SIGNATURES, &[1, 0x0A], StatusCode::MALFORMED),
        ("enum table before version 7", 6, 0x11, &[0, 0, 0], StatusCode::MALFORMED),
    ];
    for (name, version, kind, content, expected) in rows {
        assert_eq!(status(&one_table(*version, *kind, content)), *expected, "{name}");
    }
}

#[test]
fn types_nest_256_deep_and_not_deeper() {
    let nested = |vectors: usize| {
        let mut content = vec![1];
        content.extend(std::iter::repeat_n(0x0A, vectors));
        content.push(0x02);
        let mut bytes = vec![0xA1, 0x1C, 0xEB, 0x0B, 7, 0, 0, 0x0A, 1, 0x05, 0];
        bytes.extend_from_slice(&[(content.len() as u8 & 0x7F) | 0x80, (content.len() >> 7) as u8]);
        bytes.extend_from_slice(&content);
        bytes.push(0);
        bytes
    };
    assert_eq!(status(&nested(255)), StatusCode::NO_MODULE_HANDLES);
    assert_eq!(status(&nested(256)), StatusCode::MALFORMED);
}

#[test]
fn scripts_may_not_carry_definitions() {
    let bytes = one_table(7, 0x0A, &[0, 1]);
    let error = CompiledScript::deserialize(&bytes).unwrap_err();
    assert_eq!(error.status, StatusCode::MALFORMED);
    assert!(matches!(error.place, Place::Byte(_)));
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let length = random.below(200);
        let mut bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
        if length > 9 {
            bytes[..9].copy_from_slice(&[0xA1, 0x1C, 0xEB, 0x0B, 5 + random.byte() % 6, 0, 0, 0x0A, 3]);
        }
        let _ = CompiledModule::deserialize(&bytes);
        let _ = CompiledScript::deserialize(&bytes);
    }
}

/// Whatever a mutation leaves readable must be written back to the same module, and a refusal must
/// carry a code of reading or bounds.
#[test]
fn mutated_modules_are_refused_cleanly_or_survive_a_round_trip() {
    let mut random = Random::new(2);
    let (mut accepted, mut refused) = (0, 0);
    for fixture in fixtures::ALL {
        for _ in 0..3_000 {
            let mut bytes = fixture.bytes.to_vec();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = random.byte(),
                    1 => bytes[at] ^= 1 << random.below(8),
                    2 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, random.byte()),
                }
            }
            match CompiledModule::deserialize(&bytes) {
                Ok(module) => {
                    let again = CompiledModule::deserialize(&module.serialize());
                    assert_eq!(again.as_ref(), Ok(&module), "{}", fixture.name);
                    accepted += 1;
                }
                Err(error) => {
                    let kind = error.status.kind();
                    assert!(
                        kind == StatusKind::Deserialization || kind == StatusKind::Verification,
                        "{error}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(accepted > 1_000 && refused > 5_000, "{accepted} accepted, {refused} refused");
}
