//! Run-time types: what a value of a type looks like in slots, once per type and engine.

mod intern;
mod program;

pub use intern::{Interner, TypeKey};
pub use program::Op;

use ledger_bytecode::AbilitySet;

/// Number of a type in its engine. Equal types have equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// Number of a linked module in its engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleIx(pub u32);

/// Values wider than this many slots live in a block of their own, so that frames stay small
/// however types are nested.
pub const INLINE_SLOTS_MAX: u32 = 32;

/// Which integer, and how wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// Unsigned.
    U8,
    /// Unsigned.
    U16,
    /// Unsigned.
    U32,
    /// Unsigned.
    U64,
    /// Unsigned.
    U128,
    /// Unsigned.
    U256,
    /// Two's complement.
    I8,
    /// Two's complement.
    I16,
    /// Two's complement.
    I32,
    /// Two's complement.
    I64,
    /// Two's complement.
    I128,
    /// Two's complement.
    I256,
}

impl Int {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 12] = [
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::U128,
        Self::U256,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::I128,
        Self::I256,
    ];

    /// Bytes of a value.
    pub fn width(self) -> u32 {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 => 4,
            Self::U64 | Self::I64 => 8,
            Self::U128 | Self::I128 => 16,
            Self::U256 | Self::I256 => 32,
        }
    }

    /// Slots of a value.
    pub fn slots(self) -> u32 {
        self.width().div_ceil(8)
    }

    /// Whether negative values exist.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::I128 | Self::I256)
    }
}

/// A field at a slot of its struct or variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSlot {
    /// Its type.
    pub ty: TypeId,
    /// First slot, counted from the struct's first (for an enum: from the tag, which is slot 0).
    pub offset: u32,
}

/// One variant of an enum.
#[derive(Clone, Debug)]
pub struct VariantInfo {
    /// Fields in order.
    pub fields: Box<[FieldSlot]>,
    /// How the fields are laid out, without the tag.
    pub program: Box<[Op]>,
    /// Nodes of abstract size that every value of the variant has, tag and fields.
    pub fixed_nodes: u32,
}

/// What a type is made of.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `bool`.
    Bool,
    /// An integer.
    Int(Int),
    /// `address`.
    Address,
    /// `signer`: its address.
    Signer,
    /// `vector<element>`.
    Vector(TypeId),
    /// `&T`.
    Reference(TypeId),
    /// `&mut T`.
    MutableReference(TypeId),
    /// A plain struct.
    Struct(Box<[FieldSlot]>),
    /// An enum.
    Enum(Box<[VariantInfo]>),
    /// A function type.
    Function,
}

/// Everything the machine knows of a type.
#[derive(Clone, Debug)]
pub struct TypeInfo {
    /// Its number.
    pub id: TypeId,
    /// What it is, with type arguments.
    pub key: TypeKey,
    /// What it is made of.
    pub kind: Kind,
    /// Abilities.
    pub abilities: AbilitySet,
    /// Slots of a value in a frame, field or block.
    pub slots: u32,
    /// Slots of the content: more than `slots` only when the value is boxed.
    pub content_slots: u32,
    /// Bytes of an element in a packed vector (1, 2, 4), 0 if elements take slots.
    pub narrow: u32,
    /// Whether a copy of the words is a copy of the value: no block inside.
    pub flat: bool,
    /// Whether equal words mean equal values: flat and no enum inside.
    pub words_are_value: bool,
    /// Layout of a value.
    pub program: Box<[Op]>,
    /// Layout of the content of a boxed value; equal to `program` otherwise.
    pub content: Box<[Op]>,
    /// Nodes of abstract size that every value has, without a boxed content.
    pub fixed_nodes: u32,
    /// The same for the content of a boxed value, 0 for others.
    pub content_nodes: u32,
    /// Nodes of the type's own tree.
    pub nodes: u32,
    /// Depth of the type's own tree.
    pub depth: u32,
    /// Longest chain of values around one another, structs included.
    pub value_depth: u32,
}

impl TypeInfo {
    /// Whether values live in a block of their own.
    pub fn is_boxed(&self) -> bool {
        self.content_slots > self.slots
    }

    /// The type behind a reference, or the type itself.
    pub fn referent(&self) -> Option<TypeId> {
        match self.kind {
            Kind::Reference(inner) | Kind::MutableReference(inner) => Some(inner),
            _ => None,
        }
    }

    /// The integer this is.
    pub fn int(&self) -> Option<Int> {
        match self.kind {
            Kind::Int(int) => Some(int),
            _ => None,
        }
    }

    /// Fields of a plain struct.
    pub fn fields(&self) -> &[FieldSlot] {
        match &self.kind {
            Kind::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// Variants of an enum.
    pub fn variants(&self) -> &[VariantInfo] {
        match &self.kind {
            Kind::Enum(variants) => variants,
            _ => &[],
        }
    }

    /// Bytes from one element to the next in a vector of this type.
    pub fn stride(&self) -> usize {
        if self.narrow != 0 { self.narrow as usize } else { self.slots as usize * 8 }
    }
}
