//! The forms an instruction's operand takes in the file.
//!
//! Each form is a module with `read` and `write`, so that the instruction table names it in one word.

/// A table index: ULEB128 up to 65535.
pub(crate) mod index {
    use crate::error::BinaryError;
    use crate::wire::{Cursor, Sink};

    pub(crate) fn read<T: From<u16>>(cursor: &mut Cursor<'_>) -> Result<T, BinaryError> {
        cursor.uleb16().map(T::from)
    }

    pub(crate) fn write<T: Into<u16>>(sink: &mut Sink, value: T) {
        sink.uleb(u64::from(value.into()));
    }
}

/// A local: ULEB128 up to 255.
pub(crate) mod index8 {
    use crate::error::BinaryError;
    use crate::wire::{Cursor, Sink};

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<u8, BinaryError> {
        cursor.uleb8()
    }

    pub(crate) fn write(sink: &mut Sink, value: u8) {
        sink.uleb(u64::from(value));
    }
}

/// A branch target: ULEB128 up to 65535.
pub(crate) mod index16 {
    pub(crate) use super::index::{read, write};
}

/// A closure mask: ULEB128 of 64 bits.
pub(crate) mod uleb64 {
    use crate::error::BinaryError;
    use crate::wire::{Cursor, Sink};

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<u64, BinaryError> {
        cursor.uleb(u64::MAX)
    }

    pub(crate) fn write(sink: &mut Sink, value: u64) {
        sink.uleb(value);
    }
}

/// An integer of fixed width, little-endian.
pub(crate) mod fixed {
    use crate::error::BinaryError;
    use crate::status::StatusCode;
    use crate::wire::{Cursor, Sink};

    /// Integers with a fixed-width form.
    pub(crate) trait Fixed: Sized {
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, BinaryError>;
        fn write(self, sink: &mut Sink);
    }

    macro_rules! fixed {
        ($($type:ty, $status:ident;)*) => {$(
            impl Fixed for $type {
                fn read(cursor: &mut Cursor<'_>) -> Result<Self, BinaryError> {
                    cursor.fixed(StatusCode::$status).map(<$type>::from_le_bytes)
                }

                fn write(self, sink: &mut Sink) {
                    sink.bytes(&self.to_le_bytes());
                }
            }
        )*};
    }

    fixed! {
        u8, MALFORMED;
        i8, MALFORMED;
        u16, BAD_U16;
        i16, BAD_U16;
        u32, BAD_U32;
        i32, BAD_U32;
        u64, BAD_U64;
        i64, BAD_U64;
        u128, BAD_U128;
        i128, BAD_U128;
    }

    impl Fixed for [u8; 32] {
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, BinaryError> {
            cursor.fixed(StatusCode::BAD_U256)
        }

        fn write(self, sink: &mut Sink) {
            sink.bytes(&self);
        }
    }

    pub(crate) fn read<T: Fixed>(cursor: &mut Cursor<'_>) -> Result<T, BinaryError> {
        T::read(cursor)
    }

    pub(crate) fn write<T: Fixed>(sink: &mut Sink, value: T) {
        value.write(sink);
    }
}
