//! Events: what a transaction says happened.

use bytes::Bytes;
use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{Address, HashDomain, HashValue, TypeTag};

/// Names the stream that a handle event belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKey {
    /// Which of the account's handles.
    pub creation_number: u64,
    /// Account that owns the handle.
    pub account: Address,
}

/// An event. Cheap to clone but for its type tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractEvent {
    /// Emitted through an event handle.
    V1 {
        /// The handle's stream.
        key: EventKey,
        /// Position in the stream, from 0.
        sequence_number: u64,
        /// Type of the data.
        type_tag: TypeTag,
        /// BCS of the event struct.
        data: Bytes,
    },
    /// A module event, without a stream.
    V2 {
        /// Type of the data.
        type_tag: TypeTag,
        /// BCS of the event struct.
        data: Bytes,
    },
}

impl ContractEvent {
    /// Type of the data.
    #[must_use]
    pub fn type_tag(&self) -> &TypeTag {
        match self {
            Self::V1 { type_tag, .. } | Self::V2 { type_tag, .. } => type_tag,
        }
    }

    /// BCS of the event struct.
    #[must_use]
    pub fn data(&self) -> &Bytes {
        match self {
            Self::V1 { data, .. } | Self::V2 { data, .. } => data,
        }
    }

    /// Seeded hash of the BCS, variant included: a leaf of the event accumulator.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::ContractEvent.hash(&self.to_bytes())
    }
}

impl Encode for EventKey {
    fn encode(&self, writer: &mut Writer) {
        writer.u64(self.creation_number);
        self.account.encode(writer);
    }
}

impl Decode for EventKey {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { creation_number: reader.u64()?, account: Address::decode(reader)? })
    }
}

impl Encode for ContractEvent {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::V1 { key, sequence_number, type_tag, data } => {
                writer.variant(0);
                key.encode(writer);
                writer.u64(*sequence_number);
                type_tag.encode(writer);
                writer.bytes(data);
            }
            Self::V2 { type_tag, data } => {
                writer.variant(1);
                type_tag.encode(writer);
                writer.bytes(data);
            }
        }
    }
}

impl Decode for ContractEvent {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self::V1 {
                key: EventKey::decode(reader)?,
                sequence_number: reader.u64()?,
                type_tag: TypeTag::decode(reader)?,
                data: Bytes::copy_from_slice(reader.bytes()?),
            }),
            1 => Ok(Self::V2 {
                type_tag: TypeTag::decode(reader)?,
                data: Bytes::copy_from_slice(reader.bytes()?),
            }),
            index => Err(Error::UnknownVariant { of: "ContractEvent", index }),
        }
    }
}
