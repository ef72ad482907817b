//! Reducibility: every loop is entered at its head only.
//!
//! Along a depth-first spanning tree, loops are taken from the innermost out. The body of a loop is
//! what reaches its back edges without passing the head; a part of it that the head does not dominate
//! in the tree is a second entry. A finished loop counts as one node, its head, in those around it.

use ledger_bytecode::StatusCode;

use super::LoopFault;
use crate::blocks::Blocks;

pub(super) fn verify(blocks: &Blocks, depth_max: usize) -> Result<(), LoopFault> {
    let tree = SpanningTree::new(blocks);
    let count = tree.preorder.len();
    // Union-find: the loop a node has been collapsed into, itself if none.
    let mut collapsed_into: Vec<usize> = (0..count).collect();
    let mut depth = vec![0usize; count];
    // Which loop's body a node was last put in; stamps spare clearing.
    let mut stamp = vec![usize::MAX; count];

    for head in (0..count).rev() {
        if tree.back_sources[head].is_empty() {
            continue;
        }
        let fault = |status, message| LoopFault { status, offset: tree.start(blocks, head), message };
        let mut body = Vec::new();
        let mut pending = Vec::new();
        let mut admit = |node: usize, pending: &mut Vec<usize>, stamp: &mut [usize]| {
            if node != head && stamp[node] != head {
                stamp[node] = head;
                body.push(node);
                pending.push(node);
            }
        };
        for source in &tree.back_sources[head] {
            admit(find(&mut collapsed_into, *source), &mut pending, &mut stamp);
        }
        while let Some(node) = pending.pop() {
            for entry in &tree.entries[node] {
                let from = find(&mut collapsed_into, *entry);
                if !tree.is_ancestor(head, from) {
                    return Err(fault(StatusCode::INVALID_LOOP_SPLIT, "a loop entered beside its head"));
                }
                admit(from, &mut pending, &mut stamp);
            }
        }
        depth[head] = 1 + body.iter().map(|node| depth[*node]).max().unwrap_or(0);
        if depth[head] > depth_max {
            return Err(fault(StatusCode::LOOP_MAX_DEPTH_REACHED, "loops nested too deeply"));
        }
        for node in body {
            collapsed_into[node] = head;
        }
    }
    Ok(())
}

fn find(collapsed_into: &mut [usize], node: usize) -> usize {
    let mut root = node;
    while collapsed_into[root] != root {
        root = collapsed_into[root];
    }
    let mut step = node;
    while collapsed_into[step] != root {
        step = std::mem::replace(&mut collapsed_into[step], root);
    }
    root
}

/// A depth-first spanning tree; nodes are numbered in preorder.
struct SpanningTree {
    /// Block of each node.
    preorder: Vec<usize>,
    /// One past the last descendant of each node.
    descendants_end: Vec<usize>,
    /// Per node, where edges from descendants (or itself) come from.
    back_sources: Vec<Vec<usize>>,
    /// Per node, where all other edges come from.
    entries: Vec<Vec<usize>>,
}

impl SpanningTree {
    fn new(blocks: &Blocks) -> Self {
        const UNSEEN: usize = usize::MAX;
        let mut node_of = vec![UNSEEN; blocks.blocks.len()];
        let mut preorder = vec![0];
        let mut descendants_end = vec![0];
        let mut path = vec![(0usize, 0usize)];
        node_of[0] = 0;
        while let Some((block, looked)) = path.last_mut() {
            // The later of two successors first, as in the order blocks are visited in.
            match blocks.blocks[*block].successors.iter().rev().nth(*looked) {
                Some(&successor) => {
                    *looked += 1;
                    if node_of[successor] == UNSEEN {
                        node_of[successor] = preorder.len();
                        preorder.push(successor);
                        descendants_end.push(0);
                        path.push((successor, 0));
                    }
                }
                None => {
                    descendants_end[node_of[*block]] = preorder.len();
                    path.pop();
                }
            }
        }
        let count = preorder.len();
        let mut tree = Self {
            preorder,
            descendants_end,
            back_sources: vec![Vec::new(); count],
            entries: vec![Vec::new(); count],
        };
        for from in 0..count {
            for successor in &blocks.blocks[tree.preorder[from]].successors {
                let to = node_of[*successor];
                if tree.is_ancestor(to, from) {
                    tree.back_sources[to].push(from);
                } else {
                    tree.entries[to].push(from);
                }
            }
        }
        tree
    }

    /// Whether `node` is `ancestor` or below it.
    fn is_ancestor(&self, ancestor: usize, node: usize) -> bool {
        ancestor <= node && node < self.descendants_end[ancestor]
    }

    fn start(&self, blocks: &Blocks, node: usize) -> usize {
        blocks.blocks[self.preorder[node]].start
    }
}
