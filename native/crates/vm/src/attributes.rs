//! What a module's metadata says about its structs and functions, as far as execution needs it.

use std::collections::{HashMap, HashSet};

use ledger_bcs::{Reader, Result};
use ledger_bytecode::CompiledModule;
use ledger_types::StructTag;

/// Key of the metadata entry that holds attributes.
const METADATA_KEY: &[u8] = b"aptos::metadata_v1";
/// Attribute numbers of the format.
const VIEW_LEGACY: u8 = 0;
const VIEW: u8 = 1;
const RESOURCE_GROUP_MEMBER: u8 = 3;
const RANDOMNESS: u8 = 5;

/// Attributes by name.
#[derive(Debug, Default)]
pub struct Attributes {
    views: HashSet<String>,
    draws: HashSet<String>,
    groups: HashMap<String, StructTag>,
}

impl Attributes {
    /// Reads the attributes of a module. Metadata that does not parse says nothing: publishing
    /// checks it, execution only looks things up.
    pub fn of(module: &CompiledModule) -> Self {
        let mut attributes = Self::default();
        if let Some(value) = module.metadata_value(METADATA_KEY)
            && module.version >= 6
            && attributes.read(value).is_err()
        {
            return Self::default();
        }
        attributes
    }

    /// Whether the function is marked as a view.
    pub fn is_view(&self, function: &str) -> bool {
        self.views.contains(function)
    }

    /// Whether the function says that it draws random values.
    pub fn draws(&self, function: &str) -> bool {
        self.draws.contains(function)
    }

    /// The resource group a struct is a member of.
    pub fn group_of(&self, structure: &str) -> Option<&StructTag> {
        self.groups.get(structure)
    }

    fn read(&mut self, value: &[u8]) -> Result<()> {
        let mut reader = Reader::new(value);
        for _ in 0..reader.length()? {
            reader.u64()?;
            reader.string()?;
            reader.string()?;
        }
        for _ in 0..reader.length()? {
            let name = reader.string()?;
            for _ in 0..reader.length()? {
                let kind = reader.u8()?;
                for _ in 0..reader.length()? {
                    let argument = reader.string()?;
                    if kind == RESOURCE_GROUP_MEMBER
                        && let Ok(tag) = argument.parse()
                    {
                        self.groups.insert(name.to_owned(), tag);
                    }
                }
            }
        }
        for _ in 0..reader.length()? {
            let name = reader.string()?;
            for _ in 0..reader.length()? {
                let kind = reader.u8()?;
                for _ in 0..reader.length()? {
                    reader.string()?;
                }
                if kind == RANDOMNESS {
                    self.draws.insert(name.to_owned());
                }
                if matches!(kind, VIEW | VIEW_LEGACY) {
                    self.views.insert(name.to_owned());
                }
            }
        }
        reader.finish()
    }
}
