//! The sparse Merkle tree over the live state, in memory.
//!
//! Binary, over the 256 bits of the key hash, most significant first. A subtree without keys is the
//! placeholder, one with a single key is that key's leaf at whatever depth, any other is the hash of
//! its two halves. So the root depends on the live keys and values alone, not on their history.
//!
//! The tree is 256 subtrees by first byte, so that one update can use several threads, and the eight
//! levels above them. About 104 bytes a key.

use ledger_types::HashValue;

use crate::sparse_merkle_proof::{SparseMerkleLeaf, SparseMerkleProof, bit, inner_hash};
use crate::subtree::{NodeKind, Subtree};

/// Depth of the subtrees' roots.
const TOP_DEPTH: usize = 8;
const SUBTREES: usize = 1 << TOP_DEPTH;

/// Fewest changes for which starting another thread pays: some hundred microseconds of hashing.
const CHANGES_PER_THREAD_MIN: usize = 64;

/// Change of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateChange {
    /// Hash of the state key.
    pub key: HashValue,
    /// Hash of the new state value; `None` to delete. Deleting an absent key changes nothing.
    pub value_hash: Option<HashValue>,
}

/// What the top levels need to know of a node below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Top {
    Empty,
    Leaf(HashValue),
    Inner(HashValue),
}

impl Top {
    fn hash(&self) -> HashValue {
        match self {
            Self::Empty => HashValue::SPARSE_MERKLE_PLACEHOLDER,
            Self::Leaf(hash) | Self::Inner(hash) => *hash,
        }
    }

    fn of(subtree: &Subtree) -> Self {
        let root = subtree.root();
        match root.kind() {
            NodeKind::Empty => Self::Empty,
            NodeKind::Leaf(_) => Self::Leaf(subtree.hash(root)),
            NodeKind::Inner(_) => Self::Inner(subtree.hash(root)),
        }
    }

    fn join(left: &Self, right: &Self) -> Self {
        match (left, right) {
            (Self::Empty, Self::Empty | Self::Leaf(_)) => *right,
            (Self::Leaf(_), Self::Empty) => *left,
            _ => Self::Inner(inner_hash(&left.hash(), &right.hash())),
        }
    }
}

/// The state tree.
#[derive(Clone, Debug)]
pub struct StateTree {
    subtrees: Vec<Subtree>,
    /// A binary heap: 1 is the root, the children of n are 2n and 2n + 1, subtree b is 256 + b.
    top: Vec<Top>,
}

impl Default for StateTree {
    fn default() -> Self {
        Self::new()
    }
}

impl StateTree {
    /// Without keys.
    #[must_use]
    pub fn new() -> Self {
        Self { subtrees: vec![Subtree::default(); SUBTREES], top: vec![Top::Empty; 2 * SUBTREES] }
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.subtrees.iter().map(Subtree::len).sum()
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The root hash.
    #[must_use]
    pub fn root(&self) -> HashValue {
        self.top[1].hash()
    }

    /// Applies a batch of changes on up to `threads` threads and returns the new root. Of several
    /// changes of one key the last counts. The root does not depend on `threads`.
    ///
    /// A full build is the same call with every key.
    pub fn update(&mut self, mut changes: Vec<StateChange>, threads: usize) -> HashValue {
        changes.sort_by_key(|change| change.key);
        changes.dedup_by(|later, earlier| {
            let same = later.key == earlier.key;
            if same {
                *earlier = *later;
            }
            same
        });
        let threads = threads.min(changes.len() / CHANGES_PER_THREAD_MIN).clamp(1, SUBTREES);
        update_subtrees(&mut self.subtrees, 0, &changes, threads);
        self.refresh_top(&changes);
        self.root()
    }

    /// Makes the top levels again above the subtrees that changed.
    fn refresh_top(&mut self, changes: &[StateChange]) {
        let mut dirty: Vec<usize> = changes.iter().map(|change| usize::from(change.key.0[0])).collect();
        dirty.dedup();
        for byte in &mut dirty {
            self.top[SUBTREES + *byte] = Top::of(&self.subtrees[*byte]);
            *byte += SUBTREES;
        }
        for _ in 0..TOP_DEPTH {
            for place in &mut dirty {
                *place /= 2;
            }
            dirty.dedup();
            for &place in &dirty {
                self.top[place] = Top::join(&self.top[2 * place], &self.top[2 * place + 1]);
            }
        }
    }

    /// Hash of the value of a key.
    #[must_use]
    pub fn get(&self, key: &HashValue) -> Option<HashValue> {
        self.prove(key).leaf.filter(|leaf| leaf.key == *key).map(|leaf| leaf.value_hash)
    }

    /// Proof that a key has its value, or has none.
    #[must_use]
    pub fn prove(&self, key: &HashValue) -> SparseMerkleProof {
        let mut siblings = Vec::new();
        let mut place = 1;
        // A tree whose top is a lone leaf or nothing ends right there; where that leaf is, only the
        // subtrees know, so the walk goes on and forgets the empty siblings below.
        let mut end = None;
        for depth in 0..TOP_DEPTH {
            if end.is_none() && !matches!(self.top[place], Top::Inner(_)) {
                end = Some((place, siblings.len()));
            }
            let right = bit(key, depth);
            siblings.push(self.top[2 * place + usize::from(!right)].hash());
            place = 2 * place + usize::from(right);
        }
        if let Some((place, count)) = end {
            siblings.truncate(count);
            siblings.reverse();
            return SparseMerkleProof { leaf: self.lone_leaf(place), siblings };
        }
        let subtree = &self.subtrees[usize::from(key.0[0])];
        let mut node = subtree.root();
        let mut depth = TOP_DEPTH;
        let leaf = loop {
            match node.kind() {
                NodeKind::Empty => break None,
                NodeKind::Leaf(slot) => break Some(subtree.leaf(slot)),
                NodeKind::Inner(slot) => {
                    let [left, right] = subtree.children(slot);
                    let (next, sibling) = if bit(key, depth) { (right, left) } else { (left, right) };
                    siblings.push(subtree.hash(sibling));
                    node = next;
                    depth += 1;
                }
            }
        };
        siblings.reverse();
        SparseMerkleProof { leaf, siblings }
    }

    /// The one leaf below a top node that is a lone leaf; `None` below an empty one.
    fn lone_leaf(&self, mut place: usize) -> Option<SparseMerkleLeaf> {
        while place < SUBTREES {
            place *= 2;
            if self.top[place] == Top::Empty {
                place += 1;
            }
        }
        let subtree = &self.subtrees[place - SUBTREES];
        match subtree.root().kind() {
            NodeKind::Leaf(slot) => Some(subtree.leaf(slot)),
            NodeKind::Empty | NodeKind::Inner(_) => None,
        }
    }

    /// Every key and value hash, by increasing key: what a dump holds and a build needs.
    pub fn leaves(&self) -> impl Iterator<Item = SparseMerkleLeaf> + '_ {
        self.subtrees.iter().flat_map(|subtree| {
            let mut pending = vec![subtree.root()];
            std::iter::from_fn(move || {
                loop {
                    match pending.pop()?.kind() {
                        NodeKind::Empty => {}
                        NodeKind::Leaf(slot) => return Some(subtree.leaf(slot)),
                        NodeKind::Inner(slot) => {
                            let [left, right] = subtree.children(slot);
                            pending.push(right);
                            pending.push(left);
                        }
                    }
                }
            })
        })
    }
}

/// Applies sorted changes to a run of subtrees, the first of which is that of `first_byte`: in halves
/// of about equal work while there are threads to share them.
fn update_subtrees(subtrees: &mut [Subtree], first_byte: usize, changes: &[StateChange], threads: usize) {
    if threads > 1 && subtrees.len() > 1 {
        let middle_byte =
            changes.get(changes.len() / 2).map_or(first_byte, |change| usize::from(change.key.0[0]));
        let split = (middle_byte - first_byte).clamp(1, subtrees.len() - 1);
        let (low, high) = subtrees.split_at_mut(split);
        let boundary = changes.partition_point(|change| usize::from(change.key.0[0]) < first_byte + split);
        let (low_changes, high_changes) = changes.split_at(boundary);
        let low_threads = threads / 2;
        std::thread::scope(|scope| {
            scope.spawn(move || update_subtrees(low, first_byte, low_changes, low_threads));
            update_subtrees(high, first_byte + split, high_changes, threads - low_threads);
        });
        return;
    }
    for run in changes.chunk_by(|a, b| a.key.0[0] == b.key.0[0]) {
        subtrees[usize::from(run[0].key.0[0]) - first_byte].update(TOP_DEPTH, run);
    }
}
