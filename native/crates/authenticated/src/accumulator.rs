//! Append-only Merkle accumulators.
//!
//! ```text
//! 5 leaves                root
//!                     /          \
//!                  *                o          *  full subtree: frozen, never changes again
//!                /   \            /   \        o  node with something missing on its right
//!              *       *        o       P      P  placeholder
//!             / \     / \      / \
//!            0   1   2   3    4   P
//! ```
//!
//! Leaves are hashes as they are. A missing right neighbour at any level is the placeholder itself,
//! not a hash of placeholders. To go on appending it is enough to keep the roots of the full
//! subtrees, the *peaks*: one for each set bit of the number of leaves.

use ledger_types::{HashDomain, HashValue};

/// Which accumulator; each hashes its inner nodes under its own seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccumulatorKind {
    /// Over transaction infos; leaf v is version v.
    Transaction,
    /// Over the events of one transaction.
    Event,
}

impl AccumulatorKind {
    fn inner(self, left: &HashValue, right: &HashValue) -> HashValue {
        let domain = match self {
            Self::Transaction => HashDomain::TransactionAccumulator,
            Self::Event => HashDomain::EventAccumulator,
        };
        domain.hash_parts(&[&left.0, &right.0])
    }
}

/// An accumulator that can be appended to: number of leaves and peaks. At most 64 hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator {
    kind: AccumulatorKind,
    leaf_count: u64,
    /// Largest subtree first.
    peaks: Vec<HashValue>,
}

impl Accumulator {
    /// Without leaves.
    #[must_use]
    pub fn new(kind: AccumulatorKind) -> Self {
        Self { kind, leaf_count: 0, peaks: Vec::new() }
    }

    /// Continues from `peaks`, largest subtree first. `None` unless there is one for each set bit
    /// of `leaf_count`.
    #[must_use]
    pub fn from_peaks(kind: AccumulatorKind, leaf_count: u64, peaks: Vec<HashValue>) -> Option<Self> {
        (peaks.len() == leaf_count.count_ones() as usize).then_some(Self { kind, leaf_count, peaks })
    }

    /// Number of leaves.
    #[must_use]
    pub fn leaf_count(&self) -> u64 {
        self.leaf_count
    }

    /// Roots of the full subtrees, largest first.
    #[must_use]
    pub fn peaks(&self) -> &[HashValue] {
        &self.peaks
    }

    /// Appends a leaf. One hash on average.
    pub fn append(&mut self, leaf: HashValue) {
        let mut node = leaf;
        // Each trailing one bit is a full subtree that the new node completes into a larger one.
        for _ in 0..self.leaf_count.trailing_ones() {
            if let Some(left) = self.peaks.pop() {
                node = self.kind.inner(&left, &node);
            }
        }
        self.peaks.push(node);
        self.leaf_count += 1;
    }

    /// The root: at most 64 hashes.
    #[must_use]
    pub fn root(&self) -> HashValue {
        let Some((&lowest, rest)) = self.peaks.split_last() else {
            return HashValue::ACCUMULATOR_PLACEHOLDER;
        };
        if rest.is_empty() {
            return lowest;
        }
        let mut peaks = rest.iter().rev();
        let lowest_level = self.leaf_count.trailing_zeros();
        let mut node = self.kind.inner(&lowest, &HashValue::ACCUMULATOR_PLACEHOLDER);
        for level in lowest_level + 1..=self.leaf_count.ilog2() {
            node = match self.leaf_count >> level & 1 {
                1 => match peaks.next() {
                    Some(left) => self.kind.inner(left, &node),
                    None => node,
                },
                _ => self.kind.inner(&node, &HashValue::ACCUMULATOR_PLACEHOLDER),
            };
        }
        node
    }
}

/// Root over leaves that are all at hand.
#[must_use]
pub fn accumulator_root(kind: AccumulatorKind, leaves: &[HashValue]) -> HashValue {
    let mut accumulator = Accumulator::new(kind);
    leaves.iter().for_each(|leaf| accumulator.append(*leaf));
    accumulator.root()
}

/// Event root of a transaction, from the hashes of its events in order.
#[must_use]
pub fn event_root(event_hashes: &[HashValue]) -> HashValue {
    accumulator_root(AccumulatorKind::Event, event_hashes)
}

/// Proof that a leaf is in an accumulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccumulatorProof {
    /// Siblings from the leaf upward; at most 63.
    pub siblings: Vec<HashValue>,
}

impl AccumulatorProof {
    /// Most siblings of a proof.
    pub const SIBLINGS_MAX: usize = 63;

    /// Whether `leaf` at `index` leads to `root`.
    #[must_use]
    pub fn verify(&self, kind: AccumulatorKind, root: &HashValue, leaf: &HashValue, index: u64) -> bool {
        if self.siblings.len() > Self::SIBLINGS_MAX || index >> self.siblings.len() != 0 {
            return false;
        }
        let node = self.siblings.iter().enumerate().fold(*leaf, |node, (level, sibling)| {
            if index >> level & 1 == 0 { kind.inner(&node, sibling) } else { kind.inner(sibling, &node) }
        });
        node == *root
    }
}

/// Proof of leaf `index` among leaves that are all at hand; `None` if there is no such leaf.
#[must_use]
pub fn accumulator_proof(
    kind: AccumulatorKind,
    leaves: &[HashValue],
    index: usize,
) -> Option<AccumulatorProof> {
    if index >= leaves.len() {
        return None;
    }
    let mut level = leaves.to_vec();
    let mut place = index;
    let mut siblings = Vec::new();
    while level.len() > 1 {
        siblings.push(level.get(place ^ 1).copied().unwrap_or(HashValue::ACCUMULATOR_PLACEHOLDER));
        level = level
            .chunks(2)
            .map(|pair| kind.inner(&pair[0], pair.get(1).unwrap_or(&HashValue::ACCUMULATOR_PLACEHOLDER)))
            .collect();
        place /= 2;
    }
    Some(AccumulatorProof { siblings })
}
