/// Integers of every width, in locals, fields, vectors and behind references.
module edge::numbers {
    struct Mixed has copy, drop, store { a: u8, b: u16, c: u32, d: u64, e: u128, f: u256, g: bool, h: address }

    fun set8(r: &mut u8, v: u8) { *r = v; }

    fun set16(r: &mut u16, v: u16) { *r = v; }

    public fun narrow_places() {
        let m = Mixed { a: 255, b: 65535, c: 1, d: 2, e: 3, f: 4, g: true, h: @0x9 };
        set8(&mut m.a, 7);
        set16(&mut m.b, 8);
        m.c = (m.a as u32) + (m.b as u32);
        m.g = !m.g;
        assert!(m.a == 7 && m.b == 8 && m.c == 15 && !m.g && m.h == @0x9, 1);
        let v = vector[1u8, 2, 3, 4, 5, 6, 7, 8, 9];
        set8(&mut v[3], 200);
        v[8] = v[3] + 55;
        assert!(v == vector[1, 2, 3, 200, 5, 6, 7, 8, 255], 2);
        let w = vector[1u16, 2, 3];
        set16(&mut w[1], 65535);
        assert!(w[0] == 1 && w[1] == 65535 && w[2] == 3, 3);
        let x = 255u8;
        let r = &mut x;
        *r = *r / 2;
        assert!(x == 127 && (x as u64) << 60 == 0xf000000000000000, 4);
        let b = vector[true, false];
        b[1] = b[0] && !b[1];
        assert!(b[1], 5);
        let ms = vector[m, copy m];
        ms[1].a = 9;
        ms[1].f = 10;
        assert!(ms[0].a == 7 && ms[1].a == 9 && ms[1].f == 10 && ms[0].f == 4 && ms[1].b == 8, 6);
        assert!(ms[0] != ms[1] && ms[0] == m, 7);
    }

    public fun wide() {
        let a = 0xffffffffffffffffffffffffffffffffu128;
        assert!(a / 3 == 0x55555555555555555555555555555555 && a % 7 == 3, 1);
        assert!((a >> 64) == 0xffffffffffffffff && (1u128 << 127) == 0x80000000000000000000000000000000, 2);
        let b = 115792089237316195423570985008687907853269984665640564039457584007913129639935u256;
        assert!(b / 10 == 11579208923731619542357098500868790785326998466564056403945758400791312963993, 3);
        assert!(b % 1000000007 == 792845265, 4);
        assert!((b >> 200) == 0xffffffffffffff && (1u256 << 255) > b / 2, 5);
        assert!((a as u256) * (a as u256) == 0xfffffffffffffffffffffffffffffffe00000000000000000000000000000001, 6);
        assert!(((a as u256) * 2 - 1) / (a as u256) == 1 && (b ^ b) == 0 && (b & 255) == 255, 7);
        let big = 0x123456789abcdef0123456789abcdef0123456789abcdef0u256;
        let small = 0xfedcba98765432100fedcba987654321u256;
        let q = big / small;
        assert!(q * small + big % small == big && big % small < small, 8);
        assert!(a > 5 && 5u128 < a && b >= (a as u256), 9);
    }

    public fun casts() {
        let x = 300u64;
        assert!((x as u16) == 300 && ((x % 256) as u8) == 44 && (x as u256) == 300, 1);
        let y = 0x1_0000_0000_0000_0000u128;
        assert!(((y - 1) as u64) == 18446744073709551615, 2);
    }

    public fun add_u8(): u8 { let x = 200u8; x + 56 }

    public fun sub_u16(): u16 { let x = 1u16; x - 2 }

    public fun mul_u32(): u32 { let x = 65536u32; x * 65536 }

    public fun add_u64(): u64 { let x = 18446744073709551615u64; x + 1 }

    public fun mul_u128(): u128 { let x = 0x1_0000_0000_0000_0000u128; x * x }

    public fun add_u256(): u256 { let x = 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffu256; x + 1 }

    public fun mul_u256(): u256 { let x = 0x100000000000000000000000000000000u256; x * x }

    public fun div_zero(): u64 { let x = 0u64; 5 / x }

    public fun mod_zero_u256(): u256 { let x = 0u256; 5 % x }

    public fun cast_down(): u8 { let x = 256u64; (x as u8) }

    public fun shift_too_far(): u64 { let x = 64u8; 1u64 << x }

    #[test] fun t1() { narrow_places() }
    #[test] fun t2() { wide() }
    #[test] fun t3() { casts() }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f1() { add_u8(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f2() { sub_u16(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f3() { mul_u32(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f4() { add_u64(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f5() { mul_u128(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f6() { add_u256(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f7() { mul_u256(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f8() { div_zero(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f9() { mod_zero_u256(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f10() { cast_down(); }
    #[test] #[expected_failure(arithmetic_error, location = Self)] fun f11() { shift_too_far(); }
}
