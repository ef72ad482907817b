/// Recovering the public key behind an ECDSA signature over secp256k1.
module aptos_std::secp256k1 {
    use std::error;
    use std::option::{Self, Option};
    use std::vector;

    /// The bytes are no key, signature or hash.
    const E_DESERIALIZE: u64 = 1;

    const RAW_PUBLIC_KEY_NUM_BYTES: u64 = 64;
    const SIGNATURE_NUM_BYTES: u64 = 64;
    const MESSAGE_SIZE: u64 = 32;

    /// A public key: both coordinates, 64 bytes.
    struct ECDSARawPublicKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// A signature: both numbers, 64 bytes.
    struct ECDSASignature has copy, drop, store {
        bytes: vector<u8>
    }

    /// A signature from its 64 bytes. Not checked further.
    public fun ecdsa_signature_from_bytes(bytes: vector<u8>): ECDSASignature {
        assert!(vector::length(&bytes) == SIGNATURE_NUM_BYTES, error::invalid_argument(E_DESERIALIZE));
        ECDSASignature { bytes }
    }

    /// A public key from its 64 bytes. Not checked further.
    public fun ecdsa_raw_public_key_from_64_bytes(bytes: vector<u8>): ECDSARawPublicKey {
        assert!(vector::length(&bytes) == RAW_PUBLIC_KEY_NUM_BYTES, error::invalid_argument(E_DESERIALIZE));
        ECDSARawPublicKey { bytes }
    }

    /// The key's bytes.
    public fun ecdsa_raw_public_key_to_bytes(pk: &ECDSARawPublicKey): vector<u8> {
        pk.bytes
    }

    /// The signature's bytes.
    public fun ecdsa_signature_to_bytes(sig: &ECDSASignature): vector<u8> {
        sig.bytes
    }

    /// The key that signed the hash `message` of 32 bytes, or none where no key did. Signatures with a large second number recover too:
    /// whoever needs one signature only for each message refuses those.
    public fun ecdsa_recover(
        message: vector<u8>, recovery_id: u8, signature: &ECDSASignature
    ): Option<ECDSARawPublicKey> {
        assert!(vector::length(&message) == MESSAGE_SIZE, error::invalid_argument(E_DESERIALIZE));
        let (pk, success) = ecdsa_recover_internal(message, recovery_id, signature.bytes);
        if (success) option::some(ecdsa_raw_public_key_from_64_bytes(pk)) else option::none()
    }

    native fun ecdsa_recover_internal(
        message: vector<u8>, recovery_id: u8, signature: vector<u8>
    ): (vector<u8>, bool);
}
