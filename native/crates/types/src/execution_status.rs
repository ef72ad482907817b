//! How a committed transaction ended, and the record of it that the ledger commits to.

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{HashDomain, HashValue, ModuleId};

/// Outcome of a kept transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutionStatus {
    /// Ran to the end.
    Success,
    /// Used up its gas.
    OutOfGas,
    /// Called `abort`.
    MoveAbort {
        /// Where.
        location: AbortLocation,
        /// The abort code.
        code: u64,
        /// What the module says the code means, if it says.
        info: Option<AbortInfo>,
    },
    /// Broke a rule of the VM at run time.
    ExecutionFailure {
        /// Where.
        location: AbortLocation,
        /// Index of the function definition.
        function: u16,
        /// Index of the instruction.
        code_offset: u16,
    },
    /// Failed in another way, by VM status code if one is known.
    MiscellaneousError(Option<u64>),
}

/// Code that a failure happened in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbortLocation {
    /// A published module.
    Module(ModuleId),
    /// The transaction's script.
    Script,
}

/// Name and description of an abort code, from the module's error map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbortInfo {
    /// Name of the error constant.
    pub reason_name: String,
    /// Its documentation.
    pub description: String,
}

impl ExecutionStatus {
    /// Whether the transaction ran to the end.
    #[must_use]
    pub fn is_success(&self) -> bool {
        *self == Self::Success
    }
}

/// Record of one committed transaction; its hash is a leaf of the transaction accumulator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionInfo {
    /// Gas units charged.
    pub gas_used: u64,
    /// Outcome.
    pub status: ExecutionStatus,
    /// Hash of the transaction.
    pub transaction_hash: HashValue,
    /// Root of the event accumulator over its events.
    pub event_root_hash: HashValue,
    /// Hash of its write set.
    pub state_change_hash: HashValue,
    /// Root of the state tree, at the end of each block only.
    pub state_checkpoint_hash: Option<HashValue>,
    /// Hash of data kept beside the transaction; absent on chains that keep none.
    pub auxiliary_info_hash: Option<HashValue>,
}

impl TransactionInfo {
    /// Seeded hash of the BCS.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::TransactionInfo.hash(&self.to_bytes())
    }
}

impl Encode for AbortLocation {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Module(id) => {
                writer.variant(0);
                id.encode(writer);
            }
            Self::Script => writer.variant(1),
        }
    }
}

impl Decode for AbortLocation {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => ModuleId::decode(reader).map(Self::Module),
            1 => Ok(Self::Script),
            index => Err(Error::UnknownVariant { of: "AbortLocation", index }),
        }
    }
}

impl Encode for AbortInfo {
    fn encode(&self, writer: &mut Writer) {
        writer.string(&self.reason_name);
        writer.string(&self.description);
    }
}

impl Decode for AbortInfo {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { reason_name: String::decode(reader)?, description: String::decode(reader)? })
    }
}

impl Encode for ExecutionStatus {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Success => writer.variant(0),
            Self::OutOfGas => writer.variant(1),
            Self::MoveAbort { location, code, info } => {
                writer.variant(2);
                location.encode(writer);
                writer.u64(*code);
                info.encode(writer);
            }
            Self::ExecutionFailure { location, function, code_offset } => {
                writer.variant(3);
                location.encode(writer);
                writer.u16(*function);
                writer.u16(*code_offset);
            }
            Self::MiscellaneousError(code) => {
                writer.variant(4);
                code.encode(writer);
            }
        }
    }
}

impl Decode for ExecutionStatus {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self::Success),
            1 => Ok(Self::OutOfGas),
            2 => Ok(Self::MoveAbort {
                location: AbortLocation::decode(reader)?,
                code: reader.u64()?,
                info: Option::decode(reader)?,
            }),
            3 => Ok(Self::ExecutionFailure {
                location: AbortLocation::decode(reader)?,
                function: reader.u16()?,
                code_offset: reader.u16()?,
            }),
            4 => Option::decode(reader).map(Self::MiscellaneousError),
            index => Err(Error::UnknownVariant { of: "ExecutionStatus", index }),
        }
    }
}

impl Encode for TransactionInfo {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(0);
        writer.u64(self.gas_used);
        self.status.encode(writer);
        self.transaction_hash.encode(writer);
        self.event_root_hash.encode(writer);
        self.state_change_hash.encode(writer);
        self.state_checkpoint_hash.encode(writer);
        self.auxiliary_info_hash.encode(writer);
    }
}

impl Decode for TransactionInfo {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => {}
            1 => return Err(Error::Unsupported("transaction info V1")),
            index => return Err(Error::UnknownVariant { of: "TransactionInfo", index }),
        }
        Ok(Self {
            gas_used: reader.u64()?,
            status: ExecutionStatus::decode(reader)?,
            transaction_hash: HashValue::decode(reader)?,
            event_root_hash: HashValue::decode(reader)?,
            state_change_hash: HashValue::decode(reader)?,
            state_checkpoint_hash: Option::decode(reader)?,
            auxiliary_info_hash: Option::decode(reader)?,
        })
    }
}
