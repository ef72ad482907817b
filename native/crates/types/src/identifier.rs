//! Names of modules, structs, functions and fields.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use ledger_bcs::{Decode, Encode, Reader, Result, Writer};

/// Longest name in bytes that any supported bytecode version admits.
pub const IDENTIFIER_LENGTH_MAX: usize = 65_535;

/// A name. Cheap to clone.
///
/// Decoding checks UTF-8 only, as the chain format does, since legacy bytecode holds names that
/// users may not write; [`Identifier::is_valid`] is asked where transactions and modules are checked.
/// Parsing text asks it always.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier(Arc<str>);

impl Identifier {
    /// Takes a name that follows the rule of [`Identifier::is_valid`].
    ///
    /// # Errors
    /// Any other text.
    pub fn new(name: &str) -> std::result::Result<Self, IdentifierError> {
        if is_valid_name(name) { Ok(Self(name.into())) } else { Err(IdentifierError) }
    }

    /// Takes a name without asking the rule, for names that were checked or fixed elsewhere.
    #[must_use]
    pub fn new_unchecked(name: &str) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the name is one a Move program can declare: ASCII letters, digits, `_` and `$`, not
    /// starting with a digit, and `_` or `$` not alone. The legacy `<SELF>`, with an optional `_`
    /// and number, counts too.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        is_valid_name(&self.0)
    }
}

/// The rule of [`Identifier::is_valid`] over borrowed text.
#[must_use]
pub fn is_valid_name(name: &str) -> bool {
    if let Some(suffix) = name.strip_prefix("<SELF>") {
        return suffix.is_empty()
            || suffix
                .strip_prefix('_')
                .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|d| d.is_ascii_digit()));
    }
    let bytes = name.as_bytes();
    let Some((&first, rest)) = bytes.split_first() else { return false };
    let rest_is_valid = rest.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
    let first_is_valid = first.is_ascii_alphabetic() || (matches!(first, b'_' | b'$') && !rest.is_empty());
    first_is_valid && rest_is_valid && bytes.len() <= IDENTIFIER_LENGTH_MAX
}

/// The text is not a Move identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentifierError;

impl fmt::Display for IdentifierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a Move identifier: letters, digits, _ and $, not starting with a digit")
    }
}

impl std::error::Error for IdentifierError {}

impl FromStr for Identifier {
    type Err = IdentifierError;

    fn from_str(text: &str) -> std::result::Result<Self, IdentifierError> {
        Self::new(text)
    }
}

impl Deref for Identifier {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Identifier {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Identifier {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Identifier {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for Identifier {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Encode for Identifier {
    fn encode(&self, writer: &mut Writer) {
        writer.string(&self.0);
    }
}

impl Decode for Identifier {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.string().map(|name| Self(name.into()))
    }
}
