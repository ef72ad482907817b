//! Write sets and events as JSON.

use ledger_bytecode::abi::write_module_json;
use ledger_types::{Address, ContractEvent, ModuleId, Path, StateKey, StructTag, WriteOp, WriteSet};

use crate::json::types::{Types, group_members};
use crate::json::write;

/// Appends the array of changes, in the order of the write set. What cannot be decoded is left out.
pub fn write_changes(write_set: &WriteSet, types: &mut Types<'_>, out: &mut Vec<u8>) {
    out.push(b'[');
    let start = out.len();
    for (key, op) in write_set {
        write_change(key, op, types, start, out);
    }
    out.push(b']');
}

/// Appends a comma unless the array that begins at `start` is empty so far.
fn separate(start: usize, out: &mut Vec<u8>) {
    if out.len() > start {
        out.push(b',');
    }
}

fn write_change(key: &StateKey, op: &WriteOp, types: &mut Types<'_>, start: usize, out: &mut Vec<u8>) {
    match key {
        StateKey::AccessPath { address, .. } => match key.path() {
            Ok(Some(Path::Code(id))) => write_module_change(key, address, &id, op, start, out),
            Ok(Some(Path::Resource(tag))) => write_resource_change(key, address, &tag, op, types, start, out),
            Ok(Some(Path::ResourceGroup(tag))) => {
                write_group_change(key, address, &tag, op, types, start, out)
            }
            Ok(None) | Err(_) => {}
        },
        StateKey::TableItem { handle, key: item } => {
            separate(start, out);
            write_table_change(key, handle, item, op, out);
        }
        StateKey::Raw(_) => {}
    }
}

fn write_head(kind: &str, key: &StateKey, address: &Address, out: &mut Vec<u8>) {
    write::raw(&format!("{{\"type\":\"{kind}\",\"address\":"), out);
    write::address(address, out);
    write::raw(",\"state_key_hash\":", out);
    write::hash(&key.hash(), out);
}

fn write_module_change(
    key: &StateKey,
    address: &Address,
    id: &ModuleId,
    op: &WriteOp,
    start: usize,
    out: &mut Vec<u8>,
) {
    separate(start, out);
    match op.data() {
        Some(code) => {
            write_head("write_module", key, address, out);
            write::raw(",\"data\":", out);
            write_module_json(code, out);
        }
        None => {
            write_head("delete_module", key, address, out);
            write::raw(",\"module\":", out);
            write::string(&id.to_string(), out);
        }
    }
    out.push(b'}');
}

fn write_deleted(key: &StateKey, address: &Address, tag: &StructTag, start: usize, out: &mut Vec<u8>) {
    separate(start, out);
    write_head("delete_resource", key, address, out);
    write::raw(",\"resource\":", out);
    write::string(&tag.to_string(), out);
    out.push(b'}');
}

fn write_resource_change(
    key: &StateKey,
    address: &Address,
    tag: &StructTag,
    op: &WriteOp,
    types: &mut Types<'_>,
    start: usize,
    out: &mut Vec<u8>,
) {
    match op.data() {
        Some(bytes) => write_written(key, address, tag, bytes, types, start, out),
        None => write_deleted(key, address, tag, start, out),
    }
}

fn write_written(
    key: &StateKey,
    address: &Address,
    tag: &StructTag,
    bytes: &[u8],
    types: &mut Types<'_>,
    start: usize,
    out: &mut Vec<u8>,
) {
    let before = out.len();
    separate(start, out);
    write_head("write_resource", key, address, out);
    write::raw(",\"data\":", out);
    match types.write_resource(tag, bytes, out) {
        Ok(()) => out.push(b'}'),
        Err(_) => out.truncate(before),
    }
}

fn write_group_change(
    key: &StateKey,
    address: &Address,
    tag: &StructTag,
    op: &WriteOp,
    types: &mut Types<'_>,
    start: usize,
    out: &mut Vec<u8>,
) {
    let Some(bytes) = op.data() else { return write_deleted(key, address, tag, start, out) };
    for (member, value) in group_members(bytes).unwrap_or_default() {
        write_written(key, address, &member, &value, types, start, out);
    }
}

fn write_table_change(key: &StateKey, handle: &Address, item: &[u8], op: &WriteOp, out: &mut Vec<u8>) {
    let kind = if op.is_deletion() { "delete_table_item" } else { "write_table_item" };
    write::raw(&format!("{{\"type\":\"{kind}\",\"state_key_hash\":"), out);
    write::hash(&key.hash(), out);
    write::raw(",\"handle\":", out);
    write::hex(&handle.0, out);
    write::raw(",\"key\":", out);
    write::hex(item, out);
    if let Some(value) = op.data() {
        write::raw(",\"value\":", out);
        write::hex(value, out);
    }
    write::raw(",\"data\":null}", out);
}

/// Appends the array of events. Data that cannot be decoded is shown as hex.
pub fn write_events(events: &[ContractEvent], types: &mut Types<'_>, out: &mut Vec<u8>) {
    write::array(events, out, |event, out| write_event(event, types, out));
}

fn write_event(event: &ContractEvent, types: &mut Types<'_>, out: &mut Vec<u8>) {
    let (creation_number, account, sequence_number) = match event {
        ContractEvent::V1 { key, sequence_number, .. } => {
            (key.creation_number, key.account, *sequence_number)
        }
        ContractEvent::V2 { .. } => (0, Address::ZERO, 0),
    };
    write::raw(&format!("{{\"guid\":{{\"creation_number\":\"{creation_number}\",\"account_address\":"), out);
    write::address(&account, out);
    write::raw(&format!("}},\"sequence_number\":\"{sequence_number}\",\"type\":"), out);
    write::string(&event.type_tag().to_string(), out);
    write::raw(",\"data\":", out);
    if types.write_value(event.type_tag(), event.data(), out).is_err() {
        write::hex(event.data(), out);
    }
    out.push(b'}');
}
