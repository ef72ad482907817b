//! Slots to BCS.

use super::Values;
use super::bcs_in::is_words;
use super::walk::{Walk, Walks};
use crate::errors::{Fault, status};
use crate::types::{Op, TypeInfo};

/// Most bytes one value may encode to: as many as the memory has.
const ENCODED_MAX: usize = 1 << 26;

impl<'a> Values<'a> {
    /// Appends the BCS of the value at `at`.
    ///
    /// # Errors
    /// Values nested too deep or too big, function values, tags that no variant has.
    pub fn encode(&self, ty: &'a TypeInfo, at: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
        let mut walks = Walks::new(Walk::once(&ty.program, at, 0));
        while let Some((op, at, _)) = walks.step() {
            match op {
                Op::Words(count) => self.memory.read_bytes(at * 8, count as usize * 8, out),
                Op::Bool => out.push(self.memory.word(at) as u8),
                Op::Narrow(width) => {
                    out.extend_from_slice(&self.memory.word(at).to_le_bytes()[..width as usize]);
                }
                Op::Vector(element) => {
                    let element = self.ty(element);
                    let block = self.memory.word(at) as usize;
                    let count = self.memory.length(block);
                    uleb(count as u64, out);
                    if element.narrow != 0 || is_words(element) {
                        self.memory.read_bytes((block + 1) * 8, count * element.stride(), out);
                    } else if count > 0 {
                        walks.enter(Walk::elements(element, block + 1, 0, count))?;
                    }
                }
                Op::Enum { ty, .. } => {
                    let tag = self.memory.word(at);
                    let variant = self.variant(ty, tag)?;
                    uleb(tag, out);
                    walks.enter(Walk::once(&variant.program, at + 1, 0))?;
                }
                Op::Boxed(ty) => {
                    let block = self.memory.word(at) as usize;
                    walks.enter(Walk::once(&self.ty(ty).content, block + 1, 0))?;
                }
                Op::Function => return Err(Fault::not_implemented("function values in BCS")),
            }
            if out.len() > ENCODED_MAX {
                return Err(Fault::new(status::MEMORY_LIMIT_EXCEEDED));
            }
        }
        Ok(())
    }

    /// The variant an enum's tag stands for.
    ///
    /// # Errors
    /// A tag that no variant has: a broken invariant.
    pub(super) fn variant(
        &self,
        ty: crate::types::TypeId,
        tag: u64,
    ) -> Result<&'a crate::types::VariantInfo, Fault> {
        let variants = self.ty(ty).variants();
        usize::try_from(tag)
            .ok()
            .and_then(|tag| variants.get(tag))
            .ok_or_else(|| Fault::invariant("enum tag without variant"))
    }
}

fn uleb(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
