//! The binding: the only crate that knows Node exists. It converts, calls the core and converts back.
//!
//! Promises: refusals are values ([`failure::Failure`]); panics are caught at one place
//! ([`guard::guard`]) and mark the process; nothing here decides anything about transactions.
//! The shapes that JavaScript sees are described in src/native/addon.ts.

pub mod block_output;
pub mod core;
pub mod failure;
pub mod functions;
mod guard;
pub mod inspect;
mod js_bytes;
mod packed;
pub mod shapes;
mod state_bridge;

use napi_derive::napi;

/// Version of this addon; the package refuses to load one that is not its own.
#[napi]
pub fn abi_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// True once a panic was caught in this process.
#[napi]
pub fn is_broken() -> bool {
    guard::is_broken()
}
