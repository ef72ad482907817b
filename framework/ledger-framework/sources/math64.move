/// Integer arithmetic on 64-bit numbers beyond the operators.
module aptos_std::math64 {
    use std::error;

    /// The divisor is zero.
    const EDIVISION_BY_ZERO: u64 = 1;
    /// Zero has no logarithm.
    const EINVALID_ARG_FLOOR_LOG2: u64 = 2;
    /// The lower bound exceeds the upper one.
    const EINVALID_RANGE: u64 = 3;

    /// The greater of two numbers.
    public fun max(a: u64, b: u64): u64 {
        if (a >= b) { a } else { b }
    }

    /// The lesser of two numbers.
    public fun min(a: u64, b: u64): u64 {
        if (a < b) { a } else { b }
    }

    /// Half the sum of two numbers, rounded down. Never overflows.
    public fun average(a: u64, b: u64): u64 {
        if (a < b) { a + (b - a) / 2 } else { b + (a - b) / 2 }
    }

    /// The greatest number that divides both; the other one where one is zero.
    public fun gcd(a: u64, b: u64): u64 {
        while (b != 0) {
            let rest = a % b;
            a = b;
            b = rest;
        };
        a
    }

    /// `a * b / c`, rounded down, with a product that may exceed 64 bits.
    public fun mul_div(a: u64, b: u64, c: u64): u64 {
        assert!(c != 0, error::invalid_argument(EDIVISION_BY_ZERO));
        (((a as u128) * (b as u128) / (c as u128)) as u64)
    }

    /// The number nearest to `x` from `lower` to `upper`.
    public fun clamp(x: u64, lower: u64, upper: u64): u64 {
        assert!(lower <= upper, error::invalid_argument(EINVALID_RANGE));
        min(upper, max(lower, x))
    }

    /// `n` to the power `e`. An arithmetic error where that exceeds 64 bits.
    public fun pow(n: u64, e: u64): u64 {
        if (e == 0) return 1;
        let p = 1;
        while (e > 1) {
            if (e % 2 == 1) {
                p = p * n;
            };
            e = e / 2;
            n = n * n;
        };
        p * n
    }

    /// The position of the highest bit that is set.
    public fun floor_log2(x: u64): u8 {
        assert!(x != 0, error::invalid_argument(EINVALID_ARG_FLOOR_LOG2));
        let position = 0;
        let step: u8 = 32;
        while (step > 0) {
            if (x >= (1 << step)) {
                x = x >> step;
                position = position + step;
            };
            step = step >> 1;
        };
        position
    }

    /// The square root, rounded down.
    public fun sqrt(x: u64): u64 {
        if (x == 0) return 0;
        // Newton's method from a power of two at or above the root falls until it meets it.
        let root = 1 << ((floor_log2(x) >> 1) + 1);
        loop {
            let next = (root + x / root) >> 1;
            if (next >= root) return root;
            root = next;
        }
    }

    /// `x / y`, rounded up.
    public fun ceil_div(x: u64, y: u64): u64 {
        assert!(y != 0, error::invalid_argument(EDIVISION_BY_ZERO));
        if (x == 0) { 0 } else { (x - 1) / y + 1 }
    }

    #[test]
    fun each_function_at_its_edges() {
        let top: u64 = 18446744073709551615;
        assert!(max(1, 2) == 2 && min(1, 2) == 1 && average(top, top) == top && average(0, 5) == 2, 0);
        assert!(gcd(12, 18) == 6 && gcd(0, 7) == 7 && gcd(7, 0) == 7, 1);
        assert!(mul_div(top, top, top) == top && mul_div(7, 3, 2) == 10, 2);
        assert!(clamp(5, 1, 3) == 3 && clamp(0, 1, 3) == 1 && clamp(2, 1, 3) == 2, 3);
        assert!(pow(3, 4) == 81 && pow(0, 0) == 1 && pow(2, 63) == top / 2 + 1 && pow(top, 1) == top, 4);
        assert!(floor_log2(1) == 0 && floor_log2(top) == 63 && floor_log2(8) == 3 && floor_log2(9) == 3, 5);
        assert!(sqrt(0) == 0 && sqrt(1) == 1 && sqrt(8) == 2 && sqrt(9) == 3 && sqrt(top) == 4294967295, 6);
        assert!(ceil_div(0, 3) == 0 && ceil_div(6, 3) == 2 && ceil_div(7, 3) == 3 && ceil_div(top, 1) == top, 7);
    }

    #[test]
    #[expected_failure(arithmetic_error, location = Self)]
    fun a_power_that_does_not_fit_is_an_error() {
        pow(2, 64);
    }
}
