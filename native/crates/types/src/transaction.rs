//! Everything that can stand on the ledger: user transactions and those the chain makes itself.

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{Address, ChangeSet, HashDomain, HashValue, Script, SignedTransaction};

/// A transaction of any kind. Validator transactions, which only chains of several validators make,
/// are refused at decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transaction {
    /// Sent by a user.
    User(Box<SignedTransaction>),
    /// The first transaction of a chain.
    Genesis(WriteSetPayload),
    /// Opens a block.
    BlockMetadata(BlockMetadata),
    /// Closes a block; holds the block id.
    StateCheckpoint(HashValue),
    /// Opens a block, with randomness.
    BlockMetadataExt(BlockMetadataExt),
    /// Closes a block, with what it used.
    BlockEpilogue(BlockEpilogue),
}

/// What genesis writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteSetPayload {
    /// Changes spelt out.
    Direct(ChangeSet),
    /// A script to run as an account.
    Script {
        /// The account.
        execute_as: Address,
        /// The script.
        script: Script,
    },
}

/// What opens a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockMetadata {
    /// Block id.
    pub id: HashValue,
    /// Epoch.
    pub epoch: u64,
    /// Round within the epoch.
    pub round: u64,
    /// Proposer; 0x0 where there is none.
    pub proposer: Address,
    /// Which validators voted for the block before.
    pub previous_block_votes_bitvec: Vec<u8>,
    /// Validators that failed to propose, by index.
    pub failed_proposer_indices: Vec<u32>,
    /// Chain time from here on, in microseconds.
    pub timestamp_usecs: u64,
}

/// What opens a block on chains with randomness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockMetadataExt {
    /// As without randomness.
    V0(BlockMetadata),
    /// With a seed, if there is one.
    V1 {
        /// The rest.
        metadata: BlockMetadata,
        /// Seed of the block.
        randomness: Option<Randomness>,
    },
}

/// Seed of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Randomness {
    /// Epoch.
    pub epoch: u64,
    /// Round.
    pub round: u64,
    /// The seed.
    pub randomness: Vec<u8>,
}

/// What closes a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEpilogue {
    /// Block id.
    pub block_id: HashValue,
    /// What the block used.
    pub block_end_info: BlockEndInfo,
    /// Fees by validator index, in increasing order of the encoded index; absent in the older
    /// variant.
    pub fee_distribution: Option<Vec<(u64, u64)>>,
}

/// Why a block ended where it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockEndInfo {
    /// Whether the gas limit was reached.
    pub block_gas_limit_reached: bool,
    /// Whether the output limit was reached.
    pub block_output_limit_reached: bool,
    /// Gas units, conflicts weighed in.
    pub block_effective_block_gas_units: u64,
    /// Output in bytes, roughly.
    pub block_approx_output_size: u64,
}

impl Transaction {
    /// Hash by which the ledger knows the transaction.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::Transaction.hash(&self.to_bytes())
    }
}

impl Encode for BlockMetadata {
    fn encode(&self, writer: &mut Writer) {
        self.id.encode(writer);
        writer.u64(self.epoch);
        writer.u64(self.round);
        self.proposer.encode(writer);
        writer.bytes(&self.previous_block_votes_bitvec);
        self.failed_proposer_indices.encode(writer);
        writer.u64(self.timestamp_usecs);
    }
}

impl Decode for BlockMetadata {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            id: HashValue::decode(reader)?,
            epoch: reader.u64()?,
            round: reader.u64()?,
            proposer: Address::decode(reader)?,
            previous_block_votes_bitvec: reader.bytes()?.to_vec(),
            failed_proposer_indices: Vec::decode(reader)?,
            timestamp_usecs: reader.u64()?,
        })
    }
}

impl Encode for Randomness {
    fn encode(&self, writer: &mut Writer) {
        writer.u64(self.epoch);
        writer.u64(self.round);
        writer.bytes(&self.randomness);
    }
}

impl Decode for Randomness {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { epoch: reader.u64()?, round: reader.u64()?, randomness: reader.bytes()?.to_vec() })
    }
}

impl Encode for BlockMetadataExt {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::V0(metadata) => {
                writer.variant(0);
                metadata.encode(writer);
            }
            Self::V1 { metadata, randomness } => {
                writer.variant(1);
                metadata.encode(writer);
                randomness.encode(writer);
            }
        }
    }
}

impl Decode for BlockMetadataExt {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => BlockMetadata::decode(reader).map(Self::V0),
            1 => {
                Ok(Self::V1 { metadata: BlockMetadata::decode(reader)?, randomness: Option::decode(reader)? })
            }
            index => Err(Error::UnknownVariant { of: "BlockMetadataExt", index }),
        }
    }
}

impl Encode for BlockEndInfo {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(0);
        writer.bool(self.block_gas_limit_reached);
        writer.bool(self.block_output_limit_reached);
        writer.u64(self.block_effective_block_gas_units);
        writer.u64(self.block_approx_output_size);
    }
}

impl Decode for BlockEndInfo {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self {
                block_gas_limit_reached: reader.bool()?,
                block_output_limit_reached: reader.bool()?,
                block_effective_block_gas_units: reader.u64()?,
                block_approx_output_size: reader.u64()?,
            }),
            index => Err(Error::UnknownVariant { of: "BlockEndInfo", index }),
        }
    }
}

impl Encode for BlockEpilogue {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(u32::from(self.fee_distribution.is_some()));
        self.block_id.encode(writer);
        self.block_end_info.encode(writer);
        if let Some(fees) = &self.fee_distribution {
            writer.variant(0);
            let entries = fees.iter().map(|(validator, octas)| (validator.to_bytes(), *octas));
            writer.map(entries, |writer, octas| writer.u64(octas));
        }
    }
}

impl Decode for BlockEpilogue {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let index = reader.variant()?;
        if index > 1 {
            return Err(Error::UnknownVariant { of: "BlockEpiloguePayload", index });
        }
        let block_id = HashValue::decode(reader)?;
        let block_end_info = BlockEndInfo::decode(reader)?;
        let fee_distribution = match index {
            0 => None,
            _ => match reader.variant()? {
                0 => Some(reader.map(Reader::u64, Reader::u64)?),
                index => return Err(Error::UnknownVariant { of: "FeeDistribution", index }),
            },
        };
        Ok(Self { block_id, block_end_info, fee_distribution })
    }
}

impl Encode for WriteSetPayload {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Direct(change_set) => {
                writer.variant(0);
                change_set.encode(writer);
            }
            Self::Script { execute_as, script } => {
                writer.variant(1);
                execute_as.encode(writer);
                script.encode(writer);
            }
        }
    }
}

impl Decode for WriteSetPayload {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => ChangeSet::decode(reader).map(Self::Direct),
            1 => Ok(Self::Script { execute_as: Address::decode(reader)?, script: Script::decode(reader)? }),
            index => Err(Error::UnknownVariant { of: "WriteSetPayload", index }),
        }
    }
}

impl Encode for Transaction {
    fn encode(&self, writer: &mut Writer) {
        let mut variant = |index: u32, content: &dyn Encode| {
            writer.variant(index);
            content.encode(writer);
        };
        match self {
            Self::User(transaction) => variant(0, &**transaction),
            Self::Genesis(payload) => variant(1, payload),
            Self::BlockMetadata(metadata) => variant(2, metadata),
            Self::StateCheckpoint(block_id) => variant(3, block_id),
            Self::BlockMetadataExt(metadata) => variant(5, metadata),
            Self::BlockEpilogue(epilogue) => variant(6, epilogue),
        }
    }
}

impl Decode for Transaction {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => SignedTransaction::decode(reader).map(|transaction| Self::User(Box::new(transaction))),
            1 => WriteSetPayload::decode(reader).map(Self::Genesis),
            2 => BlockMetadata::decode(reader).map(Self::BlockMetadata),
            3 => HashValue::decode(reader).map(Self::StateCheckpoint),
            4 => Err(Error::Unsupported("a validator transaction")),
            5 => BlockMetadataExt::decode(reader).map(Self::BlockMetadataExt),
            6 => BlockEpilogue::decode(reader).map(Self::BlockEpilogue),
            index => Err(Error::UnknownVariant { of: "Transaction", index }),
        }
    }
}
