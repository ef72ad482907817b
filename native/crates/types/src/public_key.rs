//! Public keys and signatures as the wire carries them: lengths checked, mathematics not.
//!
//! Whether the bytes are a point on a curve, and whether a signature verifies, is `ledger-crypto`'s
//! to say.

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::Address;

/// Most keys of a multi-key or multi-ed25519 account.
pub const MULTI_KEYS_MAX: usize = 32;

/// An ed25519 public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ed25519PublicKey(pub [u8; 32]);

/// An ed25519 signature: R, then s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ed25519Signature(pub [u8; 64]);

/// A point of secp256k1 or secp256r1, uncompressed: 04, x, y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EcdsaPublicKey(pub [u8; 65]);

/// An ECDSA signature: r, then s, big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EcdsaSignature(pub [u8; 64]);

macro_rules! prefixed_bytes {
    ($($type:ident, $length:literal, $expected:literal;)*) => {$(
        impl Encode for $type {
            fn encode(&self, writer: &mut Writer) {
                writer.bytes(&self.0);
            }
        }
        impl Decode for $type {
            fn decode(reader: &mut Reader<'_>) -> Result<Self> {
                reader.bytes()?.try_into().map(Self).map_err(|_| Error::Invalid($expected))
            }
        }
    )*};
}

prefixed_bytes! {
    Ed25519PublicKey, 32, "ed25519 public key is not 32 bytes";
    Ed25519Signature, 64, "ed25519 signature is not 64 bytes";
    EcdsaPublicKey, 65, "ECDSA public key is not 65 bytes";
    EcdsaSignature, 64, "ECDSA signature is not 64 bytes";
}

/// Up to 32 ed25519 keys of which a threshold must sign. On the wire one byte string: the keys, then
/// the threshold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MultiEd25519PublicKey {
    /// Keys, in order; 1 to 32.
    pub keys: Vec<Ed25519PublicKey>,
    /// How many must sign; 1 to the number of keys.
    pub threshold: u8,
}

impl MultiEd25519PublicKey {
    /// Keys and threshold laid end to end, without a length.
    #[must_use]
    pub fn to_raw(&self) -> Vec<u8> {
        let mut out: Vec<u8> = self.keys.iter().flat_map(|key| key.0).collect();
        out.push(self.threshold);
        out
    }

    /// Reads what [`MultiEd25519PublicKey::to_raw`] writes.
    ///
    /// # Errors
    /// `Invalid` for another length, no key or more than 32, or a threshold that cannot be met.
    pub fn from_raw(bytes: &[u8]) -> Result<Self> {
        const EXPECTED: Error =
            Error::Invalid("multi-ed25519 public key is not 1 to 32 keys and a threshold");
        let (&threshold, keys) = bytes.split_last().ok_or(EXPECTED)?;
        let (keys, rest) = keys.as_chunks::<32>();
        let fits = rest.is_empty()
            && (1..=MULTI_KEYS_MAX).contains(&keys.len())
            && (1..=keys.len()).contains(&usize::from(threshold));
        if !fits {
            return Err(EXPECTED);
        }
        Ok(Self { keys: keys.iter().map(|key| Ed25519PublicKey(*key)).collect(), threshold })
    }
}

impl Encode for MultiEd25519PublicKey {
    fn encode(&self, writer: &mut Writer) {
        writer.bytes(&self.to_raw());
    }
}

impl Decode for MultiEd25519PublicKey {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Self::from_raw(reader.bytes()?)
    }
}

/// Signatures of some keys of a [`MultiEd25519PublicKey`]. On the wire one byte string: the
/// signatures, then the bitmap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MultiEd25519Signature {
    /// Signatures, in the order of the bits.
    pub signatures: Vec<Ed25519Signature>,
    /// Which keys signed; key 0 is the leftmost bit of the first byte.
    pub bitmap: [u8; 4],
}

impl MultiEd25519Signature {
    /// Reads signatures and bitmap laid end to end.
    ///
    /// # Errors
    /// `Invalid` for another length, or for no or more than 32 signatures.
    pub fn from_raw(bytes: &[u8]) -> Result<Self> {
        const EXPECTED: Error =
            Error::Invalid("multi-ed25519 signature is not 1 to 32 signatures and a 4-byte bitmap");
        let (signatures, &bitmap) = bytes.split_last_chunk::<4>().ok_or(EXPECTED)?;
        let (signatures, rest) = signatures.as_chunks::<64>();
        if !rest.is_empty() || !(1..=MULTI_KEYS_MAX).contains(&signatures.len()) {
            return Err(EXPECTED);
        }
        Ok(Self { signatures: signatures.iter().map(|bytes| Ed25519Signature(*bytes)).collect(), bitmap })
    }
}

impl Encode for MultiEd25519Signature {
    fn encode(&self, writer: &mut Writer) {
        writer.length(self.signatures.len() * 64 + 4);
        for signature in &self.signatures {
            writer.raw(&signature.0);
        }
        writer.raw(&self.bitmap);
    }
}

impl Decode for MultiEd25519Signature {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Self::from_raw(reader.bytes()?)
    }
}

/// Identity of a keyless account: an OpenID issuer and a commitment to the user.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeylessPublicKey {
    /// Issuer, as in its tokens.
    pub issuer: String,
    /// Commitment to the user's identity.
    pub id_commitment: [u8; 32],
}

/// A public key of any scheme that single-key and multi-key accounts may use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyPublicKey {
    /// ed25519.
    Ed25519(Ed25519PublicKey),
    /// ECDSA over secp256k1.
    Secp256k1Ecdsa(EcdsaPublicKey),
    /// ECDSA over secp256r1, used through WebAuthn.
    Secp256r1Ecdsa(EcdsaPublicKey),
    /// Keyless.
    Keyless(KeylessPublicKey),
    /// Keyless, with the issuer's keys published at an address.
    FederatedKeyless {
        /// Where the issuer's keys are.
        jwk_address: Address,
        /// The identity.
        public_key: KeylessPublicKey,
    },
    /// SLH-DSA with SHA2-128s.
    SlhDsaSha2_128s([u8; 32]),
}

/// What a browser's authenticator returns: the signature and what else it signed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebAuthnSignature {
    /// secp256r1 signature over the authenticator data and the hash of the client data.
    pub signature: EcdsaSignature,
    /// Authenticator data.
    pub authenticator_data: Vec<u8>,
    /// Client data: JSON text that holds the challenge.
    pub client_data_json: Vec<u8>,
}

/// A signature of any scheme that single-key and multi-key accounts may use here. Keyless and
/// SLH-DSA signatures are refused at decoding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnySignature {
    /// ed25519.
    Ed25519(Ed25519Signature),
    /// ECDSA over secp256k1.
    Secp256k1Ecdsa(EcdsaSignature),
    /// ECDSA over secp256r1 through WebAuthn.
    WebAuthn(WebAuthnSignature),
}

/// Keys of a multi-key account.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MultiKey {
    /// Keys, in order; 1 to 32.
    pub public_keys: Vec<AnyPublicKey>,
    /// How many must sign; 1 to the number of keys.
    pub signatures_required: u8,
}

impl Encode for KeylessPublicKey {
    fn encode(&self, writer: &mut Writer) {
        writer.string(&self.issuer);
        writer.bytes(&self.id_commitment);
    }
}

impl Decode for KeylessPublicKey {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        /// Longest issuer that the on-chain configuration of public networks admits.
        const ISSUER_BYTES_MAX: usize = 120;
        let issuer = reader.string()?;
        if issuer.len() > ISSUER_BYTES_MAX {
            return Err(Error::Invalid("keyless issuer is longer than 120 bytes"));
        }
        let id_commitment =
            reader.bytes()?.try_into().map_err(|_| Error::Invalid("keyless commitment is not 32 bytes"))?;
        Ok(Self { issuer: issuer.to_owned(), id_commitment })
    }
}

impl Encode for AnyPublicKey {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Ed25519(key) => {
                writer.variant(0);
                key.encode(writer);
            }
            Self::Secp256k1Ecdsa(key) => {
                writer.variant(1);
                key.encode(writer);
            }
            Self::Secp256r1Ecdsa(key) => {
                writer.variant(2);
                key.encode(writer);
            }
            Self::Keyless(key) => {
                writer.variant(3);
                key.encode(writer);
            }
            Self::FederatedKeyless { jwk_address, public_key } => {
                writer.variant(4);
                jwk_address.encode(writer);
                public_key.encode(writer);
            }
            Self::SlhDsaSha2_128s(key) => {
                writer.variant(5);
                writer.bytes(key);
            }
        }
    }
}

impl Decode for AnyPublicKey {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ed25519PublicKey::decode(reader).map(Self::Ed25519),
            1 => EcdsaPublicKey::decode(reader).map(Self::Secp256k1Ecdsa),
            2 => EcdsaPublicKey::decode(reader).map(Self::Secp256r1Ecdsa),
            3 => KeylessPublicKey::decode(reader).map(Self::Keyless),
            4 => Ok(Self::FederatedKeyless {
                jwk_address: Address::decode(reader)?,
                public_key: KeylessPublicKey::decode(reader)?,
            }),
            5 => {
                let key = reader.bytes()?.try_into();
                key.map(Self::SlhDsaSha2_128s)
                    .map_err(|_| Error::Invalid("SLH-DSA public key is not 32 bytes"))
            }
            index => Err(Error::UnknownVariant { of: "AnyPublicKey", index }),
        }
    }
}

impl Encode for WebAuthnSignature {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(0);
        self.signature.encode(writer);
        writer.bytes(&self.authenticator_data);
        writer.bytes(&self.client_data_json);
    }
}

impl Decode for WebAuthnSignature {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self {
                signature: EcdsaSignature::decode(reader)?,
                authenticator_data: reader.bytes()?.to_vec(),
                client_data_json: reader.bytes()?.to_vec(),
            }),
            index => Err(Error::UnknownVariant { of: "AssertionSignature", index }),
        }
    }
}

impl Encode for AnySignature {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Ed25519(signature) => {
                writer.variant(0);
                signature.encode(writer);
            }
            Self::Secp256k1Ecdsa(signature) => {
                writer.variant(1);
                signature.encode(writer);
            }
            Self::WebAuthn(response) => {
                writer.variant(2);
                response.encode(writer);
            }
        }
    }
}

impl Decode for AnySignature {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ed25519Signature::decode(reader).map(Self::Ed25519),
            1 => EcdsaSignature::decode(reader).map(Self::Secp256k1Ecdsa),
            2 => WebAuthnSignature::decode(reader).map(Self::WebAuthn),
            3 => Err(Error::Unsupported("a keyless signature")),
            4 => Err(Error::Unsupported("an SLH-DSA signature")),
            index => Err(Error::UnknownVariant { of: "AnySignature", index }),
        }
    }
}

impl Encode for MultiKey {
    fn encode(&self, writer: &mut Writer) {
        self.public_keys.encode(writer);
        writer.u8(self.signatures_required);
    }
}

impl Decode for MultiKey {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        let public_keys = reader.sequence_within(MULTI_KEYS_MAX, AnyPublicKey::decode)?;
        let signatures_required = reader.u8()?;
        if !(1..=public_keys.len()).contains(&usize::from(signatures_required)) {
            return Err(Error::Invalid("multi-key needs between 1 signature and one of each key"));
        }
        Ok(Self { public_keys, signatures_required })
    }
}
