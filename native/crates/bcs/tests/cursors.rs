//! The two cursors: limits, depth, and agreement with each other.

use ledger_bcs::{CONTAINER_DEPTH_MAX, Decode, Encode, Error, Reader, Result, Writer};
use proptest::prelude::*;

fn nest(reader: &mut Reader<'_>, depth: u32) -> Result<()> {
    if depth == 0 { Ok(()) } else { reader.container(|reader| nest(reader, depth - 1)) }
}

#[test]
fn containers_may_nest_to_the_limit_and_no_deeper() {
    assert_eq!(nest(&mut Reader::new(&[]), CONTAINER_DEPTH_MAX), Ok(()));
    assert_eq!(nest(&mut Reader::new(&[]), CONTAINER_DEPTH_MAX + 1), Err(Error::DepthExceeded));
    // Siblings do not add up.
    let mut reader = Reader::new(&[]);
    assert!((0..CONTAINER_DEPTH_MAX * 2).all(|_| nest(&mut reader, 1).is_ok()));
}

#[test]
fn a_huge_count_with_no_bytes_behind_it_fails_at_once() {
    let count_of_two_billion = [0xff, 0xff, 0xff, 0xff, 0x07];
    let mut calls = 0;
    let result = Reader::new(&count_of_two_billion).sequence(|_| {
        calls += 1;
        Ok(())
    });
    assert_eq!((result, calls), (Err(Error::UnexpectedEnd), 0));
}

#[test]
fn a_limit_below_the_count_is_reported_as_the_count() {
    let mut reader = Reader::new(&[3, 1, 2, 3]);
    assert_eq!(reader.sequence_within(2, Reader::u8), Err(Error::LengthTooLarge(3)));
    let mut reader = Reader::new(&[3, 1, 2, 3]);
    assert_eq!(reader.sequence_within(3, Reader::u8), Ok(vec![1, 2, 3]));
}

#[test]
fn equal_keys_written_to_a_map_keep_the_first() {
    let mut writer = Writer::new();
    writer.map([(vec![2], 20), (vec![1], 10), (vec![2], 99)], Writer::u8);
    assert_eq!(writer.as_bytes(), [2, 1, 10, 2, 20]);
}

#[test]
fn consumed_bytes_can_be_looked_at_again() {
    let mut reader = Reader::new(&[1, 2, 3, 4]);
    reader.u8().expect("a byte");
    let start = reader.position();
    reader.u16().expect("two bytes");
    assert_eq!(reader.consumed_since(start), [2, 3]);
    assert_eq!(reader.finish(), Err(Error::RemainingInput(1)));
}

proptest! {
    #[test]
    fn uleb128_reads_what_it_writes_and_nothing_else_has_that_value(value in any::<u32>()) {
        let mut writer = Writer::new();
        writer.uleb128(value);
        let mut reader = Reader::new(writer.as_bytes());
        prop_assert_eq!(reader.uleb128(), Ok(value));
        prop_assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn whatever_decodes_re_encodes_to_the_same_bytes(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        type Sample = Vec<Option<Vec<String>>>;
        if let Ok(value) = Sample::from_bytes(&bytes) {
            prop_assert_eq!(value.to_bytes(), bytes.clone());
        }
        if let Ok(value) = Vec::<(u32, bool)>::from_bytes_pairs(&bytes) {
            let mut writer = Writer::new();
            writer.sequence(&value, |writer, (number, flag)| {
                writer.uleb128(*number);
                writer.bool(*flag);
            });
            prop_assert_eq!(writer.into_bytes(), bytes);
        }
    }

    #[test]
    fn integers_keep_their_value(a in any::<u128>(), b in any::<i64>(), c in any::<u16>()) {
        let mut writer = Writer::new();
        writer.u128(a);
        writer.i64(b);
        writer.u16(c);
        let mut reader = Reader::new(writer.as_bytes());
        prop_assert_eq!((reader.u128(), reader.i64(), reader.u16()), (Ok(a), Ok(b), Ok(c)));
    }
}

/// Pairs of a ULEB128 number and a flag.
trait Pairs: Sized {
    fn from_bytes_pairs(bytes: &[u8]) -> Result<Self>;
}

impl Pairs for Vec<(u32, bool)> {
    fn from_bytes_pairs(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let pairs = reader.sequence(|reader| Ok((reader.uleb128()?, reader.bool()?)))?;
        reader.finish().map(|()| pairs)
    }
}
