//! What programs can ask about the transaction they run in, and signers and addresses made for it.

use ledger_bcs::{Encode, Writer};
use ledger_types::{Address, HashValue};

use super::{NativeCx, by_length, extension};
use crate::context::{EntryFunctionPayload, MultisigPayload, UserTransactionContext};
use crate::errors::Fault;

/// Abort code of asking for a user transaction where there is none.
const NOT_A_USER_TRANSACTION: u64 = 0x3_0001;
/// Domain byte of unique addresses.
const UNIQUE_ADDRESS: u8 = 0xfb;
/// Domain byte of addresses derived for a user.
const DERIVED_ADDRESS: u8 = 0xfc;

/// `create_signer::create_signer`
pub fn create_signer(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.create_signer)?;
    let address = cx.address(0)?;
    cx.ret_address(&address);
    Ok(())
}

/// `signer::borrow_address`, when it is not lowered away: a signer is its address.
pub fn borrow_address(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.signer_borrow_address)?;
    let reference = cx.reference(0)?;
    cx.ret_word(reference);
    Ok(())
}

/// The user transaction, for the price of looking at it.
fn user(cx: &mut NativeCx<'_, '_>, cost: u64) -> Result<UserTransactionContext, Fault> {
    cx.charge(cost)?;
    cx.data.context.user.clone().ok_or_else(|| Fault::abort(NOT_A_USER_TRANSACTION))
}

/// `transaction_context::sender_internal`
pub fn sender(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let user = user(cx, cx.env.costs.txn_sender)?;
    cx.ret_address(&user.sender);
    Ok(())
}

/// `transaction_context::gas_payer_internal`
pub fn gas_payer(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let user = user(cx, cx.env.costs.txn_fee_payer)?;
    cx.ret_address(&user.gas_payer);
    Ok(())
}

/// `transaction_context::max_gas_amount_internal`
pub fn max_gas_amount(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let user = user(cx, cx.env.costs.txn_max_gas_amount)?;
    cx.ret_word(user.max_gas_amount);
    Ok(())
}

/// `transaction_context::gas_unit_price_internal`
pub fn gas_unit_price(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let user = user(cx, cx.env.costs.txn_gas_unit_price)?;
    cx.ret_word(user.gas_unit_price);
    Ok(())
}

/// `transaction_context::secondary_signers_internal`
pub fn secondary_signers(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let user = user(cx, cx.env.costs.txn_secondary_signers)?;
    let each = cx.env.costs.txn_secondary_signers_per_signer;
    cx.charge(by_length(0, each, user.secondary_signers.len()))?;
    let mut writer = Writer::new();
    writer.sequence(&user.secondary_signers, |writer, address| address.encode(writer));
    ret_encoded(cx, writer)
}

/// `transaction_context::entry_function_payload_internal`
pub fn entry_function_payload(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let user = user(cx, cx.env.costs.txn_entry_function)?;
    let mut writer = Writer::new();
    writer.option(user.entry_function.as_ref(), write_entry_function);
    cx.charge(by_length(0, cx.env.costs.txn_entry_function_per_byte, writer.as_bytes().len()))?;
    ret_encoded(cx, writer)
}

/// `transaction_context::multisig_payload_internal`
pub fn multisig_payload(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let user = user(cx, cx.env.costs.txn_multisig)?;
    let mut writer = Writer::new();
    writer.option(user.multisig.as_ref(), |writer, payload: &MultisigPayload| {
        payload.multisig_address.encode(writer);
        writer.option(payload.entry_function.as_ref(), write_entry_function);
    });
    cx.charge(by_length(0, cx.env.costs.txn_multisig_per_byte, writer.as_bytes().len()))?;
    ret_encoded(cx, writer)
}

fn write_entry_function(writer: &mut Writer, payload: &EntryFunctionPayload) {
    payload.module.address.encode(writer);
    writer.string(payload.module.name.as_str());
    writer.string(&payload.function);
    writer.sequence(&payload.type_arguments, |writer, tag| writer.string(&tag.to_string()));
    writer.sequence(&payload.arguments, |writer, bytes| writer.bytes(bytes));
}

fn ret_encoded(cx: &mut NativeCx<'_, '_>, writer: Writer) -> Result<(), Fault> {
    let ty = cx.result(0)?;
    if cx.ret_bcs(ty, writer.as_bytes())? {
        Ok(())
    } else {
        Err(extension("the framework declares another form of this payload"))
    }
}

/// `transaction_context::is_encrypted_txn_internal`: no transaction of this chain is.
pub fn is_encrypted(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.txn_hash)?;
    cx.ret_bool(false);
    Ok(())
}

/// `transaction_context::get_script_hash`
pub fn script_hash(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.txn_script_hash)?;
    let hash = cx.data.context.script_hash.clone();
    cx.ret_bytes(&hash)
}

/// `transaction_context::get_txn_hash`: the hash of the session.
pub fn session_hash(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.txn_hash)?;
    let hash = cx.data.session_hash();
    cx.ret_bytes(&hash.0)
}

/// `transaction_context::generate_unique_address`: the n-th of the session, from 1.
pub fn unique_address(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.unique_address)?;
    cx.data.addresses_made += 1;
    let mut seed = cx.data.session_hash().0.to_vec();
    seed.extend_from_slice(&cx.data.addresses_made.to_le_bytes());
    seed.push(UNIQUE_ADDRESS);
    cx.ret_address(&Address(HashValue::sha3_256(&seed).0));
    Ok(())
}

/// `transaction_context::monotonically_increasing_counter_internal`: block time, position of the
/// transaction, and a count within the session, from 1.
pub fn monotonic_counter(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    /// Abort code when the session's count is used up.
    const OVERFLOW: u64 = 0x3_0003;
    let timestamp_usecs = cx.word(0)?;
    let user = user(cx, cx.env.costs.txn_counter)?;
    let count = cx.data.counter.checked_add(1).ok_or_else(|| Fault::abort(OVERFLOW))?;
    cx.data.counter = count;
    let within = u128::from(user.transaction_index) << 32 | u128::from(count);
    cx.ret_u128(u128::from(timestamp_usecs) << 64 | within);
    Ok(())
}

/// `object::create_user_derived_object_address_impl`
pub fn derived_object_address(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.derived_object)?;
    let mut seed = cx.address(0)?.0.to_vec();
    seed.extend_from_slice(&cx.address(1)?.0);
    seed.push(DERIVED_ADDRESS);
    cx.ret_address(&Address(HashValue::sha3_256(&seed).0));
    Ok(())
}

/// `object::exists_at`
pub fn object_exists(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.object_exists)?;
    let (address, ty) = (cx.address(0)?, cx.type_argument(0)?.id);
    let item = cx.data.resource(cx.env, cx.meter, address, ty)?;
    let exists = cx.data.exists(item);
    cx.ret_bool(exists);
    Ok(())
}

/// `state_storage::get_state_storage_usage_only_at_epoch_beginning`: items, then bytes.
pub fn storage_usage(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.storage_usage)?;
    let usage = cx.data.state.usage();
    cx.ret_word(usage.items);
    cx.ret_word(usage.bytes);
    Ok(())
}

/// `debug::print` and its like: nothing is printed by a node.
pub fn silent(_: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    Ok(())
}

/// `debug::native_stack_trace`: empty outside of tests.
pub fn no_stack_trace(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.ret_bytes(&[])
}
