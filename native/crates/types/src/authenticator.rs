//! What proves that the parties of a transaction agreed to it.

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{
    Address, AnyPublicKey, AnySignature, Ed25519PublicKey, Ed25519Signature, FunctionInfo,
    MultiEd25519PublicKey, MultiEd25519Signature, MultiKey,
};

/// Most signatures over sender and secondary signers together; the fee payer's do not count.
pub const SIGNATURES_MAX: usize = 32;

/// Longest signature bitmap in bytes that the chain format admits.
pub const BITMAP_BYTES_MAX: usize = 8192;

/// Most secondary signers of one transaction. A proof can take a single byte of input, so a list of
/// them needs a limit of its own; Move code cannot take nearly as many signers.
pub const SECONDARY_SIGNERS_MAX: usize = 255;

/// Proof for a whole transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "one per transaction, and transactions are kept behind pointers"
)]
pub enum TransactionAuthenticator {
    /// One sender with an ed25519 key.
    Ed25519 {
        /// The key.
        public_key: Ed25519PublicKey,
        /// Its signature.
        signature: Ed25519Signature,
    },
    /// One sender with several ed25519 keys.
    MultiEd25519 {
        /// The keys.
        public_key: MultiEd25519PublicKey,
        /// Their signatures.
        signature: MultiEd25519Signature,
    },
    /// A sender and further signers.
    MultiAgent {
        /// Proof of the sender.
        sender: AccountAuthenticator,
        /// The further signers.
        secondary_signer_addresses: Vec<Address>,
        /// Their proofs, in the same order.
        secondary_signers: Vec<AccountAuthenticator>,
    },
    /// A sender, perhaps further signers, and another account that pays.
    FeePayer {
        /// Proof of the sender.
        sender: AccountAuthenticator,
        /// The further signers.
        secondary_signer_addresses: Vec<Address>,
        /// Their proofs, in the same order.
        secondary_signers: Vec<AccountAuthenticator>,
        /// Who pays.
        fee_payer_address: Address,
        /// Proof of the payer.
        fee_payer_signer: AccountAuthenticator,
    },
    /// One sender of any kind.
    SingleSender {
        /// Proof of the sender.
        sender: AccountAuthenticator,
    },
}

/// Proof of one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountAuthenticator {
    /// One ed25519 key.
    Ed25519 {
        /// The key.
        public_key: Ed25519PublicKey,
        /// Its signature.
        signature: Ed25519Signature,
    },
    /// Several ed25519 keys.
    MultiEd25519 {
        /// The keys.
        public_key: MultiEd25519PublicKey,
        /// Their signatures.
        signature: MultiEd25519Signature,
    },
    /// One key of any scheme.
    SingleKey {
        /// The key.
        public_key: AnyPublicKey,
        /// Its signature.
        signature: AnySignature,
    },
    /// Several keys of any schemes.
    MultiKey {
        /// The keys.
        public_keys: MultiKey,
        /// Signatures, in the order of the bits.
        signatures: Vec<AnySignature>,
        /// Which keys signed; key 0 is the leftmost bit of the first byte.
        signatures_bitmap: Vec<u8>,
    },
    /// Nothing; for simulation only.
    NoAccountAuthenticator,
    /// A Move function decides.
    Abstraction {
        /// The function.
        function: FunctionInfo,
        /// What it is given.
        auth_data: AbstractionAuthData,
    },
}

/// What an account's authentication function is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbstractionAuthData {
    /// For an account that has registered the function.
    V1 {
        /// SHA3-256 of the signing message.
        signing_message_digest: Vec<u8>,
        /// Proof, as the function understands it.
        authenticator: Vec<u8>,
    },
    /// For an account whose address derives from the function and a key.
    DerivableV1 {
        /// SHA3-256 of the signing message.
        signing_message_digest: Vec<u8>,
        /// Signature, as the function understands it.
        abstract_signature: Vec<u8>,
        /// Identity that the address derives from.
        abstract_public_key: Vec<u8>,
    },
}

impl TransactionAuthenticator {
    /// Addresses of the further signers; empty where there are none.
    #[must_use]
    pub fn secondary_signer_addresses(&self) -> &[Address] {
        match self {
            Self::MultiAgent { secondary_signer_addresses, .. }
            | Self::FeePayer { secondary_signer_addresses, .. } => secondary_signer_addresses,
            _ => &[],
        }
    }

    /// Proofs of the further signers; empty where there are none.
    #[must_use]
    pub fn secondary_signers(&self) -> &[AccountAuthenticator] {
        match self {
            Self::MultiAgent { secondary_signers, .. } | Self::FeePayer { secondary_signers, .. } => {
                secondary_signers
            }
            _ => &[],
        }
    }

    /// Address of the account that pays in the sender's place.
    #[must_use]
    pub fn fee_payer_address(&self) -> Option<Address> {
        match self {
            Self::FeePayer { fee_payer_address, .. } => Some(*fee_payer_address),
            _ => None,
        }
    }

    /// Proof of the account that pays in the sender's place.
    #[must_use]
    pub fn fee_payer_signer(&self) -> Option<&AccountAuthenticator> {
        match self {
            Self::FeePayer { fee_payer_signer, .. } => Some(fee_payer_signer),
            _ => None,
        }
    }

    /// Proof of the sender, in the form that any kind of transaction can hold.
    #[must_use]
    pub fn sender(&self) -> AccountAuthenticator {
        match self {
            Self::Ed25519 { public_key, signature } => {
                AccountAuthenticator::Ed25519 { public_key: *public_key, signature: *signature }
            }
            Self::MultiEd25519 { public_key, signature } => AccountAuthenticator::MultiEd25519 {
                public_key: public_key.clone(),
                signature: signature.clone(),
            },
            Self::MultiAgent { sender, .. }
            | Self::FeePayer { sender, .. }
            | Self::SingleSender { sender } => sender.clone(),
        }
    }
}

impl AccountAuthenticator {
    /// How many signatures this proof holds, towards [`SIGNATURES_MAX`].
    #[must_use]
    pub fn signature_count(&self) -> usize {
        match self {
            Self::Ed25519 { .. } | Self::SingleKey { .. } => 1,
            Self::MultiEd25519 { signature, .. } => signature.signatures.len(),
            Self::MultiKey { signatures, .. } => signatures.len(),
            Self::NoAccountAuthenticator | Self::Abstraction { .. } => 0,
        }
    }
}

impl Encode for AbstractionAuthData {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::V1 { signing_message_digest, authenticator } => {
                writer.variant(0);
                writer.bytes(signing_message_digest);
                writer.bytes(authenticator);
            }
            Self::DerivableV1 { signing_message_digest, abstract_signature, abstract_public_key } => {
                writer.variant(1);
                writer.bytes(signing_message_digest);
                writer.bytes(abstract_signature);
                writer.bytes(abstract_public_key);
            }
        }
    }
}

impl Decode for AbstractionAuthData {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self::V1 {
                signing_message_digest: reader.bytes()?.to_vec(),
                authenticator: reader.bytes()?.to_vec(),
            }),
            1 => Ok(Self::DerivableV1 {
                signing_message_digest: reader.bytes()?.to_vec(),
                abstract_signature: reader.bytes()?.to_vec(),
                abstract_public_key: reader.bytes()?.to_vec(),
            }),
            index => Err(Error::UnknownVariant { of: "AbstractionAuthData", index }),
        }
    }
}

impl Encode for AccountAuthenticator {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Ed25519 { public_key, signature } => {
                writer.variant(0);
                public_key.encode(writer);
                signature.encode(writer);
            }
            Self::MultiEd25519 { public_key, signature } => {
                writer.variant(1);
                public_key.encode(writer);
                signature.encode(writer);
            }
            Self::SingleKey { public_key, signature } => {
                writer.variant(2);
                public_key.encode(writer);
                signature.encode(writer);
            }
            Self::MultiKey { public_keys, signatures, signatures_bitmap } => {
                writer.variant(3);
                public_keys.encode(writer);
                signatures.encode(writer);
                writer.bytes(signatures_bitmap);
            }
            Self::NoAccountAuthenticator => writer.variant(4),
            Self::Abstraction { function, auth_data } => {
                writer.variant(5);
                function.encode(writer);
                auth_data.encode(writer);
            }
        }
    }
}

impl Decode for AccountAuthenticator {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self::Ed25519 {
                public_key: Ed25519PublicKey::decode(reader)?,
                signature: Ed25519Signature::decode(reader)?,
            }),
            1 => Ok(Self::MultiEd25519 {
                public_key: MultiEd25519PublicKey::decode(reader)?,
                signature: MultiEd25519Signature::decode(reader)?,
            }),
            2 => Ok(Self::SingleKey {
                public_key: AnyPublicKey::decode(reader)?,
                signature: AnySignature::decode(reader)?,
            }),
            3 => {
                let public_keys = MultiKey::decode(reader)?;
                let signatures = reader.sequence_within(SIGNATURES_MAX, AnySignature::decode)?;
                let signatures_bitmap = reader.bytes()?;
                if signatures_bitmap.len() > BITMAP_BYTES_MAX {
                    return Err(Error::LengthTooLarge(signatures_bitmap.len() as u32));
                }
                Ok(Self::MultiKey { public_keys, signatures, signatures_bitmap: signatures_bitmap.to_vec() })
            }
            4 => Ok(Self::NoAccountAuthenticator),
            5 => Ok(Self::Abstraction {
                function: FunctionInfo::decode(reader)?,
                auth_data: AbstractionAuthData::decode(reader)?,
            }),
            index => Err(Error::UnknownVariant { of: "AccountAuthenticator", index }),
        }
    }
}

impl Encode for TransactionAuthenticator {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Ed25519 { public_key, signature } => {
                writer.variant(0);
                public_key.encode(writer);
                signature.encode(writer);
            }
            Self::MultiEd25519 { public_key, signature } => {
                writer.variant(1);
                public_key.encode(writer);
                signature.encode(writer);
            }
            Self::MultiAgent { sender, secondary_signer_addresses, secondary_signers } => {
                writer.variant(2);
                sender.encode(writer);
                secondary_signer_addresses.encode(writer);
                secondary_signers.encode(writer);
            }
            Self::FeePayer {
                sender,
                secondary_signer_addresses,
                secondary_signers,
                fee_payer_address,
                fee_payer_signer,
            } => {
                writer.variant(3);
                sender.encode(writer);
                secondary_signer_addresses.encode(writer);
                secondary_signers.encode(writer);
                fee_payer_address.encode(writer);
                fee_payer_signer.encode(writer);
            }
            Self::SingleSender { sender } => {
                writer.variant(4);
                sender.encode(writer);
            }
        }
    }
}

impl Decode for TransactionAuthenticator {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self::Ed25519 {
                public_key: Ed25519PublicKey::decode(reader)?,
                signature: Ed25519Signature::decode(reader)?,
            }),
            1 => Ok(Self::MultiEd25519 {
                public_key: MultiEd25519PublicKey::decode(reader)?,
                signature: MultiEd25519Signature::decode(reader)?,
            }),
            2 => Ok(Self::MultiAgent {
                sender: AccountAuthenticator::decode(reader)?,
                secondary_signer_addresses: reader.sequence_within(SECONDARY_SIGNERS_MAX, Address::decode)?,
                secondary_signers: reader
                    .sequence_within(SECONDARY_SIGNERS_MAX, AccountAuthenticator::decode)?,
            }),
            3 => Ok(Self::FeePayer {
                sender: AccountAuthenticator::decode(reader)?,
                secondary_signer_addresses: reader.sequence_within(SECONDARY_SIGNERS_MAX, Address::decode)?,
                secondary_signers: reader
                    .sequence_within(SECONDARY_SIGNERS_MAX, AccountAuthenticator::decode)?,
                fee_payer_address: Address::decode(reader)?,
                fee_payer_signer: AccountAuthenticator::decode(reader)?,
            }),
            4 => Ok(Self::SingleSender { sender: AccountAuthenticator::decode(reader)? }),
            index => Err(Error::UnknownVariant { of: "TransactionAuthenticator", index }),
        }
    }
}
