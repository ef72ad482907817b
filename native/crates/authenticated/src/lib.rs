//! The hashes that commit to the whole ledger: accumulators over transactions and events, and the
//! sparse Merkle tree over the state.
//!
//! Promises: roots are those of the chain format whatever the order or batching of appends and
//! updates; nothing here panics on a proof from outside.
//!
//! Leaves to others: hashing keys, values, events and transaction infos (`ledger-types`), and keeping
//! anything across a restart.
#![forbid(unsafe_code)]

mod accumulator;
mod sparse_merkle_proof;
mod state_tree;
mod subtree;

pub use accumulator::{
    Accumulator, AccumulatorKind, AccumulatorProof, accumulator_proof, accumulator_root, event_root,
};
pub use sparse_merkle_proof::{ProofError, SparseMerkleLeaf, SparseMerkleProof};
pub use state_tree::{StateChange, StateTree};
