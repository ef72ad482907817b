//! What locals and stack hold, and the graph between the references among them.

use ledger_bytecode::{Body, LocalIndex, StructDefIndex, TypeNode};

use super::graph::{Children, Graph, Label, NodeId};
use super::{Fault, INVARIANT};

/// What a local or a place on the stack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// A value that is no reference, or nothing.
    Value,
    Reference(NodeId),
}

/// The state at one point of a body.
///
/// Nodes below the number of locals are free for canonical names, the next is the frame, those above
/// are references made inside a block.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) locals: Vec<Held>,
    pub(super) stack: Vec<Held>,
    pub(super) graph: Graph,
    next_node: NodeId,
}

impl State {
    pub(super) fn at_entry(body: &Body<'_>) -> Self {
        let count = body.local_count();
        let mut state = Self {
            locals: vec![Held::Value; count],
            stack: Vec::new(),
            graph: Graph::default(),
            next_node: count as NodeId + 1,
        };
        for (local, parameter) in body.parameters.0.iter().enumerate() {
            if parameter.is_reference() {
                let is_mutable = parameter.root() == TypeNode::MutableReference;
                state.graph.add_node(local as NodeId, is_mutable);
                state.locals[local] = Held::Reference(local as NodeId);
            }
        }
        state.graph.add_node(state.frame(), true);
        state
    }

    pub(super) fn local_count(&self) -> usize {
        self.locals.len()
    }

    pub(super) fn graph_size(&self) -> usize {
        self.graph.size()
    }

    pub(super) fn take_work(&mut self) -> usize {
        self.graph.take_work()
    }

    /// The node all locals and resources are borrowed from.
    pub(super) fn frame(&self) -> NodeId {
        self.locals.len() as NodeId
    }

    pub(super) fn local(&self, local: LocalIndex) -> Held {
        self.locals[usize::from(local)]
    }

    pub(super) fn set_local(&mut self, local: LocalIndex, held: Held) {
        self.locals[usize::from(local)] = held;
    }

    pub(super) fn new_reference(&mut self, is_mutable: bool) -> NodeId {
        let node = self.next_node;
        self.next_node += 1;
        self.graph.add_node(node, is_mutable);
        node
    }

    pub(super) fn push(&mut self, held: Held) {
        self.stack.push(held);
    }

    pub(super) fn push_values(&mut self, count: usize) {
        self.stack.resize(self.stack.len() + count, Held::Value);
    }

    pub(super) fn pop(&mut self) -> Result<Held, Fault> {
        self.stack.pop().ok_or(INVARIANT)
    }

    /// Pops what types say is a reference.
    pub(super) fn pop_reference(&mut self) -> Result<NodeId, Fault> {
        match self.pop()? {
            Held::Reference(node) => Ok(node),
            Held::Value => Err(INVARIANT),
        }
    }

    /// Pops `count` operands, the deepest first in the result.
    pub(super) fn pop_many(&mut self, count: usize) -> Result<Vec<Held>, Fault> {
        let first = self.stack.len().checked_sub(count).ok_or(INVARIANT)?;
        Ok(self.stack.split_off(first))
    }

    pub(super) fn release(&mut self, held: Held) {
        if let Held::Reference(node) = held {
            self.graph.release(node);
        }
    }

    pub(super) fn is_local_borrowed(&self, local: LocalIndex) -> bool {
        self.graph.has_child(self.frame(), Children::AtLabel(Label::Local(local)), false)
    }

    pub(super) fn is_local_mutably_borrowed(&self, local: LocalIndex) -> bool {
        self.graph.has_child(self.frame(), Children::AtLabel(Label::Local(local)), true)
    }

    pub(super) fn is_global_borrowed(&self, resource: StructDefIndex) -> bool {
        self.graph.has_child(self.frame(), Children::AtLabel(Label::Global(resource.0)), false)
    }

    pub(super) fn is_global_mutably_borrowed(&self, resource: StructDefIndex) -> bool {
        self.graph.has_child(self.frame(), Children::AtLabel(Label::Global(resource.0)), true)
    }

    /// Names each local's reference after the local. The stack is empty at the end of a block, so
    /// every node is some local's, or the frame.
    pub(super) fn make_canonical(&mut self) {
        debug_assert!(self.stack.is_empty());
        let mut names: Vec<(NodeId, NodeId)> = Vec::new();
        for (local, held) in self.locals.iter_mut().enumerate() {
            if let Held::Reference(node) = held {
                names.push((*node, local as NodeId));
                *node = local as NodeId;
            }
        }
        names.sort_unstable();
        self.graph.rename(|node| match names.binary_search_by_key(&node, |(old, _)| *old) {
            Ok(position) => names[position].1,
            Err(_) => node,
        });
        self.next_node = self.frame() + 1;
    }

    /// Merges another canonical state; says whether this one changed.
    pub(super) fn join(&mut self, incoming: &State) -> bool {
        let mut other = incoming.graph.clone();
        let mut changed = false;
        for (local, (held, theirs)) in self.locals.iter_mut().zip(&incoming.locals).enumerate() {
            match (*held, *theirs) {
                (Held::Reference(node), Held::Value) => {
                    debug_assert_eq!(node, local as NodeId);
                    self.graph.release(node);
                    *held = Held::Value;
                    changed = true;
                }
                (Held::Value, Held::Reference(node)) => other.release(node),
                _ => {}
            }
        }
        let absorbed = self.graph.absorb(&other);
        changed || absorbed
    }
}
