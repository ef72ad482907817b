//! Why a transaction's signatures are not accepted.

use std::fmt;

/// What is wrong with a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureError {
    /// A public key is not a point of its curve, or has small order.
    BadPublicKey,
    /// A signature does not verify, or is not in the one form that is accepted.
    BadSignature,
    /// Key and signature belong to different schemes.
    SchemeMismatch,
    /// The bitmap of a multi-key proof does not fit its keys and signatures.
    BadBitmap,
    /// Fewer signatures than the account requires.
    TooFewSignatures,
    /// More signatures than [`ledger_types::SIGNATURES_MAX`].
    TooManySignatures,
    /// As many secondary signers as addresses are needed.
    SecondarySignerCount,
    /// An address is among the signers twice.
    DuplicateSigners,
    /// The WebAuthn response is over its size limit, is not JSON, or answers another challenge.
    BadWebAuthn,
    /// There is no signature; such a transaction can only be simulated.
    NoSignature,
    /// The scheme is known and this node does not verify it; says which.
    Unsupported(&'static str),
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadPublicKey => "public key is not valid",
            Self::BadSignature => "signature does not verify",
            Self::SchemeMismatch => "key and signature belong to different schemes",
            Self::BadBitmap => "signature bitmap does not fit the keys and signatures",
            Self::TooFewSignatures => "fewer signatures than the account requires",
            Self::TooManySignatures => "more than 32 signatures",
            Self::SecondarySignerCount => "secondary signers and their addresses differ in number",
            Self::DuplicateSigners => "an address signs twice",
            Self::BadWebAuthn => "WebAuthn response does not answer this transaction",
            Self::NoSignature => "transaction has no signature",
            Self::Unsupported(scheme) => return write!(f, "{scheme} is not supported"),
        })
    }
}

impl std::error::Error for SignatureError {}
