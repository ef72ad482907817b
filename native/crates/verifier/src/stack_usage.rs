//! Each block leaves the stack as it found it and never reaches below.
//!
//! So no value crosses a block boundary, which is what lets types be checked block by block.

use ledger_bytecode::{Body, Bytecode, StatusCode, Tables};

use crate::blocks::Blocks;
use crate::error::{Verdict, VerificationError};
use crate::limits::Limits;
use crate::stack_effect::stack_effect;

/// Checks every block, reachable or not.
pub(crate) fn verify_body(tables: &Tables, body: &Body<'_>, blocks: &Blocks, limits: &Limits) -> Verdict {
    for block in &blocks.blocks {
        let mut height = 0usize;
        let mut pushed = 0usize;
        for offset in block.start..block.end {
            let instruction = &body.code.code[offset];
            let fault =
                |status, message| Err(VerificationError::instruction(status, body.function, offset, message));
            let (pops, pushes) = stack_effect(tables, body, instruction);
            pushed += pushes;
            if pushed > limits.pushes_per_block_max {
                return fault(StatusCode::VALUE_STACK_PUSH_OVERFLOW, "a block that pushes too many values");
            }
            let Some(left) = height.checked_sub(pops) else {
                let status = StatusCode::NEGATIVE_STACK_SIZE_WITHIN_BLOCK;
                return fault(status, "a value popped that the block did not push");
            };
            height = left + pushes;
            if height > limits.stack_height_max {
                return fault(StatusCode::VALUE_STACK_OVERFLOW, "a stack that grows too high");
            }
            let is_abort = matches!(instruction, Bytecode::Abort | Bytecode::AbortMsg);
            if (is_abort || offset + 1 == block.end) && height != 0 {
                let status = StatusCode::POSITIVE_STACK_SIZE_AT_BLOCK_END;
                return fault(status, "values left on the stack at the end of a block");
            }
        }
    }
    Ok(())
}
