//! `0x1::ristretto255`: points by handle, and scalars as bytes.
//!
//! A `RistrettoPoint { handle: u64 }` can neither be copied nor stored, so handles never leave the
//! session whose points they number.

pub mod points;
pub mod scalars;

use ledger_crypto::ristretto255::{Point, Scalar};

use super::{NativeCx, extension};
use crate::errors::Fault;

/// Most points of one session.
const POINTS_MAX: usize = 10_000;
/// Abort code of making one more.
const TOO_MANY_POINTS: u64 = 0x9_0004;

impl NativeCx<'_, '_> {
    /// A scalar among the arguments, as bytes. The module makes canonical ones only.
    fn scalar(&mut self, number: usize) -> Result<Scalar, Fault> {
        self.charge(self.env.costs.ristretto_scalar_parse_arg)?;
        parse_scalar(&self.bytes(number)?)
    }

    /// The point of a handle.
    fn point(&mut self, handle: u64) -> Result<Point, Fault> {
        self.charge(self.env.costs.ristretto_point_parse_arg)?;
        self.known_point(handle)
    }

    fn known_point(&self, handle: u64) -> Result<Point, Fault> {
        let number = usize::try_from(handle).ok();
        let point = number.and_then(|number| self.data.natives.points.get(number));
        point.copied().ok_or_else(|| extension("a point handle that was never given out"))
    }

    /// The point behind a `&RistrettoPoint`, and its handle.
    fn point_behind(&mut self, number: usize) -> Result<(Point, u64), Fault> {
        let handle = self.env.memory.word(self.target(number)?);
        Ok((self.point(handle)?, handle))
    }

    /// Returns a new point.
    fn ret_point(&mut self, point: Point) -> Result<(), Fault> {
        let points = &mut self.data.natives.points;
        if points.len() >= POINTS_MAX {
            return Err(Fault::abort(TOO_MANY_POINTS));
        }
        points.push(point);
        let handle = points.len() as u64 - 1;
        self.ret_word(handle);
        Ok(())
    }

    /// Returns a point, in the place of the one at `handle` if `in_place`.
    fn ret_point_at(&mut self, point: Point, handle: u64, in_place: bool) -> Result<(), Fault> {
        if !in_place {
            return self.ret_point(point);
        }
        if let Some(place) = self.data.natives.points.get_mut(handle as usize) {
            *place = point;
        }
        self.ret_word(handle);
        Ok(())
    }
}

fn parse_scalar(bytes: &[u8]) -> Result<Scalar, Fault> {
    Scalar::from_canonical(bytes).ok_or_else(|| extension("a scalar that is not canonical"))
}
