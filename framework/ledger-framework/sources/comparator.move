/// An order over values of any type: that of their encodings, byte by byte.
///
/// It is a total order, the same everywhere, and not the order of numbers: encodings of integers start with the lowest byte.
module aptos_std::comparator {
    use std::bcs;
    use std::vector;

    const EQUAL: u8 = 0;
    const SMALLER: u8 = 1;
    const GREATER: u8 = 2;

    /// How the first value stands to the second.
    struct Result has drop {
        inner: u8
    }

    /// True where the two are the same.
    public fun is_equal(self: &Result): bool {
        self.inner == EQUAL
    }

    /// True where the first comes first.
    public fun is_smaller_than(self: &Result): bool {
        self.inner == SMALLER
    }

    /// True where the second comes first.
    public fun is_greater_than(self: &Result): bool {
        self.inner == GREATER
    }

    /// Compares two values by their encodings.
    public fun compare<T>(left: &T, right: &T): Result {
        compare_u8_vector(bcs::to_bytes(left), bcs::to_bytes(right))
    }

    /// Compares two byte vectors; a vector comes before those it is the beginning of.
    public fun compare_u8_vector(left: vector<u8>, right: vector<u8>): Result {
        let left_length = vector::length(&left);
        let right_length = vector::length(&right);
        let i = 0;
        while (i < left_length && i < right_length) {
            let left_byte = *vector::borrow(&left, i);
            let right_byte = *vector::borrow(&right, i);
            if (left_byte < right_byte) return Result { inner: SMALLER };
            if (left_byte > right_byte) return Result { inner: GREATER };
            i = i + 1;
        };
        if (left_length < right_length) {
            Result { inner: SMALLER }
        } else if (left_length > right_length) {
            Result { inner: GREATER }
        } else {
            Result { inner: EQUAL }
        }
    }

    #[test]
    fun bytes_are_compared_from_the_front() {
        assert!(is_smaller_than(&compare_u8_vector(b"ab", b"b")), 0);
        assert!(is_greater_than(&compare_u8_vector(b"ab", b"a")), 1);
        assert!(is_equal(&compare(&7u64, &7u64)), 2);
        // 256 is 00 01 and 1 is 01 00.
        assert!(is_smaller_than(&compare(&256u16, &1u16)), 3);
    }
}
