//! The group ristretto255 of RFC 9496 and the scalars modulo its order.
//!
//! Scalars are 32 bytes, least significant first; operations take them only in canonical form and
//! answer `None` otherwise.

use curve25519_dalek::ristretto::CompressedRistretto;
use curve25519_dalek::traits::{Identity, VartimeMultiscalarMul};
use curve25519_dalek::{RistrettoPoint, Scalar as Inner};
use sha2::{Digest, Sha512};

/// A scalar below the order of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar(Inner);

impl Scalar {
    /// The scalar of these bytes, if they are 32 and the number is below the order.
    #[must_use]
    pub fn from_canonical(bytes: &[u8]) -> Option<Self> {
        let bytes: [u8; 32] = bytes.try_into().ok()?;
        Option::from(Inner::from_canonical_bytes(bytes)).map(Self)
    }

    /// Any 32 bytes, reduced.
    #[must_use]
    pub fn reduced(bytes: [u8; 32]) -> Self {
        Self(Inner::from_bytes_mod_order(bytes))
    }

    /// Any 64 bytes, reduced: uniform if the bytes are.
    #[must_use]
    pub fn from_uniform(bytes: &[u8; 64]) -> Self {
        Self(Inner::from_bytes_mod_order_wide(bytes))
    }

    /// The SHA-512 of a text, reduced.
    #[must_use]
    pub fn from_sha512(text: &[u8]) -> Self {
        Self::from_uniform(&Sha512::digest(text).into())
    }

    /// A small number.
    #[must_use]
    pub fn from_u128(value: u128) -> Self {
        Self(Inner::from(value))
    }

    /// The bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// One over this; zero for zero.
    #[must_use]
    pub fn invert(&self) -> Self {
        Self(self.0.invert())
    }

    /// Zero less this.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self(-self.0)
    }

    /// Sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Difference.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        Self(self.0 - other.0)
    }

    /// Product.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Self {
        Self(self.0 * other.0)
    }
}

/// An element of the group. Equality is that of elements, whatever represents them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point(RistrettoPoint);

impl Point {
    /// The neutral element.
    #[must_use]
    pub fn identity() -> Self {
        Self(RistrettoPoint::identity())
    }

    /// The element of this encoding; `None` unless the bytes are the one canonical encoding.
    #[must_use]
    pub fn decompress(bytes: &[u8]) -> Option<Self> {
        CompressedRistretto::from_slice(bytes).ok()?.decompress().map(Self)
    }

    /// The canonical encoding.
    #[must_use]
    pub fn compress(&self) -> [u8; 32] {
        self.0.compress().to_bytes()
    }

    /// Maps 64 bytes to an element: uniform if the bytes are.
    #[must_use]
    pub fn from_uniform(bytes: &[u8; 64]) -> Self {
        Self(RistrettoPoint::from_uniform_bytes(bytes))
    }

    /// Maps the SHA-512 of a text to an element.
    #[must_use]
    pub fn from_sha512(text: &[u8]) -> Self {
        Self::from_uniform(&Sha512::digest(text).into())
    }

    /// The scalar times the generator.
    #[must_use]
    pub fn generated_by(scalar: &Scalar) -> Self {
        Self(RistrettoPoint::mul_base(&scalar.0))
    }

    /// `a` times the point plus `b` times the generator. Not in constant time.
    #[must_use]
    pub fn combine_with_generator(a: &Scalar, point: &Self, b: &Scalar) -> Self {
        Self(RistrettoPoint::vartime_double_scalar_mul_basepoint(&a.0, &point.0, &b.0))
    }

    /// The sum of each point times its scalar. Not in constant time.
    #[must_use]
    pub fn combine(pairs: &[(Self, Scalar)]) -> Self {
        let scalars = pairs.iter().map(|(_, scalar)| scalar.0);
        Self(RistrettoPoint::vartime_multiscalar_mul(scalars, pairs.iter().map(|(point, _)| point.0)))
    }

    /// The point times a scalar.
    #[must_use]
    pub fn multiply(&self, scalar: &Scalar) -> Self {
        Self(self.0 * scalar.0)
    }

    /// Sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Difference.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        Self(self.0 - other.0)
    }

    /// The inverse element.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self(-self.0)
    }
}
