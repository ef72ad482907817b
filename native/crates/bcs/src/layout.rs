//! Shapes of values whose type is known only at run time, and the two conversions they drive: BCS to
//! JSON text ([`render_json`]) and JSON text to BCS ([`encode_json`]).
//!
//! A [`Layout`] is an arena of nodes. A node refers to others by number and only to earlier ones, so
//! there are no cycles; equal subtrees may be shared. Depth is known when a node is made and limited
//! to [`crate::CONTAINER_DEPTH_MAX`], so both conversions run on a bounded explicit stack.
//!
//! Leaves to others: which Move types have which shape, and whether a value may be constructed. A
//! decoded `Object` is an address, whether or not an object is there.

mod decimal;
mod from_json;
mod json_tape;
mod render;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use from_json::{JsonError, encode_json};
pub use json_tape::JSON_DEPTH_MAX;
pub use render::{RenderError, render_json};

use crate::CONTAINER_DEPTH_MAX;

/// Most nodes, fields and variants, each, in one layout.
pub const LAYOUT_NODES_MAX: usize = 1 << 20;

/// Number of a node within its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// Shapes without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// One byte, 0 or 1; JSON `true` or `false`.
    Bool,
    /// JSON number.
    U8,
    /// JSON number.
    U16,
    /// JSON number.
    U32,
    /// JSON decimal string.
    U64,
    /// JSON decimal string.
    U128,
    /// JSON decimal string.
    U256,
    /// JSON number.
    I8,
    /// JSON number.
    I16,
    /// JSON number.
    I32,
    /// JSON decimal string.
    I64,
    /// JSON decimal string.
    I128,
    /// JSON decimal string.
    I256,
    /// 32 bytes; JSON `0x` and hex digits without leading zeros.
    Address,
    /// Encoded and shown as an address.
    Signer,
    /// `vector<u8>`; JSON `0x` and two hex digits per byte.
    Bytes,
    /// `0x1::string::String`; JSON string.
    String,
    /// `0x1::object::Object`: 32 bytes; JSON `{"inner":"0x…"}`, and on input the bare address too.
    Object,
}

#[derive(Clone, Debug)]
enum Node {
    Leaf(Leaf),
    Vector(NodeId),
    Option(NodeId),
    Struct(Range<u32>),
    Enum(Range<u32>),
}

#[derive(Clone, Debug)]
struct Field {
    name: Arc<str>,
    node: NodeId,
}

#[derive(Clone, Debug)]
struct Variant {
    name: Arc<str>,
    fields: Range<u32>,
}

/// The shape of one type. Made by a [`LayoutBuilder`]; immutable, so threads may share it.
#[derive(Clone, Debug)]
pub struct Layout {
    nodes: Vec<Node>,
    fields: Vec<Field>,
    variants: Vec<Variant>,
    root: NodeId,
}

/// Why a layout cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// More than [`CONTAINER_DEPTH_MAX`] nodes around one another.
    TooDeep,
    /// More than [`LAYOUT_NODES_MAX`] nodes, fields or variants.
    TooLarge,
    /// A struct without fields. Move gives such a struct a field of its own; without one, a vector
    /// of it could announce any number of items in no bytes.
    EmptyStruct,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep => write!(f, "layout is nested deeper than {CONTAINER_DEPTH_MAX} levels"),
            Self::TooLarge => write!(f, "layout has more than {LAYOUT_NODES_MAX} parts"),
            Self::EmptyStruct => f.write_str("layout of a struct has no fields"),
        }
    }
}

impl std::error::Error for LayoutError {}

/// Makes a [`Layout`] from the leaves up.
///
/// ```
/// use ledger_bcs::layout::{Leaf, LayoutBuilder, render_json};
///
/// let mut builder = LayoutBuilder::new();
/// let value = builder.leaf(Leaf::U64)?;
/// let coin = builder.structure([("value".into(), value)])?;
/// let layout = builder.finish(coin);
///
/// let mut json = Vec::new();
/// render_json(&layout, &[7, 0, 0, 0, 0, 0, 0, 0], 1 << 20, &mut json)?;
/// assert_eq!(json, br#"{"value":"7"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LayoutBuilder {
    nodes: Vec<Node>,
    depths: Vec<u32>,
    fields: Vec<Field>,
    variants: Vec<Variant>,
}

impl LayoutBuilder {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A shape without parts.
    ///
    /// # Errors
    /// `TooLarge`.
    pub fn leaf(&mut self, leaf: Leaf) -> Result<NodeId, LayoutError> {
        self.push(Node::Leaf(leaf), 0)
    }

    /// `vector<T>`. For `vector<u8>` use [`Leaf::Bytes`].
    ///
    /// # Errors
    /// `TooDeep`, `TooLarge`.
    pub fn vector(&mut self, item: NodeId) -> Result<NodeId, LayoutError> {
        let depth = self.depth(item);
        self.push(Node::Vector(item), depth)
    }

    /// `0x1::option::Option<T>`, however its module declares it: JSON `{"vec":[]}` or
    /// `{"vec":[x]}`.
    ///
    /// # Errors
    /// `TooDeep`, `TooLarge`.
    pub fn option(&mut self, item: NodeId) -> Result<NodeId, LayoutError> {
        let depth = self.depth(item);
        self.push(Node::Option(item), depth)
    }

    /// A struct, with its fields in declaration order.
    ///
    /// # Errors
    /// `TooDeep`, `TooLarge`, `EmptyStruct`.
    pub fn structure(
        &mut self,
        fields: impl IntoIterator<Item = (Arc<str>, NodeId)>,
    ) -> Result<NodeId, LayoutError> {
        let (range, depth) = self.push_fields(fields)?;
        if range.is_empty() {
            return Err(LayoutError::EmptyStruct);
        }
        self.push(Node::Struct(range), depth)
    }

    /// An enum, with its variants in declaration order and their fields in theirs. Positional
    /// fields are named `_0`, `_1`, … by the caller.
    ///
    /// # Errors
    /// `TooDeep`, `TooLarge`.
    pub fn enumeration<F>(
        &mut self,
        variants: impl IntoIterator<Item = (Arc<str>, F)>,
    ) -> Result<NodeId, LayoutError>
    where
        F: IntoIterator<Item = (Arc<str>, NodeId)>,
    {
        let start = self.variants.len();
        let mut deepest = 0;
        for (name, fields) in variants {
            let (fields, depth) = self.push_fields(fields)?;
            deepest = deepest.max(depth);
            self.variants.push(Variant { name, fields });
        }
        if self.variants.len() > LAYOUT_NODES_MAX {
            return Err(LayoutError::TooLarge);
        }
        self.push(Node::Enum(start as u32..self.variants.len() as u32), deepest)
    }

    /// The layout whose values have the shape of `root`.
    #[must_use]
    pub fn finish(self, root: NodeId) -> Layout {
        Layout { nodes: self.nodes, fields: self.fields, variants: self.variants, root }
    }

    fn depth(&self, node: NodeId) -> u32 {
        self.depths[node.0 as usize]
    }

    fn push(&mut self, node: Node, inner_depth: u32) -> Result<NodeId, LayoutError> {
        if inner_depth == CONTAINER_DEPTH_MAX {
            return Err(LayoutError::TooDeep);
        }
        if self.nodes.len() == LAYOUT_NODES_MAX {
            return Err(LayoutError::TooLarge);
        }
        self.nodes.push(node);
        self.depths.push(inner_depth + 1);
        Ok(NodeId(self.nodes.len() as u32 - 1))
    }

    fn push_fields(
        &mut self,
        fields: impl IntoIterator<Item = (Arc<str>, NodeId)>,
    ) -> Result<(Range<u32>, u32), LayoutError> {
        let start = self.fields.len();
        let mut deepest = 0;
        for (name, node) in fields {
            deepest = deepest.max(self.depth(node));
            self.fields.push(Field { name, node });
        }
        if self.fields.len() > LAYOUT_NODES_MAX {
            return Err(LayoutError::TooLarge);
        }
        Ok((start as u32..self.fields.len() as u32, deepest))
    }
}

impl Layout {
    /// A layout of a single leaf.
    #[must_use]
    pub fn of_leaf(leaf: Leaf) -> Self {
        Self { nodes: vec![Node::Leaf(leaf)], fields: Vec::new(), variants: Vec::new(), root: NodeId(0) }
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn field(&self, index: u32) -> &Field {
        &self.fields[index as usize]
    }

    fn variants(&self, range: &Range<u32>) -> &[Variant] {
        &self.variants[range.start as usize..range.end as usize]
    }
}
