//! Reads the vector files that both languages share. Included by path from the tests of every crate
//! that has vectors.
#![allow(dead_code, reason = "each test includes what it needs")]

use std::path::Path;

use serde_json::Value;

/// Cases of one file. Fails unless there are exactly `count`, so that a file that shrinks, or a
/// filter that drops cases, is noticed.
pub fn cases(file: &str, count: usize) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../test/vectors").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).expect("vector files are JSON");
    let cases = document["cases"].as_array().expect("a vector file has cases").clone();
    assert_eq!(cases.len(), count, "cases in {file}");
    cases
}

/// A string member.
pub fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{key} of {case} is a string"))
}

/// A decimal string or number member.
pub fn number(case: &Value, key: &str) -> u64 {
    match &case[key] {
        Value::String(digits) => digits.parse().expect("decimal"),
        other => other.as_u64().unwrap_or_else(|| panic!("{key} of {case} is a number")),
    }
}

/// Bytes from hex with an optional `0x`.
pub fn from_hex(digits: &str) -> Vec<u8> {
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    assert!(digits.len().is_multiple_of(2), "hex of whole bytes: {digits}");
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits"))
        .collect()
}

/// Bytes of a hex member.
pub fn bytes(case: &Value, key: &str) -> Vec<u8> {
    from_hex(text(case, key))
}

/// Lowercase hex without prefix.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
