//! Arguments of scripts, each carrying its own type.

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::Address;

/// One argument of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptArgument {
    /// `u8`
    U8(u8),
    /// `u16`
    U16(u16),
    /// `u32`
    U32(u32),
    /// `u64`
    U64(u64),
    /// `u128`
    U128(u128),
    /// `u256`, little-endian bytes.
    U256([u8; 32]),
    /// `i8`
    I8(i8),
    /// `i16`
    I16(i16),
    /// `i32`
    I32(i32),
    /// `i64`
    I64(i64),
    /// `i128`
    I128(i128),
    /// `i256`, little-endian two's complement bytes.
    I256([u8; 32]),
    /// `bool`
    Bool(bool),
    /// `address`
    Address(Address),
    /// `vector<u8>`
    Bytes(Vec<u8>),
    /// BCS of a value of any type that scripts may take.
    Serialized(Vec<u8>),
}

impl ScriptArgument {
    /// BCS of the value alone, without its type: what the script's parameter is read from.
    #[must_use]
    pub fn value_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        match self {
            Self::Serialized(bytes) => writer.raw(bytes),
            _ => self.encode_value(&mut writer),
        }
        writer.into_bytes()
    }

    fn encode_value(&self, writer: &mut Writer) {
        match self {
            Self::U8(value) => writer.u8(*value),
            Self::U16(value) => writer.u16(*value),
            Self::U32(value) => writer.u32(*value),
            Self::U64(value) => writer.u64(*value),
            Self::U128(value) => writer.u128(*value),
            Self::U256(bytes) | Self::I256(bytes) => writer.raw(bytes),
            Self::I8(value) => writer.i8(*value),
            Self::I16(value) => writer.i16(*value),
            Self::I32(value) => writer.i32(*value),
            Self::I64(value) => writer.i64(*value),
            Self::I128(value) => writer.i128(*value),
            Self::Bool(value) => writer.bool(*value),
            Self::Address(address) => address.encode(writer),
            Self::Bytes(bytes) | Self::Serialized(bytes) => writer.bytes(bytes),
        }
    }
}

impl Encode for ScriptArgument {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(match self {
            Self::U8(_) => 0,
            Self::U64(_) => 1,
            Self::U128(_) => 2,
            Self::Address(_) => 3,
            Self::Bytes(_) => 4,
            Self::Bool(_) => 5,
            Self::U16(_) => 6,
            Self::U32(_) => 7,
            Self::U256(_) => 8,
            Self::Serialized(_) => 9,
            Self::I8(_) => 10,
            Self::I16(_) => 11,
            Self::I32(_) => 12,
            Self::I64(_) => 13,
            Self::I128(_) => 14,
            Self::I256(_) => 15,
        });
        self.encode_value(writer);
    }
}

impl Decode for ScriptArgument {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => reader.u8().map(Self::U8),
            1 => reader.u64().map(Self::U64),
            2 => reader.u128().map(Self::U128),
            3 => Address::decode(reader).map(Self::Address),
            4 => reader.bytes().map(|bytes| Self::Bytes(bytes.to_vec())),
            5 => reader.bool().map(Self::Bool),
            6 => reader.u16().map(Self::U16),
            7 => reader.u32().map(Self::U32),
            8 => reader.array().map(Self::U256),
            9 => reader.bytes().map(|bytes| Self::Serialized(bytes.to_vec())),
            10 => reader.i8().map(Self::I8),
            11 => reader.i16().map(Self::I16),
            12 => reader.i32().map(Self::I32),
            13 => reader.i64().map(Self::I64),
            14 => reader.i128().map(Self::I128),
            15 => reader.array().map(Self::I256),
            index => Err(Error::UnknownVariant { of: "TransactionArgument", index }),
        }
    }
}
