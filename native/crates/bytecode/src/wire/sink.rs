//! Writing: bytes appended to a vector.

/// A growing file or table.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    bytes: Vec<u8>,
}

impl Sink {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// An unsigned LEB128 number in its shortest form.
    pub(crate) fn uleb(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
