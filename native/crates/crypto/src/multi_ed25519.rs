//! Several ed25519 keys of which a threshold must sign.

use ledger_types::{MultiEd25519PublicKey, MultiEd25519Signature};

use crate::{SignatureError, ed25519, key_bitmap};

/// Whether the bytes are 1 to 32 valid keys and a threshold they can meet.
#[must_use]
pub fn is_valid_public_key(bytes: &[u8]) -> bool {
    MultiEd25519PublicKey::from_raw(bytes)
        .is_ok_and(|key| key.keys.iter().all(|key| ed25519::is_valid_public_key(&key.0)))
}

/// Verifies every signature given, paired with keys by the bitmap.
///
/// # Errors
/// `BadBitmap`, `TooFewSignatures`, and those of [`ed25519::verify`].
pub fn verify(
    public_key: &MultiEd25519PublicKey,
    message: &[u8],
    signature: &MultiEd25519Signature,
) -> Result<(), SignatureError> {
    let indices =
        key_bitmap::signer_indices(&signature.bitmap, public_key.keys.len(), signature.signatures.len())?;
    if indices.len() < usize::from(public_key.threshold) {
        return Err(SignatureError::TooFewSignatures);
    }
    for (index, signature) in indices.into_iter().zip(&signature.signatures) {
        ed25519::verify(&public_key.keys[index].0, message, &signature.0)?;
    }
    Ok(())
}
