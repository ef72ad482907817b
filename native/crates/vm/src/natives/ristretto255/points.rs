//! Points: elements of the group, by handle.

use ledger_crypto::ristretto255::Point;

use super::{extension, parse_scalar, scalars};
use crate::errors::Fault;
use crate::natives::{NativeCx, by_length};

/// `point_identity_internal`
pub fn identity(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_identity)?;
    cx.ret_point(Point::identity())
}

/// `point_is_canonical_internal`
pub fn is_canonical(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_decompress)?;
    let bytes = cx.bytes(0)?;
    cx.ret_bool(Point::decompress(&bytes).is_some());
    Ok(())
}

/// `point_decompress_internal`: a handle and true, or one that is none and false.
pub fn decompress(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_decompress)?;
    let point = Point::decompress(&cx.bytes(0)?);
    match point {
        Some(point) => cx.ret_point(point)?,
        None => cx.ret_word(u64::MAX),
    }
    cx.ret_bool(point.is_some());
    Ok(())
}

/// `point_compress_internal`
pub fn compress(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_compress)?;
    let (point, _) = cx.point_behind(0)?;
    cx.ret_bytes(&point.compress())
}

/// `point_clone_internal`
pub fn duplicate(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_clone)?;
    let handle = cx.word(0)?;
    let point = cx.point(handle)?;
    cx.ret_point(point)
}

/// `point_equals`
pub fn equals(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_equals)?;
    let ((a, _), (b, _)) = (cx.point_behind(0)?, cx.point_behind(1)?);
    cx.ret_bool(a == b);
    Ok(())
}

/// `point_neg_internal`
pub fn negate(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_neg)?;
    let (point, handle) = cx.point_behind(0)?;
    let in_place = cx.word(1)? != 0;
    cx.ret_point_at(point.negate(), handle, in_place)
}

/// `point_add_internal`
pub fn add(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_add)?;
    let ((a, handle), (b, _)) = (cx.point_behind(0)?, cx.point_behind(1)?);
    let in_place = cx.word(2)? != 0;
    cx.ret_point_at(a.add(&b), handle, in_place)
}

/// `point_sub_internal`
pub fn subtract(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_sub)?;
    let ((a, handle), (b, _)) = (cx.point_behind(0)?, cx.point_behind(1)?);
    let in_place = cx.word(2)? != 0;
    cx.ret_point_at(a.subtract(&b), handle, in_place)
}

/// `point_mul_internal`
pub fn multiply(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_mul)?;
    let ((point, handle), scalar) = (cx.point_behind(0)?, cx.scalar(1)?);
    let in_place = cx.word(2)? != 0;
    cx.ret_point_at(point.multiply(&scalar), handle, in_place)
}

/// `basepoint_mul_internal`
pub fn generated(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_basepoint_mul)?;
    let scalar = cx.scalar(0)?;
    cx.ret_point(Point::generated_by(&scalar))
}

/// `basepoint_double_mul_internal`: the first scalar goes with the point.
pub fn combine_with_generator(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_basepoint_double_mul)?;
    let (a, (point, _), b) = (cx.scalar(0)?, cx.point_behind(1)?, cx.scalar(2)?);
    cx.ret_point(Point::combine_with_generator(&a, &point, &b))
}

/// `double_scalar_mul_internal`: two handles, then their scalars.
pub fn combine_two(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_double_mul)?;
    let (first, second) = (cx.word(0)?, cx.word(1)?);
    let (first, second) = (cx.point(first)?, cx.point(second)?);
    let (a, b) = (cx.scalar(2)?, cx.scalar(3)?);
    cx.ret_point(Point::combine(&[(first, a), (second, b)]))
}

/// `multi_scalar_mul_internal`: every pair costs a multiplication.
pub fn combine(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    if cx.type_argument(0)?.slots != 1 || cx.type_argument(1)?.slots != 1 {
        return Err(extension("points and scalars of another form"));
    }
    let points = cx.elements_at(cx.target(0)?, 1);
    let scalars = cx.elements_at(cx.target(1)?, 1);
    if points.is_empty() || points.len() != scalars.len() {
        return Err(extension("the module promises a scalar for every point"));
    }
    let parsing = costs.ristretto_point_parse_arg.saturating_add(costs.ristretto_scalar_parse_arg);
    cx.charge(by_length(0, parsing.saturating_add(costs.ristretto_point_mul), points.len()))?;
    let mut pairs = Vec::with_capacity(points.len());
    for (point, scalar) in points.into_iter().zip(scalars) {
        let point = cx.known_point(cx.env.memory.word(point))?;
        pairs.push((point, parse_scalar(&cx.bytes_at(scalar))?));
    }
    cx.ret_point(Point::combine(&pairs))
}

/// `new_point_from_sha512_internal`
pub fn from_sha512(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let text = cx.bytes(0)?;
    let hashing =
        by_length(costs.ristretto_scalar_sha512_per_hash, costs.ristretto_scalar_sha512_per_byte, text.len());
    cx.charge(hashing.saturating_add(costs.ristretto_point_from_64_uniform_bytes))?;
    cx.ret_point(Point::from_sha512(&text))
}

/// `new_point_from_64_uniform_bytes_internal`
pub fn from_uniform(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.ristretto_point_from_64_uniform_bytes)?;
    let bytes = scalars::uniform(cx)?;
    cx.ret_point(Point::from_uniform(&bytes))
}
