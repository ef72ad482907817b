//! The total order over values: integers by number, addresses by bytes, vectors and structs
//! lexicographically, enums by variant first.

use std::cmp::Ordering;

use super::Values;
use super::walk::DEPTH_MAX;
use crate::errors::{Fault, status};
use crate::types::{FieldSlot, Int, Kind, TypeId, TypeInfo};

/// What is still to be compared, innermost last.
enum Pending<'t> {
    /// Fields from `next` on.
    Fields { fields: &'t [FieldSlot], next: usize, a: usize, b: usize },
    /// Elements from `next` on; then the lengths decide.
    Elements { element: TypeId, next: usize, a: usize, b: usize },
}

impl<'a> Values<'a> {
    /// How the value at `a` compares to the one at `b`.
    ///
    /// # Errors
    /// Values nested too deep, function values.
    pub fn compare(&self, ty: &'a TypeInfo, a: usize, b: usize) -> Result<Ordering, Fault> {
        let mut pending = Vec::new();
        let mut order = self.compare_shallow(ty, a, b, &mut pending)?;
        while order == Ordering::Equal {
            let Some(top) = pending.last_mut() else { break };
            let (ty, a, b) = match top {
                Pending::Fields { fields, next, a, b } => {
                    let Some(field) = fields.get(*next) else {
                        pending.pop();
                        continue;
                    };
                    *next += 1;
                    let offset = field.offset as usize;
                    (self.ty(field.ty), *a + offset, *b + offset)
                }
                Pending::Elements { element, next, a, b } => {
                    let (lengths, ty) = ((self.memory.length(*a), self.memory.length(*b)), self.ty(*element));
                    if *next >= lengths.0.min(lengths.1) {
                        order = lengths.0.cmp(&lengths.1);
                        pending.pop();
                        continue;
                    }
                    let at = *next;
                    *next += 1;
                    if ty.narrow != 0 {
                        let width = ty.narrow as usize;
                        let read = |block: usize| self.memory.narrow((block + 1) * 8 + at * width, width);
                        order = compare_narrow(ty, read(*a), read(*b));
                        continue;
                    }
                    let offset = 1 + at * ty.slots as usize;
                    (ty, *a + offset, *b + offset)
                }
            };
            order = self.compare_shallow(ty, a, b, &mut pending)?;
        }
        Ok(order)
    }

    /// Compares primitives; puts what is inside of anything else on `pending`.
    fn compare_shallow(
        &self,
        ty: &'a TypeInfo,
        a: usize,
        b: usize,
        pending: &mut Vec<Pending<'a>>,
    ) -> Result<Ordering, Fault> {
        if pending.len() >= DEPTH_MAX {
            return Err(Fault::new(status::VM_MAX_VALUE_DEPTH_REACHED));
        }
        let memory = self.memory;
        let (mut a, mut b) = (a, b);
        if ty.is_boxed() {
            (a, b) = (memory.word(a) as usize + 1, memory.word(b) as usize + 1);
        }
        Ok(match &ty.kind {
            Kind::Bool => memory.word(a).cmp(&memory.word(b)),
            Kind::Int(int) if int.width() < 8 => compare_narrow(ty, memory.word(a), memory.word(b)),
            Kind::Int(int) => {
                let slots = int.slots() as usize;
                let mut order = (0..slots)
                    .rev()
                    .map(|i| memory.word(a + i).cmp(&memory.word(b + i)))
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal);
                if int.is_signed() {
                    let sign = |at: usize| memory.word(at + slots - 1) >> 63;
                    if sign(a) != sign(b) {
                        order = order.reverse();
                    }
                }
                order
            }
            Kind::Address | Kind::Signer => (0..4)
                .map(|i| memory.word(a + i).swap_bytes().cmp(&memory.word(b + i).swap_bytes()))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal),
            Kind::Vector(element) => {
                let (a, b) = (memory.word(a) as usize, memory.word(b) as usize);
                pending.push(Pending::Elements { element: *element, next: 0, a, b });
                Ordering::Equal
            }
            Kind::Struct(fields) => {
                pending.push(Pending::Fields { fields, next: 0, a, b });
                Ordering::Equal
            }
            Kind::Enum(_) => {
                let tags = (memory.word(a), memory.word(b));
                if tags.0 == tags.1 {
                    let fields = &self.variant(ty.id, tags.0)?.fields;
                    pending.push(Pending::Fields { fields, next: 0, a, b });
                }
                tags.0.cmp(&tags.1)
            }
            Kind::Reference(_) | Kind::MutableReference(_) => {
                return Err(Fault::invariant("comparison of references"));
            }
            Kind::Function => return Err(Fault::not_implemented("comparison of function values")),
        })
    }
}

fn compare_narrow(ty: &TypeInfo, a: u64, b: u64) -> Ordering {
    let key = |value: u64| match ty.int() {
        Some(Int::I8) => i64::from(value as u8 as i8),
        Some(Int::I16) => i64::from(value as u16 as i16),
        Some(Int::I32) => i64::from(value as u32 as i32),
        _ => value as i64,
    };
    key(a).cmp(&key(b))
}
