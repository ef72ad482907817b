//! Natives that move or compare values: `mem::swap`, `vector::move_range`, `cmp::compare`.

use std::cmp::Ordering;

use super::{NativeCx, by_length};
use crate::errors::Fault;

/// `mem::swap`
pub fn swap(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.mem_swap)?;
    let ty = cx.type_argument(0)?;
    let memory = cx.env.memory;
    let (a, b) = (cx.target(0)?, cx.target(1)?);
    memory.touch(cx.reference(0)?);
    memory.touch(cx.reference(1)?);
    if ty.narrow != 0 {
        let width = ty.narrow as usize;
        let (x, y) = (memory.narrow(a, width), memory.narrow(b, width));
        memory.set_narrow(a, width, y);
        memory.set_narrow(b, width, x);
    } else {
        for i in 0..ty.slots as usize {
            let (x, y) = (memory.word(a + i), memory.word(b + i));
            memory.set_word(a + i, y);
            memory.set_word(b + i, x);
        }
    }
    Ok(())
}

/// `vector::move_range`: takes `length` elements at `removal` out of the first vector and puts them
/// at `insertion` into the second.
pub fn move_range(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    /// Abort code of a range outside of its vector.
    const INDEX_OUT_OF_BOUNDS: u64 = 0x2_0001;
    cx.charge(cx.env.costs.move_range_base)?;
    let (removal, length, insertion) = (cx.word(1)?, cx.word(2)?, cx.word(4)?);
    let memory = cx.env.memory;
    let (from, to) = (cx.target(0)?, cx.target(3)?);
    let stride = cx.type_argument(0)?.stride();
    let lengths =
        (memory.length(memory.word(from) as usize) as u64, memory.length(memory.word(to) as usize) as u64);
    let fits = removal.checked_add(length).is_some_and(|end| end <= lengths.0) && insertion <= lengths.1;
    if !fits {
        return Err(Fault::abort(INDEX_OUT_OF_BOUNDS));
    }
    let moved = (lengths.0 - removal) + (lengths.1 - insertion);
    cx.charge(by_length(
        0,
        cx.env.costs.move_range_per_element,
        usize::try_from(moved).unwrap_or(usize::MAX),
    ))?;
    let (removal, length, insertion) = (removal as usize, length as usize, insertion as usize);
    let contents = |at: usize| {
        let block = memory.word(at) as usize;
        let mut bytes = Vec::new();
        memory.read_bytes((block + 1) * 8, memory.length(block) * stride, &mut bytes);
        bytes
    };
    let (mut source, mut target) = (contents(from), contents(to));
    let part: Vec<u8> = source.drain(removal * stride..(removal + length) * stride).collect();
    target.splice(insertion * stride..insertion * stride, part);
    memory.touch(cx.reference(0)?);
    memory.touch(cx.reference(3)?);
    for (at, bytes) in [(from, source), (to, target)] {
        let old = memory.word(at) as usize;
        let count = bytes.len() / stride;
        let block = if count == 0 { 0 } else { memory.allocate(bytes.len())? };
        if block != 0 {
            memory.set_length(block, count);
            memory.write_bytes((block + 1) * 8, &bytes);
        }
        memory.set_word(at, block as u64);
        memory.release(old);
    }
    Ok(())
}

/// `cmp::compare`: the enum `Ordering { Less, Equal, Greater }`.
pub fn compare(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let ty = cx.type_argument(0)?;
    let (a, b) = (cx.target(0)?, cx.target(1)?);
    let values = cx.env.values();
    let order = if ty.narrow != 0 {
        cx.charge(costs.cmp_base)?;
        let width = ty.narrow as usize;
        // Through a scratch slot each, since narrow values lie packed.
        let scratch = cx.env.memory.allocate(16)?;
        cx.env.memory.set_word(scratch + 1, cx.env.memory.narrow(a, width));
        cx.env.memory.set_word(scratch + 2, cx.env.memory.narrow(b, width));
        let order = values.compare(ty, scratch + 1, scratch + 2)?;
        cx.env.memory.release(scratch);
        order
    } else {
        let size = values.abstract_size(ty, a, costs)?.saturating_add(values.abstract_size(ty, b, costs)?);
        cx.charge(costs.cmp_base.saturating_add(costs.cmp_per_unit.saturating_mul(size)))?;
        values.compare(ty, a, b)?
    };
    cx.ret_word(match order {
        Ordering::Less => 0,
        Ordering::Equal => 1,
        Ordering::Greater => 2,
    });
    Ok(())
}
