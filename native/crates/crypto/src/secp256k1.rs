//! ECDSA over secp256k1, over a 32-byte digest. Verification accepts only the lower of the two values
//! of s that a stranger could swap.

use k256::ecdsa::signature::hazmat::PrehashVerifier as _;
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};

use crate::SignatureError;

/// Verifies `signature` (r, then s) of `digest` by the uncompressed `public_key`.
///
/// # Errors
/// `BadPublicKey` if the key is not a point; `BadSignature` for everything else, high s included.
pub fn verify(public_key: &[u8; 65], digest: &[u8; 32], signature: &[u8; 64]) -> Result<(), SignatureError> {
    let key = VerifyingKey::from_sec1_bytes(public_key).map_err(|_| SignatureError::BadPublicKey)?;
    let signature = Signature::from_slice(signature).map_err(|_| SignatureError::BadSignature)?;
    // The library refuses high s too; the rule is the chain's and must not hang on that.
    if signature.normalize_s().is_some() {
        return Err(SignatureError::BadSignature);
    }
    key.verify_prehash(digest, &signature).map_err(|_| SignatureError::BadSignature)
}

/// Recovers the public key (x, then y) that made `signature` of `digest`; `recovery_id` is 0 to 3.
/// Takes either value of s. `None` if no key fits.
#[must_use]
pub fn recover(digest: &[u8; 32], recovery_id: u8, signature: &[u8; 64]) -> Option<[u8; 64]> {
    let mut id = RecoveryId::from_byte(recovery_id)?;
    let mut signature = Signature::from_slice(signature).ok()?;
    // The library recovers from low s only. Negating s and the parity of R names the same key.
    if let Some(low) = signature.normalize_s() {
        signature = low;
        id = RecoveryId::new(!id.is_y_odd(), id.is_x_reduced());
    }
    let key = VerifyingKey::recover_from_prehash(digest, &signature, id).ok()?;
    key.to_encoded_point(false).as_bytes().get(1..)?.try_into().ok()
}
