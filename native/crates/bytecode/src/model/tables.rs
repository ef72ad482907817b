//! The tables that modules and scripts are made of, as plain data.
//!
//! Entries refer to each other by typed index ([`super::index`]). `tables[index]` works for every
//! index type and panics out of range: only the bounds pass may meet such an index.

use std::ops::Index;

use ledger_types::{Address, Identifier, ModuleId};

use super::ability::AbilitySet;
use super::bytecode::Bytecode;
use super::index::*;
use super::types::{Signature, Type};

/// A module named by this one (itself included): address and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleHandle {
    /// The address it lives at.
    pub address: AddressIndex,
    /// Its name.
    pub name: IdentifierIndex,
}

/// A struct's or enum's type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StructTypeParameter {
    /// Abilities every argument must have.
    pub constraints: AbilitySet,
    /// Whether the parameter is `phantom`: its argument does not count for abilities.
    pub is_phantom: bool,
}

/// A struct or enum named by this module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructHandle {
    /// The defining module.
    pub module: ModuleHandleIndex,
    /// Its name.
    pub name: IdentifierIndex,
    /// Declared abilities.
    pub abilities: AbilitySet,
    /// Type parameters, at most 255.
    pub type_parameters: Vec<StructTypeParameter>,
}

/// A function named by this module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionHandle {
    /// The defining module.
    pub module: ModuleHandleIndex,
    /// Its name.
    pub name: IdentifierIndex,
    /// Parameter types.
    pub parameters: SignatureIndex,
    /// Result types.
    pub results: SignatureIndex,
    /// Constraints of the type parameters, at most 255.
    pub type_parameters: Vec<AbilitySet>,
    /// Resources it may touch, from version 7; `None` is anything.
    pub access: Option<Vec<AccessSpecifier>>,
    /// Attributes, from version 8, at most 16.
    pub attributes: Vec<FunctionAttribute>,
}

/// What a function attribute says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionAttribute {
    /// As stable under upgrade as a public function; closures over it may be stored.
    Persistent,
    /// No reentry into an active module while it runs.
    ModuleLock,
    /// Wrapper that packs a struct; this and those below from version 10.
    Pack,
    /// Wrapper that packs this variant.
    PackVariant(VariantIndex),
    /// Wrapper that unpacks a struct.
    Unpack,
    /// Wrapper that unpacks this variant.
    UnpackVariant(VariantIndex),
    /// Wrapper that tests for this variant.
    TestVariant(VariantIndex),
    /// Wrapper that borrows the field at this offset immutably.
    BorrowField(u16),
    /// Wrapper that borrows the field at this offset mutably.
    BorrowFieldMut(u16),
}

impl FunctionAttribute {
    /// Whether this marks a struct wrapper (all but persistence and lock).
    pub fn is_struct_api(self) -> bool {
        !matches!(self, Self::Persistent | Self::ModuleLock)
    }
}

/// One clause of a function's access list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccessSpecifier {
    /// Reading or writing.
    pub kind: AccessKind,
    /// Whether the clause forbids instead of permits.
    pub is_negated: bool,
    /// Which resources.
    pub resource: ResourceSpecifier,
    /// At which addresses.
    pub address: AddressSpecifier,
}

/// Reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads.
    Reads,
    /// Writes, and by implication reads.
    Writes,
}

/// Which resources an access clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceSpecifier {
    /// All.
    Any,
    /// Those defined by modules at an address.
    DeclaredAt(AddressIndex),
    /// Those defined by a module.
    DeclaredIn(ModuleHandleIndex),
    /// One resource, any instance.
    Resource(StructHandleIndex),
    /// One instance of a resource.
    ResourceInstance(StructHandleIndex, SignatureIndex),
}

/// At which addresses an access clause holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressSpecifier {
    /// All.
    Any,
    /// A fixed one.
    Literal(AddressIndex),
    /// The value of a parameter, or of a function applied to it.
    Parameter(LocalIndex, Option<FunctionInstIndex>),
}

/// A field of a plain struct defined here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldHandle {
    /// The struct.
    pub owner: StructDefIndex,
    /// Position among its fields.
    pub field: u16,
}

/// A field shared by some variants of an enum defined here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariantFieldHandle {
    /// The enum.
    pub owner: StructDefIndex,
    /// Position among the fields of each variant.
    pub field: u16,
    /// The variants, at most 127.
    pub variants: Vec<VariantIndex>,
}

/// A variant of an enum defined here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StructVariantHandle {
    /// The enum.
    pub owner: StructDefIndex,
    /// Which variant.
    pub variant: VariantIndex,
}

/// A generic thing with type arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instantiation<T> {
    /// The generic thing.
    pub target: T,
    /// Its type arguments.
    pub type_arguments: SignatureIndex,
}

/// A generic struct or enum with type arguments.
pub type StructInstantiation = Instantiation<StructDefIndex>;
/// A generic function with type arguments.
pub type FunctionInstantiation = Instantiation<FunctionHandleIndex>;
/// A field of a generic struct with type arguments.
pub type FieldInstantiation = Instantiation<FieldHandleIndex>;
/// A variant field of a generic enum with type arguments.
pub type VariantFieldInstantiation = Instantiation<VariantFieldHandleIndex>;
/// A variant of a generic enum with type arguments.
pub type StructVariantInstantiation = Instantiation<StructVariantHandleIndex>;

/// A constant: its type and its BCS bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Boolean, integer, address, or vectors of such.
    pub value_type: Type,
    /// BCS of the value, at most 65535 bytes.
    pub bytes: Vec<u8>,
}

/// A key and value that ride along with the code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Metadata {
    /// At most 1023 bytes.
    pub key: Vec<u8>,
    /// At most 65535 bytes.
    pub value: Vec<u8>,
}

/// A field of a struct or variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: IdentifierIndex,
    /// Its type, in the scope of the struct's type parameters.
    pub field_type: Type,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: IdentifierIndex,
    /// Its fields, possibly none.
    pub fields: Vec<Field>,
}

/// What a struct is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StructLayout {
    /// Known to the machine only.
    Native,
    /// A plain struct.
    Struct(Vec<Field>),
    /// An enum, from version 7.
    Enum(Vec<Variant>),
}

/// A struct or enum defined by this module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructDef {
    /// Its name, abilities and type parameters.
    pub handle: StructHandleIndex,
    /// Its fields or variants.
    pub layout: StructLayout,
}

impl StructDef {
    /// Fields of a plain struct; none for natives and enums.
    pub fn fields(&self) -> &[Field] {
        match &self.layout {
            StructLayout::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// Variants of an enum; none for natives and plain structs.
    pub fn variants(&self) -> &[Variant] {
        match &self.layout {
            StructLayout::Enum(variants) => variants,
            _ => &[],
        }
    }

    /// Fields of one variant, if this is an enum that has it.
    pub fn variant_fields(&self, variant: VariantIndex) -> Option<&[Field]> {
        self.variants().get(usize::from(variant)).map(|variant| variant.fields.as_slice())
    }

    /// All fields, of every variant.
    pub fn all_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields().iter().chain(self.variants().iter().flat_map(|variant| &variant.fields))
    }

    /// Whether this is an enum.
    pub fn is_enum(&self) -> bool {
        matches!(self.layout, StructLayout::Enum(_))
    }

    /// Whether this is native.
    pub fn is_native(&self) -> bool {
        matches!(self.layout, StructLayout::Native)
    }
}

/// Who may call a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    /// Its own module.
    Private,
    /// Its own module and the friends of that.
    Friend,
    /// Everyone.
    Public,
}

/// A function's locals and instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeUnit {
    /// Types of the locals after the parameters.
    pub locals: SignatureIndex,
    /// The instructions, at most 65535.
    pub code: Vec<Bytecode>,
}

/// A function defined by this module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDef {
    /// Its name and types.
    pub handle: FunctionHandleIndex,
    /// Who may call it.
    pub visibility: Visibility,
    /// Whether a transaction may start with it.
    pub is_entry: bool,
    /// Local resources it or its callees borrow or take.
    pub acquires: Vec<StructDefIndex>,
    /// Its body; `None` for a native.
    pub code: Option<CodeUnit>,
}

impl FunctionDef {
    /// Whether the machine implements it.
    pub fn is_native(&self) -> bool {
        self.code.is_none()
    }
}

/// All tables; those a script cannot have stay empty in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// Modules that are named, this one included.
    pub module_handles: Vec<ModuleHandle>,
    /// Structs and enums that are named.
    pub struct_handles: Vec<StructHandle>,
    /// Functions that are named.
    pub function_handles: Vec<FunctionHandle>,
    /// Functions with type arguments.
    pub function_instantiations: Vec<FunctionInstantiation>,
    /// Lists of types.
    pub signatures: Vec<Signature>,
    /// Typed constants.
    pub constants: Vec<Constant>,
    /// Names.
    pub identifiers: Vec<Identifier>,
    /// Addresses.
    pub addresses: Vec<Address>,
    /// Keys and values that ride along.
    pub metadata: Vec<Metadata>,
    /// Structs and enums defined here.
    pub struct_defs: Vec<StructDef>,
    /// Defined structs with type arguments.
    pub struct_instantiations: Vec<StructInstantiation>,
    /// Functions defined here; the order is part of the protocol.
    pub function_defs: Vec<FunctionDef>,
    /// Fields that instructions name.
    pub field_handles: Vec<FieldHandle>,
    /// Such fields with type arguments.
    pub field_instantiations: Vec<FieldInstantiation>,
    /// Modules that may call friend functions.
    pub friends: Vec<ModuleHandle>,
    /// Fields of variants that instructions name.
    pub variant_field_handles: Vec<VariantFieldHandle>,
    /// Such fields with type arguments.
    pub variant_field_instantiations: Vec<VariantFieldInstantiation>,
    /// Variants that instructions name.
    pub struct_variant_handles: Vec<StructVariantHandle>,
    /// Such variants with type arguments.
    pub struct_variant_instantiations: Vec<StructVariantInstantiation>,
}

macro_rules! index_tables {
    ($($index:ty, $table:ident, $entry:ty;)*) => {$(
        impl Index<$index> for Tables {
            type Output = $entry;

            #[inline]
            fn index(&self, index: $index) -> &$entry {
                &self.$table[index.index()]
            }
        }
    )*};
}

index_tables! {
    ModuleHandleIndex, module_handles, ModuleHandle;
    StructHandleIndex, struct_handles, StructHandle;
    FunctionHandleIndex, function_handles, FunctionHandle;
    FunctionInstIndex, function_instantiations, FunctionInstantiation;
    SignatureIndex, signatures, Signature;
    ConstantIndex, constants, Constant;
    IdentifierIndex, identifiers, Identifier;
    AddressIndex, addresses, Address;
    StructDefIndex, struct_defs, StructDef;
    StructInstIndex, struct_instantiations, StructInstantiation;
    FunctionDefIndex, function_defs, FunctionDef;
    FieldHandleIndex, field_handles, FieldHandle;
    FieldInstIndex, field_instantiations, FieldInstantiation;
    VariantFieldHandleIndex, variant_field_handles, VariantFieldHandle;
    VariantFieldInstIndex, variant_field_instantiations, VariantFieldInstantiation;
    StructVariantHandleIndex, struct_variant_handles, StructVariantHandle;
    StructVariantInstIndex, struct_variant_instantiations, StructVariantInstantiation;
}

impl Tables {
    /// The module a handle stands for.
    pub fn module_id(&self, handle: &ModuleHandle) -> ModuleId {
        ModuleId { address: self[handle.address], name: self[handle.name].clone() }
    }

    /// The name behind a struct handle.
    pub fn struct_name(&self, handle: StructHandleIndex) -> &Identifier {
        &self[self[handle].name]
    }

    /// The name behind a function handle.
    pub fn function_name(&self, handle: FunctionHandleIndex) -> &Identifier {
        &self[self[handle].name]
    }

    /// The types listed by a signature.
    pub fn types(&self, signature: SignatureIndex) -> &[Type] {
        &self[signature].0
    }

    /// The only type of a signature that must have exactly one, as vector instructions name.
    pub fn single_type(&self, signature: SignatureIndex) -> Option<&Type> {
        match self.types(signature) {
            [only] => Some(only),
            _ => None,
        }
    }
}
