//! 32-byte hashes and the salts that keep hashes of different types apart.
//!
//! Everything hashed on the ledger is prefixed by a seed: the SHA3-256 of `APTOS::` and the name of
//! the type. A value of one type can then never be taken for a value of another with equal bytes.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use ledger_bcs::{Decode, Encode, Reader, Result, Writer};
use sha3::{Digest, Sha3_256};

/// A SHA3-256 hash, or a placeholder of the same width.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HashValue(pub [u8; 32]);

impl HashValue {
    /// 32 zero bytes.
    pub const ZERO: Self = Self([0; 32]);
    /// Root of an accumulator without leaves, and the missing right neighbour at any level.
    pub const ACCUMULATOR_PLACEHOLDER: Self = Self(literal(b"ACCUMULATOR_PLACEHOLDER_HASH"));
    /// Root of a state subtree without keys.
    pub const SPARSE_MERKLE_PLACEHOLDER: Self = Self(literal(b"SPARSE_MERKLE_PLACEHOLDER_HASH"));
    /// Parent block id of what comes before the first block.
    pub const PRE_GENESIS_BLOCK_ID: Self = Self(literal(b"PRE_GENESIS_BLOCK_ID"));

    /// Plain SHA3-256 of `bytes`, without a seed.
    #[must_use]
    pub fn sha3_256(bytes: &[u8]) -> Self {
        Self(Sha3_256::digest(bytes).into())
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// 64 lowercase hex digits, no prefix.
    #[must_use]
    pub fn to_hex(&self) -> String {
        use fmt::Write as _;
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// ASCII padded with zero bytes.
const fn literal(text: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    let mut index = 0;
    while index < text.len() {
        out[index] = text[index];
        index += 1;
    }
    out
}

impl fmt::Display for HashValue {
    /// `0x` and 64 lowercase hex digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{}", self.to_hex())
    }
}

impl fmt::Debug for HashValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not 64 hex digits with an optional `0x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashParseError;

impl fmt::Display for HashParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 64 hex digits with an optional 0x")
    }
}

impl std::error::Error for HashParseError {}

impl FromStr for HashValue {
    type Err = HashParseError;

    fn from_str(text: &str) -> std::result::Result<Self, HashParseError> {
        let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
        if digits.len() != 64 {
            return Err(HashParseError);
        }
        let mut out = [0; 32];
        for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
            let high = hex_digit(pair[0]).ok_or(HashParseError)?;
            let low = hex_digit(pair[1]).ok_or(HashParseError)?;
            *byte = high << 4 | low;
        }
        Ok(Self(out))
    }
}

/// Value of one hex digit in either case.
pub(crate) fn hex_digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

impl Encode for HashValue {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(&self.0);
    }
}

impl Decode for HashValue {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        reader.array().map(Self)
    }
}

/// The types whose hashes appear on the ledger, each with its own seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashDomain {
    /// A transaction of any kind, by its BCS.
    Transaction,
    /// Transaction info; leaf of the transaction accumulator.
    TransactionInfo,
    /// An event, variant byte included.
    ContractEvent,
    /// A write set.
    WriteSet,
    /// What a single signer signs.
    RawTransaction,
    /// What the parties of a multi-agent or fee-payer transaction sign.
    RawTransactionWithData,
    /// What an abstracted account's authenticator vouches for.
    AASigningData,
    /// Ledger info.
    LedgerInfo,
    /// The part of a ledger info that a waypoint pins.
    Ledger2WaypointConverter,
    /// A state key, by its storage encoding.
    StateKey,
    /// A state value.
    StateValue,
    /// Leaf of the state tree.
    SparseMerkleLeafNode,
    /// Inner node of the state tree.
    SparseMerkleInternal,
    /// Inner node of the transaction accumulator.
    TransactionAccumulator,
    /// Inner node of the event accumulator.
    EventAccumulator,
    /// A VM session id; seeds table handles and unique addresses.
    SessionId,
    /// Data that accompanies a transaction and that the ledger commits to by hash alone.
    TransactionAuxiliaryData,
}

const DOMAINS: usize = HashDomain::TransactionAuxiliaryData as usize + 1;

impl HashDomain {
    /// The type name inside the salt.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transaction => "Transaction",
            Self::TransactionInfo => "TransactionInfo",
            Self::ContractEvent => "ContractEvent",
            Self::WriteSet => "WriteSet",
            Self::RawTransaction => "RawTransaction",
            Self::RawTransactionWithData => "RawTransactionWithData",
            Self::AASigningData => "AASigningData",
            Self::LedgerInfo => "LedgerInfo",
            Self::Ledger2WaypointConverter => "Ledger2WaypointConverter",
            Self::StateKey => "StateKey",
            Self::StateValue => "StateValue",
            Self::SparseMerkleLeafNode => "SparseMerkleLeafNode",
            Self::SparseMerkleInternal => "SparseMerkleInternal",
            Self::TransactionAccumulator => "TransactionAccumulator",
            Self::EventAccumulator => "EventAccumulator",
            Self::SessionId => "SessionId",
            Self::TransactionAuxiliaryData => "TransactionAuxiliaryData",
        }
    }

    /// SHA3-256 of `APTOS::` and the name: the first 32 bytes of everything hashed in this domain.
    /// Made once per process.
    #[must_use]
    pub fn seed(self) -> HashValue {
        static SEEDS: [OnceLock<HashValue>; DOMAINS] = [const { OnceLock::new() }; DOMAINS];
        *SEEDS[self as usize].get_or_init(|| {
            let mut hasher = Sha3_256::new();
            hasher.update(b"APTOS::");
            hasher.update(self.name());
            HashValue(hasher.finalize().into())
        })
    }

    /// A hasher that has taken the seed already. Clone it to hash many values of one domain without
    /// hashing the name again.
    #[must_use]
    pub fn hasher(self) -> DomainHasher {
        let mut hasher = Sha3_256::new();
        hasher.update(self.seed().0);
        DomainHasher(hasher)
    }

    /// Seeded hash of `bytes`.
    #[must_use]
    pub fn hash(self, bytes: &[u8]) -> HashValue {
        self.hash_parts(&[bytes])
    }

    /// Seeded hash of the parts laid end to end.
    #[must_use]
    pub fn hash_parts(self, parts: &[&[u8]]) -> HashValue {
        let mut hasher = self.hasher();
        for part in parts {
            hasher.update(part);
        }
        hasher.finish()
    }
}

/// A SHA3-256 state that began with the seed of one [`HashDomain`].
#[derive(Clone)]
pub struct DomainHasher(Sha3_256);

impl DomainHasher {
    /// Takes more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of everything taken.
    #[must_use]
    pub fn finish(self) -> HashValue {
        HashValue(self.0.finalize().into())
    }
}

impl fmt::Debug for DomainHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DomainHasher")
    }
}
