//! ECDSA over secp256r1 (P-256) with SHA-256. Verification accepts low s only.

use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};

use crate::SignatureError;

/// Verifies `signature` (r, then s) of `message`, which is hashed here, by the uncompressed
/// `public_key`.
///
/// # Errors
/// `BadPublicKey` if the key is not a point; `BadSignature` for everything else, high s included.
pub fn verify(public_key: &[u8; 65], message: &[u8], signature: &[u8; 64]) -> Result<(), SignatureError> {
    let key = VerifyingKey::from_sec1_bytes(public_key).map_err(|_| SignatureError::BadPublicKey)?;
    let signature = Signature::from_slice(signature).map_err(|_| SignatureError::BadSignature)?;
    if signature.normalize_s().is_some() {
        return Err(SignatureError::BadSignature);
    }
    key.verify(message, &signature).map_err(|_| SignatureError::BadSignature)
}
