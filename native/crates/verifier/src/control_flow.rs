//! Code ends, and its loops are loops: entered at one place, nested to a limit.
//!
//! Modules of version 5 are held to rules about the order of instructions, later ones to the
//! reducibility of the graph. Each refuses programs the other takes, so the module's own version
//! chooses.

mod reducible;
mod textual;

use ledger_bytecode::{Body, StatusCode};

use crate::blocks::Blocks;
use crate::error::{Verdict, VerificationError};
use crate::limits::Limits;

/// Last version held to the textual rules.
const TEXTUAL_VERSION_MAX: u32 = 5;

/// Checks one body and cuts it into blocks.
pub(crate) fn verify_body(
    body: &Body<'_>,
    version: u32,
    limits: &Limits,
) -> Result<Blocks, VerificationError> {
    let code = &body.code.code;
    let fault =
        |status, offset, message| VerificationError::instruction(status, body.function, offset, message);
    match code.last() {
        None => return Err(fault(StatusCode::EMPTY_CODE_UNIT, 0, "a function without instructions")),
        Some(last) if !last.is_unconditional_branch() => {
            let message = "code that does not end in a branch";
            return Err(fault(StatusCode::INVALID_FALL_THROUGH, code.len() - 1, message));
        }
        Some(_) => {}
    }
    if version <= TEXTUAL_VERSION_MAX { textual::verify(code, limits.loop_depth_max) } else { Ok(()) }
        .map_err(|loop_fault| fault(loop_fault.status, loop_fault.offset, loop_fault.message))?;

    let blocks = Blocks::new(code);
    if blocks.blocks.len() > limits.basic_blocks_max {
        return Err(fault(StatusCode::TOO_MANY_BASIC_BLOCKS, 0, "more basic blocks than allowed"));
    }
    if version > TEXTUAL_VERSION_MAX {
        reducible::verify(&blocks, limits.loop_depth_max)
            .map_err(|loop_fault| fault(loop_fault.status, loop_fault.offset, loop_fault.message))?;
    }
    Ok(blocks)
}

/// Branches to an instruction at or before their own.
pub(crate) fn back_edges(body: &Body<'_>) -> usize {
    let code = body.code.code.iter().enumerate();
    code.filter(|(offset, instruction)| {
        instruction.branch_target().is_some_and(|target| usize::from(target) <= *offset)
    })
    .count()
}

/// Counts branches back, of a function and of a module, where a limit is set.
pub(crate) fn verify_back_edges<'a>(bodies: impl Iterator<Item = Body<'a>>, limits: &Limits) -> Verdict {
    let Some(max) = limits.back_edges_max else { return Ok(()) };
    let mut total = 0;
    for body in bodies {
        total += back_edges(&body);
        if total > max {
            return Err(VerificationError::instruction(
                StatusCode::TOO_MANY_BACK_EDGES,
                body.function,
                0,
                "more branches back than allowed",
            ));
        }
    }
    Ok(())
}

/// What is wrong with a loop.
struct LoopFault {
    status: StatusCode,
    offset: usize,
    message: &'static str,
}
