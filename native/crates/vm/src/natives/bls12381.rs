//! `0x1::bls12381`: signatures with keys in G1.
//!
//! Structs of the module (`PublicKeyWithPoP`, `Signature`) hold nothing but compressed bytes.

use ledger_crypto::bls12381;

use super::{NativeCx, by_length};
use crate::errors::Fault;

/// The bytes of every element of a vector argument whose elements are byte vectors or structs around one.
fn list(cx: &NativeCx<'_, '_>, number: usize) -> Result<Vec<Vec<u8>>, Fault> {
    Ok(cx.elements_at(cx.slot(number)?, 1).into_iter().map(|at| cx.bytes_at(at)).collect())
}

fn slices(list: &[Vec<u8>]) -> Vec<&[u8]> {
    list.iter().map(Vec::as_slice).collect()
}

fn times(cost: u64, count: usize) -> u64 {
    cost.saturating_mul(count as u64)
}

/// Returns a sum, or no bytes and false.
fn ret_sum(cx: &mut NativeCx<'_, '_>, sum: Option<&[u8]>) -> Result<(), Fault> {
    cx.ret_bytes(sum.unwrap_or_default())?;
    cx.ret_bool(sum.is_some());
    Ok(())
}

/// `bls12381::aggregate_pubkeys_internal`
pub fn aggregate_keys(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let keys = list(cx, 0)?;
    let each = costs.bls_key.saturating_add(costs.bls_key_aggregate);
    cx.charge(costs.bls_base.saturating_add(times(each, keys.len())))?;
    ret_sum(cx, bls12381::aggregate_public_keys(&slices(&keys)).as_ref().map(|sum| &sum[..]))
}

/// `bls12381::aggregate_signatures_internal`
pub fn aggregate_signatures(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let signatures = list(cx, 0)?;
    let each = costs.bls_signature.saturating_add(costs.bls_signature_aggregate);
    cx.charge(costs.bls_base.saturating_add(times(each, signatures.len())))?;
    ret_sum(cx, bls12381::aggregate_signatures(&slices(&signatures)).as_ref().map(|sum| &sum[..]))
}

/// `bls12381::signature_subgroup_check_internal`
pub fn check_signature_subgroup(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    cx.charge(costs.bls_base.saturating_add(costs.bls_signature))?;
    let signature = cx.bytes(0)?;
    let valid = bls12381::is_signature(&signature) && {
        cx.charge(costs.bls_signature_subgroup)?;
        bls12381::is_in_subgroup(&signature)
    };
    cx.ret_bool(valid);
    Ok(())
}

/// `bls12381::validate_pubkey_internal`
pub fn validate_key(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    cx.charge(costs.bls_base.saturating_add(costs.bls_key))?;
    let key = cx.bytes(0)?;
    let valid = bls12381::is_public_key(&key) && {
        cx.charge(costs.bls_key_subgroup)?;
        bls12381::is_valid_public_key(&key)
    };
    cx.ret_bool(valid);
    Ok(())
}

/// `bls12381::verify_aggregate_signature_internal`: signature, keys, as many messages.
pub fn verify_aggregate(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let (signature, keys, messages) = (cx.bytes(0)?, list(cx, 1)?, list(cx, 2)?);
    cx.charge(costs.bls_base)?;
    if keys.is_empty() || keys.len() != messages.len() {
        cx.ret_bool(false);
        return Ok(());
    }
    cx.charge(costs.bls_signature.saturating_add(times(costs.bls_key, keys.len())))?;
    cx.charge(times(costs.bls_pairing, keys.len() + 1).saturating_add(costs.bls_signature_subgroup))?;
    for message in &messages {
        cx.charge(by_length(costs.bls_hash, costs.bls_hash_per_byte, message.len()))?;
    }
    cx.ret_bool(bls12381::verify_aggregate(&signature, &slices(&keys), &slices(&messages)));
    Ok(())
}

fn verify(cx: &mut NativeCx<'_, '_>, check_key: bool) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let (signature, key, message) = (cx.bytes(0)?, cx.bytes(1)?, cx.bytes(2)?);
    cx.charge(costs.bls_base.saturating_add(costs.bls_key))?;
    if check_key {
        cx.charge(costs.bls_key_subgroup)?;
    }
    cx.charge(costs.bls_signature.saturating_add(costs.bls_signature_subgroup))?;
    cx.charge(by_length(costs.bls_hash, costs.bls_hash_per_byte, message.len()))?;
    cx.charge(costs.bls_verify)?;
    cx.ret_bool(bls12381::verify(&signature, &key, check_key, &message));
    Ok(())
}

/// `bls12381::verify_normal_signature_internal`: nothing is known of the key.
pub fn verify_normal(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    verify(cx, true)
}

/// `bls12381::verify_multisignature_internal` and `bls12381::verify_signature_share_internal`: possession of
/// the key, or of the keys it is the sum of, was proved.
pub fn verify_possessed(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    verify(cx, false)
}

/// `bls12381::verify_proof_of_possession_internal`: key, then proof.
pub fn verify_proof(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let (key, proof) = (cx.bytes(0)?, cx.bytes(1)?);
    let reading = costs.bls_base.saturating_add(costs.bls_key).saturating_add(costs.bls_signature);
    cx.charge(reading.saturating_add(costs.bls_proof))?;
    cx.ret_bool(bls12381::verify_proof_of_possession(&proof, &key));
    Ok(())
}
