//! What a session knows of the transaction or block step it runs for.

use ledger_types::{Address, ModuleId, SessionId, TypeTag};

/// An entry function call as `0x1::transaction_context` reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFunctionPayload {
    /// Module of the function.
    pub module: ModuleId,
    /// Name of the function.
    pub function: String,
    /// Type arguments.
    pub type_arguments: Vec<TypeTag>,
    /// BCS of each argument.
    pub arguments: Vec<Vec<u8>>,
}

/// A multisig payload as `0x1::transaction_context` reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultisigPayload {
    /// The multisig account.
    pub multisig_address: Address,
    /// What it executes, if the payload says.
    pub entry_function: Option<EntryFunctionPayload>,
}

/// Facts of the user transaction; absent for block steps, genesis and views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserTransactionContext {
    /// Sender.
    pub sender: Address,
    /// Other signers, in order.
    pub secondary_signers: Vec<Address>,
    /// Who pays: the fee payer, or the sender.
    pub gas_payer: Address,
    /// Gas units.
    pub max_gas_amount: u64,
    /// Octas per gas unit.
    pub gas_unit_price: u64,
    /// The payload, where it is an entry function.
    pub entry_function: Option<EntryFunctionPayload>,
    /// The payload, where it is a multisig one.
    pub multisig: Option<MultisigPayload>,
    /// Position of the transaction in its block.
    pub transaction_index: u32,
}

/// What a session is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionContext {
    /// Seeds table handles, aggregator keys and unique addresses.
    pub session_id: SessionId,
    /// Chain id.
    pub chain_id: u8,
    /// SHA3-256 of the running script, empty otherwise.
    pub script_hash: Vec<u8>,
    /// Microseconds of the block's timestamp.
    pub timestamp_usecs: u64,
    /// Facts of the user transaction.
    pub user: Option<UserTransactionContext>,
}
