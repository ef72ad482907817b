//! The bytes that the parties of a transaction sign.
//!
//! `seed | BCS`, where the seed depends on what is signed:
//!
//! | parties | seed of | BCS of |
//! |---|---|---|
//! | one sender | `RawTransaction` | the raw transaction |
//! | further signers | `RawTransactionWithData` | 0, raw transaction, their addresses |
//! | a fee payer | `RawTransactionWithData` | 1, raw transaction, their addresses, the payer's |

use ledger_bcs::{Encode, Writer};

use crate::{Address, FunctionInfo, HashDomain, RawTransaction, SignedTransaction, TransactionAuthenticator};

fn seeded(domain: HashDomain) -> Writer {
    Writer::appending_to(domain.seed().0.to_vec())
}

impl RawTransaction {
    /// What the sender signs where it is the only party.
    #[must_use]
    pub fn signing_message(&self) -> Vec<u8> {
        let mut writer = seeded(HashDomain::RawTransaction);
        self.encode(&mut writer);
        writer.into_bytes()
    }

    /// What every party signs where there are further signers and no fee payer.
    #[must_use]
    pub fn multi_agent_signing_message(&self, secondary_signers: &[Address]) -> Vec<u8> {
        let mut writer = seeded(HashDomain::RawTransactionWithData);
        writer.variant(0);
        self.encode(&mut writer);
        secondary_signers.encode(&mut writer);
        writer.into_bytes()
    }

    /// What every party signs where there is a fee payer. Sender and further signers may put 0x0 in
    /// the payer's place.
    #[must_use]
    pub fn fee_payer_signing_message(&self, secondary_signers: &[Address], fee_payer: &Address) -> Vec<u8> {
        let mut writer = seeded(HashDomain::RawTransactionWithData);
        writer.variant(1);
        self.encode(&mut writer);
        secondary_signers.encode(&mut writer);
        fee_payer.encode(&mut writer);
        writer.into_bytes()
    }
}

impl SignedTransaction {
    /// What the parties sign, with the fee payer's real address if there is one.
    #[must_use]
    pub fn signing_message(&self) -> Vec<u8> {
        match &self.authenticator {
            TransactionAuthenticator::MultiAgent { secondary_signer_addresses, .. } => {
                self.raw.multi_agent_signing_message(secondary_signer_addresses)
            }
            TransactionAuthenticator::FeePayer { secondary_signer_addresses, fee_payer_address, .. } => {
                self.raw.fee_payer_signing_message(secondary_signer_addresses, fee_payer_address)
            }
            _ => self.raw.signing_message(),
        }
    }
}

/// What an abstracted account's function vouches for: a signing message of the table above and the
/// function itself. The authenticator carries its SHA3-256.
#[must_use]
pub fn abstraction_signing_message(signing_message: &[u8], function: &FunctionInfo) -> Vec<u8> {
    let mut writer = seeded(HashDomain::AASigningData);
    writer.variant(0);
    writer.bytes(signing_message);
    function.encode(&mut writer);
    writer.into_bytes()
}

/// Bytes that both keys sign when an account rotates its authentication key. A Move function checks
/// them; they carry the Move type's name in place of a seed.
#[must_use]
pub fn rotation_proof_challenge(
    sequence_number: u64,
    originator: &Address,
    current_auth_key: &Address,
    new_public_key: &[u8],
) -> Vec<u8> {
    let mut writer = Writer::new();
    Address::ONE.encode(&mut writer);
    writer.string("account");
    writer.string("RotationProofChallenge");
    writer.u64(sequence_number);
    originator.encode(&mut writer);
    current_auth_key.encode(&mut writer);
    writer.bytes(new_public_key);
    writer.into_bytes()
}
