//! The two traits by which a type says how it is written and read.

use crate::{Reader, Result, Writer};

/// A type with a canonical encoding.
pub trait Encode {
    /// Appends the encoding of `self`.
    fn encode(&self, writer: &mut Writer);

    /// The encoding of `self` alone.
    fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        self.encode(&mut writer);
        writer.into_bytes()
    }
}

/// A type that can be read back from its canonical encoding.
pub trait Decode: Sized {
    /// Reads one value from the front of `reader`.
    ///
    /// # Errors
    /// Whatever makes the bytes not the one encoding of a value of this type.
    fn decode(reader: &mut Reader<'_>) -> Result<Self>;

    /// Reads one value that is the whole of `input`.
    ///
    /// # Errors
    /// Those of [`Decode::decode`]; `RemainingInput` if bytes follow.
    fn from_bytes(input: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(input);
        let value = Self::decode(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }
}

impl<T: Encode + ?Sized> Encode for &T {
    fn encode(&self, writer: &mut Writer) {
        (**self).encode(writer);
    }
}

macro_rules! integer_codec {
    ($($type:ident),*) => {$(
        impl Encode for $type {
            fn encode(&self, writer: &mut Writer) {
                writer.$type(*self);
            }
        }
        impl Decode for $type {
            fn decode(reader: &mut Reader<'_>) -> Result<Self> {
                reader.$type()
            }
        }
    )*};
}

integer_codec!(bool, u8, u16, u32, u64, u128, i8, i16, i32, i64, i128);

impl<const N: usize> Encode for [u8; N] {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(self);
    }
}

impl<const N: usize> Decode for [u8; N] {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.array()
    }
}

impl Encode for str {
    fn encode(&self, writer: &mut Writer) {
        writer.string(self);
    }
}

impl Encode for String {
    fn encode(&self, writer: &mut Writer) {
        writer.string(self);
    }
}

impl Decode for String {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.string().map(str::to_owned)
    }
}

impl<T: Encode> Encode for Option<T> {
    fn encode(&self, writer: &mut Writer) {
        writer.option(self.as_ref(), |writer, value| value.encode(writer));
    }
}

impl<T: Decode> Decode for Option<T> {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.option(T::decode)
    }
}

impl<T: Encode> Encode for [T] {
    fn encode(&self, writer: &mut Writer) {
        writer.sequence(self, |writer, item| item.encode(writer));
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, writer: &mut Writer) {
        self.as_slice().encode(writer);
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.sequence(T::decode)
    }
}
