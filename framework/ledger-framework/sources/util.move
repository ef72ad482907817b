/// Decoding for the framework's own use.
module aptos_framework::util {
    friend aptos_framework::code;
    friend aptos_framework::gas_schedule;
    friend aptos_framework::genesis;

    /// A value of any type. Aborts with 0x10001 where the bytes do not encode one.
    native public(friend) fun from_bytes<T>(bytes: vector<u8>): T;

    /// An address from its 32 bytes.
    public fun address_from_bytes(bytes: vector<u8>): address {
        from_bytes(bytes)
    }
}
