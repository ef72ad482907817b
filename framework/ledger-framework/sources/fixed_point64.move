/// Unsigned numbers with 64 binary digits on either side of the point.
module aptos_std::fixed_point64 {
    /// The divisor is zero.
    const EDENOMINATOR: u64 = 0x10001;
    /// The quotient does not fit 128 bits.
    const EDIVISION: u64 = 0x20002;
    /// The product does not fit 128 bits.
    const EMULTIPLICATION: u64 = 0x20003;
    /// The divisor is a fixed-point zero.
    const EDIVISION_BY_ZERO: u64 = 0x10004;
    /// The ratio is too small or too large to be held.
    const ERATIO_OUT_OF_RANGE: u64 = 0x20005;
    /// The difference would be below zero.
    const ENEGATIVE_RESULT: u64 = 0x10006;

    const MAX_U128: u256 = 340282366920938463463374607431768211455;

    /// The number `value / 2^64`.
    struct FixedPoint64 has copy, drop, store {
        value: u128
    }

    /// `self - y`. Aborts with `ENEGATIVE_RESULT` below zero.
    public fun sub(self: FixedPoint64, y: FixedPoint64): FixedPoint64 {
        assert!(self.value >= y.value, ENEGATIVE_RESULT);
        FixedPoint64 { value: self.value - y.value }
    }

    /// `self + y`.
    public fun add(self: FixedPoint64, y: FixedPoint64): FixedPoint64 {
        let sum = (self.value as u256) + (y.value as u256);
        assert!(sum <= MAX_U128, ERATIO_OUT_OF_RANGE);
        FixedPoint64 { value: (sum as u128) }
    }

    /// `val` times `multiplier`, rounded down.
    public fun multiply_u128(val: u128, multiplier: FixedPoint64): u128 {
        let product = ((val as u256) * (multiplier.value as u256)) >> 64;
        assert!(product <= MAX_U128, EMULTIPLICATION);
        (product as u128)
    }

    /// `val` divided by `divisor`, rounded down.
    public fun divide_u128(val: u128, divisor: FixedPoint64): u128 {
        assert!(divisor.value != 0, EDIVISION_BY_ZERO);
        let quotient = ((val as u256) << 64) / (divisor.value as u256);
        assert!(quotient <= MAX_U128, EDIVISION);
        (quotient as u128)
    }

    /// The ratio of two integers, rounded down. A ratio of zero needs a numerator of zero.
    public fun create_from_rational(numerator: u128, denominator: u128): FixedPoint64 {
        assert!(denominator != 0, EDENOMINATOR);
        let quotient = ((numerator as u256) << 64) / (denominator as u256);
        assert!(quotient != 0 || numerator == 0, ERATIO_OUT_OF_RANGE);
        assert!(quotient <= MAX_U128, ERATIO_OUT_OF_RANGE);
        FixedPoint64 { value: (quotient as u128) }
    }

    /// The number `value / 2^64`.
    public fun create_from_raw_value(value: u128): FixedPoint64 {
        FixedPoint64 { value }
    }

    /// The numerator over 2^64.
    public fun get_raw_value(self: FixedPoint64): u128 {
        self.value
    }

    /// True for zero.
    public fun is_zero(self: FixedPoint64): bool {
        self.value == 0
    }

    /// The lesser of two numbers.
    public fun min(num1: FixedPoint64, num2: FixedPoint64): FixedPoint64 {
        if (num1.value < num2.value) { num1 } else { num2 }
    }

    /// The greater of two numbers.
    public fun max(num1: FixedPoint64, num2: FixedPoint64): FixedPoint64 {
        if (num1.value > num2.value) { num1 } else { num2 }
    }

    /// True where `num1 <= num2`.
    public fun less_or_equal(num1: FixedPoint64, num2: FixedPoint64): bool {
        num1.value <= num2.value
    }

    /// True where `num1 < num2`.
    public fun less(num1: FixedPoint64, num2: FixedPoint64): bool {
        num1.value < num2.value
    }

    /// True where `num1 >= num2`.
    public fun greater_or_equal(num1: FixedPoint64, num2: FixedPoint64): bool {
        num1.value >= num2.value
    }

    /// True where `num1 > num2`.
    public fun greater(num1: FixedPoint64, num2: FixedPoint64): bool {
        num1.value > num2.value
    }

    /// True where the two are the same number.
    public fun equal(num1: FixedPoint64, num2: FixedPoint64): bool {
        num1.value == num2.value
    }

    /// True where the two differ by at most `precision`.
    public fun almost_equal(num1: FixedPoint64, num2: FixedPoint64, precision: FixedPoint64): bool {
        let apart = if (num1.value > num2.value) { num1.value - num2.value } else { num2.value - num1.value };
        apart <= precision.value
    }

    /// The fixed-point form of an integer below 2^64.
    public fun create_from_u128(val: u128): FixedPoint64 {
        let value = (val as u256) << 64;
        assert!(value <= MAX_U128, ERATIO_OUT_OF_RANGE);
        FixedPoint64 { value: (value as u128) }
    }

    /// The integer part.
    public fun floor(self: FixedPoint64): u128 {
        self.value >> 64
    }

    /// The least integer that is not below the number.
    public fun ceil(self: FixedPoint64): u128 {
        let whole = floor(self);
        if (self.value == whole << 64) { whole } else { whole + 1 }
    }

    /// The nearest integer, halves rounded up.
    public fun round(self: FixedPoint64): u128 {
        let whole = floor(self);
        if (self.value - (whole << 64) < 1 << 63) { whole } else { whole + 1 }
    }

    #[test]
    fun numbers_round_as_they_say() {
        let third = create_from_rational(1, 3);
        assert!(multiply_u128(3, third) == 0 && multiply_u128(4, third) == 1, 0);
        assert!(divide_u128(1, third) == 3, 1);
        assert!(floor(third) == 0 && ceil(third) == 1 && round(third) == 0, 2);
        assert!(round(create_from_rational(1, 2)) == 1, 3);
        assert!(equal(add(third, sub(create_from_u128(1), third)), create_from_u128(1)), 4);
        assert!(almost_equal(third, create_from_rational(2, 6), create_from_raw_value(0)), 5);
    }

    #[test]
    #[expected_failure(abort_code = 0x10006, location = Self)]
    fun a_difference_is_not_below_zero() {
        sub(create_from_u128(1), create_from_u128(2));
    }
}
