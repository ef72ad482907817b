//! The shared vectors of addresses, types, transactions, state keys and ledger objects. Expected
//! values come from public packages and published ledger data; the files say which.

mod ledger_objects;
mod names;
mod state;
mod transactions;
#[path = "../../../bcs/tests/vector_file/mod.rs"]
mod vector_file;

use ledger_types::{Address, HashValue};
use serde_json::Value;

/// An address member.
fn address(case: &Value, key: &str) -> Address {
    vector_file::text(case, key).parse().expect("an address")
}

/// A hash member.
fn hash(case: &Value, key: &str) -> HashValue {
    vector_file::text(case, key).parse().expect("a hash")
}

/// A hash member that may be null.
fn optional_hash(case: &Value, key: &str) -> Option<HashValue> {
    (!case[key].is_null()).then(|| hash(case, key))
}
