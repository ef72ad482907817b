//! Emitting events.

use ledger_bcs::Reader;
use ledger_types::{Address, ContractEvent, EventKey};

use super::{NativeCx, by_length, encoded, extension};
use crate::errors::Fault;

fn charge(cx: &mut NativeCx<'_, '_>, message: usize) -> Result<Vec<u8>, Fault> {
    let ty = cx.type_argument(0)?;
    let at = cx.slot(message)?;
    let costs = cx.env.costs;
    let size = cx.env.values().abstract_size(ty, at, costs)?;
    cx.charge(costs.event_base.saturating_add(costs.event_per_unit.saturating_mul(size)))?;
    // A narrow message stands in a slot of its own, so its bytes start the slot.
    encoded(cx, ty, if ty.narrow != 0 { at * 8 } else { at })
}

/// `event::write_to_event_store`: an event of a handle. The first argument is the BCS of its GUID.
pub fn write_to_event_store(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let guid = cx.bytes(0)?;
    let sequence_number = cx.word(1)?;
    let data = charge(cx, 2)?;
    let key = event_key(&guid).map_err(|_| extension("an event handle without GUID"))?;
    let type_tag = cx.type_tag(0)?;
    cx.data.events.push(ContractEvent::V1 { key, sequence_number, type_tag, data: data.into() });
    Ok(())
}

fn event_key(guid: &[u8]) -> ledger_bcs::Result<EventKey> {
    let mut reader = Reader::new(guid);
    let creation_number = reader.u64()?;
    let account = Address(reader.array()?);
    reader.finish()?;
    Ok(EventKey { creation_number, account })
}

/// `event::write_module_event_to_store`: an event without a handle.
pub fn write_module_event(cx: &mut NativeCx<'_, '_>) -> Result<(), Fault> {
    let data = charge(cx, 0)?;
    let type_tag = cx.type_tag(0)?;
    cx.charge(by_length(0, 0, data.len()))?;
    cx.data.events.push(ContractEvent::V2 { type_tag, data: data.into() });
    Ok(())
}
