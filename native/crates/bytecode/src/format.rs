//! Numbers of the file format that reader and writer share.
//!
//! ```text
//! magic | version u32 | table count | (kind, offset, length)* | tables | tail
//! ```
//! Offsets count from the end of the headers. Tables lie end to end, without gaps and none empty; a
//! table left out is an empty one. The tail of a module is its own module handle, that of a script
//! its type parameters, parameters, access list and code.

/// First bytes of every module and script.
pub(crate) const MAGIC: [u8; 4] = [0xA1, 0x1C, 0xEB, 0x0B];

/// Bits of the version word that name this dialect; set by writers from [`FLAVOUR_VERSION_MIN`] on.
pub(crate) const FLAVOUR_MASK: u32 = 0x0A00_0000;

/// First version whose writers set the mask.
pub(crate) const FLAVOUR_VERSION_MIN: u32 = 7;

/// Oldest version that is read.
pub const VERSION_MIN: u32 = 5;

/// Newest version that is known.
pub const VERSION_MAX: u32 = 10;

/// First version with 16-, 32- and 256-bit integers.
pub(crate) const VERSION_WIDE_INTEGERS: u32 = 6;
/// First version with enums and access specifiers.
pub(crate) const VERSION_ENUMS: u32 = 7;
/// First version with function values.
pub(crate) const VERSION_FUNCTIONS: u32 = 8;
/// First version with signed integers and `$` in names.
pub(crate) const VERSION_SIGNED: u32 = 9;
/// First version with struct wrapper attributes.
pub(crate) const VERSION_STRUCT_API: u32 = 10;

/// Most tables a header may list.
pub(crate) const TABLE_COUNT_MAX: u64 = 255;
/// Most types in a signature.
pub(crate) const SIGNATURE_LENGTH_MAX: u64 = 255;
/// Deepest nesting of one type.
pub(crate) const TYPE_DEPTH_MAX: usize = 256;
/// Most type parameters of a struct or function.
pub(crate) const TYPE_PARAMETERS_MAX: u64 = 255;
/// Longest constant in bytes.
pub(crate) const CONSTANT_LENGTH_MAX: u64 = 65_535;
/// Longest metadata key in bytes.
pub(crate) const METADATA_KEY_LENGTH_MAX: u64 = 1_023;
/// Longest metadata value in bytes.
pub(crate) const METADATA_VALUE_LENGTH_MAX: u64 = 65_535;
/// Most fields of a struct or variant.
pub(crate) const FIELDS_MAX: u64 = 255;
/// Most variants, and highest variant index.
pub(crate) const VARIANTS_MAX: u64 = 127;
/// Most entries of an `acquires` list.
pub(crate) const ACQUIRES_MAX: u64 = 255;
/// Most instructions of one function.
pub(crate) const CODE_LENGTH_MAX: u64 = 65_535;
/// Most access specifiers of one function.
pub(crate) const ACCESS_SPECIFIERS_MAX: u64 = 64;
/// Most attributes of one function.
pub(crate) const ATTRIBUTES_MAX: u64 = 16;

/// The tables of a file, by their byte in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Table {
    /// Modules that are named.
    ModuleHandles = 0x01,
    /// Structs and enums that are named.
    StructHandles = 0x02,
    /// Functions that are named.
    FunctionHandles = 0x03,
    /// Functions with type arguments.
    FunctionInstantiations = 0x04,
    /// Lists of types.
    Signatures = 0x05,
    /// Typed constants.
    Constants = 0x06,
    /// Names.
    Identifiers = 0x07,
    /// Addresses.
    Addresses = 0x08,
    /// Structs and enums defined here.
    StructDefs = 0x0A,
    /// Defined structs with type arguments.
    StructInstantiations = 0x0B,
    /// Functions defined here.
    FunctionDefs = 0x0C,
    /// Fields that instructions name.
    FieldHandles = 0x0D,
    /// Such fields with type arguments.
    FieldInstantiations = 0x0E,
    /// Modules that may call friend functions.
    Friends = 0x0F,
    /// Keys and values that ride along.
    Metadata = 0x10,
    /// Fields of variants that instructions name.
    VariantFieldHandles = 0x11,
    /// Such fields with type arguments.
    VariantFieldInstantiations = 0x12,
    /// Variants that instructions name.
    StructVariantHandles = 0x13,
    /// Such variants with type arguments.
    StructVariantInstantiations = 0x14,
}

impl Table {
    /// All kinds in the order in which tables are written.
    pub(crate) const IN_FILE_ORDER: [Table; 19] = [
        Self::ModuleHandles,
        Self::StructHandles,
        Self::FunctionHandles,
        Self::FunctionInstantiations,
        Self::Signatures,
        Self::Identifiers,
        Self::Addresses,
        Self::Constants,
        Self::Metadata,
        Self::StructDefs,
        Self::StructInstantiations,
        Self::FunctionDefs,
        Self::FieldHandles,
        Self::FieldInstantiations,
        Self::Friends,
        Self::VariantFieldHandles,
        Self::VariantFieldInstantiations,
        Self::StructVariantHandles,
        Self::StructVariantInstantiations,
    ];

    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        Self::IN_FILE_ORDER.into_iter().find(|kind| *kind as u8 == byte)
    }

    /// Whether a script may have such a table.
    pub(crate) fn is_in_scripts(self) -> bool {
        (self as u8) < Self::StructDefs as u8 || self == Self::Metadata
    }

    /// The first version that has such a table.
    pub(crate) fn min_version(self) -> u32 {
        if self as u8 >= Self::VariantFieldHandles as u8 { VERSION_ENUMS } else { VERSION_MIN }
    }
}

/// Type nodes, by their first byte.
pub(crate) mod type_byte {
    pub(crate) const BOOL: u8 = 0x01;
    pub(crate) const U8: u8 = 0x02;
    pub(crate) const U64: u8 = 0x03;
    pub(crate) const U128: u8 = 0x04;
    pub(crate) const ADDRESS: u8 = 0x05;
    pub(crate) const REFERENCE: u8 = 0x06;
    pub(crate) const MUTABLE_REFERENCE: u8 = 0x07;
    pub(crate) const STRUCT: u8 = 0x08;
    pub(crate) const TYPE_PARAMETER: u8 = 0x09;
    pub(crate) const VECTOR: u8 = 0x0A;
    pub(crate) const STRUCT_INSTANCE: u8 = 0x0B;
    pub(crate) const SIGNER: u8 = 0x0C;
    pub(crate) const U16: u8 = 0x0D;
    pub(crate) const U32: u8 = 0x0E;
    pub(crate) const U256: u8 = 0x0F;
    pub(crate) const FUNCTION: u8 = 0x10;
    pub(crate) const I8: u8 = 0x11;
    pub(crate) const I16: u8 = 0x12;
    pub(crate) const I32: u8 = 0x13;
    pub(crate) const I64: u8 = 0x14;
    pub(crate) const I128: u8 = 0x15;
    pub(crate) const I256: u8 = 0x16;
}

/// Struct definitions, by their flag byte.
pub(crate) mod struct_flag {
    pub(crate) const NATIVE: u8 = 1;
    pub(crate) const STRUCT: u8 = 2;
    pub(crate) const ENUM: u8 = 3;
}

/// Bits and bytes of function definitions.
pub(crate) mod function_flag {
    pub(crate) const PRIVATE: u8 = 0;
    pub(crate) const PUBLIC: u8 = 1;
    pub(crate) const FRIEND: u8 = 3;
    pub(crate) const NATIVE_BIT: u8 = 0x2;
    pub(crate) const ENTRY_BIT: u8 = 0x4;
}

/// Options and booleans of access specifiers.
pub(crate) mod option_byte {
    pub(crate) const NONE: u8 = 1;
    pub(crate) const SOME: u8 = 2;
    pub(crate) const FALSE: u8 = 1;
    pub(crate) const TRUE: u8 = 2;
}
