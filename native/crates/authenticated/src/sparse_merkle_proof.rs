//! Proofs that a state key has a value, or has none.

use std::fmt;

use ledger_types::{HashDomain, HashValue};

/// A key of the state tree and the hash of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseMerkleLeaf {
    /// Hash of the state key.
    pub key: HashValue,
    /// Hash of the state value.
    pub value_hash: HashValue,
}

impl SparseMerkleLeaf {
    /// Hash of the leaf node.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::SparseMerkleLeafNode.hash_parts(&[&self.key.0, &self.value_hash.0])
    }
}

/// Hash of an inner node.
pub(crate) fn inner_hash(left: &HashValue, right: &HashValue) -> HashValue {
    HashDomain::SparseMerkleInternal.hash_parts(&[&left.0, &right.0])
}

/// Bit of a key at a depth, most significant first; `true` leads to the right.
pub(crate) fn bit(key: &HashValue, depth: usize) -> bool {
    key.0[depth / 8] >> (7 - depth % 8) & 1 == 1
}

/// Proof for one key. Without a value, `leaf` is the leaf that stands where the key's would, or
/// `None` for an empty place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseMerkleProof {
    /// What stands at the end of the path.
    pub leaf: Option<SparseMerkleLeaf>,
    /// Siblings from the leaf upward; at most 256.
    pub siblings: Vec<HashValue>,
}

/// Why a proof does not prove what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// More than 256 siblings.
    TooManySiblings,
    /// The leaf is not the key's, or not with this value.
    OtherLeaf,
    /// The leaf is the key's own, where its absence was to be proved.
    KeyPresent,
    /// The leaf does not share the path it is said to stand on.
    OtherPath,
    /// The path leads to another root.
    OtherRoot,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooManySiblings => "proof has more than 256 siblings",
            Self::OtherLeaf => "proof is about another key or value",
            Self::KeyPresent => "proof of absence holds the key itself",
            Self::OtherPath => "leaf of the proof is not on the path of the key",
            Self::OtherRoot => "proof leads to another root",
        })
    }
}

impl std::error::Error for ProofError {}

impl SparseMerkleProof {
    /// Checks that under `root`, `key` has a value of hash `value_hash`, or with `None` no value.
    ///
    /// # Errors
    /// What the proof fails at.
    pub fn verify(
        &self,
        root: &HashValue,
        key: &HashValue,
        value_hash: Option<&HashValue>,
    ) -> Result<(), ProofError> {
        if self.siblings.len() > 256 {
            return Err(ProofError::TooManySiblings);
        }
        match (value_hash, &self.leaf) {
            (Some(value_hash), Some(leaf)) if leaf.key == *key && leaf.value_hash == *value_hash => {}
            (Some(_), _) => return Err(ProofError::OtherLeaf),
            (None, None) => {}
            (None, Some(leaf)) if leaf.key == *key => return Err(ProofError::KeyPresent),
            (None, Some(leaf)) => {
                if (0..self.siblings.len()).any(|depth| bit(&leaf.key, depth) != bit(key, depth)) {
                    return Err(ProofError::OtherPath);
                }
            }
        }
        let start = self.leaf.map_or(HashValue::SPARSE_MERKLE_PLACEHOLDER, |leaf| leaf.hash());
        let depths = (0..self.siblings.len()).rev();
        let node = self.siblings.iter().zip(depths).fold(start, |node, (sibling, depth)| {
            if bit(key, depth) { inner_hash(sibling, &node) } else { inner_hash(&node, sibling) }
        });
        if node == *root { Ok(()) } else { Err(ProofError::OtherRoot) }
    }
}
