//! `0x1::string` over UTF-8 bytes.

use super::{NativeCx, by_length};
use crate::errors::Fault;

/// `string::internal_check_utf8`
pub fn check_utf8(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let bytes = cx.bytes_behind(0)?;
    cx.charge(by_length(cx.env.costs.utf8_base, cx.env.costs.utf8_per_byte, bytes.len()))?;
    cx.ret_bool(std::str::from_utf8(&bytes).is_ok());
    Ok(())
}

/// Whether an index lies between characters; the end does.
fn is_boundary(bytes: &[u8], index: u64) -> bool {
    match usize::try_from(index) {
        Ok(0) => true,
        Ok(index) if index == bytes.len() => true,
        Ok(index) => bytes.get(index).is_some_and(|byte| (*byte as i8) >= -0x40),
        Err(_) => false,
    }
}

/// `string::internal_is_char_boundary`
pub fn is_char_boundary(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.char_boundary)?;
    let bytes = cx.bytes_behind(0)?;
    let index = cx.word(1)?;
    cx.ret_bool(is_boundary(&bytes, index));
    Ok(())
}

/// `string::internal_sub_string`
pub fn sub_string(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    /// Abort code of a range that is none.
    const INVALID_RANGE: u64 = 1;
    cx.charge(cx.env.costs.sub_string_base)?;
    let (start, end) = (cx.word(1)?, cx.word(2)?);
    if end < start {
        return Err(Fault::abort(INVALID_RANGE));
    }
    cx.charge(cx.env.costs.sub_string_per_byte.saturating_mul(end - start))?;
    let bytes = cx.bytes_behind(0)?;
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    match range.and_then(|(start, end)| bytes.get(start..end)) {
        Some(part) if is_boundary(&bytes, start) && is_boundary(&bytes, end) => cx.ret_bytes(part),
        _ => Err(Fault::abort(INVALID_RANGE)),
    }
}

/// `string::internal_index_of`
pub fn index_of(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let (text, pattern) = (cx.bytes_behind(0)?, cx.bytes_behind(1)?);
    cx.charge(by_length(costs.index_of_base, costs.index_of_per_pattern, pattern.len()))?;
    cx.charge(by_length(0, costs.index_of_per_searched, text.len()))?;
    let found = match (std::str::from_utf8(&text), std::str::from_utf8(&pattern)) {
        (Ok(text), Ok(pattern)) => text.find(pattern),
        _ => return Err(Fault::invariant("strings that are not UTF-8")),
    };
    cx.ret_word(found.unwrap_or(text.len()) as u64);
    Ok(())
}

/// `function_info::is_identifier`: whether the bytes are a Move identifier.
pub fn is_identifier(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let bytes = cx.bytes_behind(0)?;
    cx.charge(by_length(cx.env.costs.is_identifier, cx.env.costs.is_identifier_per_byte, bytes.len()))?;
    cx.ret_bool(std::str::from_utf8(&bytes).is_ok_and(ledger_types::is_valid_name));
    Ok(())
}
