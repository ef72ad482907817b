/// Casts that lose bits, from every width to every narrower one, and shifts as far as the value is wide.
module diff::casts {
    fun from_u16(x: u16): u8 { (x as u8) }

    fun from_u32(x: u32): u16 { (x as u16) }

    fun from_u64(x: u64): u32 { (x as u32) }

    fun from_u128(x: u128): u64 { (x as u64) }

    fun from_u256(x: u256): u128 { (x as u128) }

    public fun u16_to_u8(): u8 { from_u16(255) + from_u16(256) }

    public fun u32_to_u16(): u16 { from_u32(65535) - from_u32(65536) }

    public fun u64_to_u32(): u32 { from_u64(4294967295) - from_u64(4294967296) }

    public fun u128_to_u64(): u64 { from_u128(18446744073709551615) - from_u128(18446744073709551616) }

    public fun u256_to_u128(): u128 {
        from_u256(340282366920938463463374607431768211455) - from_u256(340282366920938463463374607431768211456)
    }

    public fun u256_to_u8(): u8 {
        let x = 1u256;
        for (i in 0..9) { x = x * 2; let _ = (x as u8); };
        (x as u8)
    }

    public fun u256_to_u64_and_back(): u256 { ((((1u256 << 200) >> 140) as u64) as u256) << 3 }

    public fun u128_to_u16(): u16 { let x = 70000u128; (x as u16) }

    public fun shift_u8_by_8(): u8 { let (x, by) = (1u8, 8u8); x << by }

    public fun shift_u16_by_16(): u16 { let (x, by) = (1u16, 16u8); x >> by }

    public fun shift_u32_by_32(): u32 { let (x, by) = (1u32, 32u8); x << by }

    public fun shift_u64_by_64(): u64 { let (x, by) = (1u64, 64u8); x >> by }

    public fun shift_u128_by_128(): u128 { let (x, by) = (1u128, 128u8); x << by }

    public fun shift_u256_by_255(): (u256, u256) { let (x, by) = (3u256, 255u8); (x << by, x >> by) }
}
