//! Canonical text of types, and the parser that reads it back.
//!
//! Printing uses short addresses, a comma and one space between type arguments, and nothing else, so
//! different tags have different text. Parsing also takes spaces around punctuation and `::` before
//! a type argument list. References and function types can be printed and are not parsed: neither
//! can be a type argument of anything a client sends.

use std::fmt;
use std::str::FromStr;

use crate::type_tag::TYPE_TAG_DEPTH_MAX;
use crate::{Address, FunctionParam, FunctionTag, Identifier, StructTag, TypeTag};

/// Longest type text in bytes that is looked at. The longest honest one, eight levels of long
/// names, is far below.
pub const TYPE_TEXT_LENGTH_MAX: usize = 65_536;

/// Why a text is not a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeParseError {
    /// A character or word that cannot stand at this byte offset.
    Unexpected {
        /// Byte offset into the text.
        at: usize,
    },
    /// More than [`TYPE_TAG_DEPTH_MAX`] levels of type arguments.
    TooDeep,
    /// More than [`TYPE_TEXT_LENGTH_MAX`] bytes.
    TooLong,
    /// A type, but not a struct, where a struct is needed.
    NotAStruct,
    /// A reference, which has no tag.
    Reference,
}

impl fmt::Display for TypeParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { at } => write!(f, "not a Move type: unexpected text at byte {at}"),
            Self::TooDeep => write!(f, "Move type is nested deeper than {TYPE_TAG_DEPTH_MAX} levels"),
            Self::TooLong => write!(f, "Move type text is longer than {TYPE_TEXT_LENGTH_MAX} bytes"),
            Self::NotAStruct => f.write_str("expected a struct type like 0x1::module::Name"),
            Self::Reference => f.write_str("a reference cannot be a type argument"),
        }
    }
}

impl std::error::Error for TypeParseError {}

impl FromStr for TypeTag {
    type Err = TypeParseError;

    fn from_str(text: &str) -> Result<Self, TypeParseError> {
        if text.len() > TYPE_TEXT_LENGTH_MAX {
            return Err(TypeParseError::TooLong);
        }
        let mut parser = Parser { text, at: 0 };
        let tag = parser.tag(0)?;
        parser.skip_spaces();
        if parser.at == text.len() { Ok(tag) } else { Err(parser.unexpected()) }
    }
}

impl FromStr for StructTag {
    type Err = TypeParseError;

    fn from_str(text: &str) -> Result<Self, TypeParseError> {
        match text.parse()? {
            TypeTag::Struct(tag) => Ok(*tag),
            _ => Err(TypeParseError::NotAStruct),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn unexpected(&self) -> TypeParseError {
        TypeParseError::Unexpected { at: self.at }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
    }

    /// Consumes `token` if it comes next, after spaces.
    fn accept(&mut self, token: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), TypeParseError> {
        if self.accept(token) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// The longest run of name characters that comes next, after spaces.
    fn word(&mut self) -> &'a str {
        self.skip_spaces();
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn identifier(&mut self) -> Result<Identifier, TypeParseError> {
        self.skip_spaces();
        let start = self.at;
        Identifier::new(self.word()).map_err(|_| TypeParseError::Unexpected { at: start })
    }

    /// One type with `outer` levels around it; recursion is bounded by the depth limit.
    fn tag(&mut self, outer: usize) -> Result<TypeTag, TypeParseError> {
        if self.accept("&") {
            return Err(TypeParseError::Reference);
        }
        self.skip_spaces();
        let start = self.at;
        let primitive = match self.word() {
            "bool" => TypeTag::Bool,
            "u8" => TypeTag::U8,
            "u16" => TypeTag::U16,
            "u32" => TypeTag::U32,
            "u64" => TypeTag::U64,
            "u128" => TypeTag::U128,
            "u256" => TypeTag::U256,
            "i8" => TypeTag::I8,
            "i16" => TypeTag::I16,
            "i32" => TypeTag::I32,
            "i64" => TypeTag::I64,
            "i128" => TypeTag::I128,
            "i256" => TypeTag::I256,
            "address" => TypeTag::Address,
            "signer" => TypeTag::Signer,
            "vector" => {
                self.deeper(outer)?;
                self.expect("<")?;
                let element = self.tag(outer + 1)?;
                self.expect(">")?;
                return Ok(TypeTag::Vector(Box::new(element)));
            }
            word if word.starts_with("0x") => {
                let address = word.parse().map_err(|_| TypeParseError::Unexpected { at: start })?;
                self.deeper(outer)?;
                return self.struct_after(address, outer + 1).map(TypeTag::from);
            }
            _ => return Err(TypeParseError::Unexpected { at: start }),
        };
        Ok(primitive)
    }

    fn deeper(&self, outer: usize) -> Result<(), TypeParseError> {
        if outer == TYPE_TAG_DEPTH_MAX { Err(TypeParseError::TooDeep) } else { Ok(()) }
    }

    fn struct_after(&mut self, address: Address, depth: usize) -> Result<StructTag, TypeParseError> {
        self.expect("::")?;
        let module = self.identifier()?;
        self.expect("::")?;
        let name = self.identifier()?;
        let mut type_args = Vec::new();
        let has_colons = self.accept("::");
        if self.accept("<") {
            loop {
                type_args.push(self.tag(depth)?);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(">")?;
        } else if has_colons {
            return Err(self.unexpected());
        }
        Ok(StructTag { address, module, name, type_args })
    }
}

impl fmt::Display for TypeTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::U8 => f.write_str("u8"),
            Self::U16 => f.write_str("u16"),
            Self::U32 => f.write_str("u32"),
            Self::U64 => f.write_str("u64"),
            Self::U128 => f.write_str("u128"),
            Self::U256 => f.write_str("u256"),
            Self::I8 => f.write_str("i8"),
            Self::I16 => f.write_str("i16"),
            Self::I32 => f.write_str("i32"),
            Self::I64 => f.write_str("i64"),
            Self::I128 => f.write_str("i128"),
            Self::I256 => f.write_str("i256"),
            Self::Address => f.write_str("address"),
            Self::Signer => f.write_str("signer"),
            Self::Vector(element) => write!(f, "vector<{element}>"),
            Self::Struct(tag) => tag.fmt(f),
            Self::Function(tag) => tag.fmt(f),
        }
    }
}

impl fmt::Display for StructTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}::{}", self.address, self.module, self.name)?;
        for (index, arg) in self.type_args.iter().enumerate() {
            f.write_str(if index == 0 { "<" } else { ", " })?;
            arg.fmt(f)?;
        }
        if self.type_args.is_empty() { Ok(()) } else { f.write_str(">") }
    }
}

impl fmt::Display for FunctionParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference(tag) => write!(f, "&{tag}"),
            Self::MutableReference(tag) => write!(f, "&mut {tag}"),
            Self::Value(tag) => tag.fmt(f),
        }
    }
}

impl fmt::Display for FunctionTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, params: &[FunctionParam]| {
            for (index, param) in params.iter().enumerate() {
                write!(f, "{}{param}", if index == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        f.write_str("|")?;
        list(f, &self.args)?;
        f.write_str("|(")?;
        list(f, &self.results)?;
        f.write_str(")")?;
        let names = [(1, "copy"), (2, "drop"), (4, "store"), (8, "key")];
        let held = names.iter().filter(|(bit, _)| self.abilities & bit != 0).map(|(_, name)| *name);
        for (index, name) in held.enumerate() {
            write!(f, "{}{name}", if index == 0 { " has " } else { " + " })?;
        }
        Ok(())
    }
}
