//! Abstract size: what copying or comparing a value is paid by.
//!
//! Each primitive, struct, enum and vector counts one node; elements of a vector of primitives count
//! their packed size instead.

use super::Values;
use super::walk::{Walk, Walks};
use crate::errors::Fault;
use crate::gas::Costs;
use crate::types::{Int, Kind, Op, TypeInfo};

/// Packed size of a primitive element, `None` for other types.
fn packed(element: &TypeInfo, costs: &Costs) -> Option<u64> {
    Some(match element.kind {
        Kind::Bool => costs.abs_packed_bool,
        Kind::Address => costs.abs_packed_address,
        Kind::Int(Int::U8 | Int::I8) => costs.abs_packed_u8,
        Kind::Int(Int::U16 | Int::I16) => costs.abs_packed_u16,
        Kind::Int(Int::U32 | Int::I32) => costs.abs_packed_u32,
        Kind::Int(Int::U64 | Int::I64) => costs.abs_packed_u64,
        Kind::Int(Int::U128 | Int::I128) => costs.abs_packed_u128,
        Kind::Int(Int::U256 | Int::I256) => costs.abs_packed_u256,
        _ => return None,
    })
}

impl<'a> Values<'a> {
    /// Abstract size of the value at `at`.
    ///
    /// # Errors
    /// Values nested too deep.
    pub fn abstract_size(&self, ty: &'a TypeInfo, at: usize, costs: &Costs) -> Result<u64, Fault> {
        let node = costs.abs_struct;
        let mut size = node * u64::from(ty.fixed_nodes);
        if ty.words_are_value {
            return Ok(size);
        }
        let memory = self.memory;
        let mut walks = Walks::new(Walk::once(&ty.program, at, 0));
        while let Some((op, at, _)) = walks.step() {
            match op {
                Op::Words(_) | Op::Bool | Op::Narrow(_) => {}
                Op::Vector(element) => {
                    let element = self.ty(element);
                    let block = memory.word(at) as usize;
                    let count = memory.length(block);
                    if let Some(packed) = packed(element, costs) {
                        size = size.saturating_add(packed.saturating_mul(count as u64));
                    } else if count > 0 {
                        let fixed = node * u64::from(element.fixed_nodes);
                        size = size.saturating_add(fixed.saturating_mul(count as u64));
                        if !element.words_are_value {
                            walks.enter(Walk::elements(element, block + 1, 0, count))?;
                        }
                    }
                }
                Op::Enum { ty, .. } => {
                    let variant = self.variant(ty, memory.word(at))?;
                    size = size.saturating_add(node * u64::from(variant.fixed_nodes));
                    walks.enter(Walk::once(&variant.program, at + 1, 0))?;
                }
                Op::Boxed(ty) => {
                    let ty = self.ty(ty);
                    size = size.saturating_add(node * u64::from(ty.content_nodes));
                    walks.enter(Walk::once(&ty.content, memory.word(at) as usize + 1, 0))?;
                }
                Op::Function => size = size.saturating_add(costs.abs_closure),
            }
        }
        Ok(size)
    }
}
