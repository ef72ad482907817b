/// Hash functions beyond SHA2-256 and SHA3-256.
module aptos_std::aptos_hash {
    use std::bcs;
    use std::error;
    use std::features;

    /// The chain does not offer this function yet.
    const E_NATIVE_FUN_NOT_AVAILABLE: u64 = 1;

    /// The feature of SHA-512, SHA3-512 and RIPEMD-160.
    const SHA_512_AND_RIPEMD_160_NATIVES: u64 = 3;
    /// The feature of BLAKE2b-256.
    const BLAKE2B_256_NATIVE: u64 = 8;

    /// SipHash-2-4 with a key of zeros. Not for cryptography.
    native public fun sip_hash(bytes: vector<u8>): u64;

    /// SipHash-2-4 of a value's encoding.
    public fun sip_hash_from_value<MoveValue>(v: &MoveValue): u64 {
        sip_hash(bcs::to_bytes(v))
    }

    /// Keccak-256, with the padding from before the standard.
    native public fun keccak256(bytes: vector<u8>): vector<u8>;

    /// SHA-512. Needs feature 3.
    public fun sha2_512(bytes: vector<u8>): vector<u8> {
        assert_feature(SHA_512_AND_RIPEMD_160_NATIVES);
        sha2_512_internal(bytes)
    }

    /// SHA3-512. Needs feature 3.
    public fun sha3_512(bytes: vector<u8>): vector<u8> {
        assert_feature(SHA_512_AND_RIPEMD_160_NATIVES);
        sha3_512_internal(bytes)
    }

    /// RIPEMD-160. Needs feature 3.
    public fun ripemd160(bytes: vector<u8>): vector<u8> {
        assert_feature(SHA_512_AND_RIPEMD_160_NATIVES);
        ripemd160_internal(bytes)
    }

    /// BLAKE2b with 32 bytes of output. Needs feature 8.
    public fun blake2b_256(bytes: vector<u8>): vector<u8> {
        assert_feature(BLAKE2B_256_NATIVE);
        blake2b_256_internal(bytes)
    }

    fun assert_feature(feature: u64) {
        assert!(features::is_enabled(feature), error::invalid_state(E_NATIVE_FUN_NOT_AVAILABLE));
    }

    native fun sha2_512_internal(bytes: vector<u8>): vector<u8>;
    native fun sha3_512_internal(bytes: vector<u8>): vector<u8>;
    native fun ripemd160_internal(bytes: vector<u8>): vector<u8>;
    native fun blake2b_256_internal(bytes: vector<u8>): vector<u8>;
}
