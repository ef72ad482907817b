//! Loops by the order of instructions, for version 5.
//!
//! A branch to its own instruction or before is a back edge; its target is a loop head, and the last
//! back edge to a head ends the loop. Loops must nest; back edges go to the innermost head; a branch
//! out of a loop goes right behind its end; any other branch stays in its loop, where the head of a
//! loop counts as outside it.

use ledger_bytecode::{Bytecode, StatusCode};

use super::LoopFault;

/// An open loop.
#[derive(Clone, Copy)]
struct Loop {
    head: usize,
    /// Its last back edge.
    end: usize,
}

pub(super) fn verify(code: &[Bytecode], depth_max: usize) -> Result<(), LoopFault> {
    let ends = loop_ends(code);
    scan(code, &ends, depth_max, |open, offset, target| match open.last() {
        Some(innermost) if target <= offset && innermost.head != target => {
            Err((StatusCode::INVALID_LOOP_CONTINUE, "a branch back to a loop that is not the innermost"))
        }
        _ => Ok(()),
    })?;
    scan(code, &ends, depth_max, |open, offset, target| match open.last() {
        Some(innermost) if target > offset && target > innermost.end && target != innermost.end + 1 => {
            Err((StatusCode::INVALID_LOOP_BREAK, "a branch out of a loop to somewhere else than its end"))
        }
        _ => Ok(()),
    })?;
    let depths = depths(code, &ends);
    scan(code, &ends, depth_max, |open, offset, target| {
        let leaves_loop = open.last().is_some_and(|innermost| target > innermost.end);
        if target <= offset || leaves_loop {
            return Ok(());
        }
        let target_depth = if ends[target].is_some() { depths[target] - 1 } else { depths[target] };
        if target_depth == depths[offset] {
            return Ok(());
        }
        Err((StatusCode::INVALID_LOOP_SPLIT, "a branch into or out of the middle of a loop"))
    })
}

/// Per instruction that is a loop head, the loop's end.
fn loop_ends(code: &[Bytecode]) -> Vec<Option<usize>> {
    let mut ends = vec![None; code.len()];
    for (offset, instruction) in code.iter().enumerate() {
        if let Some(target) = instruction.branch_target()
            && usize::from(target) <= offset
        {
            ends[usize::from(target)] = Some(offset);
        }
    }
    ends
}

/// Visits every branch with the loops open at it, innermost last.
fn scan(
    code: &[Bytecode],
    ends: &[Option<usize>],
    depth_max: usize,
    mut visit: impl FnMut(&[Loop], usize, usize) -> Result<(), (StatusCode, &'static str)>,
) -> Result<(), LoopFault> {
    let mut open: Vec<Loop> = Vec::new();
    for (offset, instruction) in code.iter().enumerate() {
        let fault = |(status, message)| LoopFault { status, offset, message };
        if let Some(end) = ends[offset] {
            open.push(Loop { head: offset, end });
            if open.len() > depth_max {
                return Err(fault((StatusCode::LOOP_MAX_DEPTH_REACHED, "loops nested too deeply")));
            }
        }
        if let Some(target) = instruction.branch_target() {
            visit(&open, offset, usize::from(target)).map_err(fault)?;
        }
        if open.last().is_some_and(|innermost| innermost.end == offset) {
            open.pop();
        }
    }
    Ok(())
}

/// How many loops are open at each instruction, its own included if it is a head.
fn depths(code: &[Bytecode], ends: &[Option<usize>]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut depths = Vec::with_capacity(code.len());
    for (offset, end) in ends.iter().enumerate() {
        open.extend(end);
        depths.push(open.len());
        if open.last() == Some(&offset) {
            open.pop();
        }
    }
    depths
}
