//! Random numbers and what they do to bytes and code.

use ledger_bytecode::{Bytecode, CompiledModule};

/// A xorshift generator: fast, repeatable, and good enough to be unfair.
pub struct Dice(u64);

impl Dice {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`, 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    /// A value that programs stumble over: small, at an edge, or any.
    pub fn edge(&mut self) -> u64 {
        match self.below(4) {
            0 => self.next() % 10,
            1 => u64::MAX - self.next() % 3,
            2 => 1 << self.below(64),
            _ => self.next(),
        }
    }
}

/// Flips, overwrites, cuts, doubles or inserts, one to four times.
pub fn bytes(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(5) {
            _ if bytes.is_empty() => bytes.push(dice.next() as u8),
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes[at] = dice.edge() as u8,
            2 => bytes.truncate(at),
            3 => bytes.insert(at, dice.next() as u8),
            _ => {
                let end = (at + dice.below(16)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = dice.below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
}

/// Changes instructions: one of the module's own in place of another, two exchanged, or one left out.
pub fn code(dice: &mut Dice, module: &mut CompiledModule) {
    let all: Vec<Bytecode> = module
        .tables
        .function_defs
        .iter()
        .filter_map(|definition| definition.code.as_ref())
        .flat_map(|unit| unit.code.iter().copied())
        .collect();
    let count = module.tables.function_defs.len();
    for _ in 0..=dice.below(3) {
        let Some(definition) = module.tables.function_defs.get_mut(dice.below(count)) else { return };
        let Some(unit) = definition.code.as_mut().filter(|unit| !unit.code.is_empty()) else { continue };
        let (at, other) = (dice.below(unit.code.len()), dice.below(unit.code.len()));
        match dice.below(4) {
            0 => unit.code.swap(at, other),
            1 => drop(unit.code.remove(at)),
            2 => unit.code[at] = unit.code[other],
            _ => unit.code[at] = all[dice.below(all.len())],
        }
    }
}
