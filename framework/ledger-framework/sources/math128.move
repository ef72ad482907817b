/// Integer arithmetic on 128-bit numbers beyond the operators.
module aptos_std::math128 {
    use std::error;

    /// The divisor is zero.
    const EDIVISION_BY_ZERO: u64 = 1;
    /// Zero has no logarithm.
    const EINVALID_ARG_FLOOR_LOG2: u64 = 2;
    /// The lower bound exceeds the upper one.
    const EINVALID_RANGE: u64 = 3;

    /// The greater of two numbers.
    public fun max(a: u128, b: u128): u128 {
        if (a >= b) { a } else { b }
    }

    /// The lesser of two numbers.
    public fun min(a: u128, b: u128): u128 {
        if (a < b) { a } else { b }
    }

    /// Half the sum of two numbers, rounded down. Never overflows.
    public fun average(a: u128, b: u128): u128 {
        if (a < b) { a + (b - a) / 2 } else { b + (a - b) / 2 }
    }

    /// The greatest number that divides both; the other one where one is zero.
    public fun gcd(a: u128, b: u128): u128 {
        while (b != 0) {
            let rest = a % b;
            a = b;
            b = rest;
        };
        a
    }

    /// `a * b / c`, rounded down, with a product that may exceed 128 bits.
    public fun mul_div(a: u128, b: u128, c: u128): u128 {
        assert!(c != 0, error::invalid_argument(EDIVISION_BY_ZERO));
        (((a as u256) * (b as u256) / (c as u256)) as u128)
    }

    /// The number nearest to `x` from `lower` to `upper`.
    public fun clamp(x: u128, lower: u128, upper: u128): u128 {
        assert!(lower <= upper, error::invalid_argument(EINVALID_RANGE));
        min(upper, max(lower, x))
    }

    /// `n` to the power `e`. An arithmetic error where that exceeds 128 bits.
    public fun pow(n: u128, e: u128): u128 {
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
    public fun floor_log2(x: u128): u8 {
        assert!(x != 0, error::invalid_argument(EINVALID_ARG_FLOOR_LOG2));
        let position = 0;
        let step: u8 = 64;
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
    public fun sqrt(x: u128): u128 {
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
    public fun ceil_div(x: u128, y: u128): u128 {
        assert!(y != 0, error::invalid_argument(EDIVISION_BY_ZERO));
        if (x == 0) { 0 } else { (x - 1) / y + 1 }
    }

    #[test]
    fun each_function_at_its_edges() {
        let top: u128 = 340282366920938463463374607431768211455;
        assert!(max(1, 2) == 2 && min(1, 2) == 1 && average(top, top) == top && average(0, 5) == 2, 0);
        assert!(gcd(12, 18) == 6 && gcd(0, 7) == 7 && gcd(7, 0) == 7, 1);
        assert!(mul_div(top, top, top) == top && mul_div(7, 3, 2) == 10, 2);
        assert!(clamp(5, 1, 3) == 3 && clamp(0, 1, 3) == 1 && clamp(2, 1, 3) == 2, 3);
        assert!(pow(3, 4) == 81 && pow(0, 0) == 1 && pow(2, 127) == top / 2 + 1 && pow(top, 1) == top, 4);
        assert!(floor_log2(1) == 0 && floor_log2(top) == 127 && floor_log2(8) == 3 && floor_log2(9) == 3, 5);
        assert!(sqrt(0) == 0 && sqrt(1) == 1 && sqrt(8) == 2 && sqrt(9) == 3 && sqrt(top) == 18446744073709551615, 6);
        assert!(ceil_div(0, 3) == 0 && ceil_div(6, 3) == 2 && ceil_div(7, 3) == 3 && ceil_div(top, 1) == top, 7);
    }

    #[test]
    #[expected_failure(arithmetic_error, location = Self)]
    fun a_power_that_does_not_fit_is_an_error() {
        pow(2, 128);
    }
}
