//! Resource groups: several resources of an address in one state item, a BCS map from struct tag to
//! bytes, sorted by the bytes of the tag.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use ledger_bcs::{Decode, Reader, Writer};
use ledger_types::{Address, StateKey, StructTag};

use super::data::Origin;
use crate::errors::{Fault, status};

/// A group that was read.
pub struct Group {
    /// Its state key.
    pub key: StateKey,
    /// What was there before the session.
    pub origin: Origin,
    /// Members by the BCS of their tag.
    pub members: BTreeMap<Bytes, Bytes>,
    /// Whether a member changed.
    pub changed: bool,
}

/// The groups of a session.
#[derive(Default)]
pub struct Groups {
    groups: Vec<Group>,
    numbers: HashMap<(Address, StructTag), usize>,
}

impl Groups {
    /// A group that was read before.
    pub fn find(&self, address: &Address, tag: &StructTag) -> Option<usize> {
        self.numbers.get(&(*address, tag.clone())).copied()
    }

    /// Parses a group and keeps it.
    ///
    /// # Errors
    /// `FAILED_TO_DESERIALIZE_RESOURCE`.
    pub fn add(
        &mut self,
        address: Address,
        tag: StructTag,
        key: StateKey,
        bytes: Option<Bytes>,
        origin: Origin,
    ) -> Result<usize, Fault> {
        let members = match bytes {
            None => BTreeMap::new(),
            Some(bytes) => parse(&bytes).map_err(|_| Fault::new(status::FAILED_TO_DESERIALIZE_RESOURCE))?,
        };
        self.groups.push(Group { key, origin, members, changed: false });
        self.numbers.insert((address, tag), self.groups.len() - 1);
        Ok(self.groups.len() - 1)
    }

    /// Bytes of a member.
    pub fn member(&self, group: usize, tag: &Bytes) -> Option<Bytes> {
        self.groups[group].members.get(tag).cloned()
    }

    /// Sets or removes a member.
    pub fn set(&mut self, group: usize, tag: Bytes, bytes: Option<Bytes>) {
        let group = &mut self.groups[group];
        group.changed = true;
        match bytes {
            Some(bytes) => group.members.insert(tag, bytes),
            None => group.members.remove(&tag),
        };
    }

    /// Groups with changes.
    pub fn changed(self) -> impl Iterator<Item = Group> {
        self.groups.into_iter().filter(|group| group.changed)
    }
}

impl Group {
    /// The BCS of the map; `None` if it is empty, for then the item does not exist.
    pub fn encode(&self) -> Option<Bytes> {
        if self.members.is_empty() {
            return None;
        }
        let mut writer = Writer::new();
        writer.length(self.members.len());
        for (tag, value) in &self.members {
            writer.raw(tag);
            writer.bytes(value);
        }
        Some(writer.into_bytes().into())
    }
}

fn parse(bytes: &Bytes) -> ledger_bcs::Result<BTreeMap<Bytes, Bytes>> {
    let mut reader = Reader::new(bytes);
    let count = reader.length()?;
    let mut members = BTreeMap::new();
    for _ in 0..count {
        let start = reader.position();
        StructTag::decode(&mut reader)?;
        let tag = bytes.slice_ref(reader.consumed_since(start));
        let value = bytes.slice_ref(reader.bytes()?);
        members.insert(tag, value);
    }
    reader.finish()?;
    Ok(members)
}
