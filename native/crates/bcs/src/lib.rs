//! BCS: the one canonical byte string of each value, in and out.
//!
//! [`Reader`] and [`Writer`] are the two cursors; [`Encode`] and [`Decode`] are how a type uses
//! them. [`layout`] describes types known only at run time, and turns their bytes into JSON text and
//! back without an intermediate tree.
//!
//! Promises: what decodes re-encodes to the same bytes; every other input is refused with a reason;
//! no input makes decoding panic, recurse without bound or allocate out of proportion.
//!
//! Leaves to others: what the values mean. This crate knows nothing of Move and does no I/O.
#![forbid(unsafe_code)]

mod codec;
mod error;
pub mod layout;
mod reader;
mod writer;

pub use codec::{Decode, Encode};
pub use error::{Error, Result};
pub use reader::Reader;
pub use writer::Writer;

/// Largest length of a sequence, string or map: 2^31 - 1.
pub const LENGTH_MAX: u32 = (1 << 31) - 1;

/// Most structs and enums that may enclose one another in one value. Sequences, options, tuples and
/// maps do not count.
pub const CONTAINER_DEPTH_MAX: u32 = 500;
