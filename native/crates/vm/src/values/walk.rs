//! One level of a walk over a value: a program, run once or for each element of a vector.

use crate::errors::{Fault, status};
use crate::types::{Op, TypeInfo};

/// Most vectors, boxes and enums around one another in one walk.
pub const DEPTH_MAX: usize = 128;

/// Slots that a step covers.
fn slots(op: Op) -> usize {
    match op {
        Op::Words(count) => count as usize,
        Op::Enum { slots, .. } => slots as usize,
        Op::Bool | Op::Narrow(_) | Op::Vector(_) | Op::Boxed(_) | Op::Function => 1,
    }
}

/// A program over the words from `at`, and over the same distance from `other` for walks over two
/// values.
#[derive(Clone, Copy)]
pub struct Walk<'t> {
    ops: &'t [Op],
    position: usize,
    at: usize,
    other: usize,
    /// Elements that are still to come after this one.
    more: usize,
    /// Start of this element and distance to the next, in words.
    base: (usize, usize),
    stride: usize,
}

impl<'t> Walk<'t> {
    /// A walk over one value.
    pub fn once(ops: &'t [Op], at: usize, other: usize) -> Self {
        Self { ops, position: 0, at, other, more: 0, base: (at, other), stride: 0 }
    }

    /// A walk over `count` (at least 1) elements of a vector whose elements take slots.
    pub fn elements(element: &'t TypeInfo, at: usize, other: usize, count: usize) -> Self {
        let stride = element.slots as usize;
        Self { stride, more: count - 1, ..Self::once(&element.program, at, other) }
    }

    /// The next step and where its slots start in both values.
    #[inline]
    pub fn step(&mut self) -> Option<(Op, usize, usize)> {
        loop {
            if let Some(op) = self.ops.get(self.position) {
                self.position += 1;
                let step = (*op, self.at, self.other);
                let width = slots(*op);
                self.at += width;
                self.other += width;
                return Some(step);
            }
            self.more = self.more.checked_sub(1)?;
            self.base = (self.base.0 + self.stride, self.base.1 + self.stride);
            (self.at, self.other) = self.base;
            self.position = 0;
        }
    }
}

/// The levels of a walk.
pub struct Walks<'t> {
    current: Walk<'t>,
    outer: Vec<Walk<'t>>,
}

impl<'t> Walks<'t> {
    /// Starts at one level.
    pub fn new(first: Walk<'t>) -> Self {
        Self { current: first, outer: Vec::new() }
    }

    /// Goes one level down.
    ///
    /// # Errors
    /// `VM_MAX_VALUE_DEPTH_REACHED` below [`DEPTH_MAX`].
    pub fn enter(&mut self, inner: Walk<'t>) -> Result<(), Fault> {
        if self.outer.len() >= DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_VALUE_DEPTH_REACHED));
        }
        self.outer.push(std::mem::replace(&mut self.current, inner));
        Ok(())
    }

    /// The next step of the innermost level that has one.
    #[inline]
    pub fn step(&mut self) -> Option<(Op, usize, usize)> {
        loop {
            if let Some(step) = self.current.step() {
                return Some(step);
            }
            self.current = self.outer.pop()?;
        }
    }
}
