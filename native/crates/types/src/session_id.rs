//! Ids of VM sessions. Their hashes seed table handles, aggregator keys and unique addresses, so two
//! sessions must never share one.

use ledger_bcs::{Encode, Writer};

use crate::{Address, HashDomain, HashValue};

/// What distinguishes the sessions of a sequence-numbered transaction from those of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionSession {
    /// Sender of the transaction.
    pub sender: Address,
    /// Its sequence number.
    pub sequence_number: u64,
    /// SHA3-256 of the script's bytecode; empty for other payloads.
    pub script_hash: Vec<u8>,
}

/// The same for a transaction that carries a nonce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderlessSession {
    /// Sender of the transaction.
    pub sender: Address,
    /// Its replay protection nonce.
    pub nonce: u64,
    /// When it expires, in seconds.
    pub expiration_timestamp_secs: u64,
    /// SHA3-256 of the script's bytecode; empty for other payloads.
    pub script_hash: Vec<u8>,
}

/// Id of a VM session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionId {
    /// Payload of a transaction.
    Transaction(TransactionSession),
    /// Prologue of a block.
    BlockMetadata(HashValue),
    /// Genesis.
    Genesis(HashValue),
    /// Prologue of a transaction.
    Prologue(TransactionSession),
    /// Epilogue of a transaction.
    Epilogue(TransactionSession),
    /// Nothing that is ever committed: views.
    Void,
    /// Account creation for a failed transaction.
    RunOnAbort(TransactionSession),
    /// Prologue of a block with randomness.
    BlockMetadataExt(HashValue),
    /// Validator transaction.
    ValidatorTransaction(Vec<u8>),
    /// Payload of an orderless transaction.
    OrderlessTransaction(OrderlessSession),
    /// Prologue of an orderless transaction.
    OrderlessPrologue(OrderlessSession),
    /// Epilogue of an orderless transaction.
    OrderlessEpilogue(OrderlessSession),
    /// Account creation for a failed orderless transaction.
    OrderlessRunOnAbort(OrderlessSession),
    /// Epilogue of a block.
    BlockEpilogue(HashValue),
}

impl SessionId {
    /// Seeded hash of the BCS.
    #[must_use]
    pub fn hash(&self) -> HashValue {
        HashDomain::SessionId.hash(&self.to_bytes())
    }
}

impl Encode for TransactionSession {
    fn encode(&self, writer: &mut Writer) {
        self.sender.encode(writer);
        writer.u64(self.sequence_number);
        writer.bytes(&self.script_hash);
    }
}

impl Encode for OrderlessSession {
    fn encode(&self, writer: &mut Writer) {
        self.sender.encode(writer);
        writer.u64(self.nonce);
        writer.u64(self.expiration_timestamp_secs);
        writer.bytes(&self.script_hash);
    }
}

impl Encode for SessionId {
    fn encode(&self, writer: &mut Writer) {
        let mut variant = |index: u32, fields: &dyn Encode| {
            writer.variant(index);
            fields.encode(writer);
        };
        match self {
            Self::Transaction(session) => variant(0, session),
            Self::BlockMetadata(id) => variant(1, id),
            Self::Genesis(id) => variant(2, id),
            Self::Prologue(session) => variant(3, session),
            Self::Epilogue(session) => variant(4, session),
            Self::Void => writer.variant(5),
            Self::RunOnAbort(session) => variant(6, session),
            Self::BlockMetadataExt(id) => variant(7, id),
            Self::ValidatorTransaction(script_hash) => variant(8, script_hash),
            Self::OrderlessTransaction(session) => variant(9, session),
            Self::OrderlessPrologue(session) => variant(10, session),
            Self::OrderlessEpilogue(session) => variant(11, session),
            Self::OrderlessRunOnAbort(session) => variant(12, session),
            Self::BlockEpilogue(id) => variant(13, id),
        }
    }
}
