//! The smallest pieces of the file format: bytes, fixed-width integers, ULEB128 numbers.
//!
//! [`Cursor`] reads them from bytes nobody has checked; [`Sink`] writes them. What they mean is for
//! the readers and writers above.

mod cursor;
mod sink;

pub(crate) mod operand;

pub(crate) use cursor::Cursor;
pub(crate) use sink::Sink;
