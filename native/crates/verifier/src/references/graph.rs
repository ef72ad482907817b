//! The borrow graph.
//!
//! An edge from parent to child says the child was borrowed from the parent along `path`. A strong
//! edge says exactly that path; a weak one that path or anything below it. Several edges may join a
//! pair; more than [`EDGES_PER_PAIR_MAX`] collapse into one weak edge of the empty path, which then
//! stands for every way and takes no company.

/// A reference, or the frame.
pub(super) type NodeId = u32;

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Local(u8),
    Global(u16),
    Field(u16),
}

/// Edges between one pair beyond which they collapse.
const EDGES_PER_PAIR_MAX: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Edge {
    parent: NodeId,
    child: NodeId,
    path: Vec<Label>,
    is_strong: bool,
    /// Whether it stands for edges that collapsed.
    is_collapsed: bool,
}

impl Edge {
    /// Whether everything `other` says is said by `self`.
    fn covers(&self, other: &Edge) -> bool {
        (self.path == other.path && self.is_strong == other.is_strong)
            || (!self.is_strong && other.path.starts_with(&self.path))
    }
}

/// Which of a node's outgoing edges a question is about.
#[derive(Clone, Copy)]
pub(super) enum Children {
    /// All of them.
    All,
    /// Those of the empty path, and those whose path starts with the label.
    AtLabel(Label),
    /// Those of the empty path.
    Full,
}

/// The graph. Small in all honest code, so everything is a scan of a flat list.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Nodes and whether they are mutable, by rising id.
    nodes: Vec<(NodeId, bool)>,
    edges: Vec<Edge>,
    /// Edges touched since last asked.
    work: usize,
}

impl Graph {
    /// Adds a node; ids only rise between renamings.
    pub(super) fn add_node(&mut self, node: NodeId, is_mutable: bool) {
        debug_assert!(self.nodes.last().is_none_or(|(last, _)| *last < node));
        self.nodes.push((node, is_mutable));
    }

    pub(super) fn is_mutable(&self, node: NodeId) -> bool {
        self.nodes.binary_search_by_key(&node, |(known, _)| *known).is_ok_and(|found| self.nodes[found].1)
    }

    /// Nodes and edges.
    pub(super) fn size(&self) -> usize {
        self.nodes.len() + self.edges.len()
    }

    /// Edges touched since last asked.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// Whether `node` has a child among `which`; only mutable ones if `mutable_only`.
    pub(super) fn has_child(&self, node: NodeId, which: Children, mutable_only: bool) -> bool {
        self.edges
            .iter()
            .filter(|edge| edge.parent == node)
            .filter(|edge| match (which, edge.path.first()) {
                (Children::All, _) | (_, None) => true,
                (Children::AtLabel(label), Some(first)) => *first == label,
                (Children::Full, Some(_)) => false,
            })
            .any(|edge| !mutable_only || self.is_mutable(edge.child))
    }

    /// Whether nothing borrows from `node`.
    pub(super) fn is_writable(&self, node: NodeId) -> bool {
        !self.has_child(node, Children::All, false)
    }

    /// Whether nothing may change what `node` (at `which`) shows.
    pub(super) fn is_readable(&self, node: NodeId, which: Children) -> bool {
        !self.is_mutable(node) || self.is_freezable(node, which)
    }

    /// Whether nothing mutable borrows from `node` (at `which`).
    pub(super) fn is_freezable(&self, node: NodeId, which: Children) -> bool {
        !self.has_child(node, which, true)
    }

    /// `child` is somewhere at or below `path` of `parent`.
    pub(super) fn add_weak(&mut self, parent: NodeId, path: &[Label], child: NodeId) {
        self.insert(Edge { parent, child, path: path.to_vec(), is_strong: false, is_collapsed: false });
    }

    /// `child` is exactly `path` of `parent`; what was borrowed from there now comes from `child`.
    pub(super) fn add_strong(&mut self, parent: NodeId, path: &[Label], child: NodeId) {
        self.work += self.edges.len();
        let is_below =
            |edge: &Edge| edge.parent == parent && edge.child != child && edge.path.starts_with(path);
        let (below, rest) = std::mem::take(&mut self.edges).into_iter().partition(is_below);
        self.edges = rest;
        let below: Vec<Edge> = below;
        for edge in below {
            let path = edge.path[path.len()..].to_vec();
            self.insert(Edge { parent: child, path, ..edge });
        }
        self.insert(Edge { parent, child, path: path.to_vec(), is_strong: true, is_collapsed: false });
    }

    /// Removes a node; its children now borrow from its parents.
    pub(super) fn release(&mut self, node: NodeId) {
        self.work += self.edges.len();
        self.nodes.retain(|(known, _)| *known != node);
        let mut into = Vec::new();
        let mut out = Vec::new();
        let mut rest = Vec::with_capacity(self.edges.len());
        for edge in std::mem::take(&mut self.edges) {
            if edge.child == node {
                into.push(edge);
            } else if edge.parent == node {
                out.push(edge);
            } else {
                rest.push(edge);
            }
        }
        self.edges = rest;
        for first in &into {
            for second in out.iter().filter(|second| second.child != first.parent) {
                let mut path = first.path.clone();
                if first.is_strong {
                    path.extend_from_slice(&second.path);
                }
                self.insert(Edge {
                    parent: first.parent,
                    child: second.child,
                    path,
                    is_strong: first.is_strong && second.is_strong,
                    is_collapsed: false,
                });
            }
        }
    }

    /// Gives nodes new names. `names` must be injective.
    pub(super) fn rename(&mut self, names: impl Fn(NodeId) -> NodeId) {
        for (node, _) in &mut self.nodes {
            *node = names(*node);
        }
        self.nodes.sort_unstable();
        for edge in &mut self.edges {
            edge.parent = names(edge.parent);
            edge.child = names(edge.child);
        }
    }

    /// Adds the edges of `other` that no edge here covers; says whether there were any.
    pub(super) fn absorb(&mut self, other: &Graph) -> bool {
        let mut changed = false;
        for edge in &other.edges {
            self.work += self.edges.len();
            let is_covered = self
                .edges
                .iter()
                .any(|known| known.parent == edge.parent && known.child == edge.child && known.covers(edge));
            if !is_covered {
                self.insert(edge.clone());
                changed = true;
            }
        }
        changed
    }

    fn insert(&mut self, edge: Edge) {
        if edge.parent == edge.child {
            return;
        }
        self.work += self.edges.len();
        let joins_pair = |known: &Edge| known.parent == edge.parent && known.child == edge.child;
        let mut count = 0;
        for known in self.edges.iter().filter(|known| joins_pair(known)) {
            if known.is_collapsed || (known.path == edge.path && known.is_strong == edge.is_strong) {
                return;
            }
            count += 1;
        }
        if count == EDGES_PER_PAIR_MAX {
            let (parent, child) = (edge.parent, edge.child);
            self.edges.retain(|known| !(known.parent == parent && known.child == child));
            let path = Vec::new();
            self.edges.push(Edge { parent, child, path, is_strong: false, is_collapsed: true });
            return;
        }
        self.edges.push(edge);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: Label = Label::Field(0);
    const OTHER: Label = Label::Field(1);

    fn graph(nodes: u32) -> Graph {
        let mut graph = Graph::default();
        (0..nodes).for_each(|node| graph.add_node(node, true));
        graph
    }

    #[test]
    fn a_strong_edge_takes_over_what_was_borrowed_below_it() {
        let mut graph = graph(3);
        graph.add_strong(0, &[FIELD, OTHER], 1);
        graph.add_strong(0, &[FIELD], 2);
        assert!(graph.has_child(2, Children::AtLabel(OTHER), false));
        assert!(!graph.has_child(2, Children::AtLabel(FIELD), false));
        // 1 now hangs below 2 only
        graph.release(2);
        assert!(graph.has_child(0, Children::AtLabel(FIELD), false));
        assert!(!graph.has_child(0, Children::AtLabel(OTHER), false));
    }

    #[test]
    fn released_weak_edges_forget_what_lies_below() {
        let mut graph = graph(3);
        graph.add_weak(0, &[], 1);
        graph.add_strong(1, &[FIELD], 2);
        graph.release(1);
        assert!(graph.has_child(0, Children::Full, false));
    }

    #[test]
    fn siblings_in_different_fields_do_not_disturb_each_other() {
        let mut graph = graph(2);
        graph.add_strong(0, &[FIELD], 1);
        assert!(graph.is_freezable(0, Children::AtLabel(OTHER)));
        assert!(!graph.is_freezable(0, Children::AtLabel(FIELD)));
        assert!(!graph.is_writable(0));
    }

    #[test]
    fn too_many_edges_between_a_pair_become_one_for_all() {
        let mut graph = graph(2);
        for field in 0..11 {
            graph.add_weak(0, &[Label::Field(field)], 1);
        }
        assert!(graph.has_child(0, Children::Full, false));
        assert_eq!(graph.size(), 3);
        graph.add_weak(0, &[FIELD], 1);
        assert_eq!(graph.size(), 3);
    }

    #[test]
    fn absorbing_what_is_covered_changes_nothing() {
        let (mut one, mut two) = (graph(2), graph(2));
        one.add_weak(0, &[FIELD], 1);
        two.add_strong(0, &[FIELD, OTHER], 1);
        assert!(!one.absorb(&two));
        assert!(two.absorb(&one));
        assert!(!two.absorb(&one));
    }
}
