//! Why a byte string is not a canonical encoding.

use std::fmt;

/// The ways in which decoding refuses its input. Small and copyable; it carries no place, since the
/// caller that wants one asks [`crate::Reader::position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The input stops before the value does.
    UnexpectedEnd,
    /// The value is complete and this many bytes follow it.
    RemainingInput(usize),
    /// A ULEB128 number is not in its shortest form.
    NonCanonicalUleb128,
    /// A ULEB128 number does not fit 32 bits.
    Uleb128Overflow,
    /// A length is above [`crate::LENGTH_MAX`], or above the limit the type sets itself.
    LengthTooLarge(u32),
    /// A boolean is neither 0 nor 1.
    BadBool(u8),
    /// An option tag is neither 0 nor 1.
    BadOptionTag(u8),
    /// A string is not UTF-8.
    BadUtf8,
    /// Map keys are not strictly increasing by their encoded bytes.
    NonCanonicalMap,
    /// An enum has no variant of this index.
    UnknownVariant {
        /// Name of the enum.
        of: &'static str,
        /// The index found.
        index: u32,
    },
    /// The variant belongs to the format, and this node does not handle it.
    Unsupported(&'static str),
    /// Structs and enums are nested deeper than [`crate::CONTAINER_DEPTH_MAX`], or deeper than the
    /// type's own limit.
    DepthExceeded,
    /// The bytes are well formed and the type refuses the value; says what was expected.
    Invalid(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnexpectedEnd => f.write_str("unexpected end of input"),
            Error::RemainingInput(count) => write!(f, "{count} bytes remain after the value"),
            Error::NonCanonicalUleb128 => f.write_str("ULEB128 number is not in its shortest form"),
            Error::Uleb128Overflow => f.write_str("ULEB128 number does not fit 32 bits"),
            Error::LengthTooLarge(length) => write!(f, "length {length} is over the limit"),
            Error::BadBool(byte) => write!(f, "expected a boolean 0 or 1, found {byte}"),
            Error::BadOptionTag(byte) => write!(f, "expected an option tag 0 or 1, found {byte}"),
            Error::BadUtf8 => f.write_str("string is not valid UTF-8"),
            Error::NonCanonicalMap => f.write_str("map keys are not strictly increasing"),
            Error::UnknownVariant { of, index } => write!(f, "{of} has no variant {index}"),
            Error::Unsupported(what) => write!(f, "{what} is not supported"),
            Error::DepthExceeded => f.write_str("nesting is over the depth limit"),
            Error::Invalid(expected) => write!(f, "invalid value: {expected}"),
        }
    }
}

impl std::error::Error for Error {}

/// Result of decoding.
pub type Result<T> = std::result::Result<T, Error>;
