//! What a piece of state is addressed by, in three encodings.
//!
//! * BCS, as inside write sets: variant, then length-prefixed content.
//! * Storage encoding, which the store and the binding use and which is hashed:
//!
//! ```text
//! access path   00 | address 32 | ULEB length | path
//! table item    01 | handle 32  | key (to the end)
//! raw           ff | bytes (to the end)
//! ```
//!
//! * The hash of the storage encoding: the position in the state tree.
//!
//! The order of keys is that of their BCS bytes, since that is the order of write sets.

use std::cmp::Ordering;
use std::fmt;

use bytes::Bytes;
use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{Address, HashDomain, HashValue, ModuleId, StructTag};

/// Address of one value in the state. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum StateKey {
    /// A module, resource or resource group of an account.
    AccessPath {
        /// The account.
        address: Address,
        /// BCS of a [`Path`].
        path: Bytes,
    },
    /// An item of a table.
    TableItem {
        /// The table.
        handle: Address,
        /// BCS of the Move key.
        key: Bytes,
    },
    /// Bytes with no structure that the ledger knows.
    Raw(Bytes),
}

/// What an access path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// Bytecode of a module. Its address equals that of the account.
    Code(ModuleId),
    /// A resource stored alone.
    Resource(StructTag),
    /// A resource group: map from member tag to member bytes.
    ResourceGroup(StructTag),
}

impl StateKey {
    /// Key of a module's bytecode.
    #[must_use]
    pub fn module(id: &ModuleId) -> Self {
        let mut path = Writer::with_capacity(36 + id.name.len());
        path.variant(0);
        id.encode(&mut path);
        Self::AccessPath { address: id.address, path: path.into_bytes().into() }
    }

    /// Key of a resource that is not a member of a group.
    #[must_use]
    pub fn resource(address: &Address, tag: &StructTag) -> Self {
        Self::tagged(1, address, tag)
    }

    /// Key of a resource group.
    #[must_use]
    pub fn resource_group(address: &Address, tag: &StructTag) -> Self {
        Self::tagged(2, address, tag)
    }

    /// Key of a table item; `key` is the BCS of the Move key.
    #[must_use]
    pub fn table_item(handle: &Address, key: impl Into<Bytes>) -> Self {
        Self::TableItem { handle: *handle, key: key.into() }
    }

    /// Key without structure.
    #[must_use]
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self::Raw(bytes.into())
    }

    fn tagged(variant: u32, address: &Address, tag: &StructTag) -> Self {
        let mut path = Writer::with_capacity(96);
        path.variant(variant);
        tag.encode(&mut path);
        Self::AccessPath { address: *address, path: path.into_bytes().into() }
    }

    /// What an access path leads to; `None` for table items and raw keys.
    ///
    /// # Errors
    /// If the path is not the BCS of a [`Path`], which keys from outside may not be.
    pub fn path(&self) -> Result<Option<Path>> {
        match self {
            Self::AccessPath { path, .. } => Path::from_bytes(path).map(Some),
            Self::TableItem { .. } | Self::Raw(_) => Ok(None),
        }
    }

    /// The storage encoding.
    #[must_use]
    pub fn to_storage(&self) -> Vec<u8> {
        let (Self::AccessPath { path: content, .. }
        | Self::TableItem { key: content, .. }
        | Self::Raw(content)) = self;
        let mut out = Writer::with_capacity(content.len() + 38);
        match self {
            Self::AccessPath { address, path } => {
                out.u8(0);
                out.raw(&address.0);
                out.bytes(path);
            }
            Self::TableItem { handle, key } => {
                out.u8(1);
                out.raw(&handle.0);
                out.raw(key);
            }
            Self::Raw(bytes) => {
                out.u8(0xff);
                out.raw(bytes);
            }
        }
        out.into_bytes()
    }

    /// Reads the storage encoding.
    ///
    /// # Errors
    /// `UnknownVariant` for another first byte, and what the reader finds wrong with the rest.
    pub fn from_storage(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let key = match reader.u8()? {
            0 => Self::AccessPath {
                address: Address::decode(&mut reader)?,
                path: Bytes::copy_from_slice(reader.bytes()?),
            },
            1 => Self::TableItem {
                handle: Address::decode(&mut reader)?,
                key: Bytes::copy_from_slice(reader.take(reader.remaining())?),
            },
            0xff => Self::Raw(Bytes::copy_from_slice(reader.take(reader.remaining())?)),
            other => return Err(Error::UnknownVariant { of: "StateKeyTag", index: other.into() }),
        };
        reader.finish()?;
        Ok(key)
    }

    /// Hash of the storage encoding: the position in the state tree.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::StateKey.hash(&self.to_storage())
    }
}

impl Ord for StateKey {
    /// The order of the BCS bytes, without writing them.
    fn cmp(&self, other: &Self) -> Ordering {
        fn parts(key: &StateKey) -> (u8, &[u8], &[u8]) {
            match key {
                StateKey::AccessPath { address, path } => (0, &address.0, path),
                StateKey::TableItem { handle, key } => (1, &handle.0, key),
                StateKey::Raw(bytes) => (2, &[], bytes),
            }
        }
        let (variant, account, content) = parts(self);
        let (other_variant, other_account, other_content) = parts(other);
        variant
            .cmp(&other_variant)
            .then_with(|| account.cmp(other_account))
            .then_with(|| compare_prefixed(content, other_content))
    }
}

/// Compares two byte strings as if each had its ULEB128 length in front.
fn compare_prefixed(a: &[u8], b: &[u8]) -> Ordering {
    let prefix = |length: usize| {
        let mut writer = Writer::with_capacity(5);
        writer.length(length);
        writer.into_bytes()
    };
    if a.len() == b.len() {
        a.cmp(b)
    } else if a.len() < 0x80 && b.len() < 0x80 {
        a.len().cmp(&b.len())
    } else {
        // The low 7-bit group comes first, so these prefixes do not sort as numbers do.
        prefix(a.len()).cmp(&prefix(b.len()))
    }
}

impl PartialOrd for StateKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AccessPath { address, path } => match Path::from_bytes(path) {
                Ok(Path::Code(id)) => write!(f, "module {id}"),
                Ok(Path::Resource(tag)) => write!(f, "resource {address} {tag}"),
                Ok(Path::ResourceGroup(tag)) => write!(f, "resource group {address} {tag}"),
                Err(_) => write!(f, "access path {address} {path:?}"),
            },
            Self::TableItem { handle, key } => write!(f, "table item {handle} {key:?}"),
            Self::Raw(bytes) => write!(f, "raw {bytes:?}"),
        }
    }
}

impl Encode for StateKey {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::AccessPath { address, path } => {
                writer.variant(0);
                address.encode(writer);
                writer.bytes(path);
            }
            Self::TableItem { handle, key } => {
                writer.variant(1);
                handle.encode(writer);
                writer.bytes(key);
            }
            Self::Raw(bytes) => {
                writer.variant(2);
                writer.bytes(bytes);
            }
        }
    }
}

impl Decode for StateKey {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self::AccessPath {
                address: Address::decode(reader)?,
                path: Bytes::copy_from_slice(reader.bytes()?),
            }),
            1 => Ok(Self::TableItem {
                handle: Address::decode(reader)?,
                key: Bytes::copy_from_slice(reader.bytes()?),
            }),
            2 => Ok(Self::Raw(Bytes::copy_from_slice(reader.bytes()?))),
            index => Err(Error::UnknownVariant { of: "StateKey", index }),
        }
    }
}

impl Encode for Path {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Code(id) => {
                writer.variant(0);
                id.encode(writer);
            }
            Self::Resource(tag) => {
                writer.variant(1);
                tag.encode(writer);
            }
            Self::ResourceGroup(tag) => {
                writer.variant(2);
                tag.encode(writer);
            }
        }
    }
}

impl Decode for Path {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => ModuleId::decode(reader).map(Self::Code),
            1 => StructTag::decode(reader).map(Self::Resource),
            2 => StructTag::decode(reader).map(Self::ResourceGroup),
            index => Err(Error::UnknownVariant { of: "Path", index }),
        }
    }
}
