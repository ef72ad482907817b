//! The stack of types: all nodes in one vector, so that pushing and popping allocate nothing.

use ledger_bytecode::{StatusCode, TypeNode};

use super::Fault;

/// Types of the values on the stack, the last on top.
#[derive(Debug, Default)]
pub(super) struct TypeStack {
    nodes: Vec<TypeNode>,
    /// Where each type begins in `nodes`.
    starts: Vec<usize>,
    nodes_pushed: usize,
}

/// The stack pass has shown that this cannot be.
const UNDERFLOW: Fault = (StatusCode::VERIFIER_INVARIANT_VIOLATION, "the stack pass let an underflow pass");

impl TypeStack {
    /// The type on top.
    pub(super) fn top(&self) -> Result<&[TypeNode], Fault> {
        self.below(0)
    }

    /// The type `depth` places below the top.
    pub(super) fn below(&self, depth: usize) -> Result<&[TypeNode], Fault> {
        let position = self.starts.len().checked_sub(depth + 1).ok_or(UNDERFLOW)?;
        let end = self.starts.get(position + 1).copied().unwrap_or(self.nodes.len());
        Ok(&self.nodes[self.starts[position]..end])
    }

    pub(super) fn drop_top(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.nodes.truncate(start);
        }
    }

    pub(super) fn push(&mut self, nodes: &[TypeNode]) {
        self.starts.push(self.nodes.len());
        self.nodes.extend_from_slice(nodes);
        self.nodes_pushed += nodes.len();
    }

    /// Pushes the type of one node around another type.
    pub(super) fn push_wrapped(&mut self, outer: TypeNode, inner: &[TypeNode]) {
        self.starts.push(self.nodes.len());
        self.nodes.push(outer);
        self.nodes.extend_from_slice(inner);
        self.nodes_pushed += 1 + inner.len();
    }

    /// Replaces the reference on top by what it points to.
    pub(super) fn dereference_top(&mut self) {
        if let Some(start) = self.starts.last() {
            self.nodes.remove(*start);
            self.nodes_pushed += self.nodes.len() - start;
        }
    }

    /// Replaces the root node of the type on top.
    pub(super) fn replace_top_root(&mut self, node: TypeNode) {
        if let Some(start) = self.starts.last() {
            self.nodes[*start] = node;
            self.nodes_pushed += self.nodes.len() - start;
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.starts.clear();
    }

    /// Nodes pushed since the beginning.
    pub(super) fn nodes_pushed(&self) -> usize {
        self.nodes_pushed
    }
}
