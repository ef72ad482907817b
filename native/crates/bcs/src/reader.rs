//! A cursor over untrusted bytes that yields canonical values or says why not.

use crate::{CONTAINER_DEPTH_MAX, Error, LENGTH_MAX, Result};

/// Most items for which a sequence reserves room before it has seen them: a short input that
/// announces a huge count must not make us allocate for it.
const RESERVED_ITEMS_MAX: usize = 1024;

/// Reads canonical values from the front of a borrowed slice.
///
/// After an error the position is unspecified and the reader should be dropped. No method allocates
/// more than a small multiple of the input, none panics.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    input: &'a [u8],
    position: usize,
    depth: u32,
}

macro_rules! read_integer {
    ($($(#[$doc:meta])* $name:ident: $type:ty),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// `UnexpectedEnd`.
        #[inline]
        pub fn $name(&mut self) -> Result<$type> {
            Ok(<$type>::from_le_bytes(self.array()?))
        }
    )*};
}

impl<'a> Reader<'a> {
    /// Starts at the front of `input`.
    #[must_use]
    pub fn new(input: &'a [u8]) -> Self {
        Self { input, position: 0, depth: 0 }
    }

    /// Bytes consumed so far.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Bytes not consumed yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.input.len() - self.position
    }

    /// The bytes consumed since `start`, an earlier [`Reader::position`]: what a hash over a part
    /// of a larger value needs.
    #[must_use]
    pub fn consumed_since(&self, start: usize) -> &'a [u8] {
        self.input.get(start..self.position).unwrap_or_default()
    }

    /// Ends reading.
    ///
    /// # Errors
    /// `RemainingInput` unless every byte was consumed.
    pub fn finish(self) -> Result<()> {
        match self.remaining() {
            0 => Ok(()),
            count => Err(Error::RemainingInput(count)),
        }
    }

    /// Takes `count` bytes as they are.
    ///
    /// # Errors
    /// `UnexpectedEnd`.
    #[inline]
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        if count > self.remaining() {
            return Err(Error::UnexpectedEnd);
        }
        let start = self.position;
        self.position += count;
        Ok(&self.input[start..self.position])
    }

    /// Takes a fixed array, which has no length prefix.
    ///
    /// # Errors
    /// `UnexpectedEnd`.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    read_integer! {
        /// One byte.
        u8: u8,
        /// Little-endian, 2 bytes.
        u16: u16,
        /// Little-endian, 4 bytes.
        u32: u32,
        /// Little-endian, 8 bytes.
        u64: u64,
        /// Little-endian, 16 bytes.
        u128: u128,
        /// Two's complement, 1 byte.
        i8: i8,
        /// Two's complement, 2 bytes.
        i16: i16,
        /// Two's complement, 4 bytes.
        i32: i32,
        /// Two's complement, 8 bytes.
        i64: i64,
        /// Two's complement, 16 bytes.
        i128: i128,
    }

    /// One byte, 0 or 1.
    ///
    /// # Errors
    /// `UnexpectedEnd`, `BadBool`.
    pub fn bool(&mut self) -> Result<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Error::BadBool(other)),
        }
    }

    /// A ULEB128 number of at most 32 bits, in its shortest form only: `80 00` is an error, not
    /// zero, since each value has one encoding and hashes depend on that.
    ///
    /// # Errors
    /// `UnexpectedEnd`, `NonCanonicalUleb128`, `Uleb128Overflow`.
    #[inline]
    pub fn uleb128(&mut self) -> Result<u32> {
        let mut value = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            let digit = byte & 0x7f;
            value |= u64::from(digit) << shift;
            if byte == digit {
                if shift > 0 && digit == 0 {
                    return Err(Error::NonCanonicalUleb128);
                }
                return u32::try_from(value).map_err(|_| Error::Uleb128Overflow);
            }
        }
        Err(Error::Uleb128Overflow)
    }

    /// A sequence, string or map length.
    ///
    /// # Errors
    /// Those of [`Reader::uleb128`]; `LengthTooLarge` above [`LENGTH_MAX`].
    #[inline]
    pub fn length(&mut self) -> Result<usize> {
        let length = self.uleb128()?;
        if length > LENGTH_MAX {
            return Err(Error::LengthTooLarge(length));
        }
        Ok(length as usize)
    }

    /// A length that must not exceed `max`, for types that set their own limit.
    ///
    /// # Errors
    /// Those of [`Reader::length`]; `LengthTooLarge` above `max`.
    pub fn length_within(&mut self, max: usize) -> Result<usize> {
        let length = self.length()?;
        if length > max {
            return Err(Error::LengthTooLarge(length as u32));
        }
        Ok(length)
    }

    /// An enum's variant index. The caller refuses indices it does not know with
    /// [`Error::UnknownVariant`].
    ///
    /// # Errors
    /// Those of [`Reader::uleb128`].
    #[inline]
    pub fn variant(&mut self) -> Result<u32> {
        self.uleb128()
    }

    /// Length-prefixed bytes.
    ///
    /// # Errors
    /// Those of [`Reader::length`]; `UnexpectedEnd`.
    #[inline]
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    /// Length-prefixed UTF-8.
    ///
    /// # Errors
    /// Those of [`Reader::bytes`]; `BadUtf8`.
    pub fn string(&mut self) -> Result<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Error::BadUtf8)
    }

    /// An optional value: tag 0, or tag 1 and the value.
    ///
    /// # Errors
    /// `BadOptionTag`, and those of `item`.
    pub fn option<T>(&mut self, item: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        match self.u8()? {
            0 => Ok(None),
            1 => item(self).map(Some),
            other => Err(Error::BadOptionTag(other)),
        }
    }

    /// A sequence of items that each take at least one byte.
    ///
    /// # Errors
    /// Those of [`Reader::length`] and of `item`.
    pub fn sequence<T>(&mut self, item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.sequence_within(LENGTH_MAX as usize, item)
    }

    /// A sequence of at most `max` items that each take at least one byte.
    ///
    /// # Errors
    /// Those of [`Reader::length_within`] and of `item`; `UnexpectedEnd` at once where the count
    /// exceeds the bytes left.
    pub fn sequence_within<T>(
        &mut self,
        max: usize,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let length = self.length_within(max)?;
        let mut items = Vec::with_capacity(length.min(self.remaining()).min(RESERVED_ITEMS_MAX));
        for _ in 0..length {
            // Items that consume nothing would let five bytes of input ask for 2^31 of them.
            if self.remaining() == 0 {
                return Err(Error::UnexpectedEnd);
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A map: entries whose encoded keys strictly increase, byte by byte.
    ///
    /// # Errors
    /// `NonCanonicalMap`, and those of [`Reader::length`], `key` and `value`.
    pub fn map<K, V>(
        &mut self,
        mut key: impl FnMut(&mut Self) -> Result<K>,
        mut value: impl FnMut(&mut Self) -> Result<V>,
    ) -> Result<Vec<(K, V)>> {
        let mut previous: Option<&'a [u8]> = None;
        self.sequence(|reader| {
            let start = reader.position();
            let entry_key = key(reader)?;
            let encoded = reader.consumed_since(start);
            if previous.is_some_and(|previous| previous >= encoded) {
                return Err(Error::NonCanonicalMap);
            }
            previous = Some(encoded);
            Ok((entry_key, value(reader)?))
        })
    }

    /// Reads the inside of one struct or enum, counted towards [`CONTAINER_DEPTH_MAX`].
    ///
    /// # Errors
    /// `DepthExceeded`, and those of `body`.
    #[inline]
    pub fn container<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == CONTAINER_DEPTH_MAX {
            return Err(Error::DepthExceeded);
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }
}
