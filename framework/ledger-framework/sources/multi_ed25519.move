/// Keys of several Ed25519 keys, some number of which must sign.
///
/// A key is up to 32 public keys and one byte, the number that must sign. A signature is that many signatures and four bytes that say
/// by which keys, the first key in the highest bit.
module aptos_std::multi_ed25519 {
    use std::bcs;
    use std::error;
    use std::hash;
    use std::option::{Self, Option};
    use std::vector;
    use aptos_std::ed25519;

    /// The bytes are not a number of keys and a threshold.
    const E_WRONG_PUBKEY_SIZE: u64 = 1;
    /// The bytes are not a number of signatures and a bitmap.
    const E_WRONG_SIGNATURE_SIZE: u64 = 2;
    /// The threshold lies outside one to the number of keys.
    const E_INVALID_THRESHOLD_OR_NUMBER_OF_SUBKEYS: u64 = 3;

    /// The last byte hashed into an authentication key.
    const SIGNATURE_SCHEME_ID: u8 = 1;
    const INDIVIDUAL_PUBLIC_KEY_NUM_BYTES: u64 = 32;
    const INDIVIDUAL_SIGNATURE_NUM_BYTES: u64 = 64;
    const THRESHOLD_SIZE_BYTES: u64 = 1;
    const BITMAP_NUM_OF_BYTES: u64 = 4;
    const MAX_NUMBER_OF_PUBLIC_KEYS: u64 = 32;

    /// Bytes that may be a key.
    struct UnvalidatedPublicKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// Bytes that are a key.
    struct ValidatedPublicKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// Bytes that may be a signature.
    struct Signature has copy, drop, store {
        bytes: vector<u8>
    }

    /// Reads a key that nobody has checked. The length must be that of some keys and a threshold.
    public fun new_unvalidated_public_key_from_bytes(bytes: vector<u8>): UnvalidatedPublicKey {
        let n = vector::length(&bytes);
        assert!(
            n / INDIVIDUAL_PUBLIC_KEY_NUM_BYTES <= MAX_NUMBER_OF_PUBLIC_KEYS
                && n % INDIVIDUAL_PUBLIC_KEY_NUM_BYTES == THRESHOLD_SIZE_BYTES,
            error::invalid_argument(E_WRONG_PUBKEY_SIZE)
        );
        UnvalidatedPublicKey { bytes }
    }

    /// Reads a key, or none where a part is no point of large order or the threshold is wrong.
    public fun new_validated_public_key_from_bytes(bytes: vector<u8>): Option<ValidatedPublicKey> {
        if (vector::length(&bytes) % INDIVIDUAL_PUBLIC_KEY_NUM_BYTES == THRESHOLD_SIZE_BYTES
            && public_key_validate_v2_internal(bytes)) {
            option::some(ValidatedPublicKey { bytes })
        } else {
            option::none()
        }
    }

    /// Reads a signature. The length must be that of some signatures and a bitmap.
    public fun new_signature_from_bytes(bytes: vector<u8>): Signature {
        assert!(
            vector::length(&bytes) % INDIVIDUAL_SIGNATURE_NUM_BYTES == BITMAP_NUM_OF_BYTES,
            error::invalid_argument(E_WRONG_SIGNATURE_SIZE)
        );
        Signature { bytes }
    }

    /// The key without the knowledge that it was checked.
    public fun public_key_to_unvalidated(pk: &ValidatedPublicKey): UnvalidatedPublicKey {
        UnvalidatedPublicKey { bytes: pk.bytes }
    }

    /// The bytes of a key.
    public fun unvalidated_public_key_to_bytes(pk: &UnvalidatedPublicKey): vector<u8> {
        pk.bytes
    }

    /// The bytes of a key.
    public fun validated_public_key_to_bytes(pk: &ValidatedPublicKey): vector<u8> {
        pk.bytes
    }

    /// The bytes of a signature.
    public fun signature_to_bytes(sig: &Signature): vector<u8> {
        sig.bytes
    }

    /// Checks a key, or none where a part is no point of large order or the threshold is wrong.
    public fun public_key_validate(pk: &UnvalidatedPublicKey): Option<ValidatedPublicKey> {
        new_validated_public_key_from_bytes(pk.bytes)
    }

    /// True where `multisignature` is that of `public_key` over `message`, by the strict rules.
    public fun signature_verify_strict(
        multisignature: &Signature, public_key: &UnvalidatedPublicKey, message: vector<u8>
    ): bool {
        signature_verify_strict_internal(multisignature.bytes, public_key.bytes, message)
    }

    /// The same over a value together with the name of its type.
    public fun signature_verify_strict_t<T: drop>(
        multisignature: &Signature, public_key: &UnvalidatedPublicKey, data: T
    ): bool {
        let encoded = ed25519::new_signed_message(data);
        signature_verify_strict_internal(multisignature.bytes, public_key.bytes, bcs::to_bytes(&encoded))
    }

    /// The authentication key of an account that this key guards.
    public fun unvalidated_public_key_to_authentication_key(pk: &UnvalidatedPublicKey): vector<u8> {
        public_key_bytes_to_authentication_key(pk.bytes)
    }

    /// The authentication key of an account that this key guards.
    public fun validated_public_key_to_authentication_key(pk: &ValidatedPublicKey): vector<u8> {
        public_key_bytes_to_authentication_key(pk.bytes)
    }

    /// The number of keys.
    public fun validated_public_key_num_sub_pks(pk: &ValidatedPublicKey): u8 {
        ((vector::length(&pk.bytes) / INDIVIDUAL_PUBLIC_KEY_NUM_BYTES) as u8)
    }

    /// How many keys must sign.
    public fun validated_public_key_threshold(pk: &ValidatedPublicKey): u8 {
        *vector::borrow(&pk.bytes, vector::length(&pk.bytes) - 1)
    }

    /// How many keys must sign, or none where the threshold is wrong.
    public fun unvalidated_public_key_threshold(pk: &UnvalidatedPublicKey): Option<u8> {
        check_and_get_threshold(pk.bytes)
    }

    /// How many keys must sign, or none where the length or the threshold is wrong.
    public fun check_and_get_threshold(bytes: vector<u8>): Option<u8> {
        let n = vector::length(&bytes);
        let keys = n / INDIVIDUAL_PUBLIC_KEY_NUM_BYTES;
        if (n % INDIVIDUAL_PUBLIC_KEY_NUM_BYTES != THRESHOLD_SIZE_BYTES
            || keys == 0
            || keys > MAX_NUMBER_OF_PUBLIC_KEYS) return option::none();
        let threshold = *vector::borrow(&bytes, n - 1);
        if (threshold == 0 || (threshold as u64) > keys) { option::none() } else { option::some(threshold) }
    }

    fun public_key_bytes_to_authentication_key(pk_bytes: vector<u8>): vector<u8> {
        vector::push_back(&mut pk_bytes, SIGNATURE_SCHEME_ID);
        hash::sha3_256(pk_bytes)
    }

    native fun public_key_validate_internal(bytes: vector<u8>): bool;
    native fun public_key_validate_v2_internal(bytes: vector<u8>): bool;
    native fun signature_verify_strict_internal(
        multisignature: vector<u8>, public_key: vector<u8>, message: vector<u8>
    ): bool;
}
