//! Move types as they stand in signatures, fields and constants.
//!
//! A [`Type`] is a tree kept flat: its nodes in preorder, the order of the binary format. Nothing
//! here recurses, dropping a type is freeing one vector, and two types of one module are equal
//! exactly when their node slices are (struct handles are unique in a verified module).
//!
//! ```
//! use ledger_bytecode::{Type, TypeNode};
//! let nested = Type::new(vec![TypeNode::Vector, TypeNode::Vector, TypeNode::U8]).unwrap();
//! let element: Vec<&[TypeNode]> = ledger_bytecode::children(nested.nodes()).collect();
//! assert_eq!(element, [&[TypeNode::Vector, TypeNode::U8][..]]);
//! ```

use super::ability::AbilitySet;
use super::index::{StructHandleIndex, TypeParameterIndex};

/// One node of a type; its children follow it in preorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeNode {
    /// `bool`.
    Bool,
    /// `u8`.
    U8,
    /// `u16`, from version 6.
    U16,
    /// `u32`, from version 6.
    U32,
    /// `u64`.
    U64,
    /// `u128`.
    U128,
    /// `u256`, from version 6.
    U256,
    /// `i8`, from version 9 as all signed integers.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `i128`.
    I128,
    /// `i256`.
    I256,
    /// `address`.
    Address,
    /// `signer`.
    Signer,
    /// `vector<T>`; one child.
    Vector,
    /// `&T`; one child.
    Reference,
    /// `&mut T`; one child.
    MutableReference,
    /// A type parameter of the declaring struct or function.
    TypeParameter(TypeParameterIndex),
    /// A struct or enum without type parameters.
    Struct(StructHandleIndex),
    /// A generic struct or enum; `arguments` (at least 1) children.
    StructInstance {
        /// The generic struct.
        handle: StructHandleIndex,
        /// How many type arguments follow.
        arguments: u8,
    },
    /// A function type, from version 8; `parameters` children, then `results` children.
    Function {
        /// Abilities of the values, never `key`.
        abilities: AbilitySet,
        /// How many parameter types follow.
        parameters: u8,
        /// How many result types follow the parameters.
        results: u8,
    },
}

impl TypeNode {
    /// How many child trees follow this node.
    #[inline]
    pub fn child_count(self) -> usize {
        match self {
            Self::Vector | Self::Reference | Self::MutableReference => 1,
            Self::StructInstance { arguments, .. } => usize::from(arguments),
            Self::Function { parameters, results, .. } => usize::from(parameters) + usize::from(results),
            _ => 0,
        }
    }

    /// Whether this is an integer type of either sign.
    pub fn is_integer(self) -> bool {
        self.is_unsigned() || self.is_signed()
    }

    /// Whether this is `u8` to `u256`.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::U128 | Self::U256)
    }

    /// Whether this is `i8` to `i256`.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::I128 | Self::I256)
    }

    /// Whether this is `&` or `&mut`.
    pub fn is_reference(self) -> bool {
        matches!(self, Self::Reference | Self::MutableReference)
    }

    /// The struct handle named by this node, if it is a struct or an instance of one.
    pub fn struct_handle(self) -> Option<StructHandleIndex> {
        match self {
            Self::Struct(handle) | Self::StructInstance { handle, .. } => Some(handle),
            _ => None,
        }
    }
}

/// Number of nodes of the first tree in `nodes`, 0 if `nodes` stops before the tree is whole.
///
/// Linear in the result.
pub fn tree_len(nodes: &[TypeNode]) -> usize {
    let mut open = 1usize;
    for (position, node) in nodes.iter().enumerate() {
        open += node.child_count();
        open -= 1;
        if open == 0 {
            return position + 1;
        }
    }
    0
}

/// The child trees of the tree `nodes`, in order.
///
/// For a function type: parameters, then results.
pub fn children(nodes: &[TypeNode]) -> Trees<'_> {
    let count = nodes.first().map_or(0, |node| node.child_count());
    Trees { nodes: nodes.get(1..).unwrap_or(&[]), left: count }
}

/// Iterator over consecutive trees; see [`children`].
#[derive(Clone, Debug)]
pub struct Trees<'a> {
    nodes: &'a [TypeNode],
    left: usize,
}

impl<'a> Iterator for Trees<'a> {
    type Item = &'a [TypeNode];

    fn next(&mut self) -> Option<&'a [TypeNode]> {
        self.left = self.left.checked_sub(1)?;
        let (tree, rest) = self.nodes.split_at(tree_len(self.nodes));
        self.nodes = rest;
        Some(tree)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Trees<'_> {}

/// A whole type: exactly one tree of nodes in preorder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type(Box<[TypeNode]>);

impl Type {
    /// The type with these nodes, or `None` if they are not exactly one tree.
    pub fn new(nodes: Vec<TypeNode>) -> Option<Self> {
        (!nodes.is_empty() && tree_len(&nodes) == nodes.len()).then(|| Self(nodes.into_boxed_slice()))
    }

    /// The type of nodes known to be exactly one tree.
    pub(crate) fn from_tree(nodes: Vec<TypeNode>) -> Self {
        debug_assert_eq!(tree_len(&nodes), nodes.len());
        Self(nodes.into_boxed_slice())
    }

    /// A type of one node. Must be a node without children.
    pub fn leaf(node: TypeNode) -> Self {
        debug_assert_eq!(node.child_count(), 0);
        Self(Box::new([node]))
    }

    /// `vector<element>`.
    pub fn vector(element: &Type) -> Self {
        Self::wrap(TypeNode::Vector, element)
    }

    /// `&target`.
    pub fn reference(target: &Type) -> Self {
        Self::wrap(TypeNode::Reference, target)
    }

    /// `&mut target`.
    pub fn mutable_reference(target: &Type) -> Self {
        Self::wrap(TypeNode::MutableReference, target)
    }

    fn wrap(node: TypeNode, inner: &Type) -> Self {
        let mut nodes = Vec::with_capacity(inner.0.len() + 1);
        nodes.push(node);
        nodes.extend_from_slice(&inner.0);
        Self(nodes.into_boxed_slice())
    }

    /// The nodes in preorder, at least one.
    #[inline]
    pub fn nodes(&self) -> &[TypeNode] {
        &self.0
    }

    /// The root node.
    #[inline]
    pub fn root(&self) -> TypeNode {
        self.0[0]
    }

    /// Whether the root is `&` or `&mut`.
    pub fn is_reference(&self) -> bool {
        self.root().is_reference()
    }
}

/// Appends the tree `nodes` to `out`, each type parameter replaced by its argument.
///
/// # Panics
/// If a type parameter has no argument: the bounds pass refuses such modules.
pub fn substitute(nodes: &[TypeNode], arguments: &[Type], out: &mut Vec<TypeNode>) {
    for node in nodes {
        match node {
            TypeNode::TypeParameter(index) => out.extend_from_slice(arguments[usize::from(*index)].nodes()),
            other => out.push(*other),
        }
    }
}

/// A list of types: parameters, results, locals or type arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(pub Vec<Type>);

impl Signature {
    /// Number of types.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
