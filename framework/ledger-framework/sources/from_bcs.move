/// Values from their canonical encoding.
///
/// Public functions make the types anybody may make; the general form is for the framework, since decoding an arbitrary type would
/// forge it.
module aptos_std::from_bcs {
    use std::string::{Self, String};

    friend aptos_std::any;
    friend aptos_std::copyable_any;

    /// The bytes are not an encoding of the type.
    const EFROM_BYTES: u64 = 0x10001;

    /// A bool.
    public fun to_bool(v: vector<u8>): bool { from_bytes<bool>(v) }

    /// A number of 8 bits.
    public fun to_u8(v: vector<u8>): u8 { from_bytes<u8>(v) }

    /// A number of 16 bits.
    public fun to_u16(v: vector<u8>): u16 { from_bytes<u16>(v) }

    /// A number of 32 bits.
    public fun to_u32(v: vector<u8>): u32 { from_bytes<u32>(v) }

    /// A number of 64 bits.
    public fun to_u64(v: vector<u8>): u64 { from_bytes<u64>(v) }

    /// A number of 128 bits.
    public fun to_u128(v: vector<u8>): u128 { from_bytes<u128>(v) }

    /// A number of 256 bits.
    public fun to_u256(v: vector<u8>): u256 { from_bytes<u256>(v) }

    /// An address.
    public fun to_address(v: vector<u8>): address { from_bytes<address>(v) }

    /// A byte vector.
    public fun to_bytes(v: vector<u8>): vector<u8> { from_bytes<vector<u8>>(v) }

    /// A text. Aborts where the bytes inside are not UTF-8.
    public fun to_string(v: vector<u8>): String {
        // Decoded as bytes first, so that the text is checked by the module that answers for it.
        string::utf8(from_bytes<vector<u8>>(v))
    }

    /// A value of any type. Aborts with `EFROM_BYTES` where the bytes do not encode one.
    native public(friend) fun from_bytes<T>(bytes: vector<u8>): T;
}
