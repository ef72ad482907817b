//! Hashes and signatures.

use ledger_crypto::{digest, ed25519, multi_ed25519, secp256k1};
use ledger_types::{MultiEd25519PublicKey, MultiEd25519Signature};

use super::{NativeCx, by_length};
use crate::errors::Fault;

/// Abort code of a key of the wrong length, where the framework expects an abort.
const WRONG_KEY_LENGTH: u64 = 0x1_0001;
/// Abort code of a signature of the wrong length.
const WRONG_SIGNATURE_LENGTH: u64 = 0x1_0002;

macro_rules! digest_native {
    ($($(#[$doc:meta])* $name:ident $digest:ident $base:ident $per_byte:ident)*) => {$(
        $(#[$doc])*
        pub fn $name(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
            let bytes = cx.bytes(0)?;
            cx.charge(by_length(cx.env.costs.$base, cx.env.costs.$per_byte, bytes.len()))?;
            cx.ret_bytes(&digest::$digest(&bytes))
        }
    )*};
}

digest_native! {
    /// `hash::sha2_256`
    sha2_256 sha2_256 sha2_base sha2_per_byte
    /// `hash::sha3_256`
    sha3_256 sha3_256 sha3_base sha3_per_byte
    /// `aptos_hash::keccak256`
    keccak256 keccak256 keccak_base keccak_per_byte
    /// `aptos_hash::sha2_512_internal`
    sha2_512 sha2_512 sha2_512_base sha2_512_per_byte
    /// `aptos_hash::sha3_512_internal`
    sha3_512 sha3_512 sha3_512_base sha3_512_per_byte
    /// `aptos_hash::ripemd160_internal`
    ripemd160 ripemd160 ripemd_base ripemd_per_byte
    /// `aptos_hash::blake2b_256_internal`
    blake2b_256 blake2b_256 blake2b_base blake2b_per_byte
}

/// `aptos_hash::sip_hash`
pub fn sip_hash(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let bytes = cx.bytes(0)?;
    cx.charge(by_length(cx.env.costs.sip_base, cx.env.costs.sip_per_byte, bytes.len()))?;
    cx.ret_word(digest::sip_hash(&bytes));
    Ok(())
}

/// `ed25519::public_key_validate_internal`: false for keys of the wrong length too.
pub fn ed25519_validate(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    cx.charge(costs.ed25519_key)?;
    let valid = match <[u8; 32]>::try_from(cx.bytes(0)?) {
        Ok(key) => {
            cx.charge(costs.ed25519_small_order)?;
            ed25519::is_valid_public_key(&key)
        }
        Err(_) => false,
    };
    cx.ret_bool(valid);
    Ok(())
}

/// `ed25519::signature_verify_strict_internal`
pub fn ed25519_verify(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    cx.charge(costs.ed25519_key)?;
    let (signature, key, message) = (cx.bytes(0)?, cx.bytes(1)?, cx.bytes(2)?);
    let Ok(key) = <[u8; 32]>::try_from(key) else { return Err(Fault::abort(WRONG_KEY_LENGTH)) };
    let Ok(signature) = <[u8; 64]>::try_from(signature) else {
        return Err(Fault::abort(WRONG_SIGNATURE_LENGTH));
    };
    cx.charge(costs.ed25519_small_order + costs.ed25519_signature)?;
    let hashing = by_length(costs.ed25519_hash_base, costs.ed25519_hash_per_byte, message.len());
    cx.charge(costs.ed25519_verify.saturating_add(hashing))?;
    cx.ret_bool(ed25519::verify(&key, &message, &signature).is_ok());
    Ok(())
}

/// `multi_ed25519::public_key_validate_v2_internal`
pub fn multi_ed25519_validate(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let key = cx.bytes(0)?;
    let keys = (key.len() / 32) as u64;
    cx.charge((cx.env.costs.ed25519_key + cx.env.costs.ed25519_small_order).saturating_mul(keys))?;
    cx.ret_bool(multi_ed25519::is_valid_public_key(&key));
    Ok(())
}

/// `secp256k1::ecdsa_recover_internal`
pub fn secp256k1_recover(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let (message, recovery_id, signature) = (cx.bytes(0)?, cx.word(1)? as u8, cx.bytes(2)?);
    cx.charge(cx.env.costs.secp256k1_base + cx.env.costs.secp256k1_recover)?;
    let key = match (<[u8; 32]>::try_from(message), <[u8; 64]>::try_from(signature)) {
        (Ok(message), Ok(signature)) => secp256k1::recover(&message, recovery_id, &signature),
        _ => None,
    };
    cx.ret_bytes(key.as_ref().map_or(&[], |key| &key[..]))?;
    cx.ret_bool(key.is_some());
    Ok(())
}

/// `multi_ed25519::signature_verify_strict_internal`: false for keys and signatures that do not parse.
pub fn multi_ed25519_verify(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let (signature, key, message) = (cx.bytes(0)?, cx.bytes(1)?, cx.bytes(2)?);
    let signatures = (signature.len() / 64) as u64;
    let each = costs.ed25519_key
        + costs.ed25519_small_order
        + costs.ed25519_signature
        + by_length(costs.ed25519_hash_base, costs.ed25519_hash_per_byte, message.len())
        + costs.ed25519_verify;
    cx.charge(each.saturating_mul(signatures.max(1)))?;
    let parsed =
        MultiEd25519PublicKey::from_raw(&key).ok().zip(MultiEd25519Signature::from_raw(&signature).ok());
    cx.ret_bool(
        parsed.is_some_and(|(key, signature)| multi_ed25519::verify(&key, &message, &signature).is_ok()),
    );
    Ok(())
}
