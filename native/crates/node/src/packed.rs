//! Lists of byte strings in one buffer: `u32 length ‖ bytes`, little-endian, repeated.
//!
//! An array of buffers would cost a handle and a reference for each item.

use crate::failure::Failure;

/// Splits a packed list.
///
/// # Errors
/// When a length runs past the end: a bug of the caller.
pub fn unpack(mut packed: &[u8]) -> Result<Vec<&[u8]>, Failure> {
    let mut items = Vec::new();
    while !packed.is_empty() {
        let (length, rest) = packed.split_first_chunk::<4>().ok_or_else(broken)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (item, rest) = rest.split_at_checked(length).ok_or_else(broken)?;
        items.push(item);
        packed = rest;
    }
    Ok(items)
}

/// Splits a packed list of pairs.
///
/// # Errors
/// As [`unpack`], and for an odd number of items.
pub fn unpack_pairs(packed: &[u8]) -> Result<Vec<[&[u8]; 2]>, Failure> {
    let items = unpack(packed)?;
    let (pairs, rest) = items.as_chunks::<2>();
    if rest.is_empty() { Ok(pairs.to_vec()) } else { Err(broken()) }
}

fn broken() -> Failure {
    Failure::internal("a packed list is cut short")
}
