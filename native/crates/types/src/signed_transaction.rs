//! User transactions: what is signed, and the signed whole.

use ledger_bcs::{Decode, Encode, Reader, Result, Writer};

use crate::{Address, HashDomain, HashValue, TransactionAuthenticator, TransactionPayload};

/// The sequence number of a transaction that carries a nonce in its payload instead.
pub const ORDERLESS_SEQUENCE_NUMBER: u64 = u64::MAX;

/// A transaction before signing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTransaction {
    /// Account that sends it.
    pub sender: Address,
    /// The sender's counter; [`ORDERLESS_SEQUENCE_NUMBER`] beside a nonce.
    pub sequence_number: u64,
    /// What to run.
    pub payload: TransactionPayload,
    /// Most gas units to charge.
    pub max_gas_amount: u64,
    /// Octas per gas unit.
    pub gas_unit_price: u64,
    /// Expired from this chain time on, in seconds.
    pub expiration_timestamp_secs: u64,
    /// Chain it is meant for.
    pub chain_id: u8,
}

/// A transaction and the proof that its parties agreed to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTransaction {
    /// What was signed.
    pub raw: RawTransaction,
    /// The proof.
    pub authenticator: TransactionAuthenticator,
}

/// What prevents a transaction from running twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplayProtector {
    /// The sender's counter.
    SequenceNumber(u64),
    /// A nonce, remembered until the transaction expires.
    Nonce(u64),
}

impl RawTransaction {
    /// What prevents this transaction from running twice.
    #[must_use]
    pub fn replay_protector(&self) -> ReplayProtector {
        match self.payload.replay_protection_nonce() {
            Some(nonce) => ReplayProtector::Nonce(nonce),
            None => ReplayProtector::SequenceNumber(self.sequence_number),
        }
    }
}

impl SignedTransaction {
    /// Hash by which the ledger and its clients know the transaction. Signatures are part of it.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        Self::hash_of_bytes(&self.to_bytes())
    }

    /// The same hash from the BCS of a signed transaction, without decoding it.
    #[must_use]
    pub fn hash_of_bytes(signed_transaction: &[u8]) -> HashValue {
        // The leading zero is the user variant of the transaction enum.
        HashDomain::Transaction.hash_parts(&[&[0], signed_transaction])
    }
}

impl Encode for RawTransaction {
    fn encode(&self, writer: &mut Writer) {
        self.sender.encode(writer);
        writer.u64(self.sequence_number);
        self.payload.encode(writer);
        writer.u64(self.max_gas_amount);
        writer.u64(self.gas_unit_price);
        writer.u64(self.expiration_timestamp_secs);
        writer.u8(self.chain_id);
    }
}

impl Decode for RawTransaction {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            sender: Address::decode(reader)?,
            sequence_number: reader.u64()?,
            payload: TransactionPayload::decode(reader)?,
            max_gas_amount: reader.u64()?,
            gas_unit_price: reader.u64()?,
            expiration_timestamp_secs: reader.u64()?,
            chain_id: reader.u8()?,
        })
    }
}

impl Encode for SignedTransaction {
    fn encode(&self, writer: &mut Writer) {
        self.raw.encode(writer);
        self.authenticator.encode(writer);
    }
}

impl Decode for SignedTransaction {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            raw: RawTransaction::decode(reader)?,
            authenticator: TransactionAuthenticator::decode(reader)?,
        })
    }
}
