/// The ristretto255 group: points of prime order, and the numbers to multiply them with.
///
/// Points live beside the machine's memory for the length of a session; a `RistrettoPoint` names one and cannot be stored. What is
/// stored is the 32 bytes of its compressed form.
module aptos_std::ristretto255 {
    use std::error;
    use std::option::{Self, Option};
    use std::vector;

    /// There must be as many numbers as points.
    const E_DIFFERENT_NUM_POINTS_AND_SCALARS: u64 = 1;
    /// There is nothing to add up.
    const E_ZERO_POINTS: u64 = 2;
    /// There is nothing to add up.
    const E_ZERO_SCALARS: u64 = 3;

    /// The generator, compressed.
    const BASE_POINT: vector<u8> = x"e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76";

    /// A number below the order of the group, 32 bytes, lowest first.
    struct Scalar has copy, drop, store {
        data: vector<u8>
    }

    /// The 32 bytes of a point.
    struct CompressedRistretto has copy, drop, store {
        data: vector<u8>
    }

    /// A point of this session.
    struct RistrettoPoint has drop {
        handle: u64
    }

    // Points.

    /// The neutral point, compressed.
    public fun point_identity_compressed(): CompressedRistretto {
        CompressedRistretto { data: x"0000000000000000000000000000000000000000000000000000000000000000" }
    }

    /// The neutral point.
    public fun point_identity(): RistrettoPoint {
        RistrettoPoint { handle: point_identity_internal() }
    }

    /// A compressed point from its bytes, or none where they are not one.
    public fun new_compressed_point_from_bytes(bytes: vector<u8>): Option<CompressedRistretto> {
        if (point_is_canonical_internal(bytes)) {
            option::some(CompressedRistretto { data: bytes })
        } else {
            option::none()
        }
    }

    /// A point from its bytes, or none where they are not one.
    public fun new_point_from_bytes(bytes: vector<u8>): Option<RistrettoPoint> {
        let (handle, is_canonical) = point_decompress_internal(bytes);
        if (is_canonical) option::some(RistrettoPoint { handle }) else option::none()
    }

    /// The bytes of a compressed point.
    public fun compressed_point_to_bytes(point: CompressedRistretto): vector<u8> {
        point.data
    }

    /// A point whose logarithm nobody knows, from the SHA2-512 of some bytes.
    public fun new_point_from_sha512(sha2_512_input: vector<u8>): RistrettoPoint {
        new_point_from_sha2_512(sha2_512_input)
    }

    /// A point whose logarithm nobody knows, from the SHA2-512 of some bytes.
    public fun new_point_from_sha2_512(sha2_512_input: vector<u8>): RistrettoPoint {
        RistrettoPoint { handle: new_point_from_sha512_internal(sha2_512_input) }
    }

    /// A point from 64 random bytes, or none for another length.
    public fun new_point_from_64_uniform_bytes(bytes: vector<u8>): Option<RistrettoPoint> {
        if (vector::length(&bytes) == 64) {
            option::some(RistrettoPoint { handle: new_point_from_64_uniform_bytes_internal(bytes) })
        } else {
            option::none()
        }
    }

    /// The point of a compressed one, which is one by its making.
    public fun point_decompress(point: &CompressedRistretto): RistrettoPoint {
        let (handle, _) = point_decompress_internal(point.data);
        RistrettoPoint { handle }
    }

    /// Another name for a copy of a point.
    public fun point_clone(point: &RistrettoPoint): RistrettoPoint {
        RistrettoPoint { handle: point_clone_internal(point.handle) }
    }

    /// The compressed form.
    public fun point_compress(point: &RistrettoPoint): CompressedRistretto {
        CompressedRistretto { data: point_compress_internal(point) }
    }

    /// The bytes of a compressed point.
    public fun point_to_bytes(point: &CompressedRistretto): vector<u8> {
        point.data
    }

    /// `a` times the point.
    public fun point_mul(point: &RistrettoPoint, a: &Scalar): RistrettoPoint {
        RistrettoPoint { handle: point_mul_internal(point, a.data, false) }
    }

    /// Makes the point `a` times itself.
    public fun point_mul_assign(point: &mut RistrettoPoint, a: &Scalar): &mut RistrettoPoint {
        point_mul_internal(point, a.data, true);
        point
    }

    /// `a` times the point and `b` times the generator.
    public fun basepoint_double_mul(a: &Scalar, a_base: &RistrettoPoint, b: &Scalar): RistrettoPoint {
        RistrettoPoint { handle: basepoint_double_mul_internal(a.data, a_base, b.data) }
    }

    /// The sum.
    public fun point_add(a: &RistrettoPoint, b: &RistrettoPoint): RistrettoPoint {
        RistrettoPoint { handle: point_add_internal(a, b, false) }
    }

    /// Adds `b` to `a`.
    public fun point_add_assign(a: &mut RistrettoPoint, b: &RistrettoPoint): &mut RistrettoPoint {
        point_add_internal(a, b, true);
        a
    }

    /// The difference.
    public fun point_sub(a: &RistrettoPoint, b: &RistrettoPoint): RistrettoPoint {
        RistrettoPoint { handle: point_sub_internal(a, b, false) }
    }

    /// Subtracts `b` from `a`.
    public fun point_sub_assign(a: &mut RistrettoPoint, b: &RistrettoPoint): &mut RistrettoPoint {
        point_sub_internal(a, b, true);
        a
    }

    /// The opposite.
    public fun point_neg(a: &RistrettoPoint): RistrettoPoint {
        RistrettoPoint { handle: point_neg_internal(a, false) }
    }

    /// Makes a point its opposite.
    public fun point_neg_assign(a: &mut RistrettoPoint): &mut RistrettoPoint {
        point_neg_internal(a, true);
        a
    }

    /// True where both are the same point.
    native public fun point_equals(g: &RistrettoPoint, h: &RistrettoPoint): bool;

    /// `a1` times one point and `a2` times another.
    public fun double_scalar_mul(
        a1: &Scalar, p1: &RistrettoPoint, a2: &Scalar, p2: &RistrettoPoint
    ): RistrettoPoint {
        RistrettoPoint { handle: double_scalar_mul_internal(p1.handle, p2.handle, a1.data, a2.data) }
    }

    /// The sum of each point times its number.
    public fun multi_scalar_mul(points: &vector<RistrettoPoint>, scalars: &vector<Scalar>): RistrettoPoint {
        assert!(!vector::is_empty(points), error::invalid_argument(E_ZERO_POINTS));
        assert!(!vector::is_empty(scalars), error::invalid_argument(E_ZERO_SCALARS));
        assert!(
            vector::length(points) == vector::length(scalars),
            error::invalid_argument(E_DIFFERENT_NUM_POINTS_AND_SCALARS)
        );
        RistrettoPoint { handle: multi_scalar_mul_internal<RistrettoPoint, Scalar>(points, scalars) }
    }

    /// The generator, compressed.
    public fun basepoint_compressed(): CompressedRistretto {
        CompressedRistretto { data: BASE_POINT }
    }

    /// The generator.
    public fun basepoint(): RistrettoPoint {
        let (handle, _) = point_decompress_internal(BASE_POINT);
        RistrettoPoint { handle }
    }

    /// `a` times the generator.
    public fun basepoint_mul(a: &Scalar): RistrettoPoint {
        RistrettoPoint { handle: basepoint_mul_internal(a.data) }
    }

    // Numbers.

    /// A number from its bytes, or none where they are not below the order.
    public fun new_scalar_from_bytes(bytes: vector<u8>): Option<Scalar> {
        if (scalar_is_canonical_internal(bytes)) option::some(Scalar { data: bytes }) else option::none()
    }

    /// A number from the SHA2-512 of some bytes.
    public fun new_scalar_from_sha512(sha2_512_input: vector<u8>): Scalar {
        new_scalar_from_sha2_512(sha2_512_input)
    }

    /// A number from the SHA2-512 of some bytes.
    public fun new_scalar_from_sha2_512(sha2_512_input: vector<u8>): Scalar {
        Scalar { data: scalar_from_sha512_internal(sha2_512_input) }
    }

    /// A number below 2^8.
    public fun new_scalar_from_u8(byte: u8): Scalar {
        new_scalar_from_u64((byte as u64))
    }

    /// A number below 2^32.
    public fun new_scalar_from_u32(four_bytes: u32): Scalar {
        new_scalar_from_u64((four_bytes as u64))
    }

    /// A number below 2^64.
    public fun new_scalar_from_u64(eight_bytes: u64): Scalar {
        Scalar { data: scalar_from_u64_internal(eight_bytes) }
    }

    /// A number below 2^128.
    public fun new_scalar_from_u128(sixteen_bytes: u128): Scalar {
        Scalar { data: scalar_from_u128_internal(sixteen_bytes) }
    }

    /// What remains of 32 bytes, or none for another length.
    public fun new_scalar_reduced_from_32_bytes(bytes: vector<u8>): Option<Scalar> {
        if (vector::length(&bytes) == 32) {
            option::some(Scalar { data: scalar_reduced_from_32_bytes_internal(bytes) })
        } else {
            option::none()
        }
    }

    /// What remains of 64 bytes, or none for another length. Random bytes make a random number.
    public fun new_scalar_uniform_from_64_bytes(bytes: vector<u8>): Option<Scalar> {
        if (vector::length(&bytes) == 64) {
            option::some(Scalar { data: scalar_uniform_from_64_bytes_internal(bytes) })
        } else {
            option::none()
        }
    }

    /// 0.
    public fun scalar_zero(): Scalar {
        Scalar { data: x"0000000000000000000000000000000000000000000000000000000000000000" }
    }

    /// True for 0.
    public fun scalar_is_zero(s: &Scalar): bool {
        s.data == scalar_zero().data
    }

    /// 1.
    public fun scalar_one(): Scalar {
        Scalar { data: x"0100000000000000000000000000000000000000000000000000000000000000" }
    }

    /// True for 1.
    public fun scalar_is_one(s: &Scalar): bool {
        s.data == scalar_one().data
    }

    /// True where both are the same number.
    public fun scalar_equals(lhs: &Scalar, rhs: &Scalar): bool {
        lhs.data == rhs.data
    }

    /// The inverse, or none for 0.
    public fun scalar_invert(s: &Scalar): Option<Scalar> {
        if (scalar_is_zero(s)) option::none() else option::some(Scalar { data: scalar_invert_internal(s.data) })
    }

    /// The product.
    public fun scalar_mul(a: &Scalar, b: &Scalar): Scalar {
        Scalar { data: scalar_mul_internal(a.data, b.data) }
    }

    /// Multiplies `a` by `b`.
    public fun scalar_mul_assign(a: &mut Scalar, b: &Scalar): &mut Scalar {
        a.data = scalar_mul_internal(a.data, b.data);
        a
    }

    /// The sum.
    public fun scalar_add(a: &Scalar, b: &Scalar): Scalar {
        Scalar { data: scalar_add_internal(a.data, b.data) }
    }

    /// Adds `b` to `a`.
    public fun scalar_add_assign(a: &mut Scalar, b: &Scalar): &mut Scalar {
        a.data = scalar_add_internal(a.data, b.data);
        a
    }

    /// The difference.
    public fun scalar_sub(a: &Scalar, b: &Scalar): Scalar {
        Scalar { data: scalar_sub_internal(a.data, b.data) }
    }

    /// Subtracts `b` from `a`.
    public fun scalar_sub_assign(a: &mut Scalar, b: &Scalar): &mut Scalar {
        a.data = scalar_sub_internal(a.data, b.data);
        a
    }

    /// The opposite.
    public fun scalar_neg(a: &Scalar): Scalar {
        Scalar { data: scalar_neg_internal(a.data) }
    }

    /// Makes a number its opposite.
    public fun scalar_neg_assign(a: &mut Scalar): &mut Scalar {
        a.data = scalar_neg_internal(a.data);
        a
    }

    /// The bytes of a number.
    public fun scalar_to_bytes(s: &Scalar): vector<u8> {
        s.data
    }

    native fun new_point_from_sha512_internal(sha2_512_input: vector<u8>): u64;
    native fun new_point_from_64_uniform_bytes_internal(bytes: vector<u8>): u64;
    native fun point_is_canonical_internal(bytes: vector<u8>): bool;
    native fun point_identity_internal(): u64;
    native fun point_decompress_internal(maybe_non_canonical_bytes: vector<u8>): (u64, bool);
    native fun point_clone_internal(point_handle: u64): u64;
    native fun point_compress_internal(point: &RistrettoPoint): vector<u8>;
    native fun point_mul_internal(point: &RistrettoPoint, a: vector<u8>, in_place: bool): u64;
    native fun basepoint_mul_internal(a: vector<u8>): u64;
    native fun basepoint_double_mul_internal(a: vector<u8>, some_point: &RistrettoPoint, b: vector<u8>): u64;
    native fun point_add_internal(a: &RistrettoPoint, b: &RistrettoPoint, in_place: bool): u64;
    native fun point_sub_internal(a: &RistrettoPoint, b: &RistrettoPoint, in_place: bool): u64;
    native fun point_neg_internal(a: &RistrettoPoint, in_place: bool): u64;
    native fun double_scalar_mul_internal(
        point1: u64, point2: u64, scalar1: vector<u8>, scalar2: vector<u8>
    ): u64;
    native fun multi_scalar_mul_internal<P, S>(points: &vector<P>, scalars: &vector<S>): u64;
    native fun scalar_is_canonical_internal(s: vector<u8>): bool;
    native fun scalar_from_u64_internal(num: u64): vector<u8>;
    native fun scalar_from_u128_internal(num: u128): vector<u8>;
    native fun scalar_reduced_from_32_bytes_internal(bytes: vector<u8>): vector<u8>;
    native fun scalar_uniform_from_64_bytes_internal(bytes: vector<u8>): vector<u8>;
    native fun scalar_invert_internal(bytes: vector<u8>): vector<u8>;
    native fun scalar_from_sha512_internal(sha2_512_input: vector<u8>): vector<u8>;
    native fun scalar_mul_internal(a_bytes: vector<u8>, b_bytes: vector<u8>): vector<u8>;
    native fun scalar_add_internal(a_bytes: vector<u8>, b_bytes: vector<u8>): vector<u8>;
    native fun scalar_sub_internal(a_bytes: vector<u8>, b_bytes: vector<u8>): vector<u8>;
    native fun scalar_neg_internal(a_bytes: vector<u8>): vector<u8>;
}
