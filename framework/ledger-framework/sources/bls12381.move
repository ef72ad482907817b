/// BLS signatures over BLS12-381 with keys of 48 bytes and signatures of 96, guarded against rogue keys by proofs of possession.
module aptos_std::bls12381 {
    use std::error;
    use std::option::{Self, Option};
    use std::vector;

    /// There is nothing to aggregate.
    const EZERO_PUBKEYS: u64 = 1;
    /// The bytes have the wrong length.
    const EWRONG_SIZE: u64 = 2;

    const PUBLIC_KEY_NUM_BYTES: u64 = 48;
    const SIGNATURE_SIZE: u64 = 96;

    /// A key that is a point of the right group.
    struct PublicKey has copy, drop, store {
        bytes: vector<u8>
    }

    /// A signature with which a key proves that somebody holds it.
    struct ProofOfPossession has copy, drop, store {
        bytes: vector<u8>
    }

    /// A key whose proof has been checked.
    struct PublicKeyWithPoP has copy, drop, store {
        bytes: vector<u8>
    }

    /// The sum of such keys.
    struct AggrPublicKeysWithPoP has copy, drop, store {
        bytes: vector<u8>
    }

    /// A signature. Its group is checked when it is verified.
    struct Signature has copy, drop, store {
        bytes: vector<u8>
    }

    /// The sum of signatures.
    struct AggrOrMultiSignature has copy, drop, store {
        bytes: vector<u8>
    }

    /// A key from its bytes, or none where they are not one.
    public fun public_key_from_bytes(bytes: vector<u8>): Option<PublicKey> {
        if (validate_pubkey_internal(bytes)) option::some(PublicKey { bytes }) else option::none()
    }

    /// The key's bytes.
    public fun public_key_to_bytes(pk: &PublicKey): vector<u8> {
        pk.bytes
    }

    /// A proof from its bytes. Not checked.
    public fun proof_of_possession_from_bytes(bytes: vector<u8>): ProofOfPossession {
        ProofOfPossession { bytes }
    }

    /// The proof's bytes.
    public fun proof_of_possession_to_bytes(pop: &ProofOfPossession): vector<u8> {
        pop.bytes
    }

    /// A key with its proof, or none where the proof is wrong.
    public fun public_key_from_bytes_with_pop(
        pk_bytes: vector<u8>, pop: &ProofOfPossession
    ): Option<PublicKeyWithPoP> {
        if (verify_proof_of_possession_internal(pk_bytes, pop.bytes)) {
            option::some(PublicKeyWithPoP { bytes: pk_bytes })
        } else {
            option::none()
        }
    }

    /// The key's bytes.
    public fun public_key_with_pop_to_bytes(pk: &PublicKeyWithPoP): vector<u8> {
        pk.bytes
    }

    /// The key without its proof.
    public fun public_key_with_pop_to_normal(pkpop: &PublicKeyWithPoP): PublicKey {
        PublicKey { bytes: pkpop.bytes }
    }

    /// A signature from its 96 bytes. Its group is checked when it is verified.
    public fun signature_from_bytes(bytes: vector<u8>): Signature {
        assert!(vector::length(&bytes) == SIGNATURE_SIZE, error::invalid_argument(EWRONG_SIZE));
        Signature { bytes }
    }

    /// The signature's bytes.
    public fun signature_to_bytes(sig: &Signature): vector<u8> {
        sig.bytes
    }

    /// True where the signature lies in the right group.
    public fun signature_subgroup_check(signature: &Signature): bool {
        signature_subgroup_check_internal(signature.bytes)
    }

    /// The sum of keys whose proofs have been checked.
    public fun aggregate_pubkeys(public_keys: vector<PublicKeyWithPoP>): AggrPublicKeysWithPoP {
        let (bytes, success) = aggregate_pubkeys_internal(public_keys);
        assert!(success, error::invalid_argument(EZERO_PUBKEYS));
        AggrPublicKeysWithPoP { bytes }
    }

    /// The sum's bytes.
    public fun aggregate_pubkey_to_bytes(apk: &AggrPublicKeysWithPoP): vector<u8> {
        apk.bytes
    }

    /// The sum of signatures, or none where one is not in the right group or there are none.
    public fun aggregate_signatures(signatures: vector<Signature>): Option<AggrOrMultiSignature> {
        let (bytes, success) = aggregate_signatures_internal(signatures);
        if (success) option::some(AggrOrMultiSignature { bytes }) else option::none()
    }

    /// The sum's bytes.
    public fun aggr_or_multi_signature_to_bytes(sig: &AggrOrMultiSignature): vector<u8> {
        sig.bytes
    }

    /// A sum of signatures from its 96 bytes.
    public fun aggr_or_multi_signature_from_bytes(bytes: vector<u8>): AggrOrMultiSignature {
        assert!(vector::length(&bytes) == SIGNATURE_SIZE, error::invalid_argument(EWRONG_SIZE));
        AggrOrMultiSignature { bytes }
    }

    /// True where the sum lies in the right group.
    public fun aggr_or_multi_signature_subgroup_check(signature: &AggrOrMultiSignature): bool {
        signature_subgroup_check_internal(signature.bytes)
    }

    /// True where each key signed its own message.
    public fun verify_aggregate_signature(
        aggr_sig: &AggrOrMultiSignature, public_keys: vector<PublicKeyWithPoP>, messages: vector<vector<u8>>
    ): bool {
        verify_aggregate_signature_internal(aggr_sig.bytes, public_keys, messages)
    }

    /// True where all keys of the sum signed one message.
    public fun verify_multisignature(
        multisig: &AggrOrMultiSignature, aggr_public_key: &AggrPublicKeysWithPoP, message: vector<u8>
    ): bool {
        verify_multisignature_internal(multisig.bytes, aggr_public_key.bytes, message)
    }

    /// True where the key signed the message.
    public fun verify_normal_signature(signature: &Signature, public_key: &PublicKey, message: vector<u8>): bool {
        verify_normal_signature_internal(signature.bytes, public_key.bytes, message)
    }

    /// True where the key, whose proof has been checked, signed the message.
    public fun verify_signature_share(
        signature_share: &Signature, public_key: &PublicKeyWithPoP, message: vector<u8>
    ): bool {
        verify_signature_share_internal(signature_share.bytes, public_key.bytes, message)
    }

    native fun aggregate_pubkeys_internal(public_keys: vector<PublicKeyWithPoP>): (vector<u8>, bool);
    native fun aggregate_signatures_internal(signatures: vector<Signature>): (vector<u8>, bool);
    native fun validate_pubkey_internal(public_key: vector<u8>): bool;
    native fun signature_subgroup_check_internal(signature: vector<u8>): bool;
    native fun verify_aggregate_signature_internal(
        aggsig: vector<u8>, public_keys: vector<PublicKeyWithPoP>, messages: vector<vector<u8>>
    ): bool;
    native fun verify_multisignature_internal(
        multisignature: vector<u8>, agg_public_key: vector<u8>, message: vector<u8>
    ): bool;
    native fun verify_normal_signature_internal(
        signature: vector<u8>, public_key: vector<u8>, message: vector<u8>
    ): bool;
    native fun verify_proof_of_possession_internal(
        public_key: vector<u8>, proof_of_possesion: vector<u8>
    ): bool;
    native fun verify_signature_share_internal(
        signature_share: vector<u8>, public_key: vector<u8>, message: vector<u8>
    ): bool;
}
