//! An append-only table that many threads read: entries never move and never change.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Entries in the first chunk; each further chunk is twice as big.
const FIRST: usize = 1024;
const CHUNKS: usize = 12;

/// Values by number. Numbers are given out by the caller's own index (see [`Slab::push`]) and stay
/// valid as long as the slab lives.
pub struct Slab<T> {
    chunks: [OnceLock<Box<[OnceLock<T>]>>; CHUNKS],
    len: AtomicU32,
}

impl<T> Slab<T> {
    /// An empty table.
    pub fn new() -> Self {
        Self { chunks: std::array::from_fn(|_| OnceLock::new()), len: AtomicU32::new(0) }
    }

    /// How many numbers were given out.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Acquire) as usize
    }

    /// Reserves the next number; `None` when the table is full.
    pub fn reserve(&self) -> Option<u32> {
        let number = self.len.fetch_add(1, Ordering::AcqRel);
        if place(number).0 < CHUNKS {
            Some(number)
        } else {
            self.len.fetch_sub(1, Ordering::AcqRel);
            None
        }
    }

    /// Fills a reserved number; keeps the first value if two threads do it.
    pub fn fill(&self, number: u32, value: T) -> &T {
        let (chunk, offset) = place(number);
        let chunk = self.chunks[chunk]
            .get_or_init(|| (0..FIRST << chunk).map(|_| OnceLock::new()).collect::<Vec<_>>().into());
        chunk[offset].get_or_init(|| value)
    }

    /// Adds a value; `None` when the table is full.
    pub fn push(&self, value: T) -> Option<u32> {
        let number = self.reserve()?;
        self.fill(number, value);
        Some(number)
    }

    /// The value under a number, if it is filled.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&T> {
        let (chunk, offset) = place(number);
        self.chunks.get(chunk)?.get()?.get(offset)?.get()
    }
}

/// Chunk and position of a number.
#[inline]
fn place(number: u32) -> (usize, usize) {
    let shifted = number as usize + FIRST;
    let chunk = (shifted / FIRST).ilog2() as usize;
    (chunk, shifted - (FIRST << chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_through_the_chunks_without_gap_or_overlap() {
        let slab = Slab::new();
        for i in 0..5000u32 {
            assert_eq!(slab.push(i), Some(i));
        }
        assert!((0..5000).all(|i| slab.get(i) == Some(&i)));
        assert_eq!(slab.get(5000), None);
    }
}
