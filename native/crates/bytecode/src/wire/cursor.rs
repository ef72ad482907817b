//! Reading: a position in a slice that never passes its end.

use crate::error::{BinaryError, Place};
use crate::status::StatusCode;

/// A reading position inside part of a file.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Where `bytes` starts in the whole file, so that errors name the file's own offset.
    base: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `bytes`, which begin at `base` of the file.
    pub(crate) fn new(bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, position: 0, base }
    }

    /// Offset in the whole file.
    pub(crate) fn offset(&self) -> usize {
        self.base + self.position
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.position == self.bytes.len()
    }

    /// The bytes not yet read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.position..]
    }

    pub(crate) fn error(&self, status: StatusCode, message: &'static str) -> BinaryError {
        BinaryError { status, place: Place::Byte(self.offset()), message }
    }

    pub(crate) fn malformed(&self, message: &'static str) -> BinaryError {
        self.error(StatusCode::MALFORMED, message)
    }

    pub(crate) fn unknown_opcode(&self) -> BinaryError {
        self.error(StatusCode::UNKNOWN_OPCODE, "a byte that is no opcode")
    }

    /// One byte; its absence is `MALFORMED`.
    pub(crate) fn byte(&mut self) -> Result<u8, BinaryError> {
        match self.bytes.get(self.position) {
            Some(byte) => {
                self.position += 1;
                Ok(*byte)
            }
            None => Err(self.malformed("an unexpected end")),
        }
    }

    /// The next `length` bytes; fewer are `MALFORMED`.
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], BinaryError> {
        match self.rest().get(..length) {
            Some(bytes) => {
                self.position += length;
                Ok(bytes)
            }
            None => Err(self.malformed("an unexpected end")),
        }
    }

    /// The next `N` bytes of a fixed-width integer; fewer are `status`.
    pub(crate) fn fixed<const N: usize>(&mut self, status: StatusCode) -> Result<[u8; N], BinaryError> {
        match self.rest().first_chunk::<N>() {
            Some(bytes) => {
                self.position += N;
                Ok(*bytes)
            }
            None => Err(self.error(status, "an integer cut short")),
        }
    }

    /// An unsigned LEB128 number of at most `max`, in its shortest form.
    pub(crate) fn uleb(&mut self, max: u64) -> Result<u64, BinaryError> {
        let mut value = 0u64;
        let mut shift = 0u32;
        loop {
            let byte = self.byte()?;
            let group = u64::from(byte & 0x7F);
            if shift > 63 || (group << shift) >> shift != group {
                return Err(self.malformed("a number wider than 64 bits"));
            }
            value |= group << shift;
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    return Err(self.malformed("a number with needless groups"));
                }
                break;
            }
            shift += 7;
        }
        if value > max {
            return Err(self.malformed("a number above its limit"));
        }
        Ok(value)
    }

    /// A ULEB128 number that fits a table index.
    pub(crate) fn uleb16(&mut self) -> Result<u16, BinaryError> {
        self.uleb(u64::from(u16::MAX)).map(|value| value as u16)
    }

    /// A ULEB128 number of at most 255.
    pub(crate) fn uleb8(&mut self) -> Result<u8, BinaryError> {
        self.uleb(u64::from(u8::MAX)).map(|value| value as u8)
    }
}
