//! The few pieces of JSON text that every rendering is put together from.

use ledger_types::{Address, HashValue};

/// Appends a JSON string.
pub fn string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, text).expect("text serialises, and a vector takes what it is given");
}

/// Appends a 64-bit number as a decimal string.
pub fn number_text(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\"{number}\"").as_bytes());
}

/// Appends a short address as a string.
pub fn address(address: &Address, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\"{address}\"").as_bytes());
}

/// Appends a hash as a string.
pub fn hash(hash: &HashValue, out: &mut Vec<u8>) {
    hex(&hash.0, out);
}

/// Appends bytes as `"0x…"`, two digits each.
pub fn hex(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.reserve(2 * bytes.len() + 4);
    out.extend_from_slice(b"\"0x");
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
    out.push(b'"');
}

/// Appends `items` as an array.
pub fn array<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut Vec<u8>,
    mut item: impl FnMut(T, &mut Vec<u8>),
) {
    out.push(b'[');
    for (index, value) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        item(value, out);
    }
    out.push(b']');
}

/// Appends text as it is.
pub fn raw(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(text.as_bytes());
}
