//! Plain objects that cross the binding, and what the executor makes of them.

use ledger_bcs::Decode;
use ledger_executor::block::Block;
use ledger_executor::genesis::GenesisOptions;
use ledger_executor::json::CommittedTransaction;
use ledger_types::{Address, HashValue, Transaction, WriteSet};
use napi::bindgen_prelude::{BigInt, Buffer};
use napi_derive::napi;

use crate::failure::Failure;
use crate::js_bytes::JsBytes;
use crate::packed::unpack;

/// A block as the proposer cut it.
#[napi(object)]
pub struct AddonBlockInput {
    /// Version of the block's first transaction.
    pub first_version: i64,
    /// Epoch in force.
    pub epoch: i64,
    /// Round.
    pub round: i64,
    /// Microseconds.
    pub timestamp_usecs: i64,
    /// 32 bytes.
    pub block_id: Buffer,
    /// 32 bytes; all zero takes the first validator of the chain.
    pub proposer: Buffer,
    /// Packed list of BCS `SignedTransaction`.
    pub transactions: Buffer,
}

/// What an operator chooses for a new chain.
#[napi(object)]
pub struct AddonGenesisOptions {
    /// Chain id.
    pub chain_id: u8,
    /// Microseconds between epochs.
    pub epoch_interval_usecs: i64,
    /// 32 bytes.
    pub minter_auth_key: Buffer,
    /// 32 bytes each.
    pub account_addresses: Vec<Buffer>,
    /// Octas, same order.
    pub account_octas: Vec<BigInt>,
}

/// What a simulation may change.
#[napi(object)]
pub struct AddonSimulateOptions {
    /// JSON or BCS.
    pub json: bool,
    /// Replace the price by the estimate.
    pub estimate_gas_unit_price: bool,
    /// Raise the maximum of gas.
    pub estimate_max_gas_amount: bool,
    /// Octas per gas unit.
    pub gas_unit_price_estimate: BigInt,
    /// Newest ledger version.
    pub version: i64,
    /// Timestamp of its block, microseconds.
    pub timestamp_usecs: i64,
}

/// A transaction as the store hands it out.
#[napi(object)]
pub struct AddonStoredTransaction {
    /// Ledger version.
    pub version: i64,
    /// 32 bytes.
    pub accumulator_root: Buffer,
    /// BCS `Transaction`.
    pub transaction: Buffer,
    /// BCS `TransactionInfo`.
    pub info: Buffer,
    /// BCS list of events.
    pub events: Buffer,
    /// BCS `WriteSet`.
    pub write_set: Buffer,
    /// Microseconds.
    pub block_timestamp_usecs: i64,
}

/// An answer that cost gas.
#[napi(object, object_from_js = false)]
pub struct AddonMetered {
    /// Gas units.
    pub gas_units: f64,
    /// The answer.
    pub body: JsBytes,
}

/// Where a resource is kept.
#[napi(object, object_from_js = false)]
pub struct AddonResourceLocation {
    /// Storage encoding of the key.
    pub key: JsBytes,
    /// Canonical type text.
    pub r#type: String,
    /// BCS of the tag to look up inside the group.
    pub member_tag: Option<JsBytes>,
}

/// What the executor is told.
///
/// # Errors
/// For lengths and numbers that the caller should have checked.
pub fn genesis_options(options: &AddonGenesisOptions) -> Result<GenesisOptions, Failure> {
    let minter_key = options.minter_auth_key.as_ref().try_into();
    let addresses = options.account_addresses.iter().map(|bytes| array(bytes, "an account address"));
    let octas = options.account_octas.iter().map(|octas| octas.get_u64().1);
    let mut accounts = Vec::new();
    for (address, octas) in addresses.zip(octas) {
        accounts.push((Address(address?), octas));
    }
    Ok(GenesisOptions {
        chain_id: options.chain_id,
        epoch_interval_usecs: natural(options.epoch_interval_usecs, "epochIntervalUsecs")?,
        minter_key: Some(minter_key.map_err(|_| Failure::internal("an authentication key has 32 bytes"))?),
        accounts,
    })
}

/// As [`genesis_options`].
///
/// # Errors
/// The same.
pub fn block_input(block: &AddonBlockInput) -> Result<Block, Failure> {
    let proposer = Address(array(&block.proposer, "a proposer")?);
    Ok(Block {
        id: HashValue(array(&block.block_id, "a block id")?),
        epoch: natural(block.epoch, "epoch")?,
        round: natural(block.round, "round")?,
        timestamp_usecs: natural(block.timestamp_usecs, "timestampUsecs")?,
        proposer: (proposer != Address::ZERO).then_some(proposer),
        transactions: unpack(&block.transactions)?.into_iter().map(<[u8]>::to_vec).collect(),
    })
}

/// As [`genesis_options`].
///
/// # Errors
/// For stored bytes that do not decode.
pub fn committed(stored: &AddonStoredTransaction) -> Result<CommittedTransaction, Failure> {
    let broken = |error| Failure::internal(format!("a stored transaction is broken: {error}"));
    Ok(CommittedTransaction {
        version: natural(stored.version, "version")?,
        transaction: Transaction::from_bytes(&stored.transaction).map_err(broken)?,
        info: Decode::from_bytes(&stored.info).map_err(broken)?,
        events: Decode::from_bytes(&stored.events).map_err(broken)?,
        write_set: WriteSet::from_bytes(&stored.write_set).map_err(broken)?,
        accumulator_root: HashValue(array(&stored.accumulator_root, "an accumulator root")?),
        timestamp_usecs: natural(stored.block_timestamp_usecs, "blockTimestampUsecs")?,
    })
}

fn array(bytes: &[u8], what: &str) -> Result<[u8; 32], Failure> {
    bytes.try_into().map_err(|_| Failure::internal(format!("{what} has 32 bytes")))
}

/// A number that is never negative.
///
/// # Errors
/// Where it is.
pub fn natural(number: i64, what: &str) -> Result<u64, Failure> {
    u64::try_from(number).map_err(|_| Failure::internal(format!("{what} is negative")))
}
