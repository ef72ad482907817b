//! What the executor needs to know of a signed transaction, read off it once.

use ledger_bcs::{Encode, Writer};
use ledger_types::{
    AccountAuthenticator, Address, AnyPublicKey, HashValue, MultisigPayload, OrderlessSession,
    ReplayProtector, ScriptArgument, SessionId, SignedTransaction, TransactionAuthenticator,
    TransactionExecutable, TransactionPayload, TransactionSession,
};

/// What keeps a transaction from being executed twice. BCS twin of the framework's enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayProtection {
    /// A number used once.
    Nonce(u64),
    /// The sender's counter.
    SequenceNumber(u64),
}

impl ReplayProtection {
    /// The counter; for a nonce the value that no account reaches.
    pub fn sequence_number(&self) -> u64 {
        match self {
            ReplayProtection::SequenceNumber(number) => *number,
            ReplayProtection::Nonce(_) => u64::MAX,
        }
    }
}

impl Encode for ReplayProtection {
    fn encode(&self, writer: &mut Writer) {
        let (variant, value) = match self {
            ReplayProtection::Nonce(nonce) => (0, nonce),
            ReplayProtection::SequenceNumber(number) => (1, number),
        };
        writer.variant(variant);
        writer.u64(*value);
    }
}

/// Who pays instead of the sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeePayer {
    /// Whose coins.
    pub address: Address,
    /// Authentication key proved by the signature; `None` where there is none to check.
    pub key: Option<Vec<u8>>,
}

/// The outer form of the authenticator, as far as features gate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// One of the forms that every chain takes.
    Plain,
    /// The form that holds any kind of account authenticator.
    SingleSender,
}

/// What a payload asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadKind {
    /// A function of a published module.
    EntryFunction,
    /// Code of its own.
    Script,
    /// On behalf of a multisig account.
    Multisig,
    /// A script on behalf of a multisig account.
    MultisigScript,
    /// Nothing.
    Empty,
    /// A form that the chain no longer takes.
    Removed,
}

/// The sessions of one transaction, each with an id of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Checks in Move.
    Prologue,
    /// What the sender wants.
    Payload,
    /// The fee.
    Epilogue,
    /// Account creation after a failed payload.
    RunOnAbort,
}

/// A signed transaction, read.
#[derive(Clone, Debug)]
pub struct TransactionFacts<'a> {
    /// Who sends.
    pub sender: Address,
    /// Against a second execution.
    pub replay: ReplayProtection,
    /// Gas units.
    pub max_gas_units: u64,
    /// Octas per gas unit.
    pub gas_unit_price: u64,
    /// Seconds; the transaction is void from then on.
    pub expiration_secs: u64,
    /// Chain it was signed for.
    pub chain_id: u8,
    /// What it wants.
    pub payload: &'a TransactionPayload,
    /// BCS length of the raw transaction, which limits and fees go by.
    pub raw_bytes: u64,
    /// SHA3-256 of the script, empty where there is none.
    pub script_hash: Vec<u8>,
    /// Authentication key proved by the sender's signature; `None` where there is none to check.
    pub sender_key: Option<Vec<u8>>,
    /// Other signers, in order.
    pub secondary_signers: Vec<Address>,
    /// Their keys, same order.
    pub secondary_keys: Vec<Option<Vec<u8>>>,
    /// Who pays instead of the sender.
    pub fee_payer: Option<FeePayer>,
    /// Outer form of the authenticator.
    pub envelope: Envelope,
    /// Whether a key of the kind that WebAuthn signs with takes part.
    pub has_web_authn: bool,
    /// Whether the payload is of the form with an extra configuration.
    pub has_versioned_payload: bool,
}

impl<'a> TransactionFacts<'a> {
    /// Reads a transaction.
    pub fn of(signed: &'a SignedTransaction) -> TransactionFacts<'a> {
        let raw = &signed.raw;
        let authenticator = &signed.authenticator;
        let sender = authenticator.sender();
        let secondary = authenticator.secondary_signers();
        let replay = match raw.replay_protector() {
            ReplayProtector::Nonce(nonce) => ReplayProtection::Nonce(nonce),
            ReplayProtector::SequenceNumber(number) => ReplayProtection::SequenceNumber(number),
        };
        let fee_payer = authenticator
            .fee_payer_address()
            .map(|address| FeePayer { address, key: authenticator.fee_payer_signer().and_then(proved_key) });
        let envelope = match authenticator {
            TransactionAuthenticator::SingleSender { .. } => Envelope::SingleSender,
            _ => Envelope::Plain,
        };
        let has_web_authn = std::iter::once(&sender)
            .chain(secondary)
            .chain(authenticator.fee_payer_signer())
            .any(has_web_authn_key);
        TransactionFacts {
            sender: raw.sender,
            replay,
            max_gas_units: raw.max_gas_amount,
            gas_unit_price: raw.gas_unit_price,
            expiration_secs: raw.expiration_timestamp_secs,
            chain_id: raw.chain_id,
            payload: &raw.payload,
            raw_bytes: raw.to_bytes().len() as u64,
            script_hash: script_hash(&raw.payload),
            sender_key: proved_key(&sender),
            secondary_signers: authenticator.secondary_signer_addresses().to_vec(),
            secondary_keys: secondary.iter().map(proved_key).collect(),
            fee_payer,
            envelope,
            has_web_authn,
            has_versioned_payload: matches!(raw.payload, TransactionPayload::Inner(_)),
        }
    }

    /// Whose coins pay.
    pub fn gas_payer(&self) -> Address {
        self.fee_payer.as_ref().map_or(self.sender, |payer| payer.address)
    }

    /// Signers the payload gets: the sender, then the secondary signers. The fee payer is not one.
    pub fn payload_signers(&self) -> Vec<Address> {
        std::iter::once(self.sender).chain(self.secondary_signers.iter().copied()).collect()
    }

    /// Whether a script is given arguments that do not say their type.
    pub fn has_serialized_arguments(&self) -> bool {
        let is_serialized = |argument: &ScriptArgument| matches!(argument, ScriptArgument::Serialized(_));
        self.payload.script().is_some_and(|script| script.args.iter().any(is_serialized))
    }

    /// What the payload asks for.
    pub fn payload_kind(&self) -> PayloadKind {
        match self.payload {
            TransactionPayload::Script(_) => PayloadKind::Script,
            TransactionPayload::EntryFunction(_) => PayloadKind::EntryFunction,
            TransactionPayload::Multisig(multisig) => match &multisig.payload {
                Some(MultisigPayload::Script(_)) => PayloadKind::MultisigScript,
                Some(MultisigPayload::EntryFunction(_)) | None => PayloadKind::Multisig,
            },
            TransactionPayload::Inner(inner) => {
                match (&inner.executable, inner.extra_config.multisig_address) {
                    (TransactionExecutable::Empty, None) => PayloadKind::Empty,
                    (TransactionExecutable::Script(_), None) => PayloadKind::Script,
                    (TransactionExecutable::Script(_), Some(_)) => PayloadKind::MultisigScript,
                    (TransactionExecutable::EntryFunction(_), None) => PayloadKind::EntryFunction,
                    (_, Some(_)) => PayloadKind::Multisig,
                }
            }
        }
    }

    /// Id of the session that runs `stage`.
    pub fn session_id(&self, stage: Stage) -> SessionId {
        match self.replay {
            ReplayProtection::SequenceNumber(sequence_number) => {
                let script_hash = self.script_hash.clone();
                let session = TransactionSession { sender: self.sender, sequence_number, script_hash };
                match stage {
                    Stage::Prologue => SessionId::Prologue(session),
                    Stage::Payload => SessionId::Transaction(session),
                    Stage::Epilogue => SessionId::Epilogue(session),
                    Stage::RunOnAbort => SessionId::RunOnAbort(session),
                }
            }
            ReplayProtection::Nonce(nonce) => {
                let session = OrderlessSession {
                    sender: self.sender,
                    nonce,
                    expiration_timestamp_secs: self.expiration_secs,
                    script_hash: self.script_hash.clone(),
                };
                match stage {
                    Stage::Prologue => SessionId::OrderlessPrologue(session),
                    Stage::Payload => SessionId::OrderlessTransaction(session),
                    Stage::Epilogue => SessionId::OrderlessEpilogue(session),
                    Stage::RunOnAbort => SessionId::OrderlessRunOnAbort(session),
                }
            }
        }
    }
}

fn proved_key(authenticator: &AccountAuthenticator) -> Option<Vec<u8>> {
    authenticator.authentication_key().map(|key| key.0.to_vec())
}

fn has_web_authn_key(authenticator: &AccountAuthenticator) -> bool {
    let is_web_authn = |key: &AnyPublicKey| matches!(key, AnyPublicKey::Secp256r1Ecdsa(_));
    match authenticator {
        AccountAuthenticator::SingleKey { public_key, .. } => is_web_authn(public_key),
        AccountAuthenticator::MultiKey { public_keys, .. } => {
            public_keys.public_keys.iter().any(is_web_authn)
        }
        _ => false,
    }
}

fn script_hash(payload: &TransactionPayload) -> Vec<u8> {
    let script = match payload {
        TransactionPayload::Script(script) => Some(script),
        TransactionPayload::Inner(inner) => match &inner.executable {
            TransactionExecutable::Script(script) => Some(script),
            _ => None,
        },
        _ => None,
    };
    script.map_or_else(Vec::new, |script| HashValue::sha3_256(&script.code).0.to_vec())
}
