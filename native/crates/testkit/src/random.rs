//! A small generator of reproducible numbers, for tests that mutate bytes and code.
//!
//! Xorshift: equal seeds give equal tests on every machine. Not for secrets.

/// A stream of numbers made from a seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream; 0 is replaced, since it would stay 0.
    pub fn new(seed: u64) -> Self {
        Self(if seed == 0 { 0x9E37_79B9_7F4A_7C15 } else { seed })
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `bound`, which must not be 0. Slightly uneven, which tests do not mind.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        (self.next_u64() >> 32) as u8
    }
}
