//! WebAuthn: a browser's authenticator signs its own data and the hash of a JSON text that holds our
//! challenge.

use ledger_types::WebAuthnSignature;

use crate::{SignatureError, digest, secp256r1};

/// Most bytes of signature, authenticator data and client data together.
const RESPONSE_BYTES_MAX: usize = 1024;

/// Verifies that the authenticator answered the challenge `sha3-256(message)` with this key.
///
/// # Errors
/// `BadWebAuthn` if the response is too long or its client data is not JSON with this challenge;
/// those of [`secp256r1::verify`].
pub(crate) fn verify(
    public_key: &[u8; 65],
    message: &[u8],
    response: &WebAuthnSignature,
) -> Result<(), SignatureError> {
    let length =
        response.signature.0.len() + response.authenticator_data.len() + response.client_data_json.len();
    if length > RESPONSE_BYTES_MAX {
        return Err(SignatureError::BadWebAuthn);
    }
    let client_data: serde_json::Value =
        serde_json::from_slice(&response.client_data_json).map_err(|_| SignatureError::BadWebAuthn)?;
    let challenge = client_data.get("challenge").and_then(serde_json::Value::as_str);
    if challenge != Some(base64url(&digest::sha3_256(message)).as_str()) {
        return Err(SignatureError::BadWebAuthn);
    }
    let mut signed = response.authenticator_data.clone();
    signed.extend_from_slice(&digest::sha2_256(&response.client_data_json));
    secp256r1::verify(public_key, &signed, &response.signature.0)
}

/// Base64 with the URL alphabet and without padding (RFC 4648, section 5). Encoding what is expected
/// and comparing texts leaves no room for other spellings of the same bytes.
fn base64url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk
            .iter()
            .enumerate()
            .fold(0u32, |group, (place, byte)| group | u32::from(*byte) << (16 - 8 * place));
        for place in 0..=chunk.len() {
            out.push(ALPHABET[(group >> (18 - 6 * place) & 63) as usize] as char);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64url;

    #[test]
    fn base64url_matches_the_rows_of_rfc_4648() {
        for (input, expected) in
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64url(input.as_bytes()), expected);
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
    }
}
