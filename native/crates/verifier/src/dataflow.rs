//! Abstract interpretation: one state per block, joined until nothing changes.
//!
//! Blocks are taken in reverse postorder; a block whose state grew through a branch back is taken
//! again. Only what is reachable from the entry is visited.

use std::collections::BTreeSet;

use crate::blocks::{Block, Blocks};
use crate::error::VerificationError;

/// A domain and its transfer function.
pub(crate) trait Analysis {
    /// What is known at one point of the program.
    type State: Clone;

    /// Runs a block on the state at its start; the result is what its successors see.
    fn block(&mut self, state: Self::State, block: &Block) -> Result<Self::State, VerificationError>;

    /// Merges what another way brings into `state`; says whether `state` changed.
    fn join(&mut self, state: &mut Self::State, incoming: &Self::State) -> Result<bool, VerificationError>;
}

/// Runs the analysis to its fixed point.
pub(crate) fn analyse<A: Analysis>(
    analysis: &mut A,
    blocks: &Blocks,
    initial: A::State,
) -> Result<(), VerificationError> {
    let mut rank = vec![0; blocks.blocks.len()];
    for (position, block) in blocks.order.iter().enumerate() {
        rank[*block] = position;
    }
    let mut states: Vec<Option<A::State>> = vec![None; blocks.blocks.len()];
    states[0] = Some(initial);
    let mut pending = BTreeSet::from([0usize]);
    while let Some(position) = pending.pop_first() {
        let index = blocks.order[position];
        let block = &blocks.blocks[index];
        let Some(state) = states[index].clone() else { continue };
        let after = analysis.block(state, block)?;
        for successor in &block.successors {
            let changed = match &mut states[*successor] {
                Some(known) => analysis.join(known, &after)?,
                unvisited => {
                    *unvisited = Some(after.clone());
                    true
                }
            };
            if changed {
                pending.insert(rank[*successor]);
            }
        }
    }
    Ok(())
}
