//! The linear memory: one block of words that holds every frame and every value.
//!
//! Promises: no access leaves the block, whatever index comes in, because every index is masked; an
//! access costs no branch. That is what process safety rests on; what the words *mean* is the
//! verifier's and the lowerer's affair. Words are cells, so the memory is shared freely within its
//! one thread.
//!
//! ```text
//! words 0..64             zero: the header of every empty vector
//! 64..FRAME_END           frames
//! FRAME_END..WORDS        blocks: vectors, boxes, decoded resources
//! ```
//!
//! A block is a header word (`length` low half, `capacity in bytes` high half) and its content; its
//! address is the word index of the header, and 0 is the empty vector. Blocks come in power-of-two
//! sizes, from a bump pointer or from the free list of their size.

use std::cell::{Cell, RefCell};

use crate::errors::{Fault, status};

/// Words in the memory: 64 MiB.
pub const WORDS: usize = 1 << 23;
/// Keeps a word index inside.
pub const MASK: usize = WORDS - 1;
/// First word of the first frame.
pub const FRAME_START: usize = 64;
/// First word after the frames.
pub const FRAME_END: usize = 1 << 20;
/// Words a frame may have: what a u16 operand can name.
pub const FRAME_WORDS: usize = 1 << 16;
/// Position of the origin number in a reference.
pub const ORIGIN_SHIFT: u32 = 48;

/// A frame as instructions see it: any u16 operand is inside.
pub type Window = [Cell<u64>; FRAME_WORDS];

/// The memory of one worker. Its address never changes.
pub struct Memory {
    words: Box<[Cell<u64>; WORDS]>,
    touched: Box<[Cell<u8>; 1 << 16]>,
    /// Origins below this number may be marked.
    origins: Cell<usize>,
    bump: Cell<usize>,
    live_bytes: Cell<u64>,
    quota: Cell<u64>,
    /// Free blocks by the logarithm of their size in words.
    free: RefCell<[Vec<u32>; 24]>,
}

impl Memory {
    /// A zeroed memory. The system hands out its pages when they are first touched.
    pub fn new() -> Self {
        let words: Box<[u64; WORDS]> =
            vec![0u64; WORDS].into_boxed_slice().try_into().expect("the slice has WORDS words");
        // SAFETY: `Cell<u64>` has the same layout as `u64`, and the box is owned.
        let words = unsafe { Box::from_raw(Box::into_raw(words).cast::<[Cell<u64>; WORDS]>()) };
        let touched: Box<[Cell<u8>]> = (0..1 << 16).map(|_| Cell::new(0)).collect();
        Self {
            words,
            touched: touched.try_into().expect("the slice has 65536 entries"),
            origins: Cell::new(1),
            bump: Cell::new(FRAME_END),
            live_bytes: Cell::new(0),
            quota: Cell::new(u64::MAX),
            free: RefCell::new(std::array::from_fn(|_| Vec::new())),
        }
    }

    /// Forgets every block. `quota` limits the bytes of live blocks from now on.
    pub fn reset(&self, quota: u64) {
        for word in &self.words[..FRAME_START] {
            word.set(0);
        }
        for mark in &self.touched[..self.origins.replace(1)] {
            mark.set(0);
        }
        self.bump.set(FRAME_END);
        self.live_bytes.set(0);
        self.quota.set(quota);
        for list in self.free.borrow_mut().iter_mut() {
            list.clear();
        }
    }

    /// Reads a word.
    #[inline(always)]
    pub fn word(&self, index: usize) -> u64 {
        self.words[index & MASK].get()
    }

    /// Writes a word.
    #[inline(always)]
    pub fn set_word(&self, index: usize, value: u64) {
        self.words[index & MASK].set(value);
    }

    /// The same memory as bytes, little-endian within each word.
    #[inline(always)]
    fn bytes(&self) -> &[Cell<u8>; WORDS * 8] {
        const { assert!(cfg!(target_endian = "little"), "values are laid out little-endian") };
        // SAFETY: same memory, same size, weaker alignment; cells of bytes may alias cells of words
        // within one thread, and `Memory` is not `Sync`.
        unsafe { &*std::ptr::from_ref(&*self.words).cast::<[Cell<u8>; WORDS * 8]>() }
    }

    /// Reads `width` bytes (1, 2, 4) by byte index, zero-extended.
    #[inline(always)]
    pub fn narrow(&self, index: usize, width: usize) -> u64 {
        let word = self.word(index >> 3) >> ((index & 7) * 8);
        match width {
            1 => word & 0xff,
            2 => word & 0xffff,
            _ => word & 0xffff_ffff,
        }
    }

    /// Writes `width` bytes (1, 2, 4) by byte index, which is a multiple of the width.
    #[inline(always)]
    pub fn set_narrow(&self, index: usize, width: usize, value: u64) {
        let mask = match width {
            1 => 0xff,
            2 => 0xffff,
            _ => 0xffff_ffff_u64,
        };
        let shift = (index & 7) * 8;
        let cell = &self.words[(index >> 3) & MASK];
        cell.set((cell.get() & !(mask << shift)) | ((value & mask) << shift));
    }

    /// The bytes of `start..start + count` (byte indices) as a slice of cells, empty if they are not
    /// inside.
    pub fn byte_range(&self, start: usize, count: usize) -> &[Cell<u8>] {
        self.bytes().get(start..start.saturating_add(count)).unwrap_or(&[])
    }

    /// Copies bytes out.
    pub fn read_bytes(&self, start: usize, count: usize, out: &mut Vec<u8>) {
        out.extend(self.byte_range(start, count).iter().map(Cell::get));
    }

    /// Copies bytes in; what does not fit inside is dropped.
    pub fn write_bytes(&self, start: usize, data: &[u8]) {
        for (cell, byte) in self.byte_range(start, data.len()).iter().zip(data) {
            cell.set(*byte);
        }
    }

    /// Moves words; the ranges may overlap.
    #[inline(always)]
    pub fn copy_words(&self, from: usize, to: usize, count: usize) {
        if from >= to {
            for i in 0..count {
                self.set_word(to + i, self.word(from + i));
            }
        } else {
            for i in (0..count).rev() {
                self.set_word(to + i, self.word(from + i));
            }
        }
    }

    /// Sets words to zero.
    pub fn zero_words(&self, start: usize, count: usize) {
        for i in 0..count {
            self.set_word(start + i, 0);
        }
    }

    /// The frame at word `base`, which must leave room for a whole window below [`WORDS`].
    #[inline(always)]
    pub fn window(&self, base: usize) -> &Window {
        let start = base & (FRAME_END - 1);
        self.words[start..start + FRAME_WORDS].try_into().expect("frames end long before the memory does")
    }

    /// Marks the resource or table item a reference came from as written.
    #[inline(always)]
    pub fn touch(&self, reference: u64) {
        self.touched[(reference >> ORIGIN_SHIFT) as usize].set(1);
    }

    /// Makes references of this origin possible.
    pub fn use_origin(&self, origin: u16) {
        self.origins.set(self.origins.get().max(usize::from(origin) + 1));
    }

    /// Whether something was written through a reference of this origin, and forgets it.
    pub fn take_touched(&self, origin: u16) -> bool {
        self.touched[usize::from(origin)].replace(0) != 0
    }

    /// A block with room for `bytes` bytes of content, length 0; content undefined.
    ///
    /// # Errors
    /// `MEMORY_LIMIT_EXCEEDED` above the quota or when the memory is full.
    pub fn allocate(&self, bytes: usize) -> Result<usize, Fault> {
        let too_much = || Fault::new(status::MEMORY_LIMIT_EXCEEDED);
        if bytes > WORDS * 8 {
            return Err(too_much());
        }
        let size_words = (bytes.div_ceil(8) + 1).next_power_of_two();
        let live = self.live_bytes.get() + size_words as u64 * 8;
        if live > self.quota.get() {
            return Err(too_much());
        }
        let class = size_words.trailing_zeros() as usize;
        let recycled = self.free.borrow_mut()[class].pop();
        let block = match recycled {
            Some(block) => block as usize,
            None => {
                let block = self.bump.get();
                if block + size_words > WORDS - FRAME_WORDS {
                    return Err(too_much());
                }
                self.bump.set(block + size_words);
                block
            }
        };
        self.live_bytes.set(live);
        let capacity = (size_words - 1) * 8;
        self.set_word(block, (capacity as u64) << 32);
        Ok(block)
    }

    /// Returns a block; 0 is ignored.
    pub fn release(&self, block: usize) {
        if block < FRAME_END {
            return;
        }
        let size_words = (self.capacity(block) / 8 + 1).next_power_of_two();
        let class = size_words.trailing_zeros() as usize;
        self.live_bytes.set(self.live_bytes.get().saturating_sub(size_words as u64 * 8));
        if let Some(list) = self.free.borrow_mut().get_mut(class) {
            list.push((block & MASK) as u32);
        }
    }

    /// Number of elements of a vector block.
    #[inline(always)]
    pub fn length(&self, block: usize) -> usize {
        (self.word(block) & 0xffff_ffff) as usize
    }

    /// Sets the number of elements.
    #[inline(always)]
    pub fn set_length(&self, block: usize, length: usize) {
        let header = self.word(block);
        self.set_word(block, (header & !0xffff_ffff) | length as u64);
    }

    /// Bytes in live blocks.
    pub fn live_bytes(&self) -> u64 {
        self.live_bytes.get()
    }

    /// Bytes of content the block has room for.
    #[inline(always)]
    pub fn capacity(&self, block: usize) -> usize {
        (self.word(block) >> 32) as usize
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_wrap_inside_the_memory() {
        let memory = Memory::new();
        memory.set_word(WORDS + 70, 5);
        assert_eq!(memory.word(70), 5);
        assert_eq!(memory.narrow(70 * 8 + WORDS * 8, 1), 5);
    }

    #[test]
    fn narrow_access_leaves_its_neighbours_alone() {
        let memory = Memory::new();
        memory.set_word(100, u64::MAX);
        memory.set_narrow(801, 1, 0);
        memory.set_narrow(804, 2, 0x1234);
        assert_eq!(memory.word(100), 0xffff_1234_ffff_00ff);
        assert_eq!(memory.narrow(804, 4), 0xffff_1234);
    }

    #[test]
    fn released_blocks_are_used_again_and_the_quota_counts_live_ones() {
        let memory = Memory::new();
        memory.reset(64);
        let block = memory.allocate(40).unwrap();
        assert_eq!((memory.capacity(block), memory.live_bytes.get()), (56, 64));
        assert_eq!(memory.allocate(1).unwrap_err().status(), status::MEMORY_LIMIT_EXCEEDED);
        memory.release(block);
        assert_eq!(memory.allocate(33).unwrap(), block);
    }

    #[test]
    fn overlapping_moves_keep_their_source() {
        let memory = Memory::new();
        for i in 0..4 {
            memory.set_word(200 + i, i as u64);
        }
        memory.copy_words(200, 201, 4);
        assert_eq!((201..205).map(|i| memory.word(i)).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}
