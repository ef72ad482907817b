//! Vector operations that may allocate or fail.
//!
//! A vector is a slot with a block number, 0 when empty. `slot` is the word index of that slot.

use crate::errors::{Fault, status};
use crate::memory::Memory;

/// Why a vector operation failed.
#[cold]
pub fn error(sub: u64) -> Fault {
    Fault::with_sub(status::VECTOR_OPERATION_ERROR, sub)
}

/// Index out of range.
pub const INDEX: u64 = 1;
/// Pop from an empty vector.
pub const EMPTY: u64 = 2;
/// Another length than the instruction says.
pub const LENGTH: u64 = 3;

/// Makes room for one more element of `stride` bytes; answers block and old length.
#[inline(always)]
pub fn reserve(memory: &Memory, slot: usize, stride: usize) -> Result<(usize, usize), Fault> {
    let block = memory.word(slot) as usize;
    let length = memory.length(block);
    if (length + 1) * stride <= memory.capacity(block) {
        memory.set_length(block, length + 1);
        return Ok((block, length));
    }
    grow(memory, slot, stride)
}

#[inline(never)]
fn grow(memory: &Memory, slot: usize, stride: usize) -> Result<(usize, usize), Fault> {
    let block = memory.word(slot) as usize;
    let length = memory.length(block);
    if length >= u32::MAX as usize {
        return Err(Fault::new(status::MEMORY_LIMIT_EXCEEDED));
    }
    let wanted = ((length + 1) * stride).max(24).max(memory.capacity(block) + 8);
    let bigger = memory.allocate(wanted)?;
    memory.copy_words(block + 1, bigger + 1, (length * stride).div_ceil(8));
    memory.release(block);
    memory.set_length(bigger, length + 1);
    memory.set_word(slot, bigger as u64);
    Ok((bigger, length))
}

/// A new vector of `count` elements of `stride` bytes, elements undefined.
#[inline(never)]
pub fn make(memory: &Memory, count: usize, stride: usize) -> Result<usize, Fault> {
    let block = memory.allocate(count * stride)?;
    memory.set_length(block, count);
    Ok(block)
}

/// Swaps two elements of `stride` words, or of `width` bytes where that is not 0.
pub fn swap(memory: &Memory, block: usize, i: u64, j: u64, stride: usize, width: usize) -> Result<(), Fault> {
    let length = memory.length(block) as u64;
    if i >= length || j >= length {
        return Err(error(INDEX));
    }
    let (i, j) = (i as usize, j as usize);
    if width != 0 {
        let (a, b) = ((block + 1) * 8 + i * width, (block + 1) * 8 + j * width);
        let (x, y) = (memory.narrow(a, width), memory.narrow(b, width));
        memory.set_narrow(a, width, y);
        memory.set_narrow(b, width, x);
    } else {
        let (a, b) = (block + 1 + i * stride, block + 1 + j * stride);
        for k in 0..stride {
            let (x, y) = (memory.word(a + k), memory.word(b + k));
            memory.set_word(a + k, y);
            memory.set_word(b + k, x);
        }
    }
    Ok(())
}
