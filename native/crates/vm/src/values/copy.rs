//! Deep copies, and the release of what a value owns.

use super::Values;
use super::walk::{Walk, Walks};
use crate::errors::Fault;
use crate::types::{Op, TypeInfo};

impl<'a> Values<'a> {
    /// Copies the value at `from` into the slots from `to`; the two must not overlap.
    ///
    /// # Errors
    /// Lack of memory, values nested too deep.
    pub fn copy(&self, ty: &'a TypeInfo, from: usize, to: usize) -> Result<(), Fault> {
        let memory = self.memory;
        if ty.flat {
            memory.copy_words(from, to, ty.slots as usize);
            return Ok(());
        }
        let mut walks = Walks::new(Walk::once(&ty.program, from, to));
        while let Some((op, from, to)) = walks.step() {
            match op {
                Op::Words(count) => memory.copy_words(from, to, count as usize),
                Op::Bool | Op::Narrow(_) => memory.set_word(to, memory.word(from)),
                Op::Vector(element) => {
                    let element = self.ty(element);
                    let block = memory.word(from) as usize;
                    let count = memory.length(block);
                    if count == 0 {
                        memory.set_word(to, 0);
                        continue;
                    }
                    let bytes = count * element.stride();
                    let copy = memory.allocate(bytes)?;
                    memory.set_length(copy, count);
                    memory.set_word(to, copy as u64);
                    if element.flat {
                        memory.copy_words(block + 1, copy + 1, bytes.div_ceil(8));
                    } else {
                        walks.enter(Walk::elements(element, block + 1, copy + 1, count))?;
                    }
                }
                Op::Enum { ty, .. } => {
                    let tag = memory.word(from);
                    memory.set_word(to, tag);
                    walks.enter(Walk::once(&self.variant(ty, tag)?.program, from + 1, to + 1))?;
                }
                Op::Boxed(ty) => {
                    let ty = self.ty(ty);
                    let block = memory.word(from) as usize;
                    let copy = memory.allocate(ty.content_slots as usize * 8)?;
                    memory.set_word(to, copy as u64);
                    walks.enter(Walk::once(&ty.content, block + 1, copy + 1))?;
                }
                Op::Function => return Err(Fault::not_implemented("function values")),
            }
        }
        Ok(())
    }

    /// Releases every block the value at `at` owns. The words themselves stay as they are.
    ///
    /// # Errors
    /// Values nested too deep.
    pub fn release(&self, ty: &'a TypeInfo, at: usize) -> Result<(), Fault> {
        if ty.flat {
            return Ok(());
        }
        let memory = self.memory;
        let mut walks = Walks::new(Walk::once(&ty.program, at, 0));
        while let Some((op, at, _)) = walks.step() {
            match op {
                Op::Words(_) | Op::Bool | Op::Narrow(_) => {}
                // A released block keeps its content until the next allocation, and none happens
                // before the walk is over.
                Op::Vector(element) => {
                    let block = memory.word(at) as usize;
                    let count = memory.length(block);
                    memory.release(block);
                    let element = self.ty(element);
                    if count > 0 && !element.flat {
                        walks.enter(Walk::elements(element, block + 1, 0, count))?;
                    }
                }
                Op::Enum { ty, .. } => {
                    let variant = self.variant(ty, memory.word(at))?;
                    walks.enter(Walk::once(&variant.program, at + 1, 0))?;
                }
                Op::Boxed(ty) => {
                    let block = memory.word(at) as usize;
                    if block != 0 {
                        memory.release(block);
                        walks.enter(Walk::once(&self.ty(ty).content, block + 1, 0))?;
                    }
                }
                Op::Function => return Err(Fault::not_implemented("function values")),
            }
        }
        Ok(())
    }
}
