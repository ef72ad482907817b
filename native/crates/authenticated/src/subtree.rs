//! The part of the state tree below one prefix, in flat arrays.
//!
//! A node is a 32-bit number: 0 for empty, even for an inner node, odd for a leaf. Inner nodes keep
//! their children and their hash (40 bytes), leaves key and value hash (64 bytes); a leaf's own hash
//! is made again when a neighbour changes, which costs one hash and saves a third of the memory.
//! Slots of removed nodes are used again.

use ledger_types::HashValue;

use crate::sparse_merkle_proof::{SparseMerkleLeaf, bit, inner_hash};
use crate::state_tree::StateChange;

/// Reference to a node of one subtree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node(u32);

/// What a [`Node`] is.
pub(crate) enum NodeKind {
    Empty,
    Inner(usize),
    Leaf(usize),
}

impl Node {
    const EMPTY: Self = Self(0);

    fn inner(slot: usize) -> Self {
        Self(Self::number(slot))
    }

    fn leaf(slot: usize) -> Self {
        Self(Self::number(slot) | 1)
    }

    /// Slots count from 1 so that 0 stays free for the empty node. Two billion nodes of one subtree
    /// would be over 80 gigabytes; running out is a broken assumption, not an input.
    fn number(slot: usize) -> u32 {
        u32::try_from(slot + 1).ok().and_then(|n| n.checked_mul(2)).expect("a subtree stays below 2^31 nodes")
    }

    pub(crate) fn kind(self) -> NodeKind {
        match (self.0, self.0 & 1) {
            (0, _) => NodeKind::Empty,
            (number, 0) => NodeKind::Inner(number as usize / 2 - 1),
            (number, _) => NodeKind::Leaf(number as usize / 2 - 1),
        }
    }
}

/// Arrays of the nodes below one prefix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subtree {
    root: Node,
    children: Vec<[Node; 2]>,
    hashes: Vec<HashValue>,
    leaves: Vec<SparseMerkleLeaf>,
    free_inner: Vec<u32>,
    free_leaves: Vec<u32>,
}

impl Subtree {
    pub(crate) fn root(&self) -> Node {
        self.root
    }

    /// Number of keys.
    pub(crate) fn len(&self) -> usize {
        self.leaves.len() - self.free_leaves.len()
    }

    pub(crate) fn hash(&self, node: Node) -> HashValue {
        match node.kind() {
            NodeKind::Empty => HashValue::SPARSE_MERKLE_PLACEHOLDER,
            NodeKind::Inner(slot) => self.hashes[slot],
            NodeKind::Leaf(slot) => self.leaves[slot].hash(),
        }
    }

    pub(crate) fn leaf(&self, slot: usize) -> SparseMerkleLeaf {
        self.leaves[slot]
    }

    pub(crate) fn children(&self, slot: usize) -> [Node; 2] {
        self.children[slot]
    }

    /// Applies changes sorted by key, each key once, all with the prefix of this subtree, whose root
    /// stands at `depth`.
    pub(crate) fn update(&mut self, depth: usize, changes: &[StateChange]) {
        self.root = self.apply(self.root, depth, changes);
    }

    /// Applies changes below one node and returns what stands in its place. Recursion ends at
    /// depth 256, where no two keys share a path.
    fn apply(&mut self, node: Node, depth: usize, changes: &[StateChange]) -> Node {
        if changes.is_empty() {
            return node;
        }
        let [left, right] = match node.kind() {
            NodeKind::Inner(slot) => self.children[slot],
            NodeKind::Empty => match changes {
                [change] => return self.new_leaf(change),
                _ => [Node::EMPTY; 2],
            },
            NodeKind::Leaf(slot) => match changes {
                [change] if change.key == self.leaves[slot].key => return self.change_leaf(slot, change),
                _ if bit(&self.leaves[slot].key, depth) => [Node::EMPTY, node],
                _ => [node, Node::EMPTY],
            },
        };
        let split = changes.partition_point(|change| !bit(&change.key, depth));
        let left = self.apply(left, depth + 1, &changes[..split]);
        let right = self.apply(right, depth + 1, &changes[split..]);
        self.join(node, left, right)
    }

    /// Puts two children under one node, in the slot of `old` if that was an inner node. A lone leaf
    /// rises in its parent's place; a lone inner node does not.
    fn join(&mut self, old: Node, left: Node, right: Node) -> Node {
        let lone = match (left.kind(), right.kind()) {
            (NodeKind::Empty, NodeKind::Empty | NodeKind::Leaf(_)) => Some(right),
            (NodeKind::Leaf(_), NodeKind::Empty) => Some(left),
            _ => None,
        };
        if let Some(lone) = lone {
            if let NodeKind::Inner(slot) = old.kind() {
                self.free_inner.push(slot as u32);
            }
            return lone;
        }
        let hash = inner_hash(&self.hash(left), &self.hash(right));
        let slot = match old.kind() {
            NodeKind::Inner(slot) => slot,
            _ => match self.free_inner.pop() {
                Some(slot) => slot as usize,
                None => {
                    self.children.push([Node::EMPTY; 2]);
                    self.hashes.push(HashValue::ZERO);
                    self.children.len() - 1
                }
            },
        };
        self.children[slot] = [left, right];
        self.hashes[slot] = hash;
        Node::inner(slot)
    }

    fn new_leaf(&mut self, change: &StateChange) -> Node {
        let Some(value_hash) = change.value_hash else { return Node::EMPTY };
        let leaf = SparseMerkleLeaf { key: change.key, value_hash };
        match self.free_leaves.pop() {
            Some(slot) => {
                self.leaves[slot as usize] = leaf;
                Node::leaf(slot as usize)
            }
            None => {
                self.leaves.push(leaf);
                Node::leaf(self.leaves.len() - 1)
            }
        }
    }

    fn change_leaf(&mut self, slot: usize, change: &StateChange) -> Node {
        match change.value_hash {
            Some(value_hash) => {
                self.leaves[slot].value_hash = value_hash;
                Node::leaf(slot)
            }
            None => {
                self.free_leaves.push(slot as u32);
                Node::EMPTY
            }
        }
    }
}
