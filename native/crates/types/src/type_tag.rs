//! Move types as values: what names a resource, an event or a type argument.
//!
//! Text forms are in `type_text`. Nesting is limited to [`TYPE_TAG_DEPTH_MAX`] whenever a tag comes
//! from outside, by bytes or by text. Code that builds tags from run-time types asks
//! [`TypeTag::depth`] before it lets one out.

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{Address, Identifier, ModuleId};

/// Most vectors, structs and functions around one another in a tag.
pub const TYPE_TAG_DEPTH_MAX: usize = 8;

/// A Move type. Displays as canonical text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeTag {
    /// `bool`
    Bool,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `u128`
    U128,
    /// `u256`
    U256,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `i128`
    I128,
    /// `i256`
    I256,
    /// `address`
    Address,
    /// `signer`
    Signer,
    /// `vector<T>`
    Vector(Box<TypeTag>),
    /// A struct or enum with its type arguments.
    Struct(Box<StructTag>),
    /// A function type.
    Function(Box<FunctionTag>),
}

/// Full type of a struct or enum. Displays as canonical text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructTag {
    /// Address of the declaring module.
    pub address: Address,
    /// Name of the declaring module.
    pub module: Identifier,
    /// Name of the struct.
    pub name: Identifier,
    /// Type arguments, in order.
    pub type_args: Vec<TypeTag>,
}

/// A function type: parameters, results and what may be done with its values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionTag {
    /// Parameters, in order.
    pub args: Vec<FunctionParam>,
    /// Results, in order.
    pub results: Vec<FunctionParam>,
    /// Ability bits: copy 1, drop 2, store 4, key 8.
    pub abilities: u8,
}

/// One parameter or result of a function type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FunctionParam {
    /// `&T`
    Reference(TypeTag),
    /// `&mut T`
    MutableReference(TypeTag),
    /// `T`
    Value(TypeTag),
}

impl FunctionParam {
    /// The type, without the reference around it.
    #[must_use]
    pub fn tag(&self) -> &TypeTag {
        match self {
            Self::Reference(tag) | Self::MutableReference(tag) | Self::Value(tag) => tag,
        }
    }
}

impl TypeTag {
    /// Most vectors, structs and functions around one another; 0 for a primitive. Walks with an
    /// explicit stack, so it may be asked of tags of any depth.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut pending = vec![(self, 0usize)];
        while let Some((tag, depth)) = pending.pop() {
            deepest = deepest.max(depth + usize::from(tag.is_nested()));
            match tag {
                Self::Vector(element) => pending.push((element, depth + 1)),
                Self::Struct(tag) => pending.extend(tag.type_args.iter().map(|arg| (arg, depth + 1))),
                Self::Function(function) => {
                    let params = function.args.iter().chain(&function.results);
                    pending.extend(params.map(|param| (param.tag(), depth + 1)));
                }
                _ => {}
            }
        }
        deepest
    }

    fn is_nested(&self) -> bool {
        matches!(self, Self::Vector(_) | Self::Struct(_) | Self::Function(_))
    }

    /// The struct tag, if this is a struct.
    #[must_use]
    pub fn as_struct(&self) -> Option<&StructTag> {
        match self {
            Self::Struct(tag) => Some(tag),
            _ => None,
        }
    }

    /// The first name in the tag for which [`Identifier::is_valid`] is false. Walks with an explicit
    /// stack.
    #[must_use]
    pub fn invalid_name(&self) -> Option<&Identifier> {
        let mut pending = vec![self];
        while let Some(tag) = pending.pop() {
            match tag {
                Self::Vector(element) => pending.push(element),
                Self::Struct(tag) => {
                    if let Some(name) = [&tag.module, &tag.name].into_iter().find(|name| !name.is_valid()) {
                        return Some(name);
                    }
                    pending.extend(&tag.type_args);
                }
                Self::Function(function) => {
                    pending.extend(function.args.iter().chain(&function.results).map(FunctionParam::tag));
                }
                _ => {}
            }
        }
        None
    }

    /// Reads a tag that has `outer` vectors, structs and functions around it already.
    fn decode_within(reader: &mut Reader<'_>, outer: usize) -> Result<Self> {
        let index = reader.variant()?;
        if matches!(index, 6 | 7 | 11) && outer == TYPE_TAG_DEPTH_MAX {
            return Err(Error::DepthExceeded);
        }
        Ok(match index {
            0 => Self::Bool,
            1 => Self::U8,
            2 => Self::U64,
            3 => Self::U128,
            4 => Self::Address,
            5 => Self::Signer,
            6 => Self::Vector(Box::new(Self::decode_within(reader, outer + 1)?)),
            7 => Self::Struct(Box::new(StructTag::decode_within(reader, outer + 1)?)),
            8 => Self::U16,
            9 => Self::U32,
            10 => Self::U256,
            11 => Self::Function(Box::new(FunctionTag::decode_within(reader, outer + 1)?)),
            12 => Self::I8,
            13 => Self::I16,
            14 => Self::I32,
            15 => Self::I64,
            16 => Self::I128,
            17 => Self::I256,
            index => return Err(Error::UnknownVariant { of: "TypeTag", index }),
        })
    }
}

impl StructTag {
    /// The module that declares the struct.
    #[must_use]
    pub fn module_id(&self) -> ModuleId {
        ModuleId { address: self.address, name: self.module.clone() }
    }

    fn decode_within(reader: &mut Reader<'_>, outer: usize) -> Result<Self> {
        Ok(Self {
            address: Address::decode(reader)?,
            module: Identifier::decode(reader)?,
            name: Identifier::decode(reader)?,
            type_args: reader.sequence(|reader| TypeTag::decode_within(reader, outer))?,
        })
    }
}

impl FunctionTag {
    fn decode_within(reader: &mut Reader<'_>, outer: usize) -> Result<Self> {
        let param = |reader: &mut Reader<'_>| {
            let index = reader.variant()?;
            let wrap = match index {
                0 => FunctionParam::Reference,
                1 => FunctionParam::MutableReference,
                2 => FunctionParam::Value,
                index => return Err(Error::UnknownVariant { of: "FunctionParamOrReturnTag", index }),
            };
            TypeTag::decode_within(reader, outer).map(wrap)
        };
        let args = reader.sequence(param)?;
        let results = reader.sequence(param)?;
        let abilities = reader.u8()?;
        if abilities > 15 {
            return Err(Error::Invalid("ability bits above 15"));
        }
        Ok(Self { args, results, abilities })
    }
}

impl Encode for TypeTag {
    fn encode(&self, writer: &mut Writer) {
        let index = match self {
            Self::Bool => 0,
            Self::U8 => 1,
            Self::U64 => 2,
            Self::U128 => 3,
            Self::Address => 4,
            Self::Signer => 5,
            Self::Vector(_) => 6,
            Self::Struct(_) => 7,
            Self::U16 => 8,
            Self::U32 => 9,
            Self::U256 => 10,
            Self::Function(_) => 11,
            Self::I8 => 12,
            Self::I16 => 13,
            Self::I32 => 14,
            Self::I64 => 15,
            Self::I128 => 16,
            Self::I256 => 17,
        };
        writer.variant(index);
        match self {
            Self::Vector(element) => element.encode(writer),
            Self::Struct(tag) => tag.encode(writer),
            Self::Function(tag) => tag.encode(writer),
            _ => {}
        }
    }
}

impl Decode for TypeTag {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Self::decode_within(reader, 0)
    }
}

impl Encode for StructTag {
    fn encode(&self, writer: &mut Writer) {
        self.address.encode(writer);
        self.module.encode(writer);
        self.name.encode(writer);
        self.type_args.encode(writer);
    }
}

impl Decode for StructTag {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Self::decode_within(reader, 0)
    }
}

impl Encode for FunctionTag {
    fn encode(&self, writer: &mut Writer) {
        for params in [&self.args, &self.results] {
            writer.sequence(params, |writer, param| {
                writer.variant(match param {
                    FunctionParam::Reference(_) => 0,
                    FunctionParam::MutableReference(_) => 1,
                    FunctionParam::Value(_) => 2,
                });
                param.tag().encode(writer);
            });
        }
        writer.u8(self.abilities);
    }
}

impl From<StructTag> for TypeTag {
    fn from(tag: StructTag) -> Self {
        Self::Struct(Box::new(tag))
    }
}
