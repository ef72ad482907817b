//! Account addresses: 32 bytes with three text forms.

use std::fmt;
use std::str::FromStr;

use ledger_bcs::{Decode, Encode, Reader, Result, Writer};

use crate::hash::hex_digit;

/// An account, object or table handle. Displays in the short form, `0x1`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub [u8; 32]);

impl Address {
    /// 0x0, reserved for the VM.
    pub const ZERO: Self = Self::from_low_byte(0);
    /// 0x1, where the core framework lives.
    pub const ONE: Self = Self::from_low_byte(1);
    /// 0x3, legacy tokens.
    pub const THREE: Self = Self::from_low_byte(3);
    /// 0x4, token objects.
    pub const FOUR: Self = Self::from_low_byte(4);
    /// 0xA, metadata object of the native coin's fungible asset.
    pub const TEN: Self = Self::from_low_byte(10);

    /// The address with 31 zero bytes and then `byte`.
    #[must_use]
    pub const fn from_low_byte(byte: u8) -> Self {
        let mut bytes = [0; 32];
        bytes[31] = byte;
        Self(bytes)
    }

    /// The bytes, most significant first.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether this is one of 0x0 to 0xf, which have a one-digit display form.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.0[..31].iter().all(|&byte| byte == 0) && self.0[31] < 16
    }

    /// `0x` and 64 lowercase digits.
    #[must_use]
    pub fn to_long(&self) -> String {
        let mut text = String::with_capacity(66);
        text.push_str("0x");
        push_hex(&mut text, &self.0);
        text
    }

    /// `0x` and the digits without leading zeros; zero is `0x0`.
    #[must_use]
    pub fn to_short(&self) -> String {
        let long = self.to_long();
        let digits = long[2..].trim_start_matches('0');
        format!("0x{}", if digits.is_empty() { "0" } else { digits })
    }

    /// The short form of special addresses, the long form of all others.
    #[must_use]
    pub fn to_standard(&self) -> String {
        if self.is_special() { self.to_short() } else { self.to_long() }
    }

    /// Parses `0x` and 64 digits, or `0x` and the one digit of a special address.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse_strict(text: &str) -> std::result::Result<Self, AddressParseError> {
        let digits = text.strip_prefix("0x").ok_or(AddressParseError)?;
        match digits.len() {
            1 | 64 => text.parse(),
            _ => Err(AddressParseError),
        }
    }
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)] as char);
        text.push(DIGITS[usize::from(byte & 15)] as char);
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_short())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not an address: expected 1 to 64 hex digits with an optional `0x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressParseError;

impl fmt::Display for AddressParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 1 to 64 hex digits with an optional 0x")
    }
}

impl std::error::Error for AddressParseError {}

impl FromStr for Address {
    type Err = AddressParseError;

    /// The relaxed form: optional `0x`, 1 to 64 hex digits of either case, padded on the left.
    fn from_str(text: &str) -> std::result::Result<Self, AddressParseError> {
        let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
        if digits.is_empty() || digits.len() > 64 {
            return Err(AddressParseError);
        }
        let mut out = [0; 32];
        for (place, &digit) in digits.iter().rev().enumerate() {
            let value = hex_digit(digit).ok_or(AddressParseError)?;
            out[31 - place / 2] |= value << (4 * (place % 2));
        }
        Ok(Self(out))
    }
}

impl Encode for Address {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(&self.0);
    }
}

impl Decode for Address {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.array().map(Self)
    }
}
