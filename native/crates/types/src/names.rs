//! Names of modules and of functions in them.

use std::fmt;
use std::str::FromStr;

use ledger_bcs::{Decode, Encode, Reader, Result, Writer};

use crate::{Address, Identifier};

/// A module: where it is published and what it is called. Displays as `0x1::coin`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId {
    /// Account that holds the module.
    pub address: Address,
    /// Name of the module.
    pub name: Identifier,
}

/// A function in a module. Displays as `0x1::coin::transfer`.
///
/// With address, module and function laid end to end, this is also the encoding that account
/// abstraction uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionInfo {
    /// The module that declares the function.
    pub module: ModuleId,
    /// Name of the function.
    pub function: Identifier,
}

/// The text is not `address::name`, or not `address::module::function`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameParseError;

impl fmt::Display for NameParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an address and Move identifiers, separated by ::")
    }
}

impl std::error::Error for NameParseError {}

impl FromStr for ModuleId {
    type Err = NameParseError;

    /// Splits at the first `::`.
    fn from_str(text: &str) -> std::result::Result<Self, NameParseError> {
        let (address, name) = text.split_once("::").ok_or(NameParseError)?;
        Ok(Self {
            address: address.parse().map_err(|_| NameParseError)?,
            name: name.parse().map_err(|_| NameParseError)?,
        })
    }
}

impl FromStr for FunctionInfo {
    type Err = NameParseError;

    /// Splits at the last `::`; what is left of it is a module id.
    fn from_str(text: &str) -> std::result::Result<Self, NameParseError> {
        let (module, function) = text.rsplit_once("::").ok_or(NameParseError)?;
        Ok(Self { module: module.parse()?, function: function.parse().map_err(|_| NameParseError)? })
    }
}

impl fmt::Display for ModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.address, self.name)
    }
}

impl fmt::Display for FunctionInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.module, self.function)
    }
}

impl Encode for ModuleId {
    fn encode(&self, writer: &mut Writer) {
        self.address.encode(writer);
        self.name.encode(writer);
    }
}

impl Decode for ModuleId {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { address: Address::decode(reader)?, name: Identifier::decode(reader)? })
    }
}

impl Encode for FunctionInfo {
    fn encode(&self, writer: &mut Writer) {
        self.module.encode(writer);
        self.function.encode(writer);
    }
}

impl Decode for FunctionInfo {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { module: ModuleId::decode(reader)?, function: Identifier::decode(reader)? })
    }
}
