/// Ed25519 keys and signatures.
///
/// A key is `unvalidated` as long as nobody has checked that it is a point of large order. Verification checks that itself, so an
/// unvalidated key is good enough for verifying.
module aptos_std::ed25519 {
    use std::bcs;
    use std::error;
    use std::hash;
    use std::option::{Self, Option};
    use std::vector;
    use aptos_std::type_info::{Self, TypeInfo};

    /// A public key has 32 bytes.
    const E_WRONG_PUBKEY_SIZE: u64 = 1;
    /// A signature has 64 bytes.
    const E_WRONG_SIGNATURE_SIZE: u64 = 2;

    /// The last byte hashed into an authentication key.
    const SIGNATURE_SCHEME_ID: u8 = 0;
    const PUBLIC_KEY_NUM_BYTES: u64 = 32;
    const SIGNATURE_NUM_BYTES: u64 = 64;

    /// A message of a type, as it is signed: the type's name keeps a signature from counting for another type.
    struct SignedMessage<MessageType> has drop {
        type_info: TypeInfo,
        inner: MessageType
    }

    /// 32 bytes that may be a key.
    struct UnvalidatedPublicKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// 32 bytes that are a key.
    struct ValidatedPublicKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// 64 bytes that may be a signature.
    struct Signature has copy, drop, store {
        bytes: vector<u8>
    }

    /// Reads 32 bytes as a key that nobody has checked.
    public fun new_unvalidated_public_key_from_bytes(bytes: vector<u8>): UnvalidatedPublicKey {
        assert!(vector::length(&bytes) == PUBLIC_KEY_NUM_BYTES, error::invalid_argument(E_WRONG_PUBKEY_SIZE));
        UnvalidatedPublicKey { bytes }
    }

    /// Reads 32 bytes as a key, or none where they are no point of large order.
    public fun new_validated_public_key_from_bytes(bytes: vector<u8>): Option<ValidatedPublicKey> {
        if (public_key_validate_internal(bytes)) {
            option::some(ValidatedPublicKey { bytes })
        } else {
            option::none()
        }
    }

    /// Reads 64 bytes as a signature.
    public fun new_signature_from_bytes(bytes: vector<u8>): Signature {
        assert!(vector::length(&bytes) == SIGNATURE_NUM_BYTES, error::invalid_argument(E_WRONG_SIGNATURE_SIZE));
        Signature { bytes }
    }

    /// The key without the knowledge that it was checked.
    public fun public_key_to_unvalidated(pk: &ValidatedPublicKey): UnvalidatedPublicKey {
        UnvalidatedPublicKey { bytes: pk.bytes }
    }

    /// The same, consuming the key.
    public fun public_key_into_unvalidated(pk: ValidatedPublicKey): UnvalidatedPublicKey {
        UnvalidatedPublicKey { bytes: pk.bytes }
    }

    /// The 32 bytes of a key.
    public fun unvalidated_public_key_to_bytes(pk: &UnvalidatedPublicKey): vector<u8> {
        pk.bytes
    }

    /// The 32 bytes of a key.
    public fun validated_public_key_to_bytes(pk: &ValidatedPublicKey): vector<u8> {
        pk.bytes
    }

    /// The 64 bytes of a signature.
    public fun signature_to_bytes(sig: &Signature): vector<u8> {
        sig.bytes
    }

    /// Checks a key, or none where it is no point of large order.
    public fun public_key_validate(pk: &UnvalidatedPublicKey): Option<ValidatedPublicKey> {
        new_validated_public_key_from_bytes(pk.bytes)
    }

    /// True where `signature` is that of `public_key` over `message`, by the strict rules.
    public fun signature_verify_strict(
        signature: &Signature, public_key: &UnvalidatedPublicKey, message: vector<u8>
    ): bool {
        signature_verify_strict_internal(signature.bytes, public_key.bytes, message)
    }

    /// The same over a value together with the name of its type.
    public fun signature_verify_strict_t<T: drop>(
        signature: &Signature, public_key: &UnvalidatedPublicKey, data: T
    ): bool {
        let encoded = SignedMessage { type_info: type_info::type_of<T>(), inner: data };
        signature_verify_strict_internal(signature.bytes, public_key.bytes, bcs::to_bytes(&encoded))
    }

    /// A value together with the name of its type, as it is signed.
    public fun new_signed_message<T: drop>(data: T): SignedMessage<T> {
        SignedMessage { type_info: type_info::type_of<T>(), inner: data }
    }

    /// The authentication key of an account that this key guards.
    public fun unvalidated_public_key_to_authentication_key(pk: &UnvalidatedPublicKey): vector<u8> {
        public_key_bytes_to_authentication_key(pk.bytes)
    }

    /// The authentication key of an account that this key guards.
    public fun validated_public_key_to_authentication_key(pk: &ValidatedPublicKey): vector<u8> {
        public_key_bytes_to_authentication_key(pk.bytes)
    }

    fun public_key_bytes_to_authentication_key(pk_bytes: vector<u8>): vector<u8> {
        vector::push_back(&mut pk_bytes, SIGNATURE_SCHEME_ID);
        hash::sha3_256(pk_bytes)
    }

    native fun public_key_validate_internal(bytes: vector<u8>): bool;
    native fun signature_verify_strict_internal(
        signature: vector<u8>, public_key: vector<u8>, message: vector<u8>
    ): bool;
}
