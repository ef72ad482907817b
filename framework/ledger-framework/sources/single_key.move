/// A public key of any of the schemes that share one envelope: the scheme's number, then the key.
module aptos_std::single_key {
    use std::error;
    use std::hash;
    use std::vector;

    friend aptos_std::multi_key;

    /// The bytes are not the encoding of a key of a scheme known here.
    const E_INVALID_SINGLE_KEY_EXTRA_BYTES: u64 = 1;
    /// The scheme is not known here.
    const E_INVALID_PUBLIC_KEY_TYPE: u64 = 2;

    /// The last byte hashed into an authentication key.
    const SIGNATURE_SCHEME_ID: u8 = 2;

    const ED25519: u8 = 0;
    const SECP256K1_ECDSA: u8 = 1;
    const SECP256R1_ECDSA: u8 = 2;

    /// The encoding of a key: scheme, length, key.
    struct AnyPublicKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// Reads a key. Aborts where the scheme is not known here or the length is not the scheme's.
    public fun new_public_key_from_bytes(bytes: vector<u8>): AnyPublicKey {
        let end = skip_public_key(&bytes, 0);
        assert!(end == vector::length(&bytes), error::invalid_argument(E_INVALID_SINGLE_KEY_EXTRA_BYTES));
        AnyPublicKey { bytes }
    }

    /// The encoding of a key.
    public fun to_bytes(self: &AnyPublicKey): vector<u8> {
        self.bytes
    }

    /// The authentication key of an account that this key guards.
    public fun to_authentication_key(self: &AnyPublicKey): vector<u8> {
        let bytes = self.bytes;
        vector::push_back(&mut bytes, SIGNATURE_SCHEME_ID);
        hash::sha3_256(bytes)
    }

    /// Where the key that starts at `start` ends.
    public(friend) fun skip_public_key(bytes: &vector<u8>, start: u64): u64 {
        assert!(
            start + 2 <= vector::length(bytes), error::invalid_argument(E_INVALID_SINGLE_KEY_EXTRA_BYTES)
        );
        let scheme = *vector::borrow(bytes, start);
        let length =
            if (scheme == ED25519) {
                32
            } else {
                assert!(
                    scheme == SECP256K1_ECDSA || scheme == SECP256R1_ECDSA,
                    error::invalid_argument(E_INVALID_PUBLIC_KEY_TYPE)
                );
                65
            };
        let end = start + 2 + length;
        assert!(
            (*vector::borrow(bytes, start + 1) as u64) == length && end <= vector::length(bytes),
            error::invalid_argument(E_INVALID_SINGLE_KEY_EXTRA_BYTES)
        );
        end
    }
}
