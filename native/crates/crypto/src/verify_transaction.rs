//! Whether every party of a transaction signed it.

use ledger_types::{
    AccountAuthenticator, Address, AnyPublicKey, AnySignature, MultiKey, SIGNATURES_MAX, SignedTransaction,
    TransactionAuthenticator,
};

use crate::{SignatureError, digest, ed25519, key_bitmap, multi_ed25519, secp256k1, webauthn};

/// Verifies all signatures of a transaction, and that its parties are distinct and not too many.
///
/// Where there is a fee payer, sender and further signers may each have signed with 0x0 in the
/// payer's place; the payer itself signs its real address.
///
/// Cost: one verification for each signature, two for those of a fee-payer transaction's sender and
/// further signers if they signed 0x0.
///
/// # Errors
/// The first thing found wrong, in the order of the parties.
pub fn verify_transaction(transaction: &SignedTransaction) -> Result<(), SignatureError> {
    let raw = &transaction.raw;
    let message = transaction.signing_message();
    match &transaction.authenticator {
        TransactionAuthenticator::Ed25519 { public_key, signature } => {
            ed25519::verify(&public_key.0, &message, &signature.0)
        }
        TransactionAuthenticator::MultiEd25519 { public_key, signature } => {
            multi_ed25519::verify(public_key, &message, signature)
        }
        TransactionAuthenticator::SingleSender { sender } => {
            check_signature_count([sender])?;
            verify_account(sender, &message)
        }
        TransactionAuthenticator::MultiAgent { sender, secondary_signer_addresses, secondary_signers } => {
            check_parties(&raw.sender, secondary_signer_addresses, sender, secondary_signers)?;
            verify_account(sender, &message)?;
            secondary_signers.iter().try_for_each(|signer| verify_account(signer, &message))
        }
        TransactionAuthenticator::FeePayer {
            sender,
            secondary_signer_addresses,
            secondary_signers,
            fee_payer_signer,
            ..
        } => {
            check_parties(&raw.sender, secondary_signer_addresses, sender, secondary_signers)?;
            let without_payer = raw.fee_payer_signing_message(secondary_signer_addresses, &Address::ZERO);
            for signer in std::iter::once(sender).chain(secondary_signers) {
                verify_account(signer, &message).or_else(|error| match error {
                    SignatureError::BadSignature | SignatureError::BadWebAuthn => {
                        verify_account(signer, &without_payer)
                    }
                    error => Err(error),
                })?;
            }
            verify_account(fee_payer_signer, &message)
        }
    }
}

/// Verifies one party's proof of `message`.
///
/// # Errors
/// `NoSignature` and `Unsupported` for proofs that are not signatures; otherwise what is wrong.
pub fn verify_account(authenticator: &AccountAuthenticator, message: &[u8]) -> Result<(), SignatureError> {
    match authenticator {
        AccountAuthenticator::Ed25519 { public_key, signature } => {
            ed25519::verify(&public_key.0, message, &signature.0)
        }
        AccountAuthenticator::MultiEd25519 { public_key, signature } => {
            multi_ed25519::verify(public_key, message, signature)
        }
        AccountAuthenticator::SingleKey { public_key, signature } => {
            verify_any(public_key, message, signature)
        }
        AccountAuthenticator::MultiKey { public_keys, signatures, signatures_bitmap } => {
            verify_multi_key(public_keys, message, signatures, signatures_bitmap)
        }
        AccountAuthenticator::NoAccountAuthenticator => Err(SignatureError::NoSignature),
        AccountAuthenticator::Abstraction { .. } => Err(SignatureError::Unsupported("account abstraction")),
    }
}

fn verify_any(
    public_key: &AnyPublicKey,
    message: &[u8],
    signature: &AnySignature,
) -> Result<(), SignatureError> {
    match (public_key, signature) {
        (AnyPublicKey::Ed25519(key), AnySignature::Ed25519(signature)) => {
            ed25519::verify(&key.0, message, &signature.0)
        }
        (AnyPublicKey::Secp256k1Ecdsa(key), AnySignature::Secp256k1Ecdsa(signature)) => {
            secp256k1::verify(&key.0, &digest::sha3_256(message), &signature.0)
        }
        (AnyPublicKey::Secp256r1Ecdsa(key), AnySignature::WebAuthn(response)) => {
            webauthn::verify(&key.0, message, response)
        }
        _ => Err(SignatureError::SchemeMismatch),
    }
}

fn verify_multi_key(
    keys: &MultiKey,
    message: &[u8],
    signatures: &[AnySignature],
    bitmap: &[u8],
) -> Result<(), SignatureError> {
    let indices = key_bitmap::signer_indices(bitmap, keys.public_keys.len(), signatures.len())?;
    if indices.len() < usize::from(keys.signatures_required) {
        return Err(SignatureError::TooFewSignatures);
    }
    for (index, signature) in indices.into_iter().zip(signatures) {
        verify_any(&keys.public_keys[index], message, signature)?;
    }
    Ok(())
}

fn check_parties(
    sender: &Address,
    secondary_addresses: &[Address],
    sender_proof: &AccountAuthenticator,
    secondary_proofs: &[AccountAuthenticator],
) -> Result<(), SignatureError> {
    if secondary_addresses.len() != secondary_proofs.len() {
        return Err(SignatureError::SecondarySignerCount);
    }
    check_signature_count(std::iter::once(sender_proof).chain(secondary_proofs))?;
    let mut addresses: Vec<&Address> = std::iter::once(sender).chain(secondary_addresses).collect();
    addresses.sort_unstable();
    if addresses.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(SignatureError::DuplicateSigners);
    }
    Ok(())
}

fn check_signature_count<'a>(
    proofs: impl IntoIterator<Item = &'a AccountAuthenticator>,
) -> Result<(), SignatureError> {
    let count: usize = proofs.into_iter().map(AccountAuthenticator::signature_count).sum();
    if count > SIGNATURES_MAX { Err(SignatureError::TooManySignatures) } else { Ok(()) }
}
