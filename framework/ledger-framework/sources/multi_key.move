/// Several public keys of any schemes, some number of which must sign.
module aptos_std::multi_key {
    use std::error;
    use std::hash;
    use std::vector;
    use aptos_std::single_key;

    /// There are no keys, or more than 32.
    const E_INVALID_MULTI_KEY_NUMBER_OF_KEYS: u64 = 1;
    /// The number of signatures lies outside one to the number of keys.
    const E_INVALID_MULTI_KEY_SIGNATURES_REQUIRED: u64 = 2;
    /// The bytes are not a list of keys and a number.
    const E_INVALID_MULTI_KEY_EXTRA_BYTES: u64 = 3;

    /// The last byte hashed into an authentication key.
    const SIGNATURE_SCHEME_ID: u8 = 3;
    const MAX_KEYS: u64 = 32;

    /// The encoding of a key: number of keys, keys, number of signatures.
    struct MultiKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// Reads a key. Aborts where the bytes are no list of keys with a number of signatures it can meet.
    public fun new_public_key_from_bytes(bytes: vector<u8>): MultiKey {
        let n = vector::length(&bytes);
        assert!(n > 0, error::invalid_argument(E_INVALID_MULTI_KEY_NUMBER_OF_KEYS));
        // One byte holds every count that is allowed.
        let keys = (*vector::borrow(&bytes, 0) as u64);
        assert!(keys > 0 && keys <= MAX_KEYS, error::invalid_argument(E_INVALID_MULTI_KEY_NUMBER_OF_KEYS));
        let at = 1;
        let i = 0;
        while (i < keys) {
            at = single_key::skip_public_key(&bytes, at);
            i = i + 1;
        };
        assert!(at + 1 == n, error::invalid_argument(E_INVALID_MULTI_KEY_EXTRA_BYTES));
        let required = (*vector::borrow(&bytes, at) as u64);
        assert!(
            required > 0 && required <= keys,
            error::invalid_argument(E_INVALID_MULTI_KEY_SIGNATURES_REQUIRED)
        );
        MultiKey { bytes }
    }

    /// The encoding of a key.
    public fun to_bytes(self: &MultiKey): vector<u8> {
        self.bytes
    }

    /// The authentication key of an account that this key guards.
    public fun to_authentication_key(self: &MultiKey): vector<u8> {
        let bytes = self.bytes;
        vector::push_back(&mut bytes, SIGNATURE_SCHEME_ID);
        hash::sha3_256(bytes)
    }
}
