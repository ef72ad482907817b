//! BCS to slots. Strict: booleans 0 or 1, minimal ULEB, known variants; a vector's length is checked
//! against the bytes that are left before anything is allocated.

use super::Values;
use super::walk::{Walk, Walks};
use crate::errors::{Fault, status};
use crate::types::{Op, TypeInfo};

/// Why bytes did not become a value.
#[derive(Debug)]
pub enum Malformed {
    /// They are not the BCS of the type.
    Bytes,
    /// The machine could not hold the value.
    Fault(Fault),
}

impl Malformed {
    /// As a fault with this status for bad bytes.
    pub fn or_status(self, bad_bytes: u64) -> Fault {
        match self {
            Self::Bytes => Fault::new(bad_bytes),
            Self::Fault(fault) => fault,
        }
    }
}

impl From<Fault> for Malformed {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What is left of the input.
struct Input<'b>(&'b [u8]);

impl<'b> Input<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], Malformed> {
        if count > self.0.len() {
            return Err(Malformed::Bytes);
        }
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        Ok(taken)
    }

    fn uleb(&mut self) -> Result<usize, Malformed> {
        let mut value = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.take(1)?[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                let padded = shift > 0 && byte == 0;
                return if padded || value > u64::from(u32::MAX) {
                    Err(Malformed::Bytes)
                } else {
                    Ok(value as usize)
                };
            }
        }
        Err(Malformed::Bytes)
    }
}

impl<'a> Values<'a> {
    /// Decodes exactly `bytes` into the slots from `at`.
    ///
    /// # Errors
    /// Bytes that are not the BCS of `ty`, and lack of memory. Blocks made on the way stay allocated.
    pub fn decode(&self, ty: &'a TypeInfo, bytes: &[u8], at: usize) -> Result<(), Malformed> {
        let mut input = Input(bytes);
        let mut walks = Walks::new(Walk::once(&ty.program, at, 0));
        while let Some((op, at, _)) = walks.step() {
            match op {
                Op::Words(count) => self.words_in(&mut input, at, count as usize)?,
                Op::Bool => match input.take(1)?[0] {
                    value @ 0..=1 => self.memory.set_word(at, u64::from(value)),
                    _ => return Err(Malformed::Bytes),
                },
                Op::Narrow(width) => {
                    let mut word = [0; 8];
                    word[..width as usize].copy_from_slice(input.take(width as usize)?);
                    self.memory.set_word(at, u64::from_le_bytes(word));
                }
                Op::Vector(element) => {
                    let element = self.ty(element);
                    let count = input.uleb()?;
                    self.vector_in(&mut input, element, count, at)?;
                    if count > 0 && element.narrow == 0 && !is_words(element) {
                        let block = self.memory.word(at) as usize;
                        walks.enter(Walk::elements(element, block + 1, 0, count))?;
                    }
                }
                Op::Enum { ty, .. } => {
                    let tag = input.uleb()?;
                    let variant = self.ty(ty).variants().get(tag).ok_or(Malformed::Bytes)?;
                    self.memory.set_word(at, tag as u64);
                    walks.enter(Walk::once(&variant.program, at + 1, 0))?;
                }
                Op::Boxed(ty) => {
                    let ty = self.ty(ty);
                    let block = self.memory.allocate(ty.content_slots as usize * 8)?;
                    self.memory.set_word(at, block as u64);
                    walks.enter(Walk::once(&ty.content, block + 1, 0))?;
                }
                Op::Function => return Err(Fault::not_implemented("stored function values").into()),
            }
        }
        if input.0.is_empty() { Ok(()) } else { Err(Malformed::Bytes) }
    }

    fn words_in(&self, input: &mut Input<'_>, at: usize, count: usize) -> Result<(), Malformed> {
        for (i, word) in input.take(count * 8)?.chunks_exact(8).enumerate() {
            self.memory.set_word(at + i, u64::from_le_bytes(word.try_into().expect("chunks of eight")));
        }
        Ok(())
    }

    /// Makes the vector and fills it where its elements need no walk.
    fn vector_in(
        &self,
        input: &mut Input<'_>,
        element: &TypeInfo,
        count: usize,
        at: usize,
    ) -> Result<(), Malformed> {
        if count == 0 {
            self.memory.set_word(at, 0);
            return Ok(());
        }
        // Every value takes at least one byte.
        if count > input.0.len() {
            return Err(Malformed::Bytes);
        }
        let block = self.memory.allocate(count * element.stride())?;
        self.memory.set_length(block, count);
        self.memory.set_word(at, block as u64);
        if element.narrow != 0 {
            let bytes = input.take(count * element.narrow as usize)?;
            if element.program[..] == [Op::Bool] && bytes.iter().any(|byte| *byte > 1) {
                return Err(Malformed::Bytes);
            }
            self.memory.write_bytes((block + 1) * 8, bytes);
        } else if is_words(element) {
            self.words_in(input, block + 1, count * element.slots as usize)?;
        }
        Ok(())
    }

    /// A vector of these bytes.
    ///
    /// # Errors
    /// `MEMORY_LIMIT_EXCEEDED`.
    pub fn new_bytes(&self, bytes: &[u8]) -> Result<u64, Fault> {
        if bytes.is_empty() {
            return Ok(0);
        }
        if u32::try_from(bytes.len()).is_err() {
            return Err(Fault::new(status::MEMORY_LIMIT_EXCEEDED));
        }
        let block = self.memory.allocate(bytes.len())?;
        self.memory.set_length(block, bytes.len());
        self.memory.write_bytes((block + 1) * 8, bytes);
        Ok(block as u64)
    }
}

/// Whether values are nothing but whole words, so that their BCS is a copy.
pub(super) fn is_words(ty: &TypeInfo) -> bool {
    matches!(ty.program[..], [Op::Words(_)])
}
