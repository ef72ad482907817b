//! What a state key leads to: bytes, and the deposit paid to keep them.

use bytes::Bytes;
use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{HashDomain, HashValue};

/// A value in the state. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateValue {
    /// BCS of the resource, group, module or table value.
    pub data: Bytes,
    /// Deposit and creation time; absent for values written before deposits existed, and at genesis.
    pub metadata: Option<StateValueMetadata>,
}

/// Deposits are in octas, times in microseconds of chain time.
///
/// The older wire variant has one deposit and no `bytes_deposit`; it is written whenever
/// `bytes_deposit` is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateValueMetadata {
    /// Paid for the existence of the slot.
    pub slot_deposit: u64,
    /// Paid for the bytes in it.
    pub bytes_deposit: u64,
    /// When the slot was created.
    pub creation_time_usecs: u64,
}

impl StateValue {
    /// A value without metadata.
    #[must_use]
    pub fn new(data: impl Into<Bytes>) -> Self {
        Self { data: data.into(), metadata: None }
    }

    /// Seeded hash of the BCS: the value hash in the state tree.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::StateValue.hash(&self.to_bytes())
    }
}

impl Encode for StateValue {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(u32::from(self.metadata.is_some()));
        writer.bytes(&self.data);
        if let Some(metadata) = &self.metadata {
            metadata.encode(writer);
        }
    }
}

impl Decode for StateValue {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let index = reader.variant()?;
        if index > 1 {
            return Err(Error::UnknownVariant { of: "StateValue", index });
        }
        let data = Bytes::copy_from_slice(reader.bytes()?);
        let metadata = if index == 1 { Some(StateValueMetadata::decode(reader)?) } else { None };
        Ok(Self { data, metadata })
    }
}

impl Encode for StateValueMetadata {
    fn encode(&self, writer: &mut Writer) {
        if self.bytes_deposit == 0 {
            writer.variant(0);
            writer.u64(self.slot_deposit);
        } else {
            writer.variant(1);
            writer.u64(self.slot_deposit);
            writer.u64(self.bytes_deposit);
        }
        writer.u64(self.creation_time_usecs);
    }
}

impl Decode for StateValueMetadata {
    /// Refuses the newer variant with a zero `bytes_deposit`, which no writer makes and which would
    /// not re-encode to the same bytes.
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let index = reader.variant()?;
        if index > 1 {
            return Err(Error::UnknownVariant { of: "StateValueMetadata", index });
        }
        let slot_deposit = reader.u64()?;
        let bytes_deposit = if index == 1 { reader.u64()? } else { 0 };
        if index == 1 && bytes_deposit == 0 {
            return Err(Error::Invalid("state value metadata V1 without a bytes deposit"));
        }
        Ok(Self { slot_deposit, bytes_deposit, creation_time_usecs: reader.u64()? })
    }
}
