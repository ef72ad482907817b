//! Ed25519, verified strictly: s below the group order, neither key nor R of small order. One key
//! and message then have no second signature that a stranger can make.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::SignatureError;

/// Whether the bytes are a point of the curve that is not of small order.
#[must_use]
pub fn is_valid_public_key(public_key: &[u8; 32]) -> bool {
    VerifyingKey::from_bytes(public_key).is_ok_and(|key| !key.is_weak())
}

/// Verifies strictly.
///
/// # Errors
/// `BadPublicKey` if the key is not a point; `BadSignature` for everything else.
pub fn verify(public_key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Result<(), SignatureError> {
    let key = VerifyingKey::from_bytes(public_key).map_err(|_| SignatureError::BadPublicKey)?;
    key.verify_strict(message, &Signature::from_bytes(signature)).map_err(|_| SignatureError::BadSignature)
}

/// Public key of a 32-byte private key.
#[must_use]
pub fn public_key(private_key: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(private_key).verifying_key().to_bytes()
}

/// Signs with a 32-byte private key.
#[must_use]
pub fn sign(private_key: &[u8; 32], message: &[u8]) -> [u8; 64] {
    SigningKey::from_bytes(private_key).sign(message).to_bytes()
}
