//! What a chain commits to at the end of a block, and the waypoint that pins it.

use std::fmt;
use std::str::FromStr;

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{Address, HashDomain, HashValue};

/// A block and what executing it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockInfo {
    /// Epoch.
    pub epoch: u64,
    /// Round within the epoch.
    pub round: u64,
    /// Block id.
    pub id: HashValue,
    /// Root of the transaction accumulator.
    pub executed_state_id: HashValue,
    /// Last ledger version of the block.
    pub version: u64,
    /// Chain time in microseconds.
    pub timestamp_usecs: u64,
    /// Validators of the next epoch, if the block ends one.
    pub next_epoch_state: Option<EpochState>,
}

/// Validators of an epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpochState {
    /// The epoch.
    pub epoch: u64,
    /// Validators, by index.
    pub validators: Vec<ValidatorConsensusInfo>,
}

/// One validator of an epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidatorConsensusInfo {
    /// Its account.
    pub address: Address,
    /// Its BLS12-381 public key.
    pub public_key: [u8; 48],
    /// Its weight.
    pub voting_power: u64,
}

/// What validators sign at the end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerInfo {
    /// The block.
    pub commit_info: BlockInfo,
    /// Hash over the consensus data.
    pub consensus_data_hash: HashValue,
}

impl LedgerInfo {
    /// Seeded hash of the BCS.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::LedgerInfo.hash(&self.to_bytes())
    }

    /// The waypoint that pins this ledger info.
    #[must_use]
    pub fn waypoint(&self) -> Waypoint {
        let info = &self.commit_info;
        let mut writer = Writer::new();
        writer.u64(info.epoch);
        info.executed_state_id.encode(&mut writer);
        writer.u64(info.version);
        writer.u64(info.timestamp_usecs);
        info.next_epoch_state.encode(&mut writer);
        let value = HashDomain::Ledger2WaypointConverter.hash(writer.as_bytes());
        Waypoint { version: info.version, value }
    }
}

/// A point of the ledger that a node can trust from configuration alone. Text: `version:hex`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// Ledger version.
    pub version: u64,
    /// Hash of what the ledger info says there.
    pub value: HashValue,
}

impl fmt::Display for Waypoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.version, self.value.to_hex())
    }
}

/// The text is not `version:hex`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaypointParseError;

impl fmt::Display for WaypointParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a ledger version, a colon and 64 hex digits")
    }
}

impl std::error::Error for WaypointParseError {}

impl FromStr for Waypoint {
    type Err = WaypointParseError;

    fn from_str(text: &str) -> std::result::Result<Self, WaypointParseError> {
        let (version, value) = text.split_once(':').ok_or(WaypointParseError)?;
        Ok(Self {
            version: version.parse().map_err(|_| WaypointParseError)?,
            value: value.parse().map_err(|_| WaypointParseError)?,
        })
    }
}

impl Encode for ValidatorConsensusInfo {
    fn encode(&self, writer: &mut Writer) {
        self.address.encode(writer);
        writer.bytes(&self.public_key);
        writer.u64(self.voting_power);
    }
}

impl Decode for ValidatorConsensusInfo {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            address: Address::decode(reader)?,
            public_key: reader
                .bytes()?
                .try_into()
                .map_err(|_| Error::Invalid("BLS12-381 public key is not 48 bytes"))?,
            voting_power: reader.u64()?,
        })
    }
}

impl Encode for EpochState {
    fn encode(&self, writer: &mut Writer) {
        writer.u64(self.epoch);
        self.validators.encode(writer);
    }
}

impl Decode for EpochState {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { epoch: reader.u64()?, validators: Vec::decode(reader)? })
    }
}

impl Encode for BlockInfo {
    fn encode(&self, writer: &mut Writer) {
        writer.u64(self.epoch);
        writer.u64(self.round);
        self.id.encode(writer);
        self.executed_state_id.encode(writer);
        writer.u64(self.version);
        writer.u64(self.timestamp_usecs);
        self.next_epoch_state.encode(writer);
    }
}

impl Decode for BlockInfo {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            epoch: reader.u64()?,
            round: reader.u64()?,
            id: HashValue::decode(reader)?,
            executed_state_id: HashValue::decode(reader)?,
            version: reader.u64()?,
            timestamp_usecs: reader.u64()?,
            next_epoch_state: Option::decode(reader)?,
        })
    }
}

impl Encode for LedgerInfo {
    fn encode(&self, writer: &mut Writer) {
        self.commit_info.encode(writer);
        self.consensus_data_hash.encode(writer);
    }
}

impl Decode for LedgerInfo {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { commit_info: BlockInfo::decode(reader)?, consensus_data_hash: HashValue::decode(reader)? })
    }
}
