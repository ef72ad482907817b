//! What a transaction asks to run.
//!
//! The order of variants differs between the outer payload and the inner executable: the first has
//! script 0 and entry function 2, the second script 0 and entry function 1.

use ledger_bcs::{Decode, Encode, Error, Reader, Result, Writer};

use crate::{Address, Identifier, ModuleId, ScriptArgument, TypeTag};

/// What to run, and on whose behalf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransactionPayload {
    /// One-off code carried by the transaction.
    Script(Script),
    /// A published entry function.
    EntryFunction(EntryFunction),
    /// A transaction of a multisig account.
    Multisig(Multisig),
    /// The newer form: executable and extra configuration apart.
    Inner(TransactionPayloadInner),
}

/// A call of a published entry function; also the body of a view request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFunction {
    /// Module that declares it.
    pub module: ModuleId,
    /// Its name.
    pub function: Identifier,
    /// Type arguments.
    pub type_args: Vec<TypeTag>,
    /// BCS of each parameter that is not a signer.
    pub args: Vec<Vec<u8>>,
}

/// One-off code and what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Bytecode of the script.
    pub code: Vec<u8>,
    /// Type arguments.
    pub type_args: Vec<TypeTag>,
    /// Arguments, each with its own type.
    pub args: Vec<ScriptArgument>,
}

/// A transaction that a multisig account has approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multisig {
    /// The account.
    pub multisig_address: Address,
    /// What to run; `None` for what is stored on chain.
    pub payload: Option<MultisigPayload>,
}

/// What a multisig transaction runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MultisigPayload {
    /// A published entry function.
    EntryFunction(EntryFunction),
    /// One-off code.
    Script(Script),
}

/// Executable and extra configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionPayloadInner {
    /// What to run.
    pub executable: TransactionExecutable,
    /// On whose behalf, and how replays are prevented.
    pub extra_config: TransactionExtraConfig,
}

/// What the newer payload form runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransactionExecutable {
    /// One-off code.
    Script(Script),
    /// A published entry function.
    EntryFunction(EntryFunction),
    /// Nothing of its own: what the multisig account has stored.
    Empty,
}

/// Extra configuration of the newer payload form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransactionExtraConfig {
    /// Multisig account on whose behalf it runs.
    pub multisig_address: Option<Address>,
    /// Nonce that prevents replays in place of the sequence number.
    pub replay_protection_nonce: Option<u64>,
}

impl TransactionPayload {
    /// The entry function this runs, however it is wrapped.
    #[must_use]
    pub fn entry_function(&self) -> Option<&EntryFunction> {
        match self {
            Self::EntryFunction(call)
            | Self::Multisig(Multisig { payload: Some(MultisigPayload::EntryFunction(call)), .. })
            | Self::Inner(TransactionPayloadInner {
                executable: TransactionExecutable::EntryFunction(call),
                ..
            }) => Some(call),
            _ => None,
        }
    }

    /// The script this runs, however it is wrapped.
    #[must_use]
    pub fn script(&self) -> Option<&Script> {
        match self {
            Self::Script(script)
            | Self::Multisig(Multisig { payload: Some(MultisigPayload::Script(script)), .. })
            | Self::Inner(TransactionPayloadInner {
                executable: TransactionExecutable::Script(script),
                ..
            }) => Some(script),
            _ => None,
        }
    }

    /// A name in the payload for which [`Identifier::is_valid`] is false. Decoding takes such names, as
    /// the chain format does; no program can declare them, so that clients are told before admission.
    #[must_use]
    pub fn invalid_name(&self) -> Option<&Identifier> {
        let call = self.entry_function();
        let names = call.into_iter().flat_map(|call| [&call.module.name, &call.function]);
        let type_args = call.map(|call| &call.type_args).or(self.script().map(|script| &script.type_args));
        let in_type_args = type_args.into_iter().flatten().filter_map(TypeTag::invalid_name);
        names.filter(|name| !name.is_valid()).chain(in_type_args).next()
    }

    /// The multisig account on whose behalf this runs.
    #[must_use]
    pub fn multisig_address(&self) -> Option<Address> {
        match self {
            Self::Multisig(multisig) => Some(multisig.multisig_address),
            Self::Inner(inner) => inner.extra_config.multisig_address,
            Self::Script(_) | Self::EntryFunction(_) => None,
        }
    }

    /// The nonce that prevents replays in place of the sequence number.
    #[must_use]
    pub fn replay_protection_nonce(&self) -> Option<u64> {
        match self {
            Self::Inner(inner) => inner.extra_config.replay_protection_nonce,
            _ => None,
        }
    }
}

impl Encode for EntryFunction {
    fn encode(&self, writer: &mut Writer) {
        self.module.encode(writer);
        self.function.encode(writer);
        self.type_args.encode(writer);
        writer.sequence(&self.args, |writer, arg| writer.bytes(arg));
    }
}

impl Decode for EntryFunction {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            module: ModuleId::decode(reader)?,
            function: Identifier::decode(reader)?,
            type_args: Vec::decode(reader)?,
            args: reader.sequence(|reader| reader.bytes().map(<[u8]>::to_vec))?,
        })
    }
}

impl Encode for Script {
    fn encode(&self, writer: &mut Writer) {
        writer.bytes(&self.code);
        self.type_args.encode(writer);
        self.args.encode(writer);
    }
}

impl Decode for Script {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            code: reader.bytes()?.to_vec(),
            type_args: Vec::decode(reader)?,
            args: Vec::decode(reader)?,
        })
    }
}

impl Encode for MultisigPayload {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::EntryFunction(call) => {
                writer.variant(0);
                call.encode(writer);
            }
            Self::Script(script) => {
                writer.variant(1);
                script.encode(writer);
            }
        }
    }
}

impl Decode for MultisigPayload {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => EntryFunction::decode(reader).map(Self::EntryFunction),
            1 => Script::decode(reader).map(Self::Script),
            index => Err(Error::UnknownVariant { of: "MultisigTransactionPayload", index }),
        }
    }
}

impl Encode for Multisig {
    fn encode(&self, writer: &mut Writer) {
        self.multisig_address.encode(writer);
        self.payload.encode(writer);
    }
}

impl Decode for Multisig {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self { multisig_address: Address::decode(reader)?, payload: Option::decode(reader)? })
    }
}

impl Encode for TransactionExecutable {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Script(script) => {
                writer.variant(0);
                script.encode(writer);
            }
            Self::EntryFunction(call) => {
                writer.variant(1);
                call.encode(writer);
            }
            Self::Empty => writer.variant(2),
        }
    }
}

impl Decode for TransactionExecutable {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Script::decode(reader).map(Self::Script),
            1 => EntryFunction::decode(reader).map(Self::EntryFunction),
            2 => Ok(Self::Empty),
            3 => Err(Error::Unsupported("an encrypted executable")),
            index => Err(Error::UnknownVariant { of: "TransactionExecutable", index }),
        }
    }
}

impl Encode for TransactionExtraConfig {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(0);
        self.multisig_address.encode(writer);
        self.replay_protection_nonce.encode(writer);
    }
}

impl Decode for TransactionExtraConfig {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self {
                multisig_address: Option::decode(reader)?,
                replay_protection_nonce: Option::decode(reader)?,
            }),
            index => Err(Error::UnknownVariant { of: "TransactionExtraConfig", index }),
        }
    }
}

impl Encode for TransactionPayloadInner {
    fn encode(&self, writer: &mut Writer) {
        writer.variant(0);
        self.executable.encode(writer);
        self.extra_config.encode(writer);
    }
}

impl Decode for TransactionPayloadInner {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Ok(Self {
                executable: TransactionExecutable::decode(reader)?,
                extra_config: TransactionExtraConfig::decode(reader)?,
            }),
            index => Err(Error::UnknownVariant { of: "TransactionPayloadInner", index }),
        }
    }
}

impl Encode for TransactionPayload {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Script(script) => {
                writer.variant(0);
                script.encode(writer);
            }
            Self::EntryFunction(call) => {
                writer.variant(2);
                call.encode(writer);
            }
            Self::Multisig(multisig) => {
                writer.variant(3);
                multisig.encode(writer);
            }
            Self::Inner(inner) => {
                writer.variant(4);
                inner.encode(writer);
            }
        }
    }
}

impl Decode for TransactionPayload {
    fn decode(reader: &mut Reader<'_>) -> Result<Self> {
        match reader.variant()? {
            0 => Script::decode(reader).map(Self::Script),
            1 => Err(Error::Unsupported("a module bundle payload")),
            2 => EntryFunction::decode(reader).map(Self::EntryFunction),
            3 => Multisig::decode(reader).map(Self::Multisig),
            4 => TransactionPayloadInner::decode(reader).map(Self::Inner),
            5 => Err(Error::Unsupported("an encrypted payload")),
            index => Err(Error::UnknownVariant { of: "TransactionPayload", index }),
        }
    }
}
