//! Aggregators of the first kind: a number of its own state item, with a limit kept in the struct.
//!
//! The struct is `Aggregator { handle: address, key: address, limit: u128 }`.

use ledger_types::{Address, HashValue};

use super::{NativeCx, extension};
use crate::errors::{Fault, status};
use crate::session::Aggregate;

/// Abort code of exceeding the limit.
const OVERFLOW: u64 = 0x2_0001;
/// Abort code of going below zero.
const UNDERFLOW: u64 = 0x2_0002;

/// Value and limit of the aggregator whose struct starts at word `at`.
fn aggregate<'c>(cx: &'c mut NativeCx<'_, '_>, at: usize) -> Result<(&'c mut Aggregate, u128), Fault> {
    let (handle, key) = (cx.address_at(at), cx.address_at(at + 4));
    let limit = cx.u128_at(at + 8);
    Ok((cx.data.aggregate(handle, key)?, limit))
}

fn value_of(aggregate: &Aggregate) -> Result<u128, Fault> {
    aggregate
        .value
        .ok_or_else(|| Fault::with_message(status::VM_EXTENSION_ERROR, "an aggregator without a value"))
}

/// `aggregator::add`
pub fn add(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_add)?;
    let (at, more) = (cx.target(0)?, cx.u128(1)?);
    let (aggregate, limit) = aggregate(cx, at)?;
    let sum = value_of(aggregate)?.checked_add(more).filter(|sum| *sum <= limit);
    aggregate.value = Some(sum.ok_or_else(|| Fault::abort(OVERFLOW))?);
    aggregate.changed = true;
    Ok(())
}

/// `aggregator::sub`
pub fn sub(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_sub)?;
    let (at, less) = (cx.target(0)?, cx.u128(1)?);
    let (aggregate, _) = aggregate(cx, at)?;
    let rest = value_of(aggregate)?.checked_sub(less);
    aggregate.value = Some(rest.ok_or_else(|| Fault::abort(UNDERFLOW))?);
    aggregate.changed = true;
    Ok(())
}

/// `aggregator::read`
pub fn read(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_read)?;
    let at = cx.target(0)?;
    let value = value_of(aggregate(cx, at)?.0)?;
    cx.ret_u128(value);
    Ok(())
}

/// `aggregator::destroy`
pub fn destroy(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.aggregator_destroy)?;
    let at = cx.slot(0)?;
    let (aggregate, _) = aggregate(cx, at)?;
    aggregate.value = None;
    aggregate.changed = true;
    Ok(())
}

/// `aggregator_factory::new_aggregator`: the factory is a struct around a table, so its first field
/// is the table's handle.
pub fn new_aggregator(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    cx.charge(cx.env.costs.new_aggregator)?;
    let handle = cx.address_at(cx.target(0)?);
    let limit = cx.u128(1)?;
    let number = cx.data.aggregators_made;
    cx.data.aggregators_made =
        number.checked_add(1).ok_or_else(|| extension("too many aggregators in one session"))?;
    let mut seed = cx.data.session_hash().0.to_vec();
    seed.extend_from_slice(&number.to_be_bytes());
    let key = Address(HashValue::sha3_256(&seed).0);
    let aggregate = cx.data.aggregate(handle, key)?;
    aggregate.value = Some(0);
    aggregate.changed = true;
    cx.ret_address(&handle);
    cx.ret_address(&key);
    cx.ret_u128(limit);
    Ok(())
}
