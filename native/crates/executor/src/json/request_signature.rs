//! JSON signatures to authenticators.

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use ledger_bcs::Decode;
use ledger_types::{
    AccountAuthenticator, AnyPublicKey, AnySignature, EcdsaPublicKey, EcdsaSignature, Ed25519PublicKey,
    Ed25519Signature, MultiEd25519PublicKey, MultiEd25519Signature, MultiKey, TransactionAuthenticator,
    WebAuthnSignature,
};

use crate::json::request::{AddressText, parse, parse_owned};
use crate::refusal::{QueryError, Refusal};

/// Bytes as hex text, `0x` optional.
struct HexText(Vec<u8>);

impl<'de> Deserialize<'de> for HexText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").unwrap_or(&text).as_bytes();
        let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let (pairs, rest) = digits.as_chunks::<2>();
        let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
        match bytes {
            Some(bytes) if rest.is_empty() => Ok(HexText(bytes)),
            _ => Err(D::Error::custom("expected hex digits, two per byte")),
        }
    }
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Ed25519Text {
    public_key: HexText,
    signature: HexText,
}

#[derive(Deserialize)]
struct MultiEd25519Text {
    public_keys: Vec<HexText>,
    signatures: Vec<HexText>,
    threshold: u8,
    bitmap: HexText,
}

#[derive(Deserialize)]
struct TypedText {
    #[serde(rename = "type")]
    kind: String,
    value: HexText,
}

#[derive(Deserialize)]
struct SingleKeyText {
    public_key: TypedText,
    signature: TypedText,
}

#[derive(Deserialize)]
struct IndexedSignature {
    index: u8,
    signature: TypedText,
}

#[derive(Deserialize)]
struct MultiKeyText {
    public_keys: Vec<TypedText>,
    signatures: Vec<IndexedSignature>,
    signatures_required: u8,
}

#[derive(Deserialize)]
struct PartiesText<'a> {
    #[serde(borrow)]
    sender: &'a RawValue,
    secondary_signer_addresses: Vec<AddressText>,
    #[serde(borrow)]
    secondary_signers: Vec<&'a RawValue>,
    fee_payer_address: Option<AddressText>,
    #[serde(borrow, default)]
    fee_payer_signer: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct SingleSenderText<'a> {
    #[serde(borrow, default)]
    sender: Option<&'a RawValue>,
    #[serde(borrow, default)]
    public_keys: Option<&'a RawValue>,
    #[serde(borrow, default)]
    public_key: Option<&'a RawValue>,
    #[serde(borrow, default)]
    bitmap: Option<&'a RawValue>,
    #[serde(borrow, default)]
    function_info: Option<&'a RawValue>,
}

fn invalid(message: impl Into<String>) -> QueryError {
    Refusal::invalid_input(message).into()
}

/// Fixed-size bytes.
fn sized<const N: usize>(text: &HexText, what: &str) -> Result<[u8; N], QueryError> {
    text.0
        .as_slice()
        .try_into()
        .map_err(|_| invalid(format!("{what}: expected {N} bytes, {} given", text.0.len())))
}

/// The `signature` object of a transaction request.
///
/// # Errors
/// A form that does not parse, keys and signatures of the wrong size, lists that do not match.
pub fn parse_authenticator(json: &str) -> Result<TransactionAuthenticator, QueryError> {
    let Kind { kind } = parse_owned(json)?;
    match kind.as_str() {
        "ed25519_signature" => {
            let (public_key, signature) = parse_ed25519(json)?;
            Ok(TransactionAuthenticator::Ed25519 { public_key, signature })
        }
        "multi_ed25519_signature" => {
            let (public_key, signature) = parse_multi_ed25519(json)?;
            Ok(TransactionAuthenticator::MultiEd25519 { public_key, signature })
        }
        "multi_agent_signature" | "fee_payer_signature" => parse_parties(json, &kind),
        "single_sender" => {
            let outer: SingleSenderText<'_> = parse(json)?;
            let sender = match outer {
                SingleSenderText { sender: Some(sender), .. } => parse_account(sender.get())?,
                SingleSenderText { bitmap: Some(_), .. } => account_of_kind("multi_ed25519_signature", json)?,
                SingleSenderText { public_keys: Some(_), .. } => {
                    account_of_kind("multi_key_signature", json)?
                }
                SingleSenderText { public_key: Some(key), .. } if key.get().starts_with('{') => {
                    account_of_kind("single_key_signature", json)?
                }
                SingleSenderText { public_key: Some(_), .. } => account_of_kind("ed25519_signature", json)?,
                SingleSenderText { function_info: Some(_), .. } => {
                    account_of_kind("abstraction_signature", json)?
                }
                _ => AccountAuthenticator::NoAccountAuthenticator,
            };
            Ok(TransactionAuthenticator::SingleSender { sender })
        }
        _ => Ok(TransactionAuthenticator::SingleSender { sender: account_of_kind(&kind, json)? }),
    }
}

fn parse_parties(json: &str, kind: &str) -> Result<TransactionAuthenticator, QueryError> {
    let parties: PartiesText<'_> = parse(json)?;
    let sender = parse_account(parties.sender.get())?;
    let secondary_signer_addresses: Vec<_> =
        parties.secondary_signer_addresses.iter().map(|address| address.0).collect();
    let secondary_signers = parties
        .secondary_signers
        .iter()
        .map(|signer| parse_account(signer.get()))
        .collect::<Result<Vec<_>, _>>()?;
    if secondary_signer_addresses.len() != secondary_signers.len() {
        return Err(invalid("secondary signer addresses and secondary signers differ in number"));
    }
    if kind == "multi_agent_signature" {
        if secondary_signers.is_empty() {
            return Err(invalid("a multi-agent signature has at least one secondary signer"));
        }
        return Ok(TransactionAuthenticator::MultiAgent {
            sender,
            secondary_signer_addresses,
            secondary_signers,
        });
    }
    match (parties.fee_payer_address, parties.fee_payer_signer) {
        (Some(address), Some(signer)) => Ok(TransactionAuthenticator::FeePayer {
            sender,
            secondary_signer_addresses,
            secondary_signers,
            fee_payer_address: address.0,
            fee_payer_signer: parse_account(signer.get())?,
        }),
        _ => Err(invalid("a fee payer signature names the fee payer and has its signature")),
    }
}

fn parse_account(json: &str) -> Result<AccountAuthenticator, QueryError> {
    let Kind { kind } = parse_owned(json)?;
    account_of_kind(&kind, json)
}

fn account_of_kind(kind: &str, json: &str) -> Result<AccountAuthenticator, QueryError> {
    match kind {
        "ed25519_signature" => {
            let (public_key, signature) = parse_ed25519(json)?;
            Ok(AccountAuthenticator::Ed25519 { public_key, signature })
        }
        "multi_ed25519_signature" => {
            let (public_key, signature) = parse_multi_ed25519(json)?;
            Ok(AccountAuthenticator::MultiEd25519 { public_key, signature })
        }
        "single_key_signature" => {
            let text: SingleKeyText = parse_owned(json)?;
            let (public_key, signature) = (public_key(&text.public_key)?, signature(&text.signature)?);
            if !is_pair(&public_key, &signature) {
                return Err(invalid("public key and signature are not of the same scheme"));
            }
            Ok(AccountAuthenticator::SingleKey { public_key, signature })
        }
        "multi_key_signature" => parse_multi_key(json),
        "no_account_signature" => Ok(AccountAuthenticator::NoAccountAuthenticator),
        "abstraction_signature" | "abstract_signature" => {
            Err(invalid("abstraction signatures: not implemented"))
        }
        other => Err(invalid(format!("{other} is not a kind of signature"))),
    }
}

fn parse_ed25519(json: &str) -> Result<(Ed25519PublicKey, Ed25519Signature), QueryError> {
    let text: Ed25519Text = parse_owned(json)?;
    let key = Ed25519PublicKey(sized(&text.public_key, "public_key")?);
    Ok((key, Ed25519Signature(sized(&text.signature, "signature")?)))
}

fn parse_multi_ed25519(json: &str) -> Result<(MultiEd25519PublicKey, MultiEd25519Signature), QueryError> {
    let text: MultiEd25519Text = parse_owned(json)?;
    let bitmap: [u8; 4] = sized(&text.bitmap, "bitmap")?;
    let set_bits: u32 = bitmap.iter().map(|byte| byte.count_ones()).sum();
    if set_bits as usize != text.signatures.len() {
        return Err(invalid("the bitmap does not have one bit for each signature"));
    }
    let mut key_bytes = text.public_keys.iter().map(|key| &key.0[..]).collect::<Vec<_>>().concat();
    key_bytes.push(text.threshold);
    let mut signature_bytes = text.signatures.iter().map(|one| &one.0[..]).collect::<Vec<_>>().concat();
    signature_bytes.extend(bitmap);
    let refuse = |error: ledger_bcs::Error| invalid(error.to_string());
    Ok((
        MultiEd25519PublicKey::from_raw(&key_bytes).map_err(refuse)?,
        MultiEd25519Signature::from_raw(&signature_bytes).map_err(refuse)?,
    ))
}

/// Most keys of a multi-key account, and bits of its bitmap.
const MULTI_KEYS_MAX: usize = 32;

fn parse_multi_key(json: &str) -> Result<AccountAuthenticator, QueryError> {
    let text: MultiKeyText = parse_owned(json)?;
    let keys = text.public_keys.iter().map(public_key).collect::<Result<Vec<_>, _>>()?;
    let required = usize::from(text.signatures_required);
    if keys.is_empty() || keys.len() > MULTI_KEYS_MAX || !(1..=keys.len()).contains(&required) {
        return Err(invalid("a multi-key has 1 to 32 keys and needs at least one signature of them"));
    }
    if text.signatures.len() != required {
        return Err(invalid(format!("expected {required} signatures, {} given", text.signatures.len())));
    }
    let mut bitmap = [0u8; 4];
    let mut signatures = Vec::with_capacity(required);
    let mut last = None;
    for entry in &text.signatures {
        let key = keys.get(usize::from(entry.index));
        let one = signature(&entry.signature)?;
        if last >= Some(entry.index) || !key.is_some_and(|key| is_pair(key, &one)) {
            return Err(invalid("signatures rise by the index of their key and are of its scheme"));
        }
        last = Some(entry.index);
        bitmap[usize::from(entry.index / 8)] |= 0x80 >> (entry.index % 8);
        signatures.push(one);
    }
    let public_keys = MultiKey { public_keys: keys, signatures_required: text.signatures_required };
    Ok(AccountAuthenticator::MultiKey { public_keys, signatures, signatures_bitmap: bitmap.to_vec() })
}

fn public_key(text: &TypedText) -> Result<AnyPublicKey, QueryError> {
    match text.kind.as_str() {
        "ed25519" => Ok(AnyPublicKey::Ed25519(Ed25519PublicKey(sized(&text.value, "public key")?))),
        "secp256k1_ecdsa" => {
            Ok(AnyPublicKey::Secp256k1Ecdsa(EcdsaPublicKey(sized(&text.value, "public key")?)))
        }
        "secp256r1_ecdsa" => {
            Ok(AnyPublicKey::Secp256r1Ecdsa(EcdsaPublicKey(sized(&text.value, "public key")?)))
        }
        other => Err(invalid(format!("public keys of kind {other}: not implemented"))),
    }
}

fn signature(text: &TypedText) -> Result<AnySignature, QueryError> {
    match text.kind.as_str() {
        "ed25519" => Ok(AnySignature::Ed25519(Ed25519Signature(sized(&text.value, "signature")?))),
        "secp256k1_ecdsa" => {
            Ok(AnySignature::Secp256k1Ecdsa(EcdsaSignature(sized(&text.value, "signature")?)))
        }
        "web_authn" => WebAuthnSignature::from_bytes(&text.value.0)
            .map(AnySignature::WebAuthn)
            .map_err(|error| invalid(format!("signature: {error}"))),
        other => Err(invalid(format!("signatures of kind {other}: not implemented"))),
    }
}

fn is_pair(key: &AnyPublicKey, signature: &AnySignature) -> bool {
    matches!(
        (key, signature),
        (AnyPublicKey::Ed25519(_), AnySignature::Ed25519(_))
            | (AnyPublicKey::Secp256k1Ecdsa(_), AnySignature::Secp256k1Ecdsa(_))
            | (AnyPublicKey::Secp256r1Ecdsa(_), AnySignature::WebAuthn(_))
    )
}
