//! Aggregators of the second kind: plain numbers inside their struct, since transactions run one after
//! another here.
//!
//! `Aggregator<T> { value: T, max_value: T }`, `AggregatorSnapshot<T> { value: T }` and
//! `DerivedStringSnapshot { value: String, padding: vector<u8> }`, with `T` `u64` or `u128`.

use super::{NativeCx, by_length};
use crate::errors::Fault;
use crate::types::{Int, Kind, TypeInfo};

/// Abort codes of the public module.
const UNSUPPORTED_TYPE: u64 = 0x3_0007;
const UNSUPPORTED_SNAPSHOT_TYPE: u64 = 0x3_0005;
const STRING_TOO_LONG: u64 = 0x3_0008;
const NOT_SUPPORTED: u64 = 0x3_0009;
/// Most bytes around the number of a derived string, or of a constant one.
const STRING_BYTES_MAX: usize = 1024;
/// Least BCS width of a derived string.
const DERIVED_WIDTH_MIN: usize = 22;

/// The element type: slots, greatest value, most decimal digits.
fn element(ty: &TypeInfo, unsupported: u64) -> Result<(usize, u128, usize), Fault> {
    match ty.kind {
        Kind::Int(Int::U64) => Ok((1, u128::from(u64::MAX), 20)),
        Kind::Int(Int::U128) => Ok((2, u128::MAX, 39)),
        _ => Err(Fault::abort(unsupported)),
    }
}

fn load(cx: &NativeCx<'_, '_>, at: usize, slots: usize) -> u128 {
    if slots == 1 { u128::from(cx.env.memory.word(at)) } else { cx.u128_at(at) }
}

fn ret(cx: &mut NativeCx<'_, '_>, value: u128, slots: usize) {
    if slots == 1 { cx.ret_word(value as u64) } else { cx.ret_u128(value) }
}

/// `create_aggregator`
pub fn create(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_v2_create)?;
    let (slots, ..) = element(cx.type_argument(0)?, UNSUPPORTED_TYPE)?;
    let max = load(cx, cx.slot(0)?, slots);
    ret(cx, 0, slots);
    ret(cx, max, slots);
    Ok(())
}

/// `create_unbounded_aggregator`
pub fn create_unbounded(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_v2_create)?;
    let (slots, max, _) = element(cx.type_argument(0)?, UNSUPPORTED_TYPE)?;
    ret(cx, 0, slots);
    ret(cx, max, slots);
    Ok(())
}

/// Changes the value to what `change` makes of value, operand and maximum; false leaves it as it is.
fn change(
    cx: &mut NativeCx<'_, '_>,
    change: impl FnOnce(u128, u128, u128) -> Option<u128>,
) -> Result<(), Fault> {
    let (slots, ..) = element(cx.type_argument(0)?, UNSUPPORTED_TYPE)?;
    let (at, operand) = (cx.target(0)?, load(cx, cx.slot(1)?, slots));
    let (value, max) = (load(cx, at, slots), load(cx, at + slots, slots));
    let changed = change(value, operand, max);
    if let Some(value) = changed {
        let memory = cx.env.memory;
        memory.touch(cx.reference(0)?);
        memory.set_word(at, value as u64);
        if slots == 2 {
            memory.set_word(at + 1, (value >> 64) as u64);
        }
    }
    cx.ret_bool(changed.is_some());
    Ok(())
}

/// `try_add`
pub fn try_add(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_v2_try_add)?;
    change(cx, |value, more, max| value.checked_add(more).filter(|sum| *sum <= max))
}

/// `try_sub`
pub fn try_sub(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_v2_try_sub)?;
    change(cx, |value, less, _| value.checked_sub(less))
}

/// `is_at_least_impl`
pub fn is_at_least(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_v2_is_at_least)?;
    let (slots, ..) = element(cx.type_argument(0)?, UNSUPPORTED_TYPE)?;
    let (value, least) = (load(cx, cx.target(0)?, slots), load(cx, cx.slot(1)?, slots));
    cx.ret_bool(value >= least);
    Ok(())
}

fn read_number(cx: &mut NativeCx<'_, '_>, cost: u64, unsupported: u64) -> Result<(), Fault> {
    cx.charge(cost)?;
    let (slots, ..) = element(cx.type_argument(0)?, unsupported)?;
    let value = load(cx, cx.target(0)?, slots);
    ret(cx, value, slots);
    Ok(())
}

/// `read`
pub fn read(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    read_number(cx, cx.env.costs.aggregator_v2_read, UNSUPPORTED_TYPE)
}

/// `snapshot`: the number of now.
pub fn snapshot(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    read_number(cx, cx.env.costs.aggregator_v2_snapshot, UNSUPPORTED_TYPE)
}

/// `read_snapshot`
pub fn read_snapshot(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    read_number(cx, cx.env.costs.aggregator_v2_read_snapshot, UNSUPPORTED_SNAPSHOT_TYPE)
}

/// `create_snapshot`
pub fn create_snapshot(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_v2_create_snapshot)?;
    let (slots, ..) = element(cx.type_argument(0)?, UNSUPPORTED_SNAPSHOT_TYPE)?;
    let value = load(cx, cx.slot(0)?, slots);
    ret(cx, value, slots);
    Ok(())
}

/// `read_derived_string`
pub fn read_derived_string(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_v2_read_snapshot)?;
    let value = cx.bytes_behind(0)?;
    cx.ret_bytes(&value)
}

fn uleb_width(value: usize) -> usize {
    let mut width = 1;
    let mut rest = value >> 7;
    while rest > 0 {
        width += 1;
        rest >>= 7;
    }
    width
}

/// Returns a derived string that takes `width` bytes of BCS, whatever its number is.
fn ret_derived(cx: &mut NativeCx<'_, '_>, value: &[u8], width: usize) -> Result<(), Fault> {
    let rest = width.saturating_sub(uleb_width(value.len()) + value.len());
    let mut padding = rest.saturating_sub(1);
    while padding > 0 && uleb_width(padding) + padding > rest {
        padding -= 1;
    }
    cx.ret_bytes(value)?;
    cx.ret_bytes(&vec![0; padding])
}

/// `create_derived_string`
pub fn create_derived_string(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let value = cx.bytes(0)?;
    let costs = cx.env.costs;
    let per_byte = costs.aggregator_v2_create_snapshot_per_byte;
    cx.charge(by_length(costs.aggregator_v2_create_snapshot, per_byte, value.len()))?;
    if value.len() > STRING_BYTES_MAX {
        return Err(Fault::abort(STRING_TOO_LONG));
    }
    let width = (uleb_width(value.len()) + value.len() + 1).max(DERIVED_WIDTH_MIN);
    ret_derived(cx, &value, width)
}

/// `derive_string_concat`: prefix, decimal number, suffix.
pub fn derive_string_concat(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let (slots, _, digits) = element(cx.type_argument(0)?, UNSUPPORTED_SNAPSHOT_TYPE)?;
    let (prefix, suffix) = (cx.bytes(0)?, cx.bytes(2)?);
    let costs = cx.env.costs;
    let length = prefix.len() + suffix.len();
    cx.charge(by_length(
        costs.aggregator_v2_string_concat,
        costs.aggregator_v2_string_concat_per_byte,
        length,
    ))?;
    if prefix.len() + suffix.len() > STRING_BYTES_MAX {
        return Err(Fault::abort(STRING_TOO_LONG));
    }
    let number = load(cx, cx.target(1)?, slots).to_string();
    let longest = prefix.len() + suffix.len() + digits;
    let value = [&prefix[..], number.as_bytes(), &suffix[..]].concat();
    ret_derived(cx, &value, uleb_width(longest) + longest + 1)
}

/// `copy_snapshot` and `string_concat`, which the public module no longer offers.
pub fn not_supported(_: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    Err(Fault::abort(NOT_SUPPORTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_take_one_byte_for_every_seven_bits() {
        assert_eq!([0, 127, 128, 16_383, 16_384].map(uleb_width), [1, 1, 2, 2, 3]);
    }
}
