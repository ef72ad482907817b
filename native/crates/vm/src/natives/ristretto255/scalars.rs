//! Scalars: 32 bytes, least first, below the order of the group.

use ledger_crypto::ristretto255::Scalar;

use super::extension;
use crate::errors::Fault;
use crate::natives::{NativeCx, by_length};

fn fixed<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Fault> {
    bytes.try_into().map_err(|_| extension("bytes of another length than the module promises"))
}

/// `scalar_is_canonical_internal`: false for another length than 32.
pub fn is_canonical(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_scalar_is_canonical)?;
    let bytes = cx.bytes(0)?;
    cx.ret_bool(Scalar::from_canonical(&bytes).is_some());
    Ok(())
}

/// `scalar_from_u64_internal`
pub fn from_u64(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_scalar_from_u64)?;
    let value = cx.word(0)?;
    cx.ret_bytes(&Scalar::from_u128(u128::from(value)).to_bytes())
}

/// `scalar_from_u128_internal`
pub fn from_u128(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_scalar_from_u128)?;
    let value = cx.u128(0)?;
    cx.ret_bytes(&Scalar::from_u128(value).to_bytes())
}

/// `scalar_from_sha512_internal`
pub fn from_sha512(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let text = cx.bytes(0)?;
    let hashing =
        by_length(costs.ristretto_scalar_sha512_per_hash, costs.ristretto_scalar_sha512_per_byte, text.len());
    cx.charge(hashing.saturating_add(costs.ristretto_scalar_uniform_from_64_bytes))?;
    cx.ret_bytes(&Scalar::from_sha512(&text).to_bytes())
}

/// `scalar_reduced_from_32_bytes_internal`
pub fn reduced(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_scalar_reduced_from_32_bytes)?;
    let bytes = fixed(&cx.bytes(0)?)?;
    cx.ret_bytes(&Scalar::reduced(bytes).to_bytes())
}

/// `scalar_uniform_from_64_bytes_internal`
pub fn from_uniform(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_scalar_uniform_from_64_bytes)?;
    let bytes = fixed(&cx.bytes(0)?)?;
    cx.ret_bytes(&Scalar::from_uniform(&bytes).to_bytes())
}

macro_rules! scalar_natives {
    ($($(#[$doc:meta])* $name:ident $cost:ident $arity:tt)*) => {$(
        $(#[$doc])*
        pub fn $name(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
            cx.charge(cx.env.costs.$cost)?;
            scalar_natives!(@ $arity cx $name)
        }
    )*};
    (@ 1 $cx:ident $name:ident) => {{
        let a = $cx.scalar(0)?;
        $cx.ret_bytes(&a.$name().to_bytes())
    }};
    (@ 2 $cx:ident $name:ident) => {{
        let (a, b) = ($cx.scalar(0)?, $cx.scalar(1)?);
        $cx.ret_bytes(&a.$name(&b).to_bytes())
    }};
}

scalar_natives! {
    /// `scalar_invert_internal`
    invert ristretto_scalar_invert 1
    /// `scalar_neg_internal`
    negate ristretto_scalar_neg 1
    /// `scalar_add_internal`
    add ristretto_scalar_add 2
    /// `scalar_sub_internal`
    subtract ristretto_scalar_sub 2
    /// `scalar_mul_internal`
    multiply ristretto_scalar_mul 2
}

/// Points from 64 bytes need them in full, as scalars do.
pub(super) fn uniform(cx: &NativeCx<'_, '_>) -> Result<[u8; 64], Fault> {
    fixed(&cx.bytes(0)?)
}
