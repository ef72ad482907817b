//! Builds canonical encodings by appending to one buffer.

use crate::LENGTH_MAX;

/// Appends canonical values to a growing buffer.
///
/// Every value a caller can hold in memory has an encoding, so writing does not fail. The one
/// exception, a sequence above [`LENGTH_MAX`] items, would be two gigabytes of our own making and
/// panics.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    out: Vec<u8>,
}

macro_rules! write_integer {
    ($($(#[$doc:meta])* $name:ident: $type:ty),* $(,)?) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name(&mut self, value: $type) {
            self.out.extend_from_slice(&value.to_le_bytes());
        }
    )*};
}

impl Writer {
    /// An empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty writer with room for `capacity` bytes.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { out: Vec::with_capacity(capacity) }
    }

    /// A writer that appends after the bytes already in `out`.
    #[must_use]
    pub fn appending_to(out: Vec<u8>) -> Self {
        Self { out }
    }

    /// The bytes written.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// The bytes written so far.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    /// Appends bytes as they are, without a length.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    write_integer! {
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
    #[inline]
    pub fn bool(&mut self, value: bool) {
        self.out.push(u8::from(value));
    }

    /// A ULEB128 number in its shortest form, 1 to 5 bytes.
    #[inline]
    pub fn uleb128(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.out.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    /// A sequence, string or map length.
    ///
    /// # Panics
    /// Above [`LENGTH_MAX`].
    #[inline]
    pub fn length(&mut self, length: usize) {
        assert!(length <= LENGTH_MAX as usize, "a sequence of {length} items has no encoding");
        self.uleb128(length as u32);
    }

    /// An enum's variant index.
    #[inline]
    pub fn variant(&mut self, index: u32) {
        self.uleb128(index);
    }

    /// Length-prefixed bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.raw(bytes);
    }

    /// Length-prefixed UTF-8.
    #[inline]
    pub fn string(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// An optional value: tag 0, or tag 1 and the value.
    pub fn option<T>(&mut self, value: Option<T>, item: impl FnOnce(&mut Self, T)) {
        match value {
            None => self.u8(0),
            Some(value) => {
                self.u8(1);
                item(self, value);
            }
        }
    }

    /// A sequence: its length, then each item.
    pub fn sequence<T>(
        &mut self,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut item: impl FnMut(&mut Self, T),
    ) {
        let items = items.into_iter();
        self.length(items.len());
        for value in items {
            item(self, value);
        }
    }

    /// A map of entries whose keys are encoded already; sorts them by those bytes, and keeps the
    /// first of equal keys.
    pub fn map<V>(
        &mut self,
        entries: impl IntoIterator<Item = (Vec<u8>, V)>,
        mut value: impl FnMut(&mut Self, V),
    ) {
        let mut entries: Vec<(Vec<u8>, V)> = entries.into_iter().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|later, earlier| later.0 == earlier.0);
        self.length(entries.len());
        for (key, entry) in entries {
            self.raw(&key);
            value(self, entry);
        }
    }
}
