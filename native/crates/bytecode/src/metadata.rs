//! What rides along with a module's code: error names, attributes, who compiled it.
//!
//! Three metadata keys have a meaning to the chain. `aptos::metadata_v0` holds error names only,
//! `aptos::metadata_v1` also attributes of structs and functions, `compilation_metadata` the
//! compiler's word. Values are BCS. This file reads and writes them; whether the attributes fit the
//! module is checked when it is published, by the verifier.

use std::collections::BTreeMap;

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::format::VERSION_WIDE_INTEGERS;
use crate::model::CompiledModule;

/// Key of metadata with error names only.
pub const KEY_V0: &[u8] = b"aptos::metadata_v0";
/// Key of metadata with error names and attributes.
pub const KEY_V1: &[u8] = b"aptos::metadata_v1";
/// Key of what the compiler says of itself.
pub const KEY_COMPILATION: &[u8] = b"compilation_metadata";

/// Abort codes carry a category in the bits above these; the reason below names the error.
const REASON_MASK: u64 = 0xFFF;

/// Name and description of an abort code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorDescription {
    /// The constant's name, as `E_NOT_FOUND`.
    pub name: String,
    /// Its doc comment.
    pub description: String,
}

/// An attribute of a struct or function.
///
/// Kinds this node does not know are kept, so that old readers do not lose them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Which attribute; see the constants.
    pub kind: u8,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl Attribute {
    /// `#[view]` on a function, as old compilers wrote it.
    pub const LEGACY_VIEW: u8 = 0;
    /// `#[view]` on a function: a transaction-free query may call it.
    pub const VIEW: u8 = 1;
    /// `#[resource_group(scope = ..)]` on a struct; argument: scope.
    pub const RESOURCE_GROUP: u8 = 2;
    /// `#[resource_group_member(group = ..)]` on a struct; argument: the group's struct tag.
    pub const RESOURCE_GROUP_MEMBER: u8 = 3;
    /// `#[event]` on a struct.
    pub const EVENT: u8 = 4;
    /// `#[randomness]` on a function; argument, if any: gas deposit in decimal.
    pub const RANDOMNESS: u8 = 5;

    /// An attribute without arguments.
    pub fn plain(kind: u8) -> Self {
        Self { kind, arguments: Vec::new() }
    }

    /// An attribute with one argument.
    pub fn with_argument(kind: u8, argument: &str) -> Self {
        Self { kind, arguments: vec![argument.to_owned()] }
    }

    /// Whether it marks a view function.
    pub fn is_view(&self) -> bool {
        matches!(self.kind, Self::LEGACY_VIEW | Self::VIEW)
    }
}

/// Error names and attributes of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleMetadata {
    /// By abort code.
    pub errors: BTreeMap<u64, ErrorDescription>,
    /// By struct name.
    pub struct_attributes: BTreeMap<String, Vec<Attribute>>,
    /// By function name.
    pub function_attributes: BTreeMap<String, Vec<Attribute>>,
}

/// What the compiler says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilationMetadata {
    /// Whether unfinished language features were used; such code is kept off production chains.
    pub is_unstable: bool,
    /// The compiler's version.
    pub compiler_version: String,
    /// The language's version.
    pub language_version: String,
}

impl ModuleMetadata {
    /// The metadata a module carries, `None` if it carries none or it cannot be read.
    ///
    /// The first of version 1, then version 0, counts. Attributes in a module of bytecode version 5
    /// have no effect and are left out.
    pub fn of(module: &CompiledModule) -> Option<Self> {
        let mut metadata = match module.metadata_value(KEY_V1) {
            Some(value) => Self::decode_v1(value).ok()?,
            None => Self::decode_v0(module.metadata_value(KEY_V0)?).ok()?,
        };
        if module.version < VERSION_WIDE_INTEGERS {
            metadata.struct_attributes.clear();
            metadata.function_attributes.clear();
        }
        Some(metadata)
    }

    /// Reads the value under [`KEY_V1`], to its last byte.
    ///
    /// # Errors
    /// Any departure from BCS.
    pub fn decode_v1(value: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(value);
        let metadata = Self {
            errors: errors(&mut reader)?,
            struct_attributes: attributes(&mut reader)?,
            function_attributes: attributes(&mut reader)?,
        };
        reader.finish()?;
        Ok(metadata)
    }

    /// Reads the value under [`KEY_V0`], to its last byte.
    ///
    /// # Errors
    /// Any departure from BCS.
    pub fn decode_v0(value: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(value);
        let metadata = Self { errors: errors(&mut reader)?, ..Self::default() };
        reader.finish()?;
        Ok(metadata)
    }

    /// The value to put under [`KEY_V1`].
    pub fn encode_v1(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.map(
            self.errors.iter().map(|(code, error)| (code.to_le_bytes().to_vec(), error)),
            |writer, error| error.encode(writer),
        );
        for table in [&self.struct_attributes, &self.function_attributes] {
            writer.map(
                table.iter().map(|(name, list)| {
                    let mut key = Writer::new();
                    key.string(name);
                    (key.into_bytes(), list)
                }),
                |writer, list| writer.sequence(list, |writer, attribute| attribute.encode(writer)),
            );
        }
        writer.into_bytes()
    }

    /// What an abort code means: looked up without its category first, then in full.
    pub fn error(&self, code: u64) -> Option<&ErrorDescription> {
        self.errors.get(&(code & REASON_MASK)).or_else(|| self.errors.get(&code))
    }

    /// Attributes of a function.
    pub fn function(&self, name: &str) -> &[Attribute] {
        self.function_attributes.get(name).map_or(&[], Vec::as_slice)
    }

    /// Attributes of a struct.
    pub fn structure(&self, name: &str) -> &[Attribute] {
        self.struct_attributes.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a function may be queried without a transaction.
    pub fn is_view(&self, function: &str) -> bool {
        self.function(function).iter().any(Attribute::is_view)
    }

    /// Whether a struct is an event.
    pub fn is_event(&self, structure: &str) -> bool {
        self.structure(structure).iter().any(|attribute| attribute.kind == Attribute::EVENT)
    }

    /// The scope of a resource group (`global`, `address`, `module_`), if the struct is one.
    pub fn resource_group_scope(&self, structure: &str) -> Option<&str> {
        self.first_argument(structure, Attribute::RESOURCE_GROUP)
    }

    /// The struct tag, as text, of the group a struct's resources are kept in.
    pub fn resource_group_of(&self, structure: &str) -> Option<&str> {
        self.first_argument(structure, Attribute::RESOURCE_GROUP_MEMBER)
    }

    fn first_argument(&self, structure: &str, kind: u8) -> Option<&str> {
        let attribute = self.structure(structure).iter().find(|attribute| attribute.kind == kind)?;
        attribute.arguments.first().map(String::as_str)
    }
}

impl CompilationMetadata {
    /// What a module carries, `None` if nothing or nothing readable.
    pub fn of(module: &CompiledModule) -> Option<Self> {
        Self::decode_value(module.metadata_value(KEY_COMPILATION)?).ok()
    }

    /// Reads the value under [`KEY_COMPILATION`], to its last byte.
    ///
    /// # Errors
    /// Any departure from BCS.
    pub fn decode_value(value: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(value);
        let metadata = Self {
            is_unstable: reader.bool()?,
            compiler_version: reader.string()?.to_owned(),
            language_version: reader.string()?.to_owned(),
        };
        reader.finish()?;
        Ok(metadata)
    }

    /// The value to put under [`KEY_COMPILATION`].
    pub fn encode_value(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.bool(self.is_unstable);
        writer.string(&self.compiler_version);
        writer.string(&self.language_version);
        writer.into_bytes()
    }
}

fn errors(reader: &mut Reader<'_>) -> Result<BTreeMap<u64, ErrorDescription>> {
    Ok(reader.map(Reader::u64, ErrorDescription::decode)?.into_iter().collect())
}

fn attributes(reader: &mut Reader<'_>) -> Result<BTreeMap<String, Vec<Attribute>>> {
    let name = |reader: &mut Reader<'_>| reader.string().map(str::to_owned);
    Ok(reader.map(name, |reader| reader.sequence(Attribute::decode))?.into_iter().collect())
}

impl Encode for ErrorDescription {
    fn encode(&self, writer: &mut Writer) {
        writer.string(&self.name);
        writer.string(&self.description);
    }
}

impl Decode for ErrorDescription {
    fn decode(reader: &mut Reader<'_>) -> std::result::Result<Self, Error> {
        Ok(Self { name: reader.string()?.to_owned(), description: reader.string()?.to_owned() })
    }
}

impl Encode for Attribute {
    fn encode(&self, writer: &mut Writer) {
        writer.u8(self.kind);
        writer.sequence(&self.arguments, |writer, argument| writer.string(argument));
    }
}

impl Decode for Attribute {
    fn decode(reader: &mut Reader<'_>) -> std::result::Result<Self, Error> {
        Ok(Self {
            kind: reader.u8()?,
            arguments: reader.sequence(|reader| reader.string().map(str::to_owned))?,
        })
    }
}
