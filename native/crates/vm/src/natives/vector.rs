//! Natives of `0x1::vector` that compilers turn into instructions. Called as functions they do and cost the
//! same.

use super::NativeCx;
use crate::errors::Fault;
use crate::exec::vectors::{self, EMPTY, INDEX, LENGTH};
use crate::memory::ORIGIN_SHIFT;

/// Block of the vector behind the first argument.
fn block(cx: &NativeCx<'_, '_>) -> Result<usize, Fault> {
    Ok(cx.env.memory.word(cx.target(0)?) as usize)
}

/// `vector::empty`
pub fn empty(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_pack_base)?;
    cx.ret_word(0);
    Ok(())
}

/// `vector::length`
pub fn length(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_len)?;
    let length = cx.env.memory.length(block(cx)?) as u64;
    cx.ret_word(length);
    Ok(())
}

/// `vector::borrow`
pub fn borrow(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_imm_borrow)?;
    element(cx)
}

/// `vector::borrow_mut`
pub fn borrow_mut(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_mut_borrow)?;
    element(cx)
}

fn element(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let (ty, block, index) = (cx.type_argument(0)?, block(cx)?, cx.word(1)?);
    if index >= cx.env.memory.length(block) as u64 {
        return Err(vectors::error(INDEX));
    }
    let first = block as u64 + 1;
    let place = if ty.narrow != 0 {
        first * 8 + index * u64::from(ty.narrow)
    } else {
        first + index * u64::from(ty.slots)
    };
    // The element is part of whatever resource the vector is part of.
    let origin = cx.reference(0)? >> ORIGIN_SHIFT << ORIGIN_SHIFT;
    cx.ret_word(origin | place);
    Ok(())
}

/// `vector::push_back`
pub fn push_back(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_push_back)?;
    let (ty, memory, from) = (cx.type_argument(0)?, cx.env.memory, cx.slot(1)?);
    memory.touch(cx.reference(0)?);
    let (block, at) = vectors::reserve(memory, cx.target(0)?, ty.stride())?;
    if ty.narrow != 0 {
        memory.set_narrow((block + 1) * 8 + at * ty.stride(), ty.stride(), memory.word(from));
    } else {
        let slots = ty.slots as usize;
        memory.copy_words(from, block + 1 + at * slots, slots);
    }
    cx.forget(1)
}

/// `vector::pop_back`
pub fn pop_back(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_pop_back)?;
    let (ty, memory, block) = (cx.type_argument(0)?, cx.env.memory, block(cx)?);
    memory.touch(cx.reference(0)?);
    let last = memory.length(block).checked_sub(1).ok_or_else(|| vectors::error(EMPTY))?;
    memory.set_length(block, last);
    if ty.narrow != 0 {
        cx.ret_word(memory.narrow((block + 1) * 8 + last * ty.stride(), ty.stride()));
    } else {
        let slots = ty.slots as usize;
        cx.results.extend((0..slots).map(|i| memory.word(block + 1 + last * slots + i)));
    }
    Ok(())
}

/// `vector::destroy_empty`
pub fn destroy_empty(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_unpack_base)?;
    let block = cx.env.memory.word(cx.slot(0)?) as usize;
    if cx.env.memory.length(block) == 0 { Ok(()) } else { Err(vectors::error(LENGTH)) }
}

/// `vector::swap`
pub fn swap(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.vec_swap)?;
    let ty = cx.type_argument(0)?;
    cx.env.memory.touch(cx.reference(0)?);
    let (block, i, j) = (block(cx)?, cx.word(1)?, cx.word(2)?);
    vectors::swap(cx.env.memory, block, i, j, ty.slots as usize, ty.narrow as usize)
}
