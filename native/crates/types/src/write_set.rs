//! What a transaction changes: a map from state key to write op.

use bytes::Bytes;
use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{ContractEvent, HashDomain, HashValue, StateKey, StateValue, StateValueMetadata};

/// Change of one state value. Cheap to clone.
///
/// `metadata` is what the slot holds afterwards, or for a deletion what it held; `None` for slots
/// that have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteOp {
    /// The key had no value.
    Creation {
        /// The new bytes.
        data: Bytes,
        /// Deposit and creation time.
        metadata: Option<StateValueMetadata>,
    },
    /// The key had another value.
    Modification {
        /// The new bytes.
        data: Bytes,
        /// Deposit and creation time.
        metadata: Option<StateValueMetadata>,
    },
    /// The key has no value any more.
    Deletion {
        /// What the slot held, for the refund.
        metadata: Option<StateValueMetadata>,
    },
}

impl WriteOp {
    /// The bytes after the write; `None` for a deletion.
    #[must_use]
    pub fn data(&self) -> Option<&Bytes> {
        match self {
            Self::Creation { data, .. } | Self::Modification { data, .. } => Some(data),
            Self::Deletion { .. } => None,
        }
    }

    /// Metadata of the slot.
    #[must_use]
    pub fn metadata(&self) -> Option<&StateValueMetadata> {
        match self {
            Self::Creation { metadata, .. }
            | Self::Modification { metadata, .. }
            | Self::Deletion { metadata } => metadata.as_ref(),
        }
    }

    /// The state value after the write; `None` for a deletion.
    #[must_use]
    pub fn state_value(&self) -> Option<StateValue> {
        self.data().map(|data| StateValue { data: data.clone(), metadata: self.metadata().copied() })
    }

    /// Whether the key has no value afterwards.
    #[must_use]
    pub fn is_deletion(&self) -> bool {
        matches!(self, Self::Deletion { .. })
    }
}

/// Write ops by state key, in the order of the keys' BCS bytes, each key once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteSet {
    entries: Vec<(StateKey, WriteOp)>,
}

impl WriteSet {
    /// Number of write ops.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Write ops in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (StateKey, WriteOp)> {
        self.entries.iter()
    }

    /// The write op of one key.
    #[must_use]
    pub fn get(&self, key: &StateKey) -> Option<&WriteOp> {
        let index = self.entries.binary_search_by(|(entry, _)| entry.cmp(key)).ok()?;
        Some(&self.entries[index].1)
    }

    /// Hash of the BCS: `state_change_hash` of the transaction info.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::WriteSet.hash(&self.to_bytes())
    }
}

impl FromIterator<(StateKey, WriteOp)> for WriteSet {
    /// Sorts; of several ops for one key the last stays.
    fn from_iter<I: IntoIterator<Item = (StateKey, WriteOp)>>(entries: I) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(&mut later.1, &mut earlier.1);
            }
            same
        });
        Self { entries }
    }
}

impl IntoIterator for WriteSet {
    type Item = (StateKey, WriteOp);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a> IntoIterator for &'a WriteSet {
    type Item = &'a (StateKey, WriteOp);
    type IntoIter = std::slice::Iter<'a, (StateKey, WriteOp)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

/// A write set and the events beside it: the direct form of a genesis transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// State changes.
    pub write_set: WriteSet,
    /// Events, in order of emission.
    pub events: Vec<ContractEvent>,
}

impl Encode for WriteOp {
    fn encode(&self, writer: &mut Writer) {
        let plain = match self {
            Self::Creation { .. } => 0,
            Self::Modification { .. } => 1,
            Self::Deletion { .. } => 2,
        };
        writer.variant(plain + if self.metadata().is_some() { 3 } else { 0 });
        if let Some(data) = self.data() {
            writer.bytes(data);
        }
        if let Some(metadata) = self.metadata() {
            metadata.encode(writer);
        }
    }
}

impl Decode for WriteOp {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let index = reader.variant()?;
        if index > 5 {
            return Err(Error::UnknownVariant { of: "WriteOp", index });
        }
        let data = match index % 3 {
            2 => None,
            _ => Some(Bytes::copy_from_slice(reader.bytes()?)),
        };
        let metadata = if index >= 3 { Some(StateValueMetadata::decode(reader)?) } else { None };
        Ok(match (index % 3, data) {
            (0, Some(data)) => Self::Creation { data, metadata },
            (1, Some(data)) => Self::Modification { data, metadata },
            _ => Self::Deletion { metadata },
        })
    }
}

impl Encode for WriteSet {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(0);
        writer.sequence(&self.entries, |writer, (key, op)| {
            key.encode(writer);
            op.encode(writer);
        });
    }
}

impl Decode for WriteSet {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self { entries: reader.map(StateKey::decode, WriteOp::decode)? }),
            index => Err(Error::UnknownVariant { of: "WriteSet", index }),
        }
    }
}

impl Encode for ChangeSet {
    fn encode(&self, writer: &mut Writer) {
        self.write_set.encode(writer);
        self.events.encode(writer);
    }
}

impl Decode for ChangeSet {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { write_set: WriteSet::decode(reader)?, events: Vec::decode(reader)? })
    }
}
