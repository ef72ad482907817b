//! Basic blocks: runs of instructions entered at their start and left at their end.

use ledger_bytecode::Bytecode;

/// One basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Its first instruction.
    pub(crate) start: usize,
    /// One past its last.
    pub(crate) end: usize,
    /// The blocks control may go to, without repeats, in the order of their instructions.
    pub(crate) successors: Vec<usize>,
}

/// The blocks of a function, in the order of their instructions.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub(crate) blocks: Vec<Block>,
    /// Reachable blocks in reverse postorder of a depth-first walk, the entry first.
    pub(crate) order: Vec<usize>,
}

impl Blocks {
    /// Cuts code into blocks. The code must not be empty and must not fall off its end.
    pub(crate) fn new(code: &[Bytecode]) -> Self {
        let mut is_start = vec![false; code.len()];
        is_start[0] = true;
        for (offset, instruction) in code.iter().enumerate() {
            if let Some(target) = instruction.branch_target() {
                is_start[usize::from(target)] = true;
            }
            if instruction.ends_block() && offset + 1 < code.len() {
                is_start[offset + 1] = true;
            }
        }
        let starts: Vec<usize> = (0..code.len()).filter(|offset| is_start[*offset]).collect();
        let block_at = |offset: usize| starts.partition_point(|start| *start <= offset) - 1;
        let mut blocks = Vec::with_capacity(starts.len());
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(code.len());
            let last = &code[end - 1];
            let mut successors = Vec::new();
            if !last.is_unconditional_branch() {
                successors.push(index + 1);
            }
            if let Some(target) = last.branch_target() {
                let target = block_at(usize::from(target));
                if !successors.contains(&target) {
                    successors.push(target);
                }
            }
            successors.sort_unstable();
            blocks.push(Block { start: *start, end, successors });
        }
        let order = reverse_postorder(&blocks);
        Self { blocks, order }
    }
}

/// Of two successors the later one is walked first, so that in the reverse order the earlier one comes
/// first: of several faults, the one reported is the one others report.
fn reverse_postorder(blocks: &[Block]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut postorder = Vec::new();
    // Block, and how many of its successors have been looked at.
    let mut path = vec![(0usize, 0usize)];
    seen[0] = true;
    while let Some((block, looked)) = path.last_mut() {
        match blocks[*block].successors.iter().rev().nth(*looked) {
            Some(&successor) => {
                *looked += 1;
                if !seen[successor] {
                    seen[successor] = true;
                    path.push((successor, 0));
                }
            }
            None => {
                postorder.push(*block);
                path.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}
