//! Signatures of a transaction as JSON.

use ledger_bcs::Encode;
use ledger_types::{AccountAuthenticator, AnyPublicKey, AnySignature, MultiKey, TransactionAuthenticator};

use crate::json::write;

/// Appends the `signature` object of a transaction.
pub fn write_authenticator(authenticator: &TransactionAuthenticator, out: &mut Vec<u8>) {
    match authenticator {
        TransactionAuthenticator::Ed25519 { .. } | TransactionAuthenticator::MultiEd25519 { .. } => {
            write_account(&authenticator.sender(), None, out);
        }
        TransactionAuthenticator::SingleSender { sender } => {
            write_account(sender, Some("single_sender"), out)
        }
        TransactionAuthenticator::MultiAgent { sender, .. } => {
            write::raw("{\"type\":\"multi_agent_signature\",\"sender\":", out);
            write_account(sender, None, out);
            write_secondary(authenticator, out);
            out.push(b'}');
        }
        TransactionAuthenticator::FeePayer { sender, fee_payer_address, fee_payer_signer, .. } => {
            write::raw("{\"type\":\"fee_payer_signature\",\"sender\":", out);
            write_account(sender, None, out);
            write_secondary(authenticator, out);
            write::raw(",\"fee_payer_address\":", out);
            write::address(fee_payer_address, out);
            write::raw(",\"fee_payer_signer\":", out);
            write_account(fee_payer_signer, None, out);
            out.push(b'}');
        }
    }
}

fn write_secondary(authenticator: &TransactionAuthenticator, out: &mut Vec<u8>) {
    write::raw(",\"secondary_signer_addresses\":", out);
    write::array(authenticator.secondary_signer_addresses(), out, write::address);
    write::raw(",\"secondary_signers\":", out);
    write::array(authenticator.secondary_signers(), out, |signer, out| write_account(signer, None, out));
}

/// Appends an account signature. `outer` replaces its own `type`: one object has room for one only, and
/// the single-sender envelope wins.
fn write_account(account: &AccountAuthenticator, outer: Option<&str>, out: &mut Vec<u8>) {
    let own = match account {
        AccountAuthenticator::Ed25519 { .. } => "ed25519_signature",
        AccountAuthenticator::MultiEd25519 { .. } => "multi_ed25519_signature",
        AccountAuthenticator::SingleKey { .. } => "single_key_signature",
        AccountAuthenticator::MultiKey { .. } => "multi_key_signature",
        AccountAuthenticator::NoAccountAuthenticator => "no_account_signature",
        AccountAuthenticator::Abstraction { .. } => "abstraction_signature",
    };
    write::raw("{\"type\":", out);
    write::string(outer.unwrap_or(own), out);
    match account {
        AccountAuthenticator::Ed25519 { public_key, signature } => {
            write::raw(",\"public_key\":", out);
            write::hex(&public_key.0, out);
            write::raw(",\"signature\":", out);
            write::hex(&signature.0, out);
        }
        AccountAuthenticator::MultiEd25519 { public_key, signature } => {
            write::raw(",\"public_keys\":", out);
            write::array(&public_key.keys, out, |key, out| write::hex(&key.0, out));
            write::raw(",\"signatures\":", out);
            write::array(&signature.signatures, out, |signature, out| write::hex(&signature.0, out));
            write::raw(&format!(",\"threshold\":{},\"bitmap\":", public_key.threshold), out);
            write::hex(&signature.bitmap, out);
        }
        AccountAuthenticator::SingleKey { public_key, signature } => {
            write::raw(",\"public_key\":", out);
            write_public_key(public_key, out);
            write::raw(",\"signature\":", out);
            write_signature(signature, out);
        }
        AccountAuthenticator::MultiKey { public_keys, signatures, signatures_bitmap } => {
            write_multi_key(public_keys, signatures, signatures_bitmap, out);
        }
        AccountAuthenticator::NoAccountAuthenticator => {}
        AccountAuthenticator::Abstraction { function, auth_data } => {
            write::raw(",\"function_info\":", out);
            write::string(&function.to_string(), out);
            write::raw(",\"auth_data\":", out);
            write::hex(&auth_data.to_bytes(), out);
        }
    }
    out.push(b'}');
}

fn write_multi_key(keys: &MultiKey, signatures: &[AnySignature], bitmap: &[u8], out: &mut Vec<u8>) {
    write::raw(",\"public_keys\":", out);
    write::array(&keys.public_keys, out, write_public_key);
    write::raw(",\"signatures\":", out);
    // Bits count from the left of each byte; the n-th signature is that of the n-th bit set.
    let set_bits = (0..bitmap.len() * 8).filter(|bit| bitmap[bit / 8] & (0x80 >> (bit % 8)) != 0);
    write::array(set_bits.zip(signatures), out, |(index, signature), out| {
        write::raw(&format!("{{\"index\":{index},\"signature\":"), out);
        write_signature(signature, out);
        out.push(b'}');
    });
    write::raw(&format!(",\"signatures_required\":{}", keys.signatures_required), out);
}

fn write_typed(kind: &str, value: &[u8], out: &mut Vec<u8>) {
    write::raw(&format!("{{\"type\":\"{kind}\",\"value\":"), out);
    write::hex(value, out);
    out.push(b'}');
}

fn write_public_key(key: &AnyPublicKey, out: &mut Vec<u8>) {
    match key {
        AnyPublicKey::Ed25519(key) => write_typed("ed25519", &key.0, out),
        AnyPublicKey::Secp256k1Ecdsa(key) => write_typed("secp256k1_ecdsa", &key.0, out),
        AnyPublicKey::Secp256r1Ecdsa(key) => write_typed("secp256r1_ecdsa", &key.0, out),
        AnyPublicKey::Keyless(key) => write_typed("keyless", &key.to_bytes(), out),
        AnyPublicKey::FederatedKeyless { jwk_address, public_key } => {
            let bytes = [jwk_address.to_bytes(), public_key.to_bytes()].concat();
            write_typed("federated_keyless", &bytes, out);
        }
        AnyPublicKey::SlhDsaSha2_128s(key) => write_typed("slh_dsa_sha2_128s", key, out),
    }
}

fn write_signature(signature: &AnySignature, out: &mut Vec<u8>) {
    match signature {
        AnySignature::Ed25519(signature) => write_typed("ed25519", &signature.0, out),
        AnySignature::Secp256k1Ecdsa(signature) => write_typed("secp256k1_ecdsa", &signature.0, out),
        AnySignature::WebAuthn(response) => write_typed("web_authn", &response.to_bytes(), out),
    }
}
