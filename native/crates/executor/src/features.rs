//! Feature flags of the chain: which rules are in force.
//!
//! Read from the bytes of `0x1::features::Features` at the start of a block; a chain without that
//! resource has no feature on.

use ledger_bcs::Reader;

/// A feature this crate asks about, by its public bit number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Feature {
    /// Friends are an internal matter of a package, no promise of an upgrade.
    TreatFriendAsPrivate = 2,
    /// Bytecode of version 6.
    BytecodeV6 = 5,
    /// Structs such as Object may be transaction arguments.
    StructConstructors = 15,
    /// New slots carry their deposit and creation time.
    StorageSlotMetadata = 19,
    /// Broken invariants are charged to the sender instead of discarding the transaction.
    ChargeInvariantViolation = 20,
    /// Transactions may name another account that pays.
    FeePayer = 22,
    /// Kept transactions end with a fee statement.
    EmitFeeStatement = 27,
    /// Deleting a slot gives its deposit back.
    StorageDeletionRefund = 28,
    /// The sender's signature may come in the single-sender envelope.
    SingleSenderAuthenticator = 33,
    /// A sponsored transaction creates its sender's account.
    SponsoredAutomaticAccountCreation = 34,
    /// Names of at most 255 bytes.
    LimitIdentifierLength = 38,
    /// Bytecode of version 7.
    BytecodeV7 = 40,
    /// WebAuthn signatures.
    WebAuthnSignature = 44,
    /// Bytes as well as slots are refundable.
    RefundableBytes = 51,
    /// Script arguments that are BCS of any type a script may take.
    SerializedScriptArguments = 72,
    /// Enums.
    Enums = 74,
    /// Prologue and epilogue know simulations apart.
    TransactionSimulationEnhancement = 78,
    /// Signers may be judged by Move functions.
    AccountAbstraction = 85,
    /// Bytecode of version 8.
    BytecodeV8 = 86,
    /// Addresses may be derived from a Move function and an identity.
    DerivableAccountAbstraction = 88,
    /// Functions as values.
    FunctionValues = 89,
    /// Accounts exist before they have a resource.
    DefaultAccountResource = 91,
    /// Payloads with an extra configuration.
    TransactionPayloadV2 = 93,
    /// Transactions replay-protected by a nonce.
    OrderlessTransactions = 94,
    /// Bytecode of version 9.
    BytecodeV9 = 102,
    /// Bytecode of version 10.
    BytecodeV10 = 106,
}

/// The flags in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    bits: Vec<u8>,
}

impl Features {
    /// Reads the BCS bytes of the resource; `None` where there is no resource.
    ///
    /// # Errors
    /// When the bytes are not one length-prefixed byte string.
    pub fn from_resource(bytes: Option<&[u8]>) -> ledger_bcs::Result<Features> {
        let Some(bytes) = bytes else { return Ok(Features::default()) };
        let mut reader = Reader::new(bytes);
        let bits = reader.bytes()?.to_vec();
        reader.finish()?;
        Ok(Features { bits })
    }

    /// Whether `feature` is on.
    pub fn is_on(&self, feature: Feature) -> bool {
        let bit = feature as u64;
        self.bits.get((bit / 8) as usize).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
    }

    /// Whether signers may be judged by Move functions, in either form.
    pub fn any_account_abstraction(&self) -> bool {
        self.is_on(Feature::AccountAbstraction) || self.is_on(Feature::DerivableAccountAbstraction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_count_from_the_low_end_of_each_byte() {
        let features = Features::from_resource(Some(&[3, 0, 0x80, 0x40])).unwrap();
        assert!(features.is_on(Feature::StructConstructors));
        assert!(features.is_on(Feature::FeePayer));
        assert!(!features.is_on(Feature::StorageSlotMetadata));
        assert!(!features.is_on(Feature::OrderlessTransactions));
    }

    #[test]
    fn no_resource_means_no_feature() {
        assert!(!Features::from_resource(None).unwrap().is_on(Feature::FeePayer));
        assert!(Features::from_resource(Some(&[2, 0])).is_err());
    }
}
