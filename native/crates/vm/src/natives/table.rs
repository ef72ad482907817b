//! `0x1::table`: items kept in state one by one, under the BCS of their key.
//!
//! Type arguments are key, value and the box around the value, which is what an item holds. A table
//! is a struct whose first field is its handle.

use bytes::Bytes;
use ledger_types::{Address, HashValue};

use super::{NativeCx, by_length, encoded};
use crate::errors::Fault;
use crate::state::TableTypes;

/// Abort code of adding over an existing item.
const ALREADY_EXISTS: u64 = 25607;
/// Abort code of using an item that is not there.
const NOT_FOUND: u64 = 25863;
/// Loads are paid in pages of this many bytes.
const READ_PAGE_BYTES: u64 = 4096;

/// `table::new_table_handle`
pub fn new_handle(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.table_new)?;
    let number = cx.data.tables_made();
    let mut seed = cx.data.session_hash().0.to_vec();
    seed.extend_from_slice(&number.to_be_bytes());
    let handle = Address(HashValue::sha3_256(&seed).0);
    let (key, value) = (cx.type_tag(0)?, cx.type_tag(1)?);
    cx.data.table_types.push(TableTypes { handle, key, value });
    cx.ret_address(&handle);
    Ok(())
}

/// The item that the first two arguments name, its load paid.
fn item(cx: &mut NativeCx<'_, '_>, base: u64, per_byte: u64) -> Result<usize, Fault> {
    cx.charge(base)?;
    let handle = cx.address_at(cx.target(0)?);
    let key_type = cx.type_argument(0)?;
    let at = cx.slot(1)?;
    let key = encoded(cx, key_type, if key_type.narrow != 0 { at * 8 } else { at })?;
    cx.charge(by_length(0, per_byte, key.len()))?;
    let value = cx.type_argument(2)?.id;
    let (number, loaded) = cx.data.table_item(handle, Bytes::from(key), value)?;
    if let Some(size) = loaded {
        let costs = cx.env.costs;
        let paged = size.div_ceil(READ_PAGE_BYTES) * READ_PAGE_BYTES;
        cx.meter.charge_io(costs.load_slot + costs.load_per_byte.saturating_mul(paged))?;
    }
    Ok(number)
}

/// `table::add_box`
pub fn add(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let number = item(cx, costs.table_add, costs.table_add_per_byte)?;
    let from = cx.slot(2)?;
    if !cx.data.put(cx.env, number, from)? {
        return Err(Fault::abort(ALREADY_EXISTS));
    }
    // The value lives in the table now.
    forget_value(cx, 2)
}

/// Clears a moved argument so that its release frees nothing. An enum's tag may be cleared too: what
/// is left of it then owns nothing either.
fn forget_value(cx: &mut NativeCx<'_, '_>, number: usize) -> Result<(), Fault> {
    cx.forget(number)
}

/// `table::borrow_box` and `table::borrow_box_mut`
pub fn borrow(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let number = item(cx, costs.table_borrow, costs.table_borrow_per_byte)?;
    match cx.data.borrow(cx.env, number)? {
        Some(reference) => {
            cx.ret_word(reference);
            Ok(())
        }
        None => Err(Fault::abort(NOT_FOUND)),
    }
}

/// `table::contains_box`
pub fn contains(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let number = item(cx, costs.table_contains, costs.table_contains_per_byte)?;
    let exists = cx.data.exists(number);
    cx.ret_bool(exists);
    Ok(())
}

/// `table::remove_box`
pub fn remove(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let costs = cx.env.costs;
    let number = item(cx, costs.table_remove, costs.table_remove_per_byte)?;
    let slots = cx.type_argument(2)?.slots as usize;
    let memory = cx.env.memory;
    let scratch = memory.allocate(slots * 8)?;
    if !cx.data.take(cx.env, number, scratch + 1)? {
        return Err(Fault::abort(NOT_FOUND));
    }
    cx.results.extend((0..slots).map(|i| memory.word(scratch + 1 + i)));
    memory.release(scratch);
    Ok(())
}

/// `table::destroy_empty_box`: the handle is never used again; items are not looked for.
pub fn destroy_empty(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.table_destroy)
}

/// `table::drop_unchecked_box`
pub fn drop_unchecked(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.table_drop)
}
