/// Unsigned numbers with 32 binary digits on either side of the point.
module std::fixed_point32 {
    /// The divisor is zero.
    const EDENOMINATOR: u64 = 0x10001;
    /// The quotient does not fit 64 bits.
    const EDIVISION: u64 = 0x20002;
    /// The product does not fit 64 bits.
    const EMULTIPLICATION: u64 = 0x20003;
    /// The divisor is a fixed-point zero.
    const EDIVISION_BY_ZERO: u64 = 0x10004;
    /// The ratio is too small or too large to be held.
    const ERATIO_OUT_OF_RANGE: u64 = 0x20005;

    const MAX_U64: u128 = 18446744073709551615;

    /// The number `value / 2^32`.
    struct FixedPoint32 has copy, drop, store {
        value: u64
    }

    /// `val` times `multiplier`, rounded down.
    public fun multiply_u64(val: u64, multiplier: FixedPoint32): u64 {
        let product = ((val as u128) * (multiplier.value as u128)) >> 32;
        assert!(product <= MAX_U64, EMULTIPLICATION);
        (product as u64)
    }

    /// `val` divided by `divisor`, rounded down.
    public fun divide_u64(val: u64, divisor: FixedPoint32): u64 {
        assert!(divisor.value != 0, EDIVISION_BY_ZERO);
        let quotient = ((val as u128) << 32) / (divisor.value as u128);
        assert!(quotient <= MAX_U64, EDIVISION);
        (quotient as u64)
    }

    /// The ratio of two integers, rounded down. A ratio of zero needs a numerator of zero.
    public fun create_from_rational(numerator: u64, denominator: u64): FixedPoint32 {
        assert!(denominator != 0, EDENOMINATOR);
        let quotient = ((numerator as u128) << 32) / (denominator as u128);
        assert!(quotient != 0 || numerator == 0, ERATIO_OUT_OF_RANGE);
        assert!(quotient <= MAX_U64, ERATIO_OUT_OF_RANGE);
        FixedPoint32 { value: (quotient as u64) }
    }

    /// The number `value / 2^32`.
    public fun create_from_raw_value(value: u64): FixedPoint32 {
        FixedPoint32 { value }
    }

    /// The numerator over 2^32.
    public fun get_raw_value(self: FixedPoint32): u64 {
        self.value
    }

    /// True for zero.
    public fun is_zero(self: FixedPoint32): bool {
        self.value == 0
    }

    /// The lesser of two numbers.
    public fun min(num1: FixedPoint32, num2: FixedPoint32): FixedPoint32 {
        if (num1.value < num2.value) { num1 } else { num2 }
    }

    /// The greater of two numbers.
    public fun max(num1: FixedPoint32, num2: FixedPoint32): FixedPoint32 {
        if (num1.value > num2.value) { num1 } else { num2 }
    }

    /// The fixed-point form of an integer below 2^32.
    public fun create_from_u64(val: u64): FixedPoint32 {
        let value = (val as u128) << 32;
        assert!(value <= MAX_U64, ERATIO_OUT_OF_RANGE);
        FixedPoint32 { value: (value as u64) }
    }

    /// The integer part.
    public fun floor(self: FixedPoint32): u64 {
        self.value >> 32
    }

    /// The least integer that is not below the number.
    public fun ceil(self: FixedPoint32): u64 {
        let whole = floor(self);
        if (self.value == whole << 32) { whole } else { whole + 1 }
    }

    /// The nearest integer, halves rounded up.
    public fun round(self: FixedPoint32): u64 {
        let whole = floor(self);
        if (self.value - (whole << 32) < 1 << 31) { whole } else { whole + 1 }
    }
}
