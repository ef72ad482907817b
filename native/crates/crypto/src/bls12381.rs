//! BLS signatures over BLS12-381 with public keys in G1 and signatures in G2, in the variant that
//! proves possession of keys.
//!
//! Keys and signatures are compressed. One that does not decode to a point of the curve is refused
//! everywhere; where a function says so it must also lie in the group of prime order.

use blst::BLST_ERROR::{self, BLST_SUCCESS};
use blst::min_pk::{AggregatePublicKey, AggregateSignature, PublicKey, Signature};

/// Bytes of a compressed public key.
pub const PUBLIC_KEY_BYTES: usize = 48;
/// Bytes of a compressed signature or proof of possession.
pub const SIGNATURE_BYTES: usize = 96;

/// Domain of signatures.
const SIGNATURE_DOMAIN: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
/// Domain of proofs of possession.
const PROOF_DOMAIN: &[u8] = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

fn public_key(bytes: &[u8]) -> Option<PublicKey> {
    let bytes: &[u8; PUBLIC_KEY_BYTES] = bytes.try_into().ok()?;
    PublicKey::from_bytes(bytes).ok()
}

fn signature(bytes: &[u8]) -> Option<Signature> {
    let bytes: &[u8; SIGNATURE_BYTES] = bytes.try_into().ok()?;
    Signature::from_bytes(bytes).ok()
}

fn holds(verdict: BLST_ERROR) -> bool {
    verdict == BLST_SUCCESS
}

/// Whether the bytes are a point of the curve, in whatever group.
#[must_use]
pub fn is_public_key(bytes: &[u8]) -> bool {
    public_key(bytes).is_some()
}

/// Whether the bytes are a point of the signatures' curve, in whatever group.
#[must_use]
pub fn is_signature(bytes: &[u8]) -> bool {
    signature(bytes).is_some()
}

/// Whether the bytes are a key of prime order other than the identity.
#[must_use]
pub fn is_valid_public_key(bytes: &[u8]) -> bool {
    public_key(bytes).is_some_and(|key| key.validate().is_ok())
}

/// Whether the bytes are a signature of prime order; the identity is one.
#[must_use]
pub fn is_in_subgroup(bytes: &[u8]) -> bool {
    signature(bytes).is_some_and(|signature| signature.validate(false).is_ok())
}

/// Verifies a signature over one message, and that it has prime order. `check_key` also demands that of
/// the key: leave it out only for keys whose possession was proved, or sums of such.
#[must_use]
pub fn verify(signature_bytes: &[u8], key: &[u8], check_key: bool, message: &[u8]) -> bool {
    let (Some(signature), Some(key)) = (signature(signature_bytes), public_key(key)) else { return false };
    holds(signature.verify(true, message, SIGNATURE_DOMAIN, &[], &key, check_key))
}

/// Verifies the aggregate of one signature per key and message. False for no keys, and for another
/// number of messages. Possession of the keys must have been proved.
#[must_use]
pub fn verify_aggregate(signature_bytes: &[u8], keys: &[&[u8]], messages: &[&[u8]]) -> bool {
    if keys.is_empty() || keys.len() != messages.len() {
        return false;
    }
    let parsed: Option<Vec<PublicKey>> = keys.iter().map(|key| public_key(key)).collect();
    let (Some(signature), Some(keys)) = (signature(signature_bytes), parsed) else { return false };
    let keys: Vec<&PublicKey> = keys.iter().collect();
    holds(signature.aggregate_verify(true, messages, SIGNATURE_DOMAIN, &keys, false))
}

/// Verifies that the owner of a key signed the key itself. Key and proof must have prime order.
#[must_use]
pub fn verify_proof_of_possession(proof: &[u8], key_bytes: &[u8]) -> bool {
    let (Some(proof), Some(key)) = (signature(proof), public_key(key_bytes)) else { return false };
    holds(proof.verify(true, &key.to_bytes(), PROOF_DOMAIN, &[], &key, true))
}

/// The sum of keys; `None` for no keys and if one of them is no point of the curve.
#[must_use]
pub fn aggregate_public_keys(keys: &[&[u8]]) -> Option<[u8; PUBLIC_KEY_BYTES]> {
    let keys: Vec<PublicKey> = keys.iter().map(|key| public_key(key)).collect::<Option<_>>()?;
    let keys: Vec<&PublicKey> = keys.iter().collect();
    Some(AggregatePublicKey::aggregate(&keys, false).ok()?.to_public_key().to_bytes())
}

/// The sum of signatures; `None` for no signatures and if one of them is no point of the curve.
#[must_use]
pub fn aggregate_signatures(signatures: &[&[u8]]) -> Option<[u8; SIGNATURE_BYTES]> {
    let list: Vec<Signature> = signatures.iter().map(|bytes| signature(bytes)).collect::<Option<_>>()?;
    let list: Vec<&Signature> = list.iter().collect();
    Some(AggregateSignature::aggregate(&list, false).ok()?.to_signature().to_bytes())
}
