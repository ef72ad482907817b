//! Typed positions in the tables of a module or script.
//!
//! Every table has its own index type, so that a struct handle cannot be looked up in the function
//! handles. An index read from bytes means nothing until [`crate::bounds`] has accepted the whole
//! module; after that every one may be used without looking again.

macro_rules! table_index {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);

        impl $name {
            /// The position as a `usize`, for slices.
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }

        impl From<u16> for $name {
            fn from(position: u16) -> Self {
                Self(position)
            }
        }

        impl From<$name> for u16 {
            fn from(index: $name) -> Self {
                index.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    )*};
}

table_index! {
    /// Position in the module handles.
    ModuleHandleIndex
    /// Position in the struct handles.
    StructHandleIndex
    /// Position in the function handles.
    FunctionHandleIndex
    /// Position in the function instantiations.
    FunctionInstIndex
    /// Position in the signatures.
    SignatureIndex
    /// Position in the constants.
    ConstantIndex
    /// Position in the identifiers.
    IdentifierIndex
    /// Position in the addresses.
    AddressIndex
    /// Position in the struct (and enum) definitions.
    StructDefIndex
    /// Position in the struct definition instantiations.
    StructInstIndex
    /// Position in the function definitions.
    FunctionDefIndex
    /// Position in the field handles.
    FieldHandleIndex
    /// Position in the field instantiations.
    FieldInstIndex
    /// Position in the variant field handles.
    VariantFieldHandleIndex
    /// Position in the variant field instantiations.
    VariantFieldInstIndex
    /// Position in the struct variant handles.
    StructVariantHandleIndex
    /// Position in the struct variant instantiations.
    StructVariantInstIndex
}

/// Position of a parameter or local inside a function: parameters first, then locals.
pub type LocalIndex = u8;

/// Position of an instruction inside a code unit.
pub type CodeOffset = u16;

/// Position of a type parameter inside its declaring struct or function.
pub type TypeParameterIndex = u16;

/// Position of a variant inside an enum.
pub type VariantIndex = u16;
