//! Structural equality.

use super::Values;
use super::walk::{Walk, Walks};
use crate::errors::Fault;
use crate::types::{Op, TypeInfo};

impl<'a> Values<'a> {
    /// Whether the values at `a` and `b` are equal.
    ///
    /// # Errors
    /// Values nested too deep, function values.
    pub fn equal(&self, ty: &'a TypeInfo, a: usize, b: usize) -> Result<bool, Fault> {
        let memory = self.memory;
        if ty.words_are_value {
            return Ok(self.equal_words(a, b, ty.slots as usize));
        }
        let mut walks = Walks::new(Walk::once(&ty.program, a, b));
        while let Some((op, a, b)) = walks.step() {
            let equal = match op {
                Op::Words(count) => self.equal_words(a, b, count as usize),
                Op::Bool | Op::Narrow(_) => memory.word(a) == memory.word(b),
                Op::Vector(element) => {
                    let element = self.ty(element);
                    let (a, b) = (memory.word(a) as usize, memory.word(b) as usize);
                    let count = memory.length(a);
                    if count != memory.length(b) {
                        false
                    } else if element.narrow != 0 {
                        let bytes = count * element.stride();
                        memory.byte_range((a + 1) * 8, bytes) == memory.byte_range((b + 1) * 8, bytes)
                    } else if element.words_are_value {
                        self.equal_words(a + 1, b + 1, count * element.slots as usize)
                    } else {
                        if count > 0 {
                            walks.enter(Walk::elements(element, a + 1, b + 1, count))?;
                        }
                        true
                    }
                }
                Op::Enum { ty, .. } => {
                    let tag = memory.word(a);
                    if tag == memory.word(b) {
                        walks.enter(Walk::once(&self.variant(ty, tag)?.program, a + 1, b + 1))?;
                        true
                    } else {
                        false
                    }
                }
                Op::Boxed(ty) => {
                    let (a, b) = (memory.word(a) as usize, memory.word(b) as usize);
                    walks.enter(Walk::once(&self.ty(ty).content, a + 1, b + 1))?;
                    true
                }
                Op::Function => return Err(Fault::not_implemented("equality of function values")),
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equal_words(&self, a: usize, b: usize, count: usize) -> bool {
        (0..count).all(|i| self.memory.word(a + i) == self.memory.word(b + i))
    }
}
