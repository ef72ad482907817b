//! Authentication keys and addresses made by hashing: `sha3-256(preimage | scheme byte)`.
//!
//! A new account's address is its first authentication key. The last byte keeps kinds apart, so an
//! object can never share an address with an account's key.

use ledger_bcs::{Encode, Writer};

use crate::{
    AccountAuthenticator, Address, AnyPublicKey, Ed25519PublicKey, FunctionInfo, HashValue,
    MultiEd25519PublicKey, MultiKey, StructTag,
};

const ED25519: u8 = 0;
const MULTI_ED25519: u8 = 1;
const SINGLE_KEY: u8 = 2;
const MULTI_KEY: u8 = 3;
const DERIVABLE_ABSTRACTION: u8 = 5;
const UNIQUE: u8 = 251;
const OBJECT_FROM_OBJECT: u8 = 252;
const OBJECT_FROM_GUID: u8 = 253;
const NAMED_OBJECT: u8 = 254;
const RESOURCE_ACCOUNT: u8 = 255;

fn derive(parts: &[&[u8]], scheme: u8) -> Address {
    let mut preimage = parts.concat();
    preimage.push(scheme);
    Address(HashValue::sha3_256(&preimage).0)
}

impl Ed25519PublicKey {
    /// Authentication key of an account with this key in the older, ed25519-only scheme.
    #[must_use]
    pub fn authentication_key(&self) -> Address {
        derive(&[&self.0], ED25519)
    }
}

impl MultiEd25519PublicKey {
    /// Authentication key of an account with these keys.
    #[must_use]
    pub fn authentication_key(&self) -> Address {
        derive(&[&self.to_raw()], MULTI_ED25519)
    }
}

impl AnyPublicKey {
    /// Authentication key of a single-key account. For an ed25519 key it differs from that of
    /// [`Ed25519PublicKey::authentication_key`].
    #[must_use]
    pub fn authentication_key(&self) -> Address {
        derive(&[&self.to_bytes()], SINGLE_KEY)
    }
}

impl MultiKey {
    /// Authentication key of a multi-key account.
    #[must_use]
    pub fn authentication_key(&self) -> Address {
        derive(&[&self.to_bytes()], MULTI_KEY)
    }
}

impl AccountAuthenticator {
    /// Authentication key that this proof is for; `None` where a Move function decides or nothing
    /// is proved.
    #[must_use]
    pub fn authentication_key(&self) -> Option<Address> {
        match self {
            Self::Ed25519 { public_key, .. } => Some(public_key.authentication_key()),
            Self::MultiEd25519 { public_key, .. } => Some(public_key.authentication_key()),
            Self::SingleKey { public_key, .. } => Some(public_key.authentication_key()),
            Self::MultiKey { public_keys, .. } => Some(public_keys.authentication_key()),
            Self::NoAccountAuthenticator | Self::Abstraction { .. } => None,
        }
    }
}

impl Address {
    /// Object that `self` creates under a name.
    #[must_use]
    pub fn named_object(&self, seed: &[u8]) -> Self {
        derive(&[&self.0, seed], NAMED_OBJECT)
    }

    /// Collection of tokens that `self` creates.
    #[must_use]
    pub fn collection(&self, name: &str) -> Self {
        self.named_object(name.as_bytes())
    }

    /// Token of a named collection that `self` creates.
    #[must_use]
    pub fn token(&self, collection: &str, token: &str) -> Self {
        self.named_object(format!("{collection}::{token}").as_bytes())
    }

    /// Object of `self` derived from another object, such as its primary store of an asset.
    #[must_use]
    pub fn object_from_object(&self, derive_from: &Self) -> Self {
        derive(&[&self.0, &derive_from.0], OBJECT_FROM_OBJECT)
    }

    /// Object that `self` creates from its GUID counter.
    #[must_use]
    pub fn object_from_guid(&self, creation_number: u64) -> Self {
        derive(&[&creation_number.to_le_bytes(), &self.0], OBJECT_FROM_GUID)
    }

    /// Resource account that `self` creates under a name.
    #[must_use]
    pub fn resource_account(&self, seed: &[u8]) -> Self {
        derive(&[&self.0, seed], RESOURCE_ACCOUNT)
    }

    /// Multisig account that `self` creates in the transaction of this sequence number.
    #[must_use]
    pub fn multisig_account(&self, creator_sequence_number: u64) -> Self {
        let seed = [b"aptos_framework::multisig_account".as_slice(), &creator_sequence_number.to_le_bytes()];
        self.resource_account(&seed.concat())
    }

    /// Account whose proofs a Move function judges, by the function and an identity it understands.
    #[must_use]
    pub fn derivable_abstraction(function: &FunctionInfo, identity: &[u8]) -> Self {
        let mut writer = Writer::new();
        function.encode(&mut writer);
        writer.bytes(identity);
        derive(&[writer.as_bytes()], DERIVABLE_ABSTRACTION)
    }

    /// The n-th unique address of a VM session, counted from 1; `session` is the hash of its id.
    #[must_use]
    pub fn unique(session: &HashValue, counter: u64) -> Self {
        derive(&[&session.0, &counter.to_le_bytes()], UNIQUE)
    }

    /// Fungible-asset metadata paired with a coin type.
    #[must_use]
    pub fn paired_fungible_asset(coin_type: &StructTag) -> Self {
        let text = coin_type.to_string();
        if text == "0x1::aptos_coin::AptosCoin" { Self::TEN } else { Self::TEN.named_object(text.as_bytes()) }
    }
}
